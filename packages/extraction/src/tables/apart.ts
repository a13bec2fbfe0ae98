import { groupLines, makeLines, textOf } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'
import { readMode } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { fold, hasLetters } from '../values/text.ts'
import { DOSE_UNIT_SOURCE } from '../values/units.ts'
import { makeCell } from './lattice.ts'
import { buildStream } from './stream.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** What a narrow gap ran together, taken apart by where it stands: codes and names, two figures, two headings. */
export const takenApart = (table: Table): Table => withHeadingsApart(withFiguresApart(withCodesApart(table)))

const LEAST_ROWS = 3
/** How far, in points, a figure of a column may stand from the others of it. */
const NEAR = 3

const filled = (cell: Cell | null | undefined): cell is Cell => cell != null && cell.text !== ''
const distinct = (row: Row): Cell[] => [...new Set(row)].filter(filled)
const isData = (row: Row): boolean => distinct(row).filter(({ text }) => readCell(text) !== null).length >= 2
const cellOf = (words: readonly Word[], page: number): Cell => makeCell(words, union([...words]), page)

/** '1 Controle', '2 Cálcio' in whatever columns they were caught: the numbers that count on stand before the names. */
function withCodesApart(table: Table): Table {
  const leads = table.rows.map((row) => row.find(filled) ?? null)
  const codes: (Word | null)[] = leads.map((cell) => {
    const [first, ...rest] = cell?.words ?? []
    return first && /^\d{1,2}$/.test(first.text) && rest.some(({ text }) => hasLetters(text)) ? first : null
  })
  const known = codes.filter((word) => word !== null)
  const [left, right] = [Math.min(...known.map(({ x0 }) => x0)), Math.max(...known.map(({ x1 }) => x1))]
  let next = Number(known[0]?.text)
  if (known.length < LEAST_ROWS || next > 2) return table
  for (const [r, cell] of leads.entries()) {
    if (codes[r] === null && next > Number(known[0]?.text))
      // A name of several lines may begin above its number.
      codes[r] =
        cell?.words.find(
          ({ text, x0, x1 }) => text === String(next) && x0 >= left - NEAR && x1 <= right + NEAR,
        ) ?? null
    const code = codes[r]
    if (!code) continue
    if (Number(code.text) !== next) return table
    next++
  }
  const last = Math.max(...leads.map((cell, r) => (codes[r] ? (table.rows[r] ?? []).lastIndexOf(cell) : 0)))
  const rows: Row[] = []
  for (const [r, row] of table.rows.entries()) {
    const own = distinct(row.slice(0, last + 1))
    const code = codes[r]
    const rest = row.slice(last + 1).map((cell) => (own.includes(cell as Cell) ? null : cell))
    if (code) {
      const name = own.flatMap(({ words }) => words).filter((word) => word !== code)
      if (own.length > 1 || name.length === 0) return table
      rows.push([cellOf([code], table.page), cellOf(name, table.page), ...rest])
      continue
    }
    const [first, second] = own
    if (own.length > 2) return table
    if (first && second) rows.push([first, second, ...rest])
    else
      rows.push(first && first.x1 <= right + NEAR ? [first, null, ...rest] : [null, first ?? null, ...rest])
  }
  return { ...table, rows, columns: rows[0]?.length ?? 0 }
}

/** How much smaller, as a share, what stands below a name is printed than the name. */
const SMALLER = 0.92

/** A name in bold or larger letters, what it consists of below it in the same cell: two columns, the second unnamed. */
export function withStylesApart(table: Table): Table {
  const first = table.rows.findIndex(isData)
  const heads = table.rows.slice(0, 1).map((row) => row.map(withUnit))
  // Headings of several rows have their units in rows of their own.
  const told = first === 1 && heads[0]?.some((cell, c) => cell !== table.rows[0]?.[c])
  return withNamesApart(told ? { ...table, rows: [...heads, ...table.rows.slice(1)] } : table, first)
}

