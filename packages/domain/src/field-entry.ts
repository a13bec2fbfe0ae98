import type { CellValue } from './field.ts'
import { formatDay, formatFixed, formatNumber, parseNumber } from './format.ts'
import { allowsSeveral, readSeveral } from './trial-categories.ts'
import { LONGEST_WORDS, limitSentence, limitsOf } from './trial-ranges.ts'
import type { TrialVariable } from './trial-variable.ts'

/** What was typed into a cell: nothing yet, what is refused, what is asked about once more, or a value. */
export type Entered =
  | { kind: 'empty' }
  | { kind: 'wrong'; message: string }
  | { kind: 'unexpected'; value: number; message: string }
  | { kind: 'value'; value: CellValue }

type EntryVariable = Pick<
  TrialVariable,
  | 'tipo'
  | 'escala'
  | 'produtividade'
  | 'minimo'
  | 'maximo'
  | 'esperado_min'
  | 'esperado_max'
  | 'casas'
  | 'unidade'
  | 'nome'
  | 'categorias'
  | 'varias'
>

const MOST_DECIMALS = 6
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
/** A day that the calendar has: 30 February is none. */
export function isDay(text: string): boolean {
  const at = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Decimals of what a variable is written with: whole counts, else as set. */
const decimalsOf = ({ tipo, casas }: Pick<TrialVariable, 'tipo' | 'casas'>): number =>
  tipo === 'contagem' ? 0 : (casas ?? MOST_DECIMALS)

/** Whether a variable can be below zero, so that the keypad needs the sign. */
export const mayBeNegative = (variable: EntryVariable): boolean => {
  const [least] = limitsOf(variable)
  return least === null || least < 0
}

/** Reads what was typed for a variable; hard limits refuse, expected ones ask. */
export function readEntry(variable: EntryVariable, text: string): Entered {
  const bare = text.trim()
  if (bare === '' || bare === '-') return { kind: 'empty' }
  if (variable.tipo === 'texto')
    return bare.length > LONGEST_WORDS
      ? { kind: 'wrong', message: `Use no máximo ${LONGEST_WORDS} caracteres` }
      : { kind: 'value', value: bare }
  if (variable.tipo === 'data')
    return isDay(bare) ? { kind: 'value', value: bare } : { kind: 'wrong', message: 'Informe a data' }
  if (allowsSeveral(variable)) {
    const read = readSeveral(variable, bare)
    return 'wrong' in read ? { kind: 'wrong', message: read.wrong } : { kind: 'value', value: read.text }
  }
  const value = parseNumber(bare)
  if (value === null || value === undefined) return { kind: 'wrong', message: 'Informe um número' }
  const decimals = decimalsOf(variable)
  if (Math.abs(value * 10 ** decimals - Math.round(value * 10 ** decimals)) > 1e-6)
    return {
      kind: 'wrong',
      message:
        decimals === 0
          ? 'Informe um número inteiro'
          : `Use no máximo ${decimals} ${decimals === 1 ? 'casa decimal' : 'casas decimais'}`,
    }
  const [least, most] = limitsOf(variable)
  if ((least !== null && value < least) || (most !== null && value > most))
    return { kind: 'wrong', message: limitSentence(least, most) }
  const { esperado_min: low = null, esperado_max: high = null, unidade } = variable
  if ((low === null || value >= low) && (high === null || value <= high)) return { kind: 'value', value }
  const range =
    low !== null && high !== null
      ? `${formatNumber(low, 6)} a ${formatNumber(high, 6)}`
      : low !== null
        ? `${formatNumber(low, 6)} ou mais`
        : `${formatNumber(high, 6)} ou menos`
  const unit = unidade ? ` ${unidade}` : ''
  return {
    kind: 'unexpected',
    value,
    message: `Fora da faixa esperada (${range}${unit}). Confirmar ${formatNumber(value, 6)}?`,
  }
}

/** A cell's value as it is read: '12,5', '12/03/2026', the mean of its samples. */
export function shownValue(variable: Pick<TrialVariable, 'tipo' | 'casas'>, value: CellValue): string {
  if (value === null) return '–'
  if (typeof value === 'string') return variable.tipo === 'data' ? formatDay(value) : value
  const number = Array.isArray(value) ? value.reduce((sum, one) => sum + one, 0) / value.length : value
  return variable.casas != null && !Array.isArray(value)
    ? formatFixed(number, variable.casas)
    : formatNumber(number, MOST_DECIMALS)
}

/** The same as it is typed again: no grouping, a decimal comma. */
export const typedValue = (value: CellValue): string =>
  value === null || Array.isArray(value)
    ? ''
    : String(value).replace('.', typeof value === 'number' ? ',' : '.')

/** 'Altura de plantas (cm)'. */
export const variableLabel = ({ nome, unidade }: Pick<TrialVariable, 'nome' | 'unidade'>): string =>
  unidade ? `${nome} (${unidade})` : nome
