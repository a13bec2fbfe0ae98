import type { ImportColumn, ImportForm } from '../contract-imports.ts'
import { FIELD_KEYS, fieldOf } from '../experiment-fields.ts'
import { formatNumber } from '../format.ts'
import { importFieldLabel, templateKeys } from '../import-fields.ts'
import { contradictsItself, decimalOf, textOf } from './cells.ts'
import {
  type ColumnProfile,
  columnLetter,
  type GuessedColumn,
  guessColumns,
  isNumeric,
  newProfile,
  type TitleRows,
} from './columns.ts'
import { kindOf, readField } from './fields.ts'
import { type ImportPlan, type KnownNames, type PlanColumn, REQUIRED_OF_TREATMENTS } from './plan.ts'
import { conversionOf, factorOf } from './units.ts'

/** A sheet that takes part, as it was looked through. */
export interface LookedSheet extends TitleRows {
  folha: number
  /** Where several are joined. */
  nome: string | null
  profiles: readonly ColumnProfile[]
}

/** What a person, or a model that they saved, says of the columns. */
export interface Choices {
  mapa: Readonly<Record<string, string | null>>
  /** Field by title: of a model. */
  titulos: Readonly<Record<string, string | null>>
  decimal: Readonly<Record<string, ',' | '.'>>
  padroes: Readonly<Record<string, string>>
  safra: 'colheita' | 'plantio'
}

export interface MadePlan {
  plan: ImportPlan
  /** As they are shown, those that are not imported among them. */
  columns: ImportColumn[]
  /** Required fields that no column gives and that have no value for all rows. */
  faltam: { campo: string; rotulo: string }[]
}

/** Puts guesses and choices together. */
export function makePlan({
  forma,
  sheets,
  choices,
  names,
}: {
  forma: ImportForm
  sheets: readonly LookedSheet[]
  choices: Choices
  names: KnownNames
}): MadePlan {
  const colunas: PlanColumn[] = []
  const columns: ImportColumn[] = []
  const context = { safra: choices.safra, names }
  for (const sheet of sheets) {
    const guessed = withChoices(guessColumns(sheet, sheet.profiles, forma, sheet.nome), sheet, choices)
    for (const column of guessed) {
      const profile = sheet.profiles[column.index] ?? newProfile()
      if (profile.filled === 0 && textOf(sheet.titles[column.index]) === '') continue
      const key = columnOf(sheet.nome, column.index)
      const numeric = column.campo !== null && isNumeric(column.campo)
      const decimal = numeric ? (choices.decimal[key] ?? decimalOf(profile.evidence)) : null
      const factor =
        column.campo === null || column.unidade === null ? 1 : (factorOf(column.campo, column.unidade) ?? 1)
      const { comma, point, groupedByDot, groupedByComma } = profile.evidence
      // Where the column proves that its dots group, and nothing in it speaks against that, nothing is doubtful.
      const proved =
        (decimal === '.' ? groupedByComma : groupedByDot) > 0 && !contradictsItself(profile.evidence)
      const planned: PlanColumn = {
        key,
        folha: sheet.folha,
        nomeFolha: sheet.nome,
        index: column.index,
        titulo: column.titulo,
        campo: column.campo ?? '',
        unidade: column.unidade,
        factor,
        decimal: decimal ?? ',',
        tellDoubtful: comma + point > 0 && !proved,
      }
      if (column.campo !== null) colunas.push(planned)
      columns.push({
        coluna: key,
        titulo: column.titulo,
        campo: column.campo,
        confianca: column.confianca,
        unidade: column.unidade,
        conversao: column.campo === null ? null : conversionOf(column.campo, column.unidade, factor),
        decimal: profile.written > 0 ? decimal : null,
        lido: numeric ? understoodAs(profile, planned, context) : [],
        exemplos: profile.examples,
      })
    }
  }
  const plan: ImportPlan = { forma, colunas, padroes: choices.padroes, ...context }
  return { plan, columns, faltam: missingOf(plan) }
}

/** 'F'; 'Tratamentos!F' where sheets are joined. */
export const columnOf = (sheet: string | null, index: number) =>
  sheet === null ? columnLetter(index) : `${sheet}!${columnLetter(index)}`

/** A choice is sure, and takes its field from whoever was guessed to have it. */
function withChoices(
  guessed: readonly GuessedColumn[],
  sheet: LookedSheet,
  { mapa, titulos }: Choices,
): GuessedColumn[] {
  const keys = templateKeys(
    guessed.map(({ index, titulo }) => ({ coluna: columnOf(sheet.nome, index), titulo })),
  )
  const places = new Map(guessed.map((column, at) => [column, keys[at] ?? '']))
  const chosen = (column: GuessedColumn): string | null | undefined => {
    const key = columnOf(sheet.nome, column.index)
    if (Object.hasOwn(mapa, key)) return mapa[key] ?? null
    const own = places.get(column) ?? ''
    // Models of before knew titles alone.
    const known = Object.hasOwn(titulos, own) ? own : column.titulo
    return Object.hasOwn(titulos, known) ? (titulos[known] ?? null) : undefined
  }
  const taken = new Set(guessed.map(chosen).filter((campo) => campo !== undefined && campo !== null))
  return guessed.map((column) => {
    const campo = chosen(column)
    if (campo !== undefined) return { ...column, campo, confianca: campo === null ? 0 : 1 }
    return column.campo !== null && taken.has(column.campo)
      ? { ...column, campo: null, confianca: 0 }
      : column
  })
}

function understoodAs(
  profile: ColumnProfile,
  column: PlanColumn,
  context: Pick<ImportPlan, 'safra' | 'names'>,
): ImportColumn['lido'] {
  const texts = [...new Set([...profile.doubtful, ...profile.examples])].slice(0, 2)
  const plain = kindOf(column.campo) === 'ano'
  if (profile.written === 0) return []
  return texts.flatMap((texto) => {
    const { value } = readField(column, texto, context)
    return typeof value === 'number' ? [{ texto, valor: plain ? String(value) : formatNumber(value, 6) }] : []
  })
}

/** What every trial has to have and no column gives. */
function missingOf({ colunas, padroes, forma }: ImportPlan): MadePlan['faltam'] {
  const given = new Set(colunas.map(({ campo }) => campo))
  const has = (campo: string) => given.has(campo) || Boolean(padroes[campo]?.trim())
  // The city's column may hold the state too: its cells say whether they do.
  const required: string[] = FIELD_KEYS.filter((key) => fieldOf(key).required !== undefined)
  const ofTrial = required.filter((campo) => !has(campo) && !(campo === 'estado' && has('cidade')))
  const ofTreatments = REQUIRED_OF_TREATMENTS.filter(
    (campo) =>
      !has(campo) &&
      !(
        forma === 'larga' &&
        colunas.some((one) => /^tratamentos\./.test(one.campo) && kindOf(one.campo) === kindOf(campo))
      ),
  )
  const updates = given.has('id') || given.has('codigo')
  // Who only updates gives a key and what is to change.
  if (updates && ofTrial.length > 0 && given.has('id')) return []
  return [...ofTrial, ...ofTreatments].map((campo) => ({ campo, rotulo: importFieldLabel(campo) }))
}
