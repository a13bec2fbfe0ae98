import { isHeading } from '../values/headings.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** Of cells in their order from the top. */
const middleOf = (first: Cell, last: Cell): number => (first.y0 + last.y1) / 2

/** Longer tables are not parted: every way of doing it is weighed. */
const MOST_LINES = 80

/**
 * Records of several lines whose name does not stand on the first of them, but in their middle or at their bottom: the
 * lines are parted so that each name stands as near as can be to its place. Null where there is nothing to part.
 */
export function groupByKey(table: Table, anchor: 'middle' | 'bottom'): Table | null {
  const lines = table.rows
  const filled = (c: number): number[] => lines.flatMap((row, r) => (row[c] && row[c].text !== '' ? [r] : []))
  const key = 0
  // The column with most entries tells the lines, below the headings.
  const top = lines.findLastIndex(
    (row, r) =>
      r < 4 && row.filter((cell) => cell !== null && isHeading(cell.text)).length >= 0.5 * row.length,
  )
  const body = (c: number): number[] => filled(c).filter((r) => r > top)
  const keys = body(key)
  const densest = Array.from({ length: table.columns }, (_, c) => c)
    .slice(1)
    .reduce((best, c) => (body(c).length > body(best).length ? c : best), 1)
  const entries = body(densest)
  if (keys.length < 3 || entries.length <= keys.length || entries.length > MOST_LINES) return null
  const shared = lines.some((row, r) => r > top && row[key] && row[key] === lines[r - 1]?.[key])
  if (shared) return null
  // Where every name stands with an entry, at the first of its lines, the usual reading is this one already.
  const entryCells = entries.map((r) => lines[r]?.[densest] as Cell)
  const keyCells = keys.map((r) => lines[r]?.[key] as Cell)
  const groups = partition(entryCells, keyCells, anchor)
  if (!groups) return null
  const rows: Row[] = lines.slice(0, top + 1)
  const used = new Set<Cell>()
  groups.forEach(([from, to], g) => {
    const own = entries.slice(from, to)
    for (const r of own) {
      const row = lines[r] ?? []
      rows.push(row.map((cell, c) => (c === key ? (keyCells[g] ?? null) : cell)))
      for (const cell of row) if (cell) used.add(cell)
    }
  })
  // What stands beside a name, on a line of its own, belongs to all lines of that name.
  keys.forEach((r, g) => {
    const [from, to] = groups[g] ?? [0, 0]
    const first = top + 1 + from
    lines[r]?.forEach((cell, c) => {
      if (!cell || c === key || used.has(cell)) return
      for (let k = first; k < top + 1 + to; k++) {
        const row = rows[k]
        if (row && (row[c] === null || row[c]?.text === '')) row[c] = cell
      }
    })
  })
  for (let r = (entries.at(-1) ?? 0) + 1; r < lines.length; r++)
    if (!keys.includes(r)) rows.push(lines[r] ?? [])
  return { ...table, rows }
}

/** Parts entries into as many runs as there are keys, each key as near as can be to its place in its run. */
function partition(
  entries: readonly Cell[],
  keys: readonly Cell[],
  anchor: 'middle' | 'bottom',
): [from: number, to: number][] | null {
  const [n, k] = [entries.length, keys.length]
  const cost = (g: number, from: number, to: number): number => {
    const [first, last, key] = [entries[from], entries[to - 1], keys[g]]
    if (!first || !last || !key) return Infinity
    return (middleOf(anchor === 'middle' ? first : last, last) - middleOf(key, key)) ** 2
  }
  const best = Array.from({ length: k + 1 }, () => new Array<number>(n + 1).fill(Infinity))
  const cut = Array.from({ length: k + 1 }, () => new Array<number>(n + 1).fill(0))
  const first = best[0]
  if (first) first[0] = 0
  for (let g = 1; g <= k; g++)
    for (let to = g; to <= n; to++)
      for (let from = g - 1; from < to; from++) {
        const value = (best[g - 1]?.[from] ?? Infinity) + cost(g - 1, from, to)
        if (value >= (best[g]?.[to] ?? Infinity)) continue
        const [row, cuts] = [best[g], cut[g]]
        if (row) row[to] = value
        if (cuts) cuts[to] = from
      }
  if (!Number.isFinite(best[k]?.[n] ?? Infinity)) return null
  const out: [number, number][] = []
  for (let g = k, to = n; g > 0; g--) {
    const from = cut[g]?.[to] ?? 0
    out.unshift([from, to])
    to = from
  }
  return out
}
