import { fold } from '../values/text.ts'
import type { Column } from './columns.ts'
import { isTime } from './row-values.ts'

/** What is always written short beside a measurement. */
const SHORT: readonly [RegExp, string][] = [
  [/^(?:%\s?e|e\s?\(%\)|%\s?efic\w*\.?)$/, 'Eficiência'],
  [/^(?:%\s?c|c\s?\(%\))$/, 'Controle'],
]

/** '7 DAC | %E | 14 DAC | %E': of headings that come again, each is of the time before it. */
export function tellRepeatedApart(columns: readonly Column[]): void {
  const headers = columns.map(({ header }) => fold(header))
  columns.forEach((column, c) => {
    const own = headers[c] ?? ''
    if (column.role !== 'analysis') return
    const name = SHORT.find(([pattern]) => pattern.test(own))?.[1]
    const again = headers.filter((header) => header === own).length > 1
    const time =
      again && !isTime(own) ? columns.slice(0, c).findLast(({ header }) => isTime(fold(header))) : null
    if (name) column.header = `${name}${time ? ` ${time.header}` : ''} (%)`
    else if (time) {
      const unit = /\s*\([^()]*\)$/.exec(column.header)?.[0] ?? ''
      column.header = `${column.header.slice(0, column.header.length - unit.length)} ${time.header}${unit}`
    }
  })
}
