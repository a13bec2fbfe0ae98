import { makeLines } from '../layout/lines.ts'
import { makeRun } from '../layout/run.ts'
import type { Cell, Table } from '../tables/table.ts'
import { fold, hasLetters, saysNothing } from '../values/text.ts'
import { matchLabel } from './labels.ts'
import { colonPairs, pairsBetweenLines, pairsOfLine } from './line-pairs.ts'
import { holdsValue, isRowOfMoney, MAX_LABEL_WORDS, type Pair } from './pair.ts'

const ADDRESS = /\b(?:rodovia|rua|avenida|av\.|cep|cnpj|fone|caixa postal)(?![a-z])|\bkm \d/

const ofTables = new WeakMap<Table, readonly Pair[]>()

/** Pairs of the cells of a table: side by side, and under their headings. */
export function pairsOfTable(table: Table): readonly Pair[] {
  const pairs = ofTables.get(table) ?? findIn(table)
  ofTables.set(table, pairs)
  return pairs
}

function findIn(table: Table): Pair[] {
  const pairs: Pair[] = []
  const distinct = (row: readonly (Cell | null)[]): Cell[] =>
    [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const headed = hasHeader(table)
  // The letterhead's address right above a table says nothing of what stands in it.
  const said = ADDRESS.test(fold(table.title)) ? '' : table.title
  table.rows.forEach((row, r) => {
    const cells = distinct(row)
    cells.forEach((cell, i) => {
      if (table.ruled) pairsInCell(cell, pairs)
      const next = cells[i + 1]
      // A label that goes on from the row above has its value there or below.
      const fresh = r === 0 || !table.rows[r - 1]?.includes(cell)
      if (
        next &&
        fresh &&
        hasLetters(cell.text) &&
        cell.words.length <= MAX_LABEL_WORDS &&
        !holdsValue(cell.text) &&
        !isRowOfMoney(cell.text, cells[i + 2]?.text)
      ) {
        const header = r > 0 ? headingOf(table, r, next) : ''
        pairs.push({
          label: cell.text,
          value: makeRun(next.words),
          kind: 'column',
          page: table.page,
          context: `${header} ${said}`,
        })
      }
    })
    // A header row over rows of values; the first cell of the row tells which row it is.
    if (r === 0 || !headed) return
    row.forEach((cell, c) => {
      if (!cell || cell.text === '' || saysNothing(cell.text)) return
      const head = headerAbove(table, r, c)
      if (!head || head === cell) return
      const first = row[0]?.text ?? ''
      pairs.push({
        label: head.text,
        value: makeRun(cell.words),
        kind: 'header',
        page: table.page,
        context: `${c > 0 ? first : ''} ${said}`,
      })
      // Row label with the column heading as context: 'Argila | 38' under '0-20 cm'.
      if (c > 1 && row[0] && hasLetters(first) && row[0] !== cell && row[1] !== cell)
        pairs.push({
          label: first,
          value: makeRun(cell.words),
          kind: 'header',
          page: table.page,
          context: `${headingOf(table, r, cell)} ${said}`,
        })
    })
  })
  const ofSoil = soilPairs(table)
  pairs.push(...(ofSoil.length > 0 ? ofSoil : pressedSoilPairs(table)))
  return pairs
}

const OF_SOIL =
  /^(?:ph\b.*|argila|silte|areia(?: total)?|m\.? ?o\.?|materia organica|v|v ?%|ctc|s\.?b\.?|al.*|h ?\+ ?al|(?:p|k|ca|mg)\d?\+?(?: \w+)?)$/
const WANTED_OF_SOIL = /^(?:argila|m\.? ?o\.?|materia organica)$/
const LEAST_OF_SOIL = 3

/** 'M.O.' of 'M.O. (dag kg-1)' */
const elementOf = ({ text }: Cell): string => fold(text).replace(/\s*[([][^()[\]]*[)\]]$/, '')

/** 'pH | M.O. | Argila' anywhere in a table, their units below them, then the figures. */
function soilPairs(table: Table): Pair[] {
  return table.rows.flatMap((row, r) => {
    const heads = row.map((cell) => (cell && OF_SOIL.test(elementOf(cell)) ? cell : null))
    if (new Set(heads.filter((cell) => cell !== null)).size < LEAST_OF_SOIL) return []
    const figures = (at: number): boolean =>
      heads.every((head, c) => head === null || /^\d/.test(table.rows[at]?.[c]?.text ?? ''))
    const at = [r + 1, r + 2].find(figures)
    if (at === undefined) return []
    return heads.flatMap((head, c): Pair[] => {
      const value = table.rows[at]?.[c]
      if (!head || !value || !WANTED_OF_SOIL.test(elementOf(head))) return []
      const unit = at === r + 2 ? (table.rows[r + 1]?.[c]?.text ?? '') : ''
      const label = unit === '' ? head.text : `${head.text} (${unit})`
      return [{ label, value: makeRun(value.words), kind: 'header', page: table.page, context: 'solo' }]
    })
  })
}

/**
 * 'pH MO P K' over 'g dm-3 mg dm-3' in one cell and '5,1 46 7,8 168' below it: columns that stand too near to each
 * other. As many figures as elements are theirs, in order.
 */
function pressedSoilPairs(table: Table): Pair[] {
  const [head, ...more] = table.rows
  const below = more.find((row) => row.some((cell) => /^\d/.test(cell?.text ?? '')))
  const wordsOf = (row: readonly (Cell | null)[] | undefined) =>
    [...new Set(row)].flatMap((cell) => cell?.words ?? [])
  const words = wordsOf(head)
  if (!below || words.length > MOST_OF_SOIL) return []
  // 'mg' is a unit, 'Mg' an element.
  const elements = words.filter(({ text }) => /^(?:\p{Lu}|pH)/u.test(text) && OF_SOIL.test(fold(text)))
  const figures = wordsOf(below).filter(({ text }) => /^\d[\d.,]*$/.test(text))
  if (elements.length < LEAST_OF_SOIL || elements.length !== figures.length) return []
  const units = words.map(({ text }) => text).join(' ')
  return elements.flatMap((element, i): Pair[] => {
    const figure = figures[i]
    if (!figure || !WANTED_OF_SOIL.test(fold(element.text))) return []
    const unit = (fold(element.text) === 'argila' ? /\bg (?:kg[-−]1|dm[-−]3)/ : /\bg dm[-−]3/).exec(
      units,
    )?.[0]
    const label = unit ? `${element.text} (${unit})` : element.text
    return [{ label, value: makeRun([figure]), kind: 'header', page: table.page, context: 'solo' }]
  })
}
const MOST_OF_SOIL = 60

/** A first row of labels only; in a list of labels and values every other cell of it is a value. */
function hasHeader(table: Table): boolean {
  const cells = [...new Set(table.rows[0])].filter((cell) => cell !== null && cell.text !== '')
  if (cells.length < 2) return false
  if (table.columns === 2 && table.rows.length > 2) return false
  return cells
    .slice(1)
    .every((cell) => cell && !/\d{2}/.test(cell.text) && hasLetters(cell.text) && !/:\s*\S/.test(cell.text))
}

function headerAbove(table: Table, r: number, c: number): Cell | null {
  for (let up = 0; up < Math.min(r, 3); up++) {
    const cell = table.rows[up]?.[c]
    if (cell && hasLetters(cell.text) && matchLabel(cell.text).length > 0) return cell
  }
  return table.rows[0]?.[c] ?? null
}

function headingOf(table: Table, r: number, cell: Cell): string {
  const c = table.rows[r]?.indexOf(cell) ?? -1
  return c < 0 ? '' : (table.rows[0]?.[c]?.text ?? '')
}

/** Cells that hold 'Label: value', or a label line over a value line. */
function pairsInCell(cell: Cell, pairs: Pair[]): void {
  colonPairs(makeRun(cell.words), cell.page, pairs, '')
  const lines = makeLines(cell.words, [])
  if (lines.length >= 2 && lines.length <= 4) pairsBetweenLines(lines, pairs)
  for (const line of lines) pairsOfLine(line.segments, pairs)
}
