import type { Cell, Table } from '../tables/table.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { headerText, orient, type Row } from './orient.ts'

const PLOTS =
  /^(?:faixas?|parcelas?|parc\.?|plots?|canteiros?|blocos?|bl\.?|rep\.?|repeticao|repeticoes|n[º°o.]*)$/
const TREATMENTS = /^(?:trats?\.?|tratamentos?|trt)$/
const CODE = /^(?:T\s?-?)?0?(\d{1,2})$|^[A-L]$/i
/** Fewer plots of a treatment have no mean. */
const LEAST_PLOTS = 2
const LEAST_TREATMENTS = 3
/** Its headings stand in its first rows. */
const MOST_HEADINGS = 4

/**
 * Plots in the order in which they lie in the field, each with its treatment's code: 'Faixa | Trat. | kg | sc/ha'. A row
 * is one plot: turned into a row a treatment, with its yields side by side. Null where it is no such table.
 */
export function byTreatment(table: Table): Table | null {
  if (table.given || table.columns < 3) return null
  const said = table.rows.slice(0, MOST_HEADINGS).flat()
  if (!said.some((cell) => cell !== null && TREATMENTS.test(fold(cell.text)))) return null
  const upright = orient(table)
  if (!upright) return null
  const { header, body } = upright
  const width = Math.max(0, ...body.map((row) => row.length))
  const headings = Array.from({ length: width }, (_, c) => headerText(header, c))
  const own = headings.findIndex((heading) => TREATMENTS.test(fold(heading)))
  if (own < 0 || !headings.some((heading, c) => c !== own && PLOTS.test(fold(heading)))) return null
  const rows = body.filter((row) => CODE.test(row[own]?.text.trim() ?? ''))
  const plots = Map.groupBy(rows, (row) => fold(row[own]?.text ?? '').replace(/^t\s?-?0?/, ''))
  const counts = [...plots.values()].map((list) => list.length)
  const most = Math.max(0, ...counts)
  if (plots.size < LEAST_TREATMENTS || most < LEAST_PLOTS || counts.some((count) => count < most)) return null
  // The last one is worked out of the others: 'Peso (kg) | sc/ha'.
  const at = headings.findLastIndex((heading) => yieldUnit(heading) !== null)
  const heading = header.flatMap((row) => row[at] ?? []).at(-1)
  if (at <= own || !heading || rows.some((row) => readCell(row[at]?.text ?? '') === null)) return null
  const named = (text: string): Cell => ({ ...heading, text, words: [] })
  const head: Row = [named('Trat.'), ...Array.from({ length: most }, (_, i) => named(`R${i + 1}`))]
  const told = [...plots.entries()]
    .sort(([a], [b]) => a.localeCompare(b, 'pt', { numeric: true }))
    .map(([, list]): Row => [list[0]?.[own] ?? null, ...list.map((row) => row[at] ?? null)])
  const { lines: _, head: __, ...box } = table
  return { ...box, rows: [head, ...told], columns: most + 1, title: headings[at] ?? table.title }
}
