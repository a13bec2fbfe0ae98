import { FIELD_KEYS, type FieldKey, isNumberKey } from '@ensaio/domain/fields'
import type { Decision } from '../fields/decide.ts'
import { parseFor } from '../fields/parsers.ts'
import { type Line, makeLines, type Segment } from '../layout/lines.ts'
import { makeRun, type Run, wordsIn } from '../layout/run.ts'
import type { Page } from '../read/page.ts'
import { readNumber } from '../values/number.ts'
import { fold, hasLetters, tidy } from '../values/text.ts'
import { phraseOf, printOf } from './fingerprint.ts'

/** Where a field stands in a layout: behind, beside or below a phrase, or always at one place of its page. */
export interface Anchor {
  field: FieldKey
  how: 'behind' | 'beside' | 'below' | 'place'
  /** Print of it (`printOf`); '' for a place. */
  phrase: string
  /** What ends the value in its line, '' where the line does. */
  end: string
  /** In points from the top left of the page, for a place. */
  place?: { page: number; x: number; y: number } | undefined
}

const ENDS = [',', ';', '|', '·', '(', ' - ', ' – ', ' — ']
/** A value may stand in many places; so many of them are tried. */
const MOST_TRIED = 8
/** Words before a value that may be its label, signs between them counted. */
const MOST_BEFORE = 12
/** A place may be off by so many points. */
const NEAR = 8

/** Where each of these values stands in the document, as a later document of the layout would say it again. */
export function learnAnchors(
  values: Readonly<Partial<Record<FieldKey, string | number>>>,
  pages: readonly Page[],
): Anchor[] {
  const lines = pages.map((page) => makeLines(page.words, page.rulings))
  return FIELD_KEYS.flatMap((field) => {
    const value = values[field]
    if (value === undefined || value === '') return []
    const found = lines.flatMap((own, p) => own.flatMap((line) => anchorsIn(field, value, line, own, p)))
    // A label says more than a place; what does not give the value back is none.
    const sure = [...found.filter(({ how }) => how !== 'place'), ...found]
      .slice(0, MOST_TRIED)
      .find((anchor) => readAnchors([anchor], pages)[field]?.value === value)
    return sure ? [sure] : []
  })
}

function anchorsIn(
  field: FieldKey,
  value: string | number,
  line: Line,
  lines: readonly Line[],
  page: number,
): Anchor[] {
  return line.segments.flatMap((segment, s): Anchor[] => {
    const run = makeRun(segment.words)
    const at = placeIn(run, field, value)
    if (!at) return []
    const rest = run.text.slice(at.end).trimStart()
    const end =
      ENDS.find((sign) => rest !== '' && ` ${rest}`.startsWith(sign.startsWith(' ') ? sign : ` ${sign}`)) ??
      ''
    const before = phraseOf(run.text.slice(0, at.start))
    if (before !== '') return [{ field, how: 'behind', phrase: printOf(before), end }]
    if (run.text.slice(0, at.start).trim() !== '') return []
    const left = phraseOf(line.segments[s - 1]?.text ?? '')
    if (left !== '') return [{ field, how: 'beside', phrase: printOf(left), end }]
    const above = phraseOf(segmentAbove(segment, lines)?.text ?? '')
    if (above !== '') return [{ field, how: 'below', phrase: printOf(above), end }]
    return [{ field, how: 'place', phrase: '', end, place: { page, x: segment.x0, y: segment.y0 } }]
  })
}

/** Where the value stands in the text, as whole words. */
function placeIn(run: Run, field: FieldKey, value: string | number): { start: number; end: number } | null {
  if (typeof value === 'number') {
    const span = run.spans.find(({ word }) => readNumber(word.text) === value)
    return span ? { start: span.start, end: span.end } : null
  }
  const wanted = fold(value)
  const start = run.folded.indexOf(wanted)
  if (start >= 0) {
    const around = `${run.folded[start - 1] ?? ' '}${run.folded[start + wanted.length] ?? ' '}`
    return /[\p{L}\d]/u.test(around) ? null : { start, end: start + wanted.length }
  }
  // A choice may be written in other words than it has: 'Delineamento: DBC' is 'Blocos Casualizados'.
  const parsed = parseFor(field, run.text, '', false)[field]
  return parsed?.value === value ? { start: parsed.start, end: parsed.end } : null
}

