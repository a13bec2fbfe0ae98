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
    // Farther to the right it only grows.
    if (list.some((line) => line.segments.length > 2)) break
    if (list.filter((line) => line.segments.length === 2).length < LEAST_FIELDS) continue
    const table = part(run, (segment) => segment.x0 >= at)
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

/** A code that begins a row of treatments. */
const CODE = /^T\s?(\d{1,2})(?![\d,.])/
/** Codes below each other begin the rows of one table. */
interface Codes {
  x0: number
  top: number
  bottom: number
}

function codesOf(run: readonly Line[]): Codes[] {
  const segments = run.flatMap((line) => line.segments)
  const coded = columnsOf(segments.filter(({ text }) => CODE.test(text))).flatMap((own) => {
    const codes = new Set(own.map(({ text }) => CODE.exec(text)?.[1]))
    return codes.size < LEAST_LINES ? [] : [boundsOf(own)]
  })
  // The same names, the control among them, begin the rows of two tables.
  const times = Map.groupBy(segments, ({ text }) => text)
  const named = columnsOf(
    segments.filter(({ text }) => /\p{L}{3}/u.test(text) && times.get(text)?.length === 2),
  )
  const begun = named.filter(
    (own) =>
      own.length >= LEAST_LINES && own.some(({ text }) => isControl(text) && text.length < LONGEST_NAME),
  )
  return coded.length > 0 ? coded : begun.map(boundsOf)
}
const LONGEST_NAME = 40

/** Pieces that begin at one place, one below the other. */
function columnsOf(segments: readonly Segment[]): Segment[][] {
  const columns: Segment[][] = []
  for (const segment of segments) {
    const own = columns.find((column) => {
      const last = column.at(-1)
      return (
        last &&
        Math.abs((column[0]?.x0 ?? 0) - segment.x0) < NEAR &&
        segment.base - last.base < MOST_PITCH * segment.size
      )
    })
    if (own) own.push(segment)
    else if (columns.length < MOST_COLUMNS) columns.push([segment])
  }
  return columns
}
/** More are no tables side by side. */
const MOST_COLUMNS = 200

const boundsOf = (own: readonly Segment[]): Codes => {
  const bases = own.map(({ base }) => base)
  return { x0: own[0]?.x0 ?? 0, top: Math.min(...bases), bottom: Math.max(...bases) }
}
const MOST_PITCH = 6

/** Tables of treatments side by side, each with codes of its own: their lines, which need not share their heights, are apart. */
export function splitAbreast(run: Line[]): Line[][] {
  const groups = codesOf(run).sort((a, b) => b.x0 - a.x0)
  if (groups.length > MOST_ABREAST) return [run]
  for (const right of groups) {
    const left = groups.find(
      ({ x0, top, bottom }) =>
        x0 < right.x0 - LEAST_WIDTH &&
        Math.min(bottom, right.bottom) - Math.max(top, right.top) > 0.5 * (right.bottom - right.top),
    )
    if (!left) continue
    const at = right.x0 - 1
    const crosses = ({ segments }: Line): boolean => segments.some(({ x0, x1 }) => x0 < at - 1 && x1 > at)
    const reaches = ({ segments }: Line): boolean => segments.some(({ x0 }) => x0 >= at)
    const [top, bottom] = [Math.min(left.top, right.top), Math.max(left.bottom, right.bottom)]
    let from = run.findIndex(({ base }) => base >= top - 1)
    let to = run.findLastIndex(({ base }) => base <= bottom + 1)
    if (run.slice(from, to + 1).some(crosses)) continue
    const others = groups.filter((one) => one !== right && one !== left)
    const taken = ({ base }: Line): boolean =>
      others.some(({ top, bottom }) => base >= top - 1 && base <= bottom + 1)
    const near = (a: Line | undefined, b: Line | undefined): boolean =>
      a !== undefined && b !== undefined && b.base - a.base < 3.2 * Math.max(a.size, b.size)
    // Its headings, and its means.
    for (
      let line = run[from - 1];
      line && !crosses(line) && !taken(line) && near(line, run[from]);
      line = run[from - 1]
    )
      from--
    for (
      let line = run[to + 1];
      line && reaches(line) && !crosses(line) && !taken(line) && near(run[to], line);
      line = run[to + 1]
    )
      to++
    const zone = run.slice(from, to + 1)
    return [
      ...splitAbreast(run.slice(0, from)),
      ...splitAbreast(part(zone, ({ x0 }) => x0 < at)),
      ...splitAbreast(part(zone, ({ x0 }) => x0 >= at)),
      ...splitAbreast(run.slice(to + 1)),
    ].filter((lines) => lines.length > 0)
  }
  return [run]
}
/** More columns of codes are no tables side by side. */
const MOST_ABREAST = 8
/** A narrower table is none. */
const LEAST_WIDTH = 60
