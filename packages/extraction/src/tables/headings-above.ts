import type { Line } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'
import { isHeading } from '../values/headings.ts'
import { isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { isUnit } from '../values/variables.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** So far above its table, in sizes of type, the line of its headings may stand. */
const NEAR = 3
/** The share of a column's width by which its heading may stand off its middle. */
const OFF = 0.75
/** A table of fewer columns is not told from words over a list. */
const LEAST_COLUMNS = 3
const CAPTION = /^(?:tabela|quadro|figura|gr[áa]fico|tab\.|fig\.|fonte|nota|obs)/i
/** '75 DAP', '7 dias': when, so that what was measured stands over it. */
const TIME = /^\d{1,3}\s?(?:DA[A-Z]{1,2}(?:-[A-Z])?|dias)\b/

const FIRST = /^(?:T\s?0?1|0?1)$/

const cellsOf = (row: Row): Cell[] => [
  ...new Set(row.filter((cell): cell is Cell => cell !== null && cell.text !== '')),
]
const isFigure = ({ text }: Cell): boolean => readCell(text) !== null

/**
 * A table caught without the line of headings over it, since the headings stand closer together than its figures do, or
 * since further headings, times or units below them were taken for all: the line's words, each with the column that it
 * stands over.
 */
export function withHeadingsAbove(table: Table, lines: readonly Line[]): Table {
  if (table.columns < LEAST_COLUMNS || table.rows.length < 3) return table
  const [first] = table.rows
  if (!first || !lacksHeadings(first, table.ruled)) return table
  const line = lines
    .filter(({ base, x1, x0 }) => base < table.y0 + 1 && x0 < table.x1 && x1 > table.x0)
    .at(-1)
  if (!line || table.y0 - line.base > NEAR * line.size || CAPTION.test(line.segments[0]?.text ?? ''))
    return table
  const words = line.words
  if (
    words.length > MOST_WORDS * table.columns ||
    line.x0 < table.x0 - 12 ||
    line.x1 > table.x1 + 30 ||
    words.some(({ text }) => /:$/.test(text))
  )
    return table
  const columns = Array.from({ length: table.columns }, (_, c) => columnOf(table, c))
  const groups = columns.some((column) => column === null) ? null : partition(words, columns as Span[])
  const cells = groups?.map((group) =>
    group.length === 0 ? null : makeCell(group, union(group), table.page),
  )
  if (!cells) return table
  const filled = cells.filter((cell) => cell !== null)
  const telling = filled.filter(({ text }) => isHeading(text) || isUnit(text))
  if (
    filled.length < LEAST_COLUMNS ||
    telling.length < 0.5 * filled.length ||
    filled.some((cell) => isFigure(cell) || isControl(cell.text))
  )
    return table
  return { ...table, ...union([table, ...filled]), rows: [cells, ...table.rows], columns: table.columns }
}

/** Whether a first row holds no headings, or only units, times and what goes on from a line above. */
function lacksHeadings(row: Row, ruled: boolean): boolean {
  const cells = cellsOf(row)
  // A frame that begins below its headings, with the first treatment.
  if (ruled && FIRST.test(row[0]?.text ?? '')) return true
  const figures = cells.filter(isFigure).length
  if (cells.length < LEAST_COLUMNS) return false
  if (figures >= cells.length - 1) return true
  if (cells.some(({ text }) => isControl(text))) return false
  const short = cells.filter(({ text }) => isUnit(text) || TIME.test(text)).length
  return figures === 0 && short >= 0.5 * cells.length
}

interface Span {
  x0: number
  x1: number
}

/** Where a column's own words stand. */
function columnOf(table: Table, c: number): Span | null {
  const own = table.rows.flatMap((row) => {
    const cell = row[c]
    return cell && cell.text !== '' && row[c - 1] !== cell && row[c + 1] !== cell ? [cell] : []
  })
  return own.length === 0 ? null : union(own)
}

/** The words in their order, parted so that each part stands over the middle of its column; null where none does. */
function partition(words: readonly Word[], columns: readonly Span[]): Word[][] | null {
  const [n, k] = [words.length, columns.length]
  const middle = (span: Span): number => (span.x0 + span.x1) / 2
  const cost = (c: number, from: number, to: number): number => {
    const column = columns[c]
    if (!column || from === to) return MISSING
    const part = union(words.slice(from, to))
    const room =
      Math.max(12, (columns[c + 1]?.x0 ?? column.x1 + 24) - (columns[c - 1]?.x1 ?? column.x0 - 24)) / 2
    const flush = Math.min(Math.abs(part.x0 - column.x0), Math.abs(part.x1 - column.x1))
    const off = Math.min(Math.abs(middle(part) - middle(column)), flush) / room
    return off > OFF ? Infinity : off
  }
  const best = Array.from({ length: k + 1 }, () => new Array<number>(n + 1).fill(Infinity))
  const cut = Array.from({ length: k + 1 }, () => new Array<number>(n + 1).fill(0))
  const start = best[0]
  if (start) start[0] = 0
  for (let c = 1; c <= k; c++)
    for (let to = 0; to <= n; to++)
      for (let from = Math.max(0, to - MOST_WORDS); from <= to; from++) {
        const value = (best[c - 1]?.[from] ?? Infinity) + cost(c - 1, from, to)
        const [row, cuts] = [best[c], cut[c]]
        if (!row || !cuts || value >= (row[to] ?? Infinity)) continue
        row[to] = value
        cuts[to] = from
      }
  if (!Number.isFinite(best[k]?.[n] ?? Infinity)) return null
  const out: Word[][] = []
  for (let c = k, to = n; c > 0; c--) {
    const from = cut[c]?.[to] ?? 0
    out.unshift(words.slice(from, to))
    to = from
  }
  return out
}
/** What a column without a heading costs, beside headings that stand off by a share of their room. */
const MISSING = 0.5
/** A heading of one line has no more words. */
const MOST_WORDS = 6
