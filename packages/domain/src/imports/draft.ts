import type { ImportProblem } from '../contract-imports.ts'
import { searchable } from '../format.ts'
import { textOf } from './cells.ts'
import { columnLetter } from './columns.ts'
import { type ReadField, readField } from './fields.ts'
import type { ImportPlan, Place, PlanColumn, SheetRow } from './plan.ts'

export type Value = string | number | null
export interface DraftProduct {
  nome: Value
  dose: Value
  unidade: Value
  custo: Value
}
export interface DraftTreatment {
  /** Its place in the trial, from 1, where the rows say it: it is known by that, and not by its name. */
  numero: number | null
  nome: Value
  modalidade: Value
  produtividade: Value
  custo: Value
  produtos_aplicados: DraftProduct[]
  analises_adicionais: { nome: Value; valor: Value; unidade: Value }[]
}
/** A plot's row, in the form `parcelas`. */
export interface DraftPlot {
  linha: number
  tratamento: number
  bloco: Value
  numero: Value
  fila: Value
  coluna: Value
  area: Value
  produtividade: number | null
  analises: { nome: string; unidade: string; valor: number | null }[]
}

/** A trial as its rows say it, before it is held against what a trial has to have. */
export interface TrialDraft {
  linhas: number[]
  /** The sheets of these rows, in the same order. */
  folhas: number[]
  campos: Map<string, Value>
  tratamentos: DraftTreatment[]
  parcelas: DraftPlot[]
  /** Where values came from, by their path in the input: 'tratamentos.1.produtividade', from 0. */
  places: Map<string, Place>
  problemas: ImportProblem[]
  /** What one click may put, by the path of what is wrong. */
  hints: Map<string, string>
}

const LONGEST_SHOWN = 200
export const placeOf = (row: SheetRow, column: PlanColumn): Place => ({
  folha: column.nomeFolha,
  linha: row.linha,
  coluna: columnLetter(column.index),
  celula: `${columnLetter(column.index)}${row.linha}`,
  titulo: column.titulo,
  campo: column.campo,
  valor: textOf(row.celulas[column.index]).slice(0, LONGEST_SHOWN) || null,
})

export const problemAt = (
  place: Place,
  gravidade: ImportProblem['gravidade'],
  mensagem: string,
  sugestao: string | null = null,
): ImportProblem => ({ ...place, gravidade, mensagem, sugestao })

export const nowhere = (linha: number): Place => ({
  folha: null,
  linha,
  coluna: null,
  celula: null,
  titulo: null,
  campo: null,
  valor: null,
})

/** Reads one cell, notes what is to be said of it and where it stands. */
export function read(
  draft: TrialDraft,
  row: SheetRow,
  column: PlanColumn,
  plan: ImportPlan,
  path: string,
): Value {
  const place = placeOf(row, column)
  const found = readField(column, row.celulas[column.index], plan)
  if (!draft.places.has(path) || found.value !== null || found.error) draft.places.set(path, place)
  tell(draft, place, found)
  return found.value
}

export function tell(draft: TrialDraft, place: Place, { error, notice, suggestion }: ReadField): void {
  if (error) draft.problemas.push(problemAt(place, 'erro', error))
  if (notice) draft.problemas.push(problemAt(place, 'aviso', notice, suggestion ?? null))
}

export const same = (a: Value, b: Value): boolean =>
  typeof a === 'string' && typeof b === 'string'
    ? searchable(a.slice(0, 300)) === searchable(b.slice(0, 300))
    : a === b
