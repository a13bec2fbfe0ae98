import type { Line } from '../layout/lines.ts'
import type { Box } from '../read/geometry.ts'
import { union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

/** Tables held together by alignment only: rows of words with common gaps between the columns. */
export function findStreams(lines: readonly Line[], rulings: readonly Ruling[], page: number): Table[] {
  const tables: Table[] = []
  for (const run of tabularRuns(lines, rulings)) {
    const table = buildStream(run, rulings, page)
    if (table) tables.push(table)
  }
  return tables
}

function tabularRuns(lines: readonly Line[], rulings: readonly Ruling[]): Line[][] {
  const runs: Line[][] = []
  let run: Line[] = []
  let pending: Line[] = []
  const close = (): void => {
    if (run.filter((line) => line.segments.length >= 2).length >= 2) runs.push(run)
    run = []
    pending = []
  }
  for (const line of lines) {
    const last = pending.at(-1) ?? run.at(-1)
    if (last) {
      const pitch = line.base - last.base
      const ruled = rulings.some(
        (r) => !r.vertical && r.y0 > last.base && r.y1 < line.base && r.x1 - r.x0 > 60,
      )
      if (pitch > (ruled ? 4.2 : 3) * Math.max(line.size, last.size)) close()
    }
    if (line.segments.length >= 2) {
      run.push(...pending, line)
      pending = []
      continue
    }
    const short = line.words.length <= 9
    if (run.length > 0 && short && pending.length < 3) pending.push(line)
    else {
      close()
      // A wrapped first cell may begin above the first row that has two pieces.
      if (short) pending = []
    }
  }
  close()
  return runs
}

interface Column {
  x0: number
  x1: number
}

function buildStream(run: Line[], rulings: readonly Ruling[], page: number): Table | null {
  const box = union(run)
  const columns = findColumns(run, rulings, box)
  if (columns.length < 2 || columns.length > 40) return null
  const size = run.map((line) => line.size).sort((a, b) => a - b)[Math.floor(run.length / 2)] ?? 10
  const raw = run.map((line) => ({ line, cells: assign(line, columns, size, page) }))
  const rows = mergeRows(raw, rulings, box, columns.length, page)
  if (rows.length < 2) return null
  return { ...box, page, rows, columns: columns.length, ruled: false, title: '' }
}

/** Column bounds: where nearly no line has ink, kept only if something lies wholly inside the column. */
function findColumns(run: readonly Line[], rulings: readonly Ruling[], box: Box): Column[] {
  const tabular = run.filter((line) => line.segments.length >= 2)
  const from = Math.floor(box.x0) - 1
  const width = Math.ceil(box.x1) - from + 2
  const crossings = new Uint16Array(width)
  for (const line of tabular)
    for (const segment of line.segments)
      for (let x = Math.floor(segment.x0 - from); x <= Math.ceil(segment.x1 - from); x++)
        if (x >= 0 && x < width) crossings[x] = (crossings[x] ?? 0) + 1
  const allowed = tabular.length >= 12 ? Math.floor(tabular.length * 0.12) : tabular.length >= 4 ? 1 : 0
  const gaps: Column[] = []
  let start = -1
  for (let x = 0; x <= width; x++) {
    const free = x < width && (crossings[x] ?? 0) <= allowed
    if (free && start < 0) start = x
    if (!free && start >= 0) {
      if (x - start >= 3) gaps.push({ x0: start + from, x1: x + from })
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
      line.segments.some((s) => s.x0 >= column.x0 - 1 && s.x1 <= column.x1 + 1),
    ).length
    const previous = columns.at(-1)
    if (inside === 0 && previous) previous.x1 = column.x1
    else columns.push(column)
  }
  return columns
}

interface Placed {
  words: Word[]
  from: number
  to: number
}

/** Puts a line's words into columns; a piece that lies over several columns spans them. */
function assign(line: Line, columns: readonly Column[], size: number, page: number): (Cell | null)[] {
  const placed: Placed[] = []
  const columnAt = (x: number): number => {
    const index = columns.findIndex((column) => x <= column.x1)
    return index < 0 ? columns.length - 1 : index
  }
  for (const segment of line.segments) {
    let piece: Word[] = []
    for (const word of segment.words) {
      const previous = piece.at(-1)
      if (previous) {
        const gap = word.x0 - previous.x1
        const cut = columns.some((c) => c.x1 > previous.x1 - 1 && c.x1 < word.x0 + 1)
        if (cut && gap > 0.55 * size) {
          placed.push(span(piece, columnAt))
          piece = []
        }
      }
      piece.push(word)
    }
    if (piece.length > 0) placed.push(span(piece, columnAt))
  }
  const row: (Cell | null)[] = columns.map(() => null)
  for (const { words, from, to } of placed) {
    const cell = makeCell(words, union(words), page)
    for (let c = from; c <= to; c++) {
      const known = row[c]
      row[c] = known ? makeCell([...known.words, ...words], union([known, cell]), page) : cell
    }
  }
  return row
}

function span(words: Word[], columnAt: (x: number) => number): Placed {
  const box = union(words)
  const inset = Math.min(3, (box.x1 - box.x0) / 4)
  return { words, from: columnAt(box.x0 + inset), to: columnAt(box.x1 - inset) }
}

interface RawRow {
  line: Line
  cells: (Cell | null)[]
}

/** Joins wrapped lines to rows: by the rulings between rows where there are, by pitch and gaps elsewhere. */
function mergeRows(
  raw: readonly RawRow[],
  rulings: readonly Ruling[],
  box: Box,
  columns: number,
  page: number,
): (Cell | null)[][] {
  const rules = rulings
    .filter((r) => !r.vertical && r.x1 - r.x0 > 0.5 * (box.x1 - box.x0) && r.y0 > box.y0 && r.y1 < box.y1)
    .map((r) => r.y0)
    .sort((a, b) => a - b)
  const banded = rules.length >= 2 && rules.length >= 0.45 * raw.length - 1
  const pitches = raw.slice(1).map((row, i) => row.line.base - (raw[i]?.line.base ?? 0))
  const sorted = [...pitches].sort((a, b) => a - b)
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 0
  const groups: RawRow[][] = []
  raw.forEach((row, i) => {
    const group = groups.at(-1)
    const previous = group?.at(-1)
    if (!group || !previous) {
      groups.push([row])
      return
    }
    const pitch = pitches[i - 1] ?? 0
    const rule = rules.some((y) => y > previous.line.base - 2 && y < row.line.base - 0.4 * row.line.size)
    const joins = !rule && (banded ? fits(group, row) : wraps(group, row, pitch, usual))
    if (joins) group.push(row)
    else groups.push([row])
  })
  return groups.map((group) => {
    if (group.length === 1) return group[0]?.cells ?? []
    return Array.from({ length: columns }, (_, c) => {
      const words = [...new Set(group.flatMap((row) => row.cells[c]?.words ?? []))]
      return words.length > 0 ? makeCell(words, union(words), page) : null
    })
  })
}

const isNumeric = (cell: Cell | null): boolean =>
  cell !== null && /^[\d.,%\s+R$–-]*\d[\d.,%]*\s*[a-zA-Z]{0,3}$/.test(cell.text)

/** Within a band between rulings, lines join unless both hold a number in the same column. */
function fits(group: readonly RawRow[], row: RawRow): boolean {
  return !row.cells.some((cell, c) => isNumeric(cell) && group.some((g) => isNumeric(g.cells[c] ?? null)))
}

/** A line that only continues text of the row above: closer than rows usually are, and without numbers. */
function wraps(group: readonly RawRow[], row: RawRow, pitch: number, usual: number): boolean {
  const first = group[0]
  if (!first) return false
  const filled = row.cells.filter((cell) => cell !== null)
  if (filled.some(isNumeric)) return false
  const alone = row.cells.every((cell, c) => cell === null || group.some((g) => g.cells[c] !== null))
  return (
    alone &&
    row.cells[0] === null &&
    filled.length <= 2 &&
    pitch < 0.93 * usual &&
    pitch < 1.45 * row.line.size
  )
}
