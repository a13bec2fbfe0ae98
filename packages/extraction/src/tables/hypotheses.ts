import { type Line, makeLines } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Ruling } from '../read/page.ts'
import { isHeading } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { hasLetters } from '../values/text.ts'
import { groupByKey } from './anchoring.ts'
import { takenApart } from './apart.ts'
import { withHeadingsInOrder, withoutParted } from './columns-anew.ts'
import { makeCell } from './lattice.ts'
import { numberOf } from './stitch.ts'
import { buildStream } from './stream.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/**
 * Other ways in which what was caught as one table may have been meant, each as the tables that it would be then.
 * None of them is preferred here: what the whole document makes of each decides (reading/choose.ts).
 */
export function hypotheses(table: Table, rulings: readonly Ruling[]): Table[][] {
  const out: Table[][] = anew(table, rulings)
  for (const other of [withoutParted(table), withHeadingsInOrder(table), takenApart(table)])
    if (other !== table) out.push([other])
  const bare = withoutIndex(table)
  const bars = asBars(table)
  if (bars) out.push([bars])
  const blocks = cutBlocks(bare)
  if (blocks.length > 1) out.push(blocks)
  // A blank row may part what is one table.
  const whole = blocks.length > 1 ? cutBlocks(bare, false) : [bare]
  if (whole.length < blocks.length || bare !== table) out.push(whole)
  for (const tables of [...out]) {
    const headed = tables.map(headedUntilFigures)
    if (headed.some((one, i) => one !== tables[i])) out.push(headed)
  }
  for (const tables of [blocks.length > 0 ? blocks : [bare], ...out])
    for (const anchor of ['middle', 'bottom'] as const) {
      const grouped = tables.map((one) => {
        const told = groupByKey(one, anchor)
        if (!told || one.head === undefined) return told ?? one
        // Headings told over several lines are fewer rows then.
        const { head: _, ...rows } = told
        return headedUntilFigures(rows)
      })
      if (grouped.some((one, i) => one !== tables[i])) out.push(grouped)
    }
  for (const head of [1, 2, 3]) {
    const figures = table.rows
      .slice(0, head)
      .some((row) => cellsOf(row).some((cell) => readCell(cell.text) !== null))
    // 'T1 | Testemunha | –' is a treatment, whatever it has no figures.
    if (codedBefore(table.rows, head)) continue
    // Headings left among the rows would be treatments.
    const left = table.rows[head] ?? []
    const more = kindOf(left) === 'headings' && !cellsOf(left).some(({ text }) => /\d/.test(text))
    if (head < table.rows.length - 1 && !figures && !more) out.push([{ ...table, head }])
  }
  return out
}

/** A row of a code among those of the heading, and the first row below it begins another. */
const codedBefore = (rows: readonly Row[], head: number): boolean =>
  rows.slice(0, head).some((row) => /^T\s?0?\d{1,2}$/.test(row[0]?.text ?? '')) &&
  (rows[head]?.[0]?.text ?? '') !== ''

/** Fewer bars than these are no chart. */
const LEAST_BARS = 3

/** Bars with their figure at the end, each as far to the right as it is long: what stands before is a row's name. */
function asBars(table: Table): Table | null {
  if (table.columns < 3 || table.title === '') return null
  const rows: Row[] = []
  for (const row of table.rows) {
    const cells = cellsOf(row)
    const value = cells.at(-1)
    const words = cells.slice(0, -1).flatMap((cell) => cell.words)
    if (cells.length < 2 || !value || readCell(value.text) === null || words.length === 0) return null
    if (cells.slice(0, -1).some((cell) => readCell(cell.text) !== null)) return null
    rows.push([makeCell(words, union(words), table.page), value])
  }
  const [first] = rows
  if (rows.length < LEAST_BARS || !first?.[1]) return null
  return {
    ...table,
    rows: [[null, { ...first[1], text: table.title, words: [] }], ...rows],
    columns: 2,
    head: 1,
  }
}

/** A part whose heading goes on until its first row of figures. */
function headedUntilFigures(table: Table): Table {
  const head = table.rows.findIndex(
    (row) => cellsOf(row).filter((cell) => readCell(cell.text) !== null).length >= 2,
  )
  return head > 1 && head <= 6 && table.head === undefined ? { ...table, head } : table
}

/** How far apart, in points, what is one table may have been caught. */
const NEAR = 16

/** So far apart, in points, two frames do not share a border. */
const LEAST_APART = 3
const isGrid = ({ ruled, rows, columns }: Table): boolean => ruled && rows.length >= 3 && columns >= 3

