import type { ImportForm, ImportProblem } from '../contract-imports.ts'
import { isFieldKey } from '../experiment-fields.ts'
import type { WorkbookCell } from '../workbook.ts'

/** A column as it is read: what it gives, and how. */
export interface PlanColumn {
  /** 'F'; with the sheet's name in front where several are joined. */
  key: string
  /** The sheet's place in the file. */
  folha: number
  /** Its name, where several are joined. */
  nomeFolha: string | null
  index: number
  titulo: string
  campo: string
  unidade: string | null
  /** What its numbers are multiplied by. */
  factor: number
  decimal: ',' | '.'
  tellDoubtful: boolean
}

/** Names that are in use, and places. */
export interface KnownNames {
  /** As it is spelled, by what `searchable` makes of it. */
  spelling(kind: NameKind, plain: string): string | undefined
  /** Those that a slip of the pen may have meant. */
  all(kind: NameKind): readonly string[]
  cities(plain: string): readonly { nome: string; estado: string }[]
  /** The municipality of the state that is meant but for a letter or two. */
  nearCity(text: string, state: string): string | undefined
}
export type NameKind = 'consultoria' | 'marca' | 'regional' | 'cultura' | 'modalidade' | 'produto'

export interface ImportPlan {
  forma: ImportForm
  colunas: readonly PlanColumn[]
  /** One value for all rows, by field. */
  padroes: Readonly<Record<string, string>>
  safra: 'colheita' | 'plantio'
  names: KnownNames
}

export interface SheetRow {
  folha: number
  /** From 1. */
  linha: number
  celulas: readonly (WorkbookCell | undefined)[]
}

/** Where a value came from. */
export type Place = Pick<
  ImportProblem,
  'folha' | 'linha' | 'coluna' | 'celula' | 'titulo' | 'campo' | 'valor'
>

/** Fields that stand once in a trial, its key among them. */
export const isTrialField = (campo: string): boolean =>
  campo === 'id' || campo === 'versao' || isFieldKey(campo)

/** What a trial has to have, and may have for all rows at once. */
export const REQUIRED_OF_TREATMENTS = ['tratamento.modalidade', 'tratamento.produtividade'] as const
