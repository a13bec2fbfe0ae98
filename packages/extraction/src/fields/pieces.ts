import type { Document } from '../document.ts'
import { makeRun, type Run, runOf } from '../layout/run.ts'
import { fold } from '../values/text.ts'
import type { Pair } from './pair.ts'

/** Where a piece of text stands: in a running header, on a line of its own, in a cell, in running text, beside a label. */
export type Place = 'furniture' | 'line' | 'cell' | 'text' | 'pair'

/** A piece of a document's text, with what stands around it. */
export interface Piece {
  run: Run
  place: Place
  page: number
  /** Height of its page, pt. */
  height: number
  /** The how manieth piece it is, from 1. */
  order: number
  /** Size of type of the page: the usual one, and the largest. */
  sizes: { usual: number; largest: number }
  /** The lines above and below, where it stands on a line. */
  above: string
  below: string
  label: { text: string; kind: Pair['kind'] } | null
}

/** Of a piece that is longer than this nothing is a letterhead, a label's value or a line of its own. */
const LONGEST_CELL = 400
const LONGEST_VALUE = 120
const AROUND = 60
/** Who did a trial, for whom and when, is said at its beginning or at its end. */
const FIRST_PAGES = 6

/** The text of the first pages and of the last one; the same words come in each place that they stand in. */
export function* piecesOf({ pages }: Document, pairs: readonly Pair[]): Generator<Piece> {
  const beside = Map.groupBy(
    pairs.filter(({ value }) => value.text.length < LONGEST_VALUE),
    ({ value }) => value.spans[0]?.word.page ?? 0,
  )
  let order = 0
  for (const [p, layout] of pages.entries()) {
    if (p >= FIRST_PAGES && p < pages.length - 1) continue
    const sizes = [...layout.lines, ...layout.furniture]
      .flatMap(({ words }) => words.map(({ size }) => size))
      .sort((a, b) => a - b)
    const page = {
      ...{ page: p, height: layout.page.height },
      sizes: { usual: sizes[sizes.length >> 1] ?? 10, largest: sizes.at(-1) ?? 10 },
    }
    const alone = { above: '', below: '', label: null }
    const piece = (
      run: Run,
      place: Place,
      around: Pick<Piece, 'above' | 'below' | 'label'> = alone,
    ): Piece => {
      order++
      return { run, place, order, ...page, ...around }
    }
    for (const line of layout.furniture)
      for (const { words } of line.segments) yield piece(makeRun(words), 'furniture')
    for (const block of layout.blocks) yield piece(runOf(block), 'text')
    for (const table of layout.tables)
      for (const cell of new Set(table.rows.flat()))
        if (cell && cell.text.length < LONGEST_CELL) yield piece(makeRun(cell.words), 'cell')
    for (const { value, label, kind } of beside.get(layout.page.index) ?? [])
      yield piece(value, 'pair', { ...alone, label: { text: label, kind } })
    const segments = layout.lines.flatMap((line) => line.segments)
    for (const [i, { words }] of segments.entries())
      yield piece(makeRun(words), 'line', {
        above: segments[i - 1]?.text.slice(0, AROUND) ?? '',
        below: segments[i + 1]?.text.slice(0, AROUND) ?? '',
        label: null,
      })
  }
}

/** The words that a document writes in small letters, folded: what is also among them is hardly a name. */
export function smallWords(document: Document): ReadonlySet<string> {
  const known = smallOf.get(document)
  if (known) return known
  const out = new Set<string>()
  for (const { lines } of document.pages)
    for (const { words } of lines)
      for (const { text } of words) {
        const word = /^\p{Ll}{3,}(?=[.,;:)]?$)/u.exec(text)?.[0]
        if (word) out.add(fold(word))
      }
  smallOf.set(document, out)
  return out
}
const smallOf = new WeakMap<Document, ReadonlySet<string>>()
const SHORTEST_WORD = 4
/** Share of a name's words that are written in small letters elsewhere, of those that are long enough to tell. */
export function shareSmall(key: string, small: ReadonlySet<string>): number {
  const words = key.split(' ').filter(({ length }) => length >= SHORTEST_WORD)
  return words.length === 0 ? 0 : words.filter((word) => small.has(word)).length / words.length
}
