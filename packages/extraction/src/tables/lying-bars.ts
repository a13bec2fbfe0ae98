import type { Line } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import { readCell } from '../values/number.ts'
import { makeCell } from './lattice.ts'
import type { Table } from './table.ts'

const LEAST_BARS = 4
/** How far, in points, the names of the bars stand from one another, and how far apart their figures at least. */
const NEAR = 4
const APART = 30

/** Bars that lie, each with its name before it and its figure at its end: one column of figures, wherever they stand. */
export function lyingBars(run: readonly Line[], page: number): Table | null {
  const titles = run.filter(({ segments }) => segments.length === 1)
  const bars = run.filter(({ segments }) => segments.length > 1)
  const left = Math.min(...bars.map(({ x0 }) => x0))
  const whole = bars.every(({ segments: [name, figure, more], x0 }) => {
    const value = figure ? readCell(figure.text) : null
    return name && value !== null && !more && x0 < left + NEAR && readCell(name.text) === null
  })
  const ends = bars.map(({ x1 }) => x1)
  const starts = bars.flatMap(({ segments: [, figure] }) => figure?.x0 ?? [])
  const spread = Math.min(Math.max(...ends) - Math.min(...ends), Math.max(...starts) - Math.min(...starts))
  if (bars.length < LEAST_BARS || !whole || spread < APART) return null
  const [first] = bars
  if (!first || titles.length > 1 || titles.some(({ base }) => base > first.base)) return null
  const title = titles.map(({ words }) => makeCell(words, union(words), page))
  const rows = bars.map(({ segments }) => segments.map(({ words }) => makeCell(words, union(words), page)))
  return {
    ...{ ...union([...run]), page, columns: 2, ruled: false, title: '', lines: run },
    rows: [...title.map((cell) => [cell, cell]), ...rows],
  }
}