const LONGEST_UNIT = 14
/** 'Firmeza' over 'N' in lighter letters: 'Firmeza (N)'. */
function withUnit(cell: Cell | null): Cell | null {
  const [name, rest] = cell ? styledParts(cell) : []
  if (!cell || !name || !rest) return cell
  const unit = textOf(rest)
  return unit.length > LONGEST_UNIT || /^[([]/.test(unit) || /\d/.test(unit)
    ? cell
    : { ...cell, text: `${textOf(name)} (${unit})` }
}

function withNamesApart(table: Table, first: number): Table {
  const body = first < 1 ? [] : table.rows.slice(first)
  for (let c = 0; c < table.columns; c++) {
    const parts = body.map(({ [c]: cell, [c - 1]: before }) =>
      filled(cell) && cell !== before ? styledParts(cell) : null,
    )
    const told = parts.flatMap((part) => (part?.[1] ? [part[1]] : []))
    if (told.length < LEAST_ROWS || told.length < LEAST_KEPT * parts.filter((part) => part !== null).length)
      continue
    // What tells neither doses nor a way of applying is a note of the name.
    if (told.filter(tellsApplication).length < LEAST_TELLING * told.length) continue
    const rows = table.rows.map((row, r) => {
      const [name, rest] = parts[r - first] ?? []
      const own = name ? cellOf(name, table.page) : (row[c] ?? null)
      return [...row.slice(0, c), own, rest ? cellOf(rest, table.page) : null, ...row.slice(c + 1)]
    })
    return { ...table, rows, columns: table.columns + 1 }
  }
  return table
}

const LEAST_TELLING = 0.5
const DOSED = new RegExp(`\\d\\s*${DOSE_UNIT_SOURCE}`)
/** Whether words tell a dose, or by themselves a way of applying. */
export function tellsApplication(words: readonly Word[]): boolean {
  const text = textOf(words)
  return DOSED.test(fold(text)) || (words.length <= 2 && readMode(text) !== null)
}

/** The lines of a cell up to where they become lighter or smaller, and what follows. */
function styledParts({ words }: Cell): [Word[]] | [Word[], Word[]] {
  const lines = groupLines(words)
  const [top] = lines
  const isTop = (line: readonly Word[]) =>
    line.every((word) => word.bold === top?.[0]?.bold && word.size > SMALLER * (top?.[0]?.size ?? 0))
  const at = lines.findIndex((line) => !isTop(line))
  const [name, rest] = [lines.slice(0, at).flat(), lines.slice(at).flat()]
  const alike = at > 0 && lines.slice(at).every((line) => line.every(({ bold }) => bold === rest[0]?.bold))
  return alike && name.some(({ text }) => hasLetters(text)) && rest.some(({ text }) => hasLetters(text))
    ? [name, rest]
    : [words]
}

/** '9120 152,0' under two headings: two figures. */
function withFiguresApart(table: Table): Table {
  let { rows } = table
  for (let c = 0; c + 1 < table.columns; c++) {
    const isPair = (row: Row): boolean => {
      const cell = row[c]
      return (
        filled(cell) &&
        (!filled(row[c + 1]) || row[c + 1] === cell) &&
        cell.words.length === 2 &&
        cell.words.every(({ text }) => readCell(text) !== null)
      )
    }
    const pairs = rows.filter(isPair)
    const alone = rows.filter((row) => filled(row[c + 1]) && row[c + 1] !== row[c])
    const headed = alone.length > 0 && alone.every((row) => !isData(row))
    if (pairs.length < LEAST_ROWS || !headed) continue
    rows = rows.map((row) => {
      const [a, b] = isPair(row) ? (row[c]?.words ?? []) : []
      if (!a || !b) return row
      return row.map((cell, at) =>
        at === c ? cellOf([a], table.page) : at === c + 1 ? cellOf([b], table.page) : cell,
      )
    })
  }
  return rows === table.rows ? table : { ...table, rows }
}

/** A heading caught over one column whose words stand over that and the next one. */
function withHeadingsApart(table: Table): Table {
  const first = table.rows.findIndex(isData)
  const body = table.rows.slice(first).filter(isData)
  if (first < 1) return table
  let { rows } = table
  for (let c = 0; c + 1 < table.columns; c++) {
    const [own, next] = [c, c + 1].map((at) => body.map((row) => row[at]).filter(filled))
    if (!own || !next || own.length < LEAST_ROWS || next.length < LEAST_ROWS) continue
    const edge = (Math.max(...own.map(({ x1 }) => x1)) + Math.min(...next.map(({ x0 }) => x0))) / 2
    const heads = rows.slice(0, first)
    if (heads.some((row) => filled(row[c + 1]) && row[c + 1] !== row[c])) continue
    rows = rows.map((row, r) => {
      const cell = row[c]
      if (r >= first || !filled(cell)) return row
      const at = gapNear(cell.words, edge)
      const before = cell.words.filter(({ x0 }) => x0 < at)
      const behind = cell.words.filter(({ x0 }) => x0 >= at)
      if (before.length === 0 || behind.length === 0) return row
      return row.map((other, place) =>
        place === c ? cellOf(before, table.page) : place === c + 1 ? cellOf(behind, table.page) : other,
      )
    })
  }
  return rows === table.rows ? table : { ...table, rows }
}

/** Where, of the places at which none of the words stands, the one nearest to an edge ends. */
function gapNear(words: readonly Word[], edge: number): number {
  const sorted = [...words].sort((a, b) => a.x0 - b.x0)
  let reach = -Infinity
  let best = Infinity
  for (const { x0, x1 } of sorted) {
    if (x0 > reach && reach > -Infinity && Math.abs(x0 - edge) < Math.abs(best - edge)) best = x0
    reach = Math.max(reach, x1)
  }
  return best
}

/** Of a recognised page. */
const NEAR_SCANNED = 5
const LEAST_FIGURES = 0.7
const LEAST_KEPT = 0.6
const isLevel = (a: readonly Word[], b: readonly Word[], near: number): boolean =>
  Math.abs((a[0]?.base ?? 0) - (b[0]?.base ?? 0)) < near

/** The share of a table's words that stand in the one row that is none. */
const MOST_WORDS = 0.6
const LEAST_HEADS = 3
const LEAST_LINES = 4

/** Headings in cells of their own over a body that has no rules: its rows are told by how they are set. */
export function withOpenBody(table: Table, rulings: readonly Ruling[]): Table {
  const body = table.rows.findIndex(
    (row, r) => r > 0 && wordsOf([row]).length > MOST_WORDS * wordsOf(table.rows).length,
  )
  // Rules that a scan lost are looked for in the picture.
  const scanned = wordsOf(table.rows).some(({ ocr }) => ocr !== undefined)
  if (!table.ruled || scanned || body < 1 || distinct(table.rows[body - 1] ?? []).length < LEAST_HEADS)
    return table
  const lines = makeLines(wordsOf(table.rows), [])
  const own = makeLines(wordsOf(table.rows.slice(body, body + 1)), [])
  const tabular = own.filter(({ segments }) => segments.length >= 2)
  if (own.length < LEAST_LINES || tabular.length < LEAST_KEPT * own.length) return table
  const built = buildStream(
    lines,
    rulings.filter(({ vertical }) => !vertical),
    table.page,
  )
  const told = built && built.rows.length >= table.rows.length + LEAST_ROWS - 1
  return told ? { ...built, x0: table.x0, y0: table.y0, x1: table.x1, y1: table.y1 } : table
}
const wordsOf = (rows: readonly Row[]): Word[] =>
  [...new Set(rows.flat())].flatMap((cell) => cell?.words ?? [])

/** Rows that were drawn as one, their lines set under each other: as many figures in a column as names beside them. */
export function withLinesApart(table: Table): Table {
  if (!table.ruled) return table
  const rows = table.rows.flatMap((row): Row[] => {
    const cells = distinct(row)
    const lines = new Map(cells.map((cell) => [cell, groupLines(cell.words)]))
    const [full = []] = [...lines.values()].sort((a, b) => b.length - a.length)
    const count = full.length
    if (count < LEAST_ROWS || cells.length < 2 || cells.length < row.filter(filled).length) return [row]
    const scanned = cells.some(({ words }) => words.some((word) => word.ocr !== undefined))
    /** On which of the lines each line of a cell stands; a recognition may lose some, and stands less level. */
    const placed = new Map(
      [...lines].map(([cell, own]) => [
        cell,
        own.map((words) => full.findIndex((line) => isLevel(words, line, scanned ? NEAR_SCANNED : NEAR))),
      ]),
    )
    const level = [...placed.values()].every(
      (at) =>
        at.every((line, i) => line > (at[i - 1] ?? -1)) && at.length >= (scanned ? LEAST_KEPT : 1) * count,
    )
    const figures = [...lines.values()].some(
      (own) =>
        own.filter((words) => readCell(words.map(({ text }) => text).join(' ')) !== null).length >=
        (scanned ? LEAST_FIGURES : 1) * own.length,
    )
    if (!level || !figures) return [row]
    return Array.from({ length: count }, (_, i) =>
      row.map((cell) => {
        if (!filled(cell)) return cell
        const at = placed.get(cell)?.indexOf(i) ?? -1
        return at < 0 ? null : cellOf(lines.get(cell)?.[at] ?? [], table.page)
      }),
    )
  })
  return rows.length === table.rows.length ? table : { ...table, rows }
}