function segmentAbove(segment: Segment, lines: readonly Line[]): Segment | null {
  const above = lines
    .flatMap((line) => line.segments)
    .filter(
      (other) =>
        other.base < segment.y0 + 1 &&
        segment.y0 - other.base < 2.2 * segment.size &&
        other.x0 < segment.x1 &&
        other.x1 > segment.x0,
    )
  return above.at(-1) ?? null
}

function segmentBelow(segment: Segment, lines: readonly Line[]): Segment | null {
  for (const line of lines) {
    if (line.base <= segment.base + 1 || line.y0 - segment.base >= 2.2 * line.size) continue
    const under = line.segments.find((other) => other.x0 < segment.x1 && other.x1 > segment.x0)
    if (under) return under
  }
  return null
}

/** The fields where their anchors say; what is not there, or is no value of the field, stays as it was read. */
export function readAnchors(anchors: readonly Anchor[], pages: readonly Page[]): Decision {
  const lines = pages.map((page) => makeLines(page.words, page.rulings))
  const decision: Decision = {}
  for (const anchor of anchors) {
    const found = lines.flatMap((own, p) => own.flatMap((line) => runsAt(anchor, line, own, p)))
    for (const run of found) {
      const value = readValue(anchor, run)
      if (!value) continue
      const words = wordsIn(run, value.start, value.end)
      if (words.length === 0) continue
      Object.assign(decision, {
        [anchor.field]: {
          field: anchor.field,
          value: value.value,
          score: 1,
          margin: 0.8,
          words,
          method: 'label',
        },
      })
      break
    }
  }
  return decision
}

function runsAt(anchor: Anchor, line: Line, lines: readonly Line[], page: number): Run[] {
  return line.segments.flatMap((segment, s): Run[] => {
    if (anchor.how === 'place') {
      const { place } = anchor
      const near =
        place?.page === page && Math.abs(place.x - segment.x0) < NEAR && Math.abs(place.y - segment.y0) < NEAR
      return near ? [makeRun(segment.words)] : []
    }
    if (anchor.how === 'behind') {
      const run = makeRun(segment.words)
      // The phrase ends before the first word that it does not hold.
      const spans = run.spans
      for (let n = 1; n < Math.min(spans.length, MOST_BEFORE); n++) {
        const before = phraseOf(run.text.slice(0, spans[n]?.start))
        if (printOf(before) === anchor.phrase) return [makeRun(segment.words.slice(n))]
        if (before.split(' ').length > Number.parseInt(anchor.phrase, 10)) break
      }
      return []
    }
    if (printOf(phraseOf(segment.text)) !== anchor.phrase) return []
    if (anchor.how === 'beside') {
      const next = line.segments[s + 1]
      return next ? [makeRun(next.words)] : []
    }
    const below = segmentBelow(segment, lines)
    return below ? [makeRun(below.words)] : []
  })
}

function readValue(
  { field, end }: Anchor,
  run: Run,
): { value: string | number; start: number; end: number } | null {
  const cut = end === '' ? -1 : run.text.indexOf(end)
  const text = cut > 0 ? run.text.slice(0, cut) : run.text
  const parsed = parseFor(field, text, '', false)[field]
  if (parsed) return parsed
  if (isNumberKey(field)) {
    const value = readNumber(text)
    return value === null ? null : { value, start: 0, end: text.length }
  }
  const value = tidy(text)
  const free = field === 'consultoria' || field === 'regional' || field === 'cultivar' || field === 'marca'
  return free && hasLetters(value) && value.length < 80 ? { value, start: 0, end: text.length } : null
}