/** A heading that stands over its rows outside their frame, or rows of which only some are framed: one table again. */
export function joined(above: Table, below: Table, rulings: readonly Ruling[]): Table | null {
  const common = Math.min(above.x1, below.x1) - Math.max(above.x0, below.x0)
  const narrow = Math.min(above.x1 - above.x0, below.x1 - below.x0)
  const gap = below.y0 - above.y1
  if (above.page !== below.page || gap < -4 || gap > NEAR || common < 0.7 * narrow) return null
  // Each has a name and a number of its own.
  const [one, other] = [numberOf(above), numberOf(below)]
  if (one !== null && other !== null && one !== other) return null
  // Two grids that are drawn, each in a frame of its own, are two.
  if (gap > LEAST_APART && [above, below].every(isGrid)) return null
  const words = [above, below].flatMap((table) =>
    [...new Set(table.rows.flat())].flatMap((cell) => cell?.words ?? []),
  )
  const built = buildStream(makeLines([...new Set(words)], rulings), rulings, above.page)
  return built && { ...built, title: above.title }
}

/** Lines put together anew: apart where headings come again, and each line as a row of its own. */
function anew(table: Table, rulings: readonly Ruling[]): Table[][] {
  const lines = table.lines
  if (!lines) return []
  const heads = lines.map((line) => {
    const texts = line.segments.map(({ text }) => text)
    return (
      texts.length >= 2 &&
      texts.every((text) => readCell(text) === null) &&
      headingsIn(texts) >= 0.6 * texts.length
    )
  })
  const starts = heads.flatMap((head, i) => {
    if (!head || i < 2 || heads[i - 1]) return []
    // The line above may name what follows.
    const above = lines[i - 1]
    return [above && above.segments.length === 1 && above.words.length <= 6 ? i - 1 : i]
  })
  const edges = [0, ...starts, lines.length]
  const runs = edges.slice(1).map((end, i) => lines.slice(edges[i], end))
  const build = (joined: boolean): Table[] =>
    runs.flatMap((run) => {
      const named = run[0]?.segments.length === 1 && run.length > 2 && !inGap(run[0], run[1]) ? run[0] : null
      const built = buildStream(named ? run.slice(1) : run, rulings, table.page, { joined })
      return built ? [{ ...built, title: named?.segments[0]?.text ?? table.title }] : []
    })
  return [...(runs.length > 1 ? [build(true)] : []), build(false)].filter((tables) => tables.length > 0)
}

/** A word that stands in a gap of the line of headings below it belongs to them. */
function inGap(line: Line, below: Line | undefined): boolean {
  const segments = below?.segments ?? []
  return (
    segments.length >= 3 &&
    line.x0 > (segments[0]?.x1 ?? Infinity) &&
    segments.every((segment) => segment.x1 < line.x0 || segment.x0 > line.x1)
  )
}

const headingsIn = (texts: readonly string[]): number => texts.filter(isHeading).length

/** The distinct cells of a row that hold something. */
const cellsOf = (row: Row): Cell[] => [
  ...new Set(row.filter((cell): cell is Cell => cell !== null && cell.text !== '')),
]

/** A share of the rows of a sheet that must count on for its first column to be the sheet's own numbering. */
const COUNTED = 0.8
const LEAST_ROWS = 5

/** A sheet printed with its frame: letters over the columns, numbers before the rows. Neither is of the table. */
export function withoutIndex(table: Table): Table {
  let rows = table.rows
  const letters = rows[0] ? cellsOf(rows[0]) : []
  // From A on, or on a further sheet from where the last one ended.
  const lettered =
    letters.length >= 3 &&
    letters.every(
      (cell, i) => /^[A-Z]$/.test(cell.text) && (i === 0 || cell.text > (letters[i - 1]?.text ?? '')),
    )
  if (lettered) rows = rows.slice(1)
  const numbers = rows.map((row) =>
    /^\d{1,3}$/.test(row[0]?.text ?? '') ? Number(row[0]?.text) : Number.NaN,
  )
  const on = numbers.filter((value, i) => i === 0 || value === (numbers[i - 1] ?? Number.NaN) + 1).length
  // Headings are numbered too, by a sheet only: codes begin below them.
  const heads = rows.findIndex(
    (row) => cellsOf(row.slice(1)).filter((cell) => isHeading(cell.text)).length >= 3,
  )
  const headed = heads >= 0 && Number.isFinite(numbers[heads] ?? Number.NaN)
  // Beside codes of its own, numbers that count the lines are the sheet's, also where some were not recognised.
  const offsets = numbers.flatMap((value, r) => (Number.isFinite(value) ? [value - r] : []))
  const regular = offsets.length >= LEAST_ROWS && new Set(offsets).size === 1
  const coded = rows.filter((row) => /^T\s?\d{1,2}$/.test(row[1]?.text ?? '')).length >= 3
  const numbered =
    (rows.length >= LEAST_ROWS && on >= COUNTED * rows.length && (lettered || headed)) || (regular && coded)
  if (numbered) rows = rows.map((row) => row.slice(1))
  if (rows === table.rows) return table
  return { ...table, rows, columns: numbered ? table.columns - 1 : table.columns }
}

