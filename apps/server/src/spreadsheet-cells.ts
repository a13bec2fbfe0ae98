import { isLikeFormula } from '@ensaio/domain'

/** What a cell of a spreadsheet holds on its way out. */
export type CellValue = string | number | Date | null

/** For Brazilian spreadsheets: `;` between cells, the decimal comma. */
export function csvCell(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value).replace('.', ',')
  if (value instanceof Date) return brasiliaTime(value).toISOString().slice(0, 19).replace('T', ' ')
  const safe = isLikeFormula(value) ? `'${value}` : value
  return /[";\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A whole file, with a byte order mark in front. */
export const csvFile = (rows: readonly (readonly CellValue[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(csvCell).join(';')}\r\n`).join('')}`

/** Spreadsheets know no time zones: the clock of Brasília, UTC-3 all year since 2019. */
export const brasiliaTime = (instant: Date): Date => new Date(instant.getTime() - 3 * 3_600_000)
