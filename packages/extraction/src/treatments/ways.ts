import type { Document } from '../document.ts'
import { pairsOfCheckBoxes } from '../fields/check-boxes.ts'
import type { Pair } from '../fields/pair.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { findModes } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'

/** Where a way of application is spoken of. */
type Place = 'title' | 'text' | 'cell' | 'line' | 'ticked'

/** A way of application as it is named in one place of the document. */
export interface WayMention {
  value: string
  words: Word[]
  place: Place
  /** Folded text around it, within its sentence. */
  before: string
  after: string
  /** What stands beside it and at the head of its column, folded. */
  label: string
  column: string
}

const AROUND = 90
const LONGEST_CELL = 400
/** A document that names more tells nothing by them. */
const MOST = 600
/** Share of the largest type of the first page from which a line is its title. */
const TITLE = 0.92
/** A title is larger than the usual type. */
const LARGER = 1.1
const MOST_TITLE_LINES = 4
/** What some treatments got, or the whole field before it was sown. */
const OF_OTHERS = /\bt\d{1,2}\b|\bdessec/
/** 'teores foliares', 'área foliar': of the leaves, and no way. */
const OF_LEAVES =
  /\b(?:teor(?:es)?|analises?|diagnoses?|areas?|nutrientes?|indices?|doencas?|manchas?|concentrac(?:ao|oes)|composicao) $/
const RANGE = /\bt\d{1,2}\s?(?:a|ate|-|–)\s?t\d{1,2}\b/g
const ENDS_SENTENCE = /[.;](?=\s|$)/

export function findWays({ pages }: Document): WayMention[] {
  const out: WayMention[] = []
  const put = (run: Run, place: Place, label = '', column = ''): void => {
    for (const { value, start, end } of findModes(run.folded)) {
      if (out.length >= MOST) return
      const before =
        run.folded
          .slice(Math.max(0, start - AROUND), start)
          .split(ENDS_SENTENCE)
          .at(-1) ?? ''
      const after = run.folded.slice(end, end + AROUND).split(ENDS_SENTENCE)[0] ?? ''
      if (value === 'Foliar' && OF_LEAVES.test(before)) continue
      if (place !== 'ticked' && OF_OTHERS.test(`${before} ${after}`.replace(RANGE, ''))) continue
      out.push({
        ...{ value, place, before, after, label: fold(label), column: fold(column) },
        words: wordsIn(run, start, end),
      })
    }
  }
  const lines = pages[0]?.lines ?? []
  const sizes = lines.map(({ size }) => size).sort((x, y) => x - y)
  const least = Math.max(TITLE * (sizes.at(-1) ?? 0), LARGER * (sizes[sizes.length >> 1] ?? 0))
  for (const { segments } of lines.filter(({ size }) => size >= least).slice(0, MOST_TITLE_LINES))
    put(makeRun(segments.flatMap(({ words }) => words)), 'title')
  for (const layout of pages) {
    for (const block of layout.blocks) put(runOf(block), 'text')
    for (const { segments } of layout.lines)
      segments.slice(1).forEach(({ words }, i) => {
        put(makeRun(words), 'line', segments[i]?.text)
      })
    for (const { rows } of layout.tables)
      for (const row of rows)
        row.forEach((cell, c) => {
          if (!cell || row[c - 1] === cell || cell.text.length > LONGEST_CELL) return
          put(makeRun(cell.words), 'cell', row[c - 1]?.text, rows[0] === row ? '' : rows[0]?.[c]?.text)
        })
    const ticked: Pair[] = []
    pairsOfCheckBoxes(layout, ticked)
    for (const { label, value } of ticked) put(value, 'ticked', label)
  }
  return out
}
