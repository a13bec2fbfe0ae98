import { matchLabel } from '../fields/labels.ts'
import type { Line, Segment } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import { isControl } from '../values/lexicon.ts'

/** So many of the record's fields make a list of them. */
const LEAST_FIELDS = 3
/** Lines of a table, each of so many pieces. */
const LEAST_LINES = 3
const LEAST_PIECES = 3
/** How far, in points, labels of one list stand from one another. */
const NEAR = 4

/**
 * 'Local | Sorriso' over 'Argila | 49 %' beside a table of treatments, as on a dashboard: the lines of the list are no rows
 * of the table, though some share their height. Apart where nothing crosses from one to the other.
 */
export function splitBesideList(run: Line[]): Line[][] {
  const labels = run.flatMap(({ segments: [first] }) => {
    const [match] = first ? matchLabel(first.text) : []
    const known = match && match.target !== 'other' && match.score >= 0.85 && match.cover > 0.8
    return first && known ? [{ first, target: match.target }] : []
  })
  const left = Math.min(...labels.map(({ first }) => first.x0))
  const own = labels.filter(({ first }) => first.x0 < left + NEAR)
  if (new Set(own.map(({ target }) => target)).size < LEAST_FIELDS) return [run]
  const segments = run.flatMap((line) => line.segments)
  const edge = Math.max(...own.map(({ first }) => first.x1))
  const starts = [...new Set(segments.map(({ x0 }) => x0))].filter((x) => x > edge).sort((a, b) => a - b)
  for (const at of starts) {
    if (segments.some(({ x0, x1 }) => x0 < at && x1 > at - 1)) continue
    const list = part(run, (segment) => segment.x1 < at)
    const table = part(run, (segment) => segment.x0 >= at)
    const pairs = list.filter((line) => line.segments.length === 2).length
    if (pairs < LEAST_FIELDS || list.some((line) => line.segments.length > 2)) continue
    const wide = table.filter((line) => line.segments.length >= LEAST_PIECES).length
    const treats = table.some((line) =>
      line.segments.some(({ text }) => isControl(text) || /^T\s?0?1$/.test(text)),
    )
    if (wide >= LEAST_LINES && treats) return [list, table]
  }
  return [run]
}

/** The lines with what belongs to one side. */
function part(run: readonly Line[], belongs: (segment: Segment) => boolean): Line[] {
  return run.flatMap((line) => {
    const segments = line.segments.filter(belongs)
    const words = segments.flatMap((segment) => segment.words)
    return words.length === 0 ? [] : [{ ...line, ...union(words), segments, words }]
  })
}
