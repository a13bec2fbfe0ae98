import { formatNumber, NO_VALUE } from '@ensaio/domain'

/** A value of a trial in one line: what a change was, and what it is. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return NO_VALUE
  if (typeof value === 'number') return formatNumber(value, 6)
  if (Array.isArray(value)) return value.length === 0 ? NO_VALUE : value.map(valueText).join('; ')
  if (typeof value === 'object')
    return Object.values(value)
      .filter((one) => one !== null && one !== '')
      .map(valueText)
      .join(' ')
  return String(value)
}
