import type { Document } from '../document.ts'
import { type Block, type Line, makeLines } from '../layout/lines.ts'
import { runOf } from '../layout/run.ts'
import type { Ruling, Word } from '../read/page.ts'
import { stitchTables } from '../tables/stitch.ts'
import type { Table } from '../tables/table.ts'
import { pairsOfCheckBoxes } from './check-boxes.ts'
import { looksLikeLabel } from './labels.ts'
import { colonPairs, pairsBetweenLines, pairsOfLine, pairsOverLineEnds } from './line-pairs.ts'
import type { Pair } from './pair.ts'
import { pairsOfTable } from './table-pairs.ts'

/** Every pair of label and value of the document, in all the ways in which reports set them. */
export function findPairs(document: Document, treatmentTables: readonly Table[]): Pair[] {
  const pairs = document.pages.flatMap((layout) => {
    // What stands in the tables of treatments is said of treatments, not of the trial.
    const taken = treatmentTables.filter((table) => table.page === layout.page.index)
    const lines = layout.lines.filter(
      (line) =>
        !taken.some((t) => line.base > t.y0 && line.base <= t.y1 + 1 && line.x1 > t.x0 && line.x0 < t.x1),
    )
    const own = [...pairsOfLines(taken.length > 0 ? lines : layout.lines)]
    for (const table of layout.tables) own.push(...pairsOfTable(aboveTreatments(table, taken)))
    for (const block of layout.blocks) if (block.segments.length > 1) pairsOfBlock(block, own)
    pairsOfCheckBoxes(layout, own)
    return own
  })
  // A heading at the foot of a page, its figures at the head of the next.
  const apart = document.pages.flatMap(({ tables }) => tables)
  const whole = stitchTables(apart).filter(
    (table) =>
      !apart.includes(table) &&
      !treatmentTables.some(({ rows }) => rows.some((row) => table.rows.includes(row))),
  )
  for (const table of whole) pairs.push(...pairsOfTable(table))
  return pairs.filter((pair) => pair.value.text.trim() !== '' && pair.label.trim() !== '')
}

const ofLines = new WeakMap<readonly Line[], readonly Pair[]>()

/** The pairs that stand in the lines of a page: looked for once, however often its tables are read. */
export function pairsOfLines(lines: readonly Line[]): readonly Pair[] {
  const known = ofLines.get(lines)
  if (known) return known
  const pairs: Pair[] = []
  for (const line of lines) pairsOfLine(line.segments, pairs)
  pairsBetweenLines(lines, pairs)
  pairsOverLineEnds(lines, pairs)
  ofLines.set(lines, pairs)
  return pairs
}

/** Labels in running text; a value that a full line breaks off gives way to the whole one. */
function pairsOfBlock(block: Block, pairs: Pair[]): void {
  const own: Pair[] = []
  colonPairs(runOf(block), block.page, own, '')
  const edge = block.x1 - 0.1 * (block.x1 - block.x0)
  for (const whole of block.segments.length > 2 ? own : []) {
    const cut = pairs.findIndex((pair) => {
      const last = pair.value.spans.at(-1)?.word
      return (
        pair.kind === 'colon' &&
        pair.label === whole.label &&
        pair.value.spans[0]?.word === whole.value.spans[0]?.word &&
        pair.value.spans.length < whole.value.spans.length &&
        last !== undefined &&
        last.x1 > edge &&
        goesOnPlainly(whole.value.text.slice(pair.value.text.length).trim())
      )
    })
    if (cut >= 0) pairs.splice(cut, 1)
  }
  pairs.push(...own)
}

/** A few more words, and no label among them. */
function goesOnPlainly(rest: string): boolean {
  const words = rest.split(/\s+/)
  return words.length <= 5 && !words.some((_, i) => looksLikeLabel(words.slice(0, i + 1).join(' ')))
}

/** What a sheet says of the trial above its treatments; a table without treatments as it is. */
function aboveTreatments(table: Table, taken: readonly Table[]): Table {
  const own = taken.find((t) => t.y1 === table.y1 && t.x0 === table.x0)
  if (!own) return table
  return { ...table, rows: table.rows.filter((row) => row.every((cell) => !cell || cell.y1 <= own.y0 + 3)) }
}

/** The pairs of a part of a page, a card for instance, read as if nothing stood beside it. */
export function findPairsAmong(words: readonly Word[], rulings: readonly Ruling[]): Pair[] {
  const pairs: Pair[] = []
  const lines = makeLines(words, rulings)
  for (const line of lines) pairsOfLine(line.segments, pairs)
  pairsBetweenLines(lines, pairs)
  return pairs.filter((pair) => pair.value.text.trim() !== '' && pair.label.trim() !== '')
}
