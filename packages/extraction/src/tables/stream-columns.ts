import type { Line } from '../layout/lines.ts'
import type { Box } from '../read/geometry.ts'
import type { Ruling } from '../read/page.ts'

export interface Column {
  x0: number
  x1: number
  /** Where the column's own words stand. */
  ink?: Box
}

/** Steps in a point, when gaps between columns are measured. */
const FINE = 4

/** Column bounds: where nearly no line has ink, kept only if something lies wholly inside the column. */
export function findColumns(run: readonly Line[], rulings: readonly Ruling[], box: Box): Column[] {
  // Many lines make even narrow common gaps mean something.
  const least = Math.max(run.length >= 6 ? 0.4 : run.length >= 4 ? 0.62 : 0.95, 1.4 * usualSpace(run))
  const tabular = run.filter((line) => line.segments.length >= 2 || clumps(line, least).length >= 2)
  const size = tabular.map((line) => line.size).sort((a, b) => a - b)[Math.floor(tabular.length / 2)] ?? 10
  // Narrow columns of small print stand a few points apart.
  const narrowest = Math.min(3, 0.34 * size)
  const from = Math.floor(box.x0) - 1
  const width = Math.ceil((box.x1 - from + 2) * FINE)
  const crossings = new Uint16Array(width)
  for (const line of tabular)
    for (const segment of clumps(line, least)) {
      const end = Math.ceil((segment.x1 - from) * FINE)
      for (let x = Math.floor((segment.x0 - from) * FINE); x <= end; x++)
        if (x >= 0 && x < width) crossings[x] = (crossings[x] ?? 0) + 1
    }
  const allowed = tabular.length >= 12 ? Math.floor(tabular.length * 0.12) : tabular.length >= 4 ? 1 : 0
  const gaps: Column[] = []
  let start = -1
  for (let x = 0; x <= width; x++) {
    const free = x < width && (crossings[x] ?? 0) <= allowed
    if (free && start < 0) start = x
    if (!free && start >= 0) {
      if (x - start >= narrowest * FINE) gaps.push(clearest(crossings, start, x, from))
      start = -1
    }
  }
  const cuts = gaps.map((gap) => (gap.x0 + gap.x1) / 2).filter((x) => x > box.x0 && x < box.x1)
  for (const r of rulings) {
    if (!r.vertical || r.y1 < box.y0 || r.y0 > box.y1 || r.y1 - r.y0 < 0.5 * (box.y1 - box.y0)) continue
    if (r.x0 > box.x0 + 2 && r.x0 < box.x1 - 2 && !cuts.some((x) => Math.abs(x - r.x0) < 6)) cuts.push(r.x0)
  }
  cuts.sort((a, b) => a - b)
  const edges = [box.x0 - 2, ...cuts, box.x1 + 2]
  const columns: Column[] = []
  for (let i = 0; i + 1 < edges.length; i++) {
    const column = { x0: edges[i] ?? 0, x1: edges[i + 1] ?? 0 }
    const inside = tabular.filter((line) =>
      clumps(line, least).some((s) => s.x0 >= column.x0 - 1 && s.x1 <= column.x1 + 1),
    ).length
    const previous = columns.at(-1)
    const words = run.flatMap((line) =>
      line.words.filter((w) => w.x0 >= column.x0 - 1 && w.x1 <= column.x1 + 1),
    )
    // Justified cells leave the signs between products standing by themselves.
    const joints = words.length > 0 && words.every((word) => /^(?:[+&/]|e)$/.test(word.text))
    if ((inside === 0 || joints) && previous) previous.x1 = column.x1
    else if (inside === 0) edges[i + 1] = column.x0
    else columns.push(column)
  }
  return columns.flatMap((column) => partColumn(column, run))
}

const TWO_NUMBERS = /^[-+]?\d[\d.,]*\s?(?:[a-eA-E]{1,4})?\s+[-+]?\d[\d.,]*\s?(?:[a-eA-E]{1,4}|%)?$/
const CODE = /^(?:T\s?)?\d{1,2}$/

/** Columns a single space apart: two numbers in most cells, or codes in front of names, at one place in all rows. */
function partColumn(column: Column, run: readonly Line[]): Column[] {
  const rows = run
    .map((line) => line.words.filter((w) => w.x0 >= column.x0 - 1 && w.x1 <= column.x1 + 1))
    .filter((words) => words.length > 0)
  const figures = rows.filter((words) => /^[-+]?\d/.test(words[0]?.text ?? ''))
  const pairs = figures.filter((words) => TWO_NUMBERS.test(words.map((w) => w.text).join(' ')))
  const coded = rows.filter(
    (words) => words.length > 1 && CODE.test(words[0]?.text ?? '') && /^\p{L}/u.test(words[1]?.text ?? ''),
  )
  const codes = coded.map((words) => Number(words[0]?.text.replace(/\D/g, '')))
  const counts = codes.every((code, i) => i === 0 || code > (codes[i - 1] ?? 0))
  if (pairs.length >= 3 && pairs.length >= 0.7 * figures.length)
    return partAt(
      column,
      pairs.map((words) => {
        const second = words.findIndex((word, i) => i > 0 && /^[-+]?\d/.test(word.text))
        return [words[second - 1]?.x1 ?? 0, words[second]?.x0 ?? 0] as const
      }),
    )
  if (coded.length >= 3 && counts && coded.length >= 0.8 * figures.length)
    return partAt(
      column,
      coded.map((words) => [words[0]?.x1 ?? 0, words[1]?.x0 ?? 0] as const),
    )
  return [column]
}

/** Parts a column in the gap that all these rows have in common. */
function partAt(column: Column, gaps: readonly (readonly [number, number])[]): Column[] {
  const from = Math.max(...gaps.map(([left]) => left))
  const to = Math.min(...gaps.map(([, right]) => right))
  if (to - from < 0.5) return [column]
  const middle = (from + to) / 2
  return [
    { x0: column.x0, x1: middle },
    { x0: middle, x1: column.x1 },
  ]
}

/** The part of a gap that the fewest lines cross. */
function clearest(crossings: Uint16Array, start: number, end: number, offset: number): Column {
  const fewest = Math.min(...crossings.subarray(start, end))
  let best = { from: start, to: start }
  for (let x = start; x < end; x++) {
    if ((crossings[x] ?? 0) !== fewest) continue
    let to = x
    while (to < end && (crossings[to] ?? 0) === fewest) to++
    if (to - x > best.to - best.from) best = { from: x, to }
    x = to
  }
  return { x0: best.from / FINE + offset, x1: best.to / FINE + offset }
}

/** How wide the spaces between words are, in sizes of type: fixed-width type has wide ones. */
function usualSpace(run: readonly Line[]): number {
  const gaps = run
    .flatMap((line) =>
      line.words.slice(1).map((word, i) => (word.x0 - (line.words[i]?.x1 ?? word.x0)) / word.size),
    )
    .filter((gap) => gap > 0.05 && gap < 1.1)
    .sort((a, b) => a - b)
  return gaps[Math.floor(gaps.length / 8)] ?? 0.25
}

/** Words of a line joined across gaps of less than `least` sizes. */
function clumps(line: Line, least: number): Column[] {
  const out: Column[] = []
  for (const word of line.words) {
    const last = out.at(-1)
    if (last && word.x0 - last.x1 < least * word.size) last.x1 = Math.max(last.x1, word.x1)
    else out.push({ x0: word.x0, x1: word.x1 })
  }
  return out
}