const PLOT = /^(?:rep\w*|b|bl|bloco|r|parc\w*)\.?\s?(?:\d|[ivx]+)$/i

/** What a row is by itself. */
type Kind = 'blank' | 'title' | 'headings' | 'form' | 'data'

function kindOf(row: Row): Kind {
  const cells = cellsOf(row)
  if (cells.length === 0) return 'blank'
  const numbers = cells.filter((cell) => readCell(cell.text) !== null).length
  if (cells.length === 1) return hasLetters(cells[0]?.text ?? '') && numbers === 0 ? 'title' : 'data'
  const headings = cells.filter(
    ({ text }) => readCell(text) === null && (isHeading(text) || PLOT.test(text)),
  ).length
  if (cells.length >= 3 && numbers === 0 && headings >= 0.6 * cells.length) return 'headings'
  if (cells.length <= 4 && cells.some((cell) => /\p{L}[^:]*:$/u.test(cell.text))) return 'form'
  return 'data'
}

/** Words under a title and over rows of figures, with none in front of them: headings, whatever they say. */
function headsFigures(rows: readonly Row[], at: number): boolean {
  const row = rows[at] ?? []
  const words = cellsOf(row)
  if (at === 0 || words.length < 2 || (row[0] && row[0].text !== '')) return false
  if (kindOf(rows[at - 1] ?? []) !== 'title' || words.some(({ text }) => readCell(text) !== null))
    return false
  return [1, 2].some((next) => {
    const below = cellsOf(rows[at + next] ?? [])
    return below.filter(({ text }) => readCell(text) !== null).length >= words.length
  })
}

/** One grid over several blocks: cut where nothing stands, where headings come anew, where only a title stands. */
export function cutBlocks(table: Table, atBlanks = true): Table[] {
  const own = table.rows.map(kindOf)
  const kinds = own.map((kind, r) => (kind === 'data' && headsFigures(table.rows, r) ? 'headings' : kind))
  const starts = new Set<number>()
  kinds.forEach((kind, r) => {
    const before = kinds[r - 1]
    if (kind === 'blank' && atBlanks && r + 1 < kinds.length) starts.add(r + 1)
    if (kind === 'headings' && r > 1 && before !== 'headings' && before !== 'title') starts.add(r)
    if (kind === 'title' && r > 1 && kinds[r + 1] === 'headings') starts.add(r)
  })
  const edges = [0, ...[...starts].sort((a, b) => a - b), table.rows.length]
  const parts = edges.slice(1).flatMap((end, i): Table[] => {
    const rows = table.rows.slice(edges[i], end).filter((row) => cellsOf(row).length > 0)
    const title =
      rows.length > 1 && rows[0] && kindOf(rows[0]) === 'title' && !stands(rows[0], rows[1])
        ? (cellsOf(rows[0])[0]?.text ?? '')
        : ''
    const kept = title === '' ? rows : rows.slice(1)
    const part = partOf(table, kept, title || table.title)
    return part ? [part] : []
  })
  return parts
}

/** 'Dose' over a gap in the line of the headings, its unit below: the first line of one heading, no title. */
function stands(row: Row, below: Row | undefined): boolean {
  const at = row.findIndex((cell) => cell !== null && cell.text !== '')
  return at > 0 && below !== undefined && !below[at]?.text && cellsOf(below).length > 2
}

/** A table of some of a table's rows, without the columns in which nothing is left. */
export function partOf(table: Table, rows: readonly Row[], title: string): Table | null {
  const used = Array.from({ length: table.columns }, (_, c) => c).filter((c) =>
    rows.some((row) => row[c] && row[c].text !== ''),
  )
  const cells = rows.flatMap(cellsOf)
  if (cells.length < 2 || used.length < 2) return null
  return {
    ...table,
    ...union(cells),
    title,
    rows: rows.map((row) => used.map((c) => row[c] ?? null)),
    columns: used.length,
  }
}
