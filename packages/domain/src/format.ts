import { SACK_CROPS, SACK_KG } from './constants.ts'

/** Without what floating point adds to decimals that it cannot hold: 0,1 + 0,2 is 0,3. */
export const withoutNoise = (value: number): number => Number(value.toPrecision(12))

/**
 * A text that begins like a formula, in letters of any width, is set apart, so that no spreadsheet runs it. Blanks
 * in front are passed over by some.
 */
export const isLikeFormula = (text: string): boolean =>
  /^\s*[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(text)

/** The same of a column of numbers and texts: a negative number is one. */
export const withoutFormula = (text: string): string =>
  isLikeFormula(text) && !/^-\d+(?:[.,]\d+)?$/.test(text) ? `'${text}` : text

/** What stands where there is no value. */
export const NO_VALUE = '–'

const formatters = new Map<string, Intl.NumberFormat>()
const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const { style, currency, minimumFractionDigits: least, maximumFractionDigits: most } = options
  const key = `${style} ${currency} ${least} ${most}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.NumberFormat('pt-BR', options)
  formatters.set(key, made)
  return made
}

/**
 * With the sign for minus, which is as wide as a figure; a hyphen is read as a dash. What is rounded to nothing is
 * neither above nor below it.
 */
const written = (options: Intl.NumberFormatOptions, value: number): string =>
  numberFormat({ signDisplay: 'negative', ...options })
    .format(value)
    .replace('-', '\u2212')

type MaybeNumber = number | null | undefined
const isNumber = (value: MaybeNumber): value is number => typeof value === 'number' && Number.isFinite(value)

/** A number in pt-BR with at most `decimals` decimals, or '–'. */
export function formatNumber(value: MaybeNumber, decimals = 2): string {
  return isNumber(value) ? written({ maximumFractionDigits: decimals }, value) : NO_VALUE
}

/** A number in pt-BR with exactly `decimals` decimals, or '–'. */
export function formatFixed(value: MaybeNumber, decimals: number): string {
  return isNumber(value)
    ? written({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }, value)
    : NO_VALUE
}

/** A unit as it stands behind a number: '38%', '2.222 kg/ha'. */
export const unitBehind = (unit: string): string => (unit === '' || unit === '%' ? unit : ` ${unit}`)

/** Brazilian reals with two decimals, or '–'. */
export function formatCurrency(value: MaybeNumber): string {
  return isNumber(value) ? written({ style: 'currency', currency: 'BRL' }, value) : NO_VALUE
}

/** Kilograms per hectare without decimals, e.g. '3.480 kg/ha', or '–'. */
export function formatYield(kgPerHa: MaybeNumber): string {
  return isNumber(kgPerHa) ? `${formatNumber(kgPerHa, 0)} kg/ha` : NO_VALUE
}

/** 60 kg sacks per hectare for grain crops, e.g. '58,0 sc/ha'; null for other crops. */
export function formatSacks(kgPerHa: MaybeNumber, cultura: string): string | null {
  if (!isNumber(kgPerHa) || !SACK_CROPS.has(cultura)) return null
  return `${formatFixed(kgPerHa / SACK_KG, 1)} sc/ha`
}

/** A percentage that is already in percent, e.g. 38 -> '38,0%'. */
export function formatPercent(value: MaybeNumber, decimals = 1): string {
  return isNumber(value) ? `${formatFixed(value, decimals)}%` : NO_VALUE
}

/** What stands in place of a cost or a return that its organisation does not show. */
export const HIDDEN = 'Oculto'

/** Costs and returns of a trial: 'Oculto' where they may be there and are not shown. */
export function formatShown(
  value: MaybeNumber,
  { permissoes }: { permissoes: { ver_custos: boolean } },
): string {
  return permissoes.ver_custos ? formatCurrency(value) : HIDDEN
}

/** A day of the calendar, 'aaaa-mm-dd', as 'dd/mm/aaaa': it is the same day everywhere. */
export function formatDay(day: string | null | undefined): string {
  return day ? day.slice(0, 10).split('-').reverse().join('/') : NO_VALUE
}

/** Today in Brasília, or some days later, as 'aaaa-mm-dd'. */
export function dayInBrasilia(daysLater = 0): string {
  const then = new Date(Date.now() + daysLater * 86_400_000)
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(then)
}

/** A day in pt-BR, e.g. '21/11/2026', in the time zone of Brasília. */
export function formatDate(instant: string | Date | null | undefined): string {
  if (!instant) return NO_VALUE
  return new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' }).format(
    new Date(instant),
  )
}

/** A day and a time in pt-BR, in the time zone of Brasília. */
export function formatDateTime(instant: string | Date | null | undefined): string {
  if (!instant) return NO_VALUE
  return new Intl.DateTimeFormat('pt-BR', {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(new Date(instant))
}

/** Bytes as kB, MB or GB, e.g. '1,4 MB'. */
export function formatBytes(bytes: number): string {
  if (bytes < 999_500) return `${formatNumber(Math.max(1, Math.round(bytes / 1_000)), 0)} kB`
  return bytes < 999_950_000
    ? `${formatNumber(bytes / 1_000_000, 1)} MB`
    : `${formatNumber(bytes / 1_000_000_000, 1)} GB`
}

/** More letters than any number that somebody means. */
const LONGEST_NUMBER = 100

/**
 * Reads a number as Brazilians type it. '3.250,5', '3250,5' and '3250.5' are 3250.5; '1.234' is 1234, because
 * a dot before exactly three digits groups thousands. With `grouping: false` (coordinates) a lone dot is always
 * the decimal sign. 'R$', '%' and blanks are passed over. Returns null for an empty text, undefined for one
 * that is no number.
 */
export function parseNumber(text: string, { grouping = true } = {}): number | null | undefined {
  if (text.length > LONGEST_NUMBER) return text.trim() === '' ? null : undefined
  const bare = text
    .replace(/R\$|%/g, '')
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/[\u2212\u2013]/g, '-')
  if (bare === '') return null
  if (!/^[+-]?[.,]*\d[\d.,]*$/.test(bare)) return undefined
  const decimalSign = decimalSignOf(bare, grouping)
  if (decimalSign === undefined) return undefined
  const plain =
    decimalSign === null
      ? bare.replace(/[.,]/g, '')
      : bare.replaceAll(decimalSign === ',' ? '.' : ',', '').replace(decimalSign, '.')
  const value = Number(plain)
  return Number.isFinite(value) ? value : undefined
}

/** The sign that separates the decimals in `bare`, null when there is none, undefined when it makes no sense. */
function decimalSignOf(bare: string, grouping: boolean): '.' | ',' | null | undefined {
  const dots = bare.split('.').length - 1
  const commas = bare.split(',').length - 1
  if (dots === 0 && commas === 0) return null
  const grouped = (sign: string) =>
    grouping && new RegExp(`^[+-]?[1-9]\\d{0,2}(?:\\${sign}\\d{3})+$`).test(bare)
  if (dots > 0 && commas > 0) {
    const last = bare.lastIndexOf(',') > bare.lastIndexOf('.') ? ',' : '.'
    const group = last === ',' ? '\\.' : ','
    return new RegExp(`^[+-]?\\d{1,3}(?:${group}\\d{3})+\\${last}\\d+$`).test(bare) ? last : undefined
  }
  if (commas > 0) return commas === 1 ? ',' : grouped(',') ? null : undefined
  if (grouped('.')) return null
  return dots === 1 ? '.' : undefined
}

/** Lower case without accents or repeated blanks, for searching. */
export function searchable(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()
}

/** `text` cut to `length` characters with '...' behind when it was longer. */
export function truncate(text: string, length: number): string {
  const characters = [...text]
  return characters.length > length ? `${characters.slice(0, length).join('')}...` : text
}

/** 'documento' or 'documentos' by count, with the count in front. */
export function counted(count: number, one: string, many: string): string {
  return `${formatNumber(count, 0)} ${count === 1 ? one : many}`
}
