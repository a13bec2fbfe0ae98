import { area, type Box, union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'
import { groupLines } from './lines.ts'

const LEAST_LINES = 6
/** A gutter beside so many lines is hardly the gap of a table. */
const LONG = 25

interface RowInfo {
  words: Word[]
  base: number
}

/** How much of a page's height a line or the edge of a coloured band takes that parts it. */
const WALL = 0.4
/** Fewer words beside it are a margin's. */
const LEAST_WORDS = 12
/** As many level lines cross the line of a table. */
const MOST_CROSSINGS = 2

/**
 * Parts of a page beside each other: what a coloured band or a long line parts, and within each its columns. `gutter`:
 * where an earlier page has its own; half a page of two columns tells too little by itself.
 */
export function splitPage(
  words: readonly Word[],
  { width, height }: { width: number; height: number },
  rulings: readonly Ruling[] = [],
  gutter?: number,
): { regions: Word[][]; gutter?: number } {
  const wall = wallIn(words, { width, height }, rulings)
  if (!wall) return intoColumns(words, width, rulings, gutter)
  const within = (word: Word) => (word.y0 + word.y1) / 2 > wall.y0 && (word.y0 + word.y1) / 2 < wall.y1
  const beside = words.filter(within)
  const parts = [
    words.filter((word) => !within(word) && word.y0 < wall.y0),
    beside.filter((word) => word.x1 <= wall.x0 + 2),
    beside.filter((word) => word.x1 > wall.x0 + 2),
    words.filter((word) => !within(word) && word.y0 >= wall.y0),
  ].filter((part) => part.length > 0)
  return { regions: parts.flatMap((part) => splitPage(part, { width, height }, rulings).regions) }
}

/** So many lines in a panel are no label with its value. */
const LEAST_IN_PANEL = 6
/** The share of a page's words that a panel beside others holds at most. */
const MOST_IN_PANEL = 0.7
/** How far, in points, panels of one row may differ. */
const LEVEL = 4

/**
 * What stands in a panel beside something else, apart from the rest. Panels as high as one another are cards, which may be
 * read across.
 */
export function byPanels(words: readonly Word[], panels: readonly Box[] = []): Word[][] {
  const inside = (word: Word, { x0, y0, x1, y1 }: Box): boolean => {
    const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2]
    return x > x0 && x < x1 && y > y0 && y < y1
  }
  const parts: Word[][] = []
  let rest = [...words]
  for (const panel of [...panels].sort((a, b) => area(a) - area(b))) {
    const own = rest.filter((word) => inside(word, panel))
    const held = new Set(own)
    const beside = rest.some(
      ({ x0, y0, x1, y1 }) => (x1 < panel.x0 || x0 > panel.x1) && y1 > panel.y0 && y0 < panel.y1,
    )
    const twin = panels.some(
      (other) =>
        Math.abs(other.x0 - panel.x0) > LEVEL &&
        Math.abs(other.y0 - panel.y0) < LEVEL &&
        Math.abs(other.y1 - panel.y1) < LEVEL,
    )
    if (!beside || twin || own.length > MOST_IN_PANEL * words.length) continue
    if (groupLines(own).length < LEAST_IN_PANEL) continue
    parts.push(own)
    rest = rest.filter((word) => !held.has(word))
  }
  return [rest, ...parts].filter((part) => part.length > 0)
}

function wallIn(
  words: readonly Word[],
  { width, height }: { width: number; height: number },
  rulings: readonly Ruling[],
): Ruling | null {
  const walls = rulings.filter(
    (r) => r.vertical && r.y1 - r.y0 > WALL * height && r.x0 > 0.09 * width && r.x0 < 0.91 * width,
  )
  for (const wall of walls) {
    const level = words.filter((word) => word.y1 > wall.y0 && word.y0 < wall.y1)
    if (level.some((word) => word.x0 < wall.x0 - 2 && word.x1 > wall.x0 + 2)) continue
    const left = level.filter((word) => word.x1 <= wall.x0 + 2).length
    if (left < LEAST_WORDS || level.length - left < LEAST_WORDS) continue
    const crossings = rulings.filter(
      (r) =>
        !r.vertical && r.y0 > wall.y0 + 2 && r.y0 < wall.y1 - 2 && r.x0 < wall.x0 - 8 && r.x1 > wall.x0 + 8,
    )
    if (crossings.length <= MOST_CROSSINGS) return wall
  }
  return null
}

/**
 * Splits a page printed in two columns at its gutter: full-width bands stay whole, the columns between them
 * come one after the other. A page in one column comes back as it is.
 */
export const splitColumns = (
  words: readonly Word[],
  width: number,
  rulings: readonly Ruling[] = [],
): Word[][] => intoColumns(words, width, rulings).regions

function intoColumns(
  words: readonly Word[],
  width: number,
  rulings: readonly Ruling[],
  known?: number,
): { regions: Word[][]; gutter?: number } {
  const rows: RowInfo[] = groupLines(words).map((row) => ({ words: row, base: row[0]?.base ?? 0 }))
  const best =
    widestRuns(rows, width, rulings, WIDE) ??
    widestRuns(rows, width, rulings, NARROW) ??
    (known === undefined ? undefined : runsAt(rows, known, rulings))
  const inTwo = best?.runs.reduce((sum, [from, to]) => sum + to - from, 0) ?? 0
  const three = known === undefined ? intoThree(rows, width, inTwo) : null
  if (!best || three) return { regions: three ?? [[...words]] }
  const { gutter, runs } = best
  const regions: Word[][] = []
  let at = 0
  const full = (from: number, to: number): void => {
    const band = rows.slice(from, to).flatMap((row) => row.words)
    if (band.length > 0) regions.push(band)
  }
  for (const [from, to] of runs) {
    full(at, from)
    const inside = rows.slice(from, to).flatMap((row) => row.words)
    regions.push(
      inside.filter((word) => word.x1 <= gutter + 1),
      inside.filter((word) => word.x1 > gutter + 1),
    )
    at = to
  }
  full(at, rows.length)
  const long = runs.some(([from, to]) => to - from >= LONG)
  return { regions: regions.filter((region) => region.length > 0), ...(long && { gutter }) }
}

/** Where two gutters of a poster or a newspaper may stand, as shares of its width. */
const THIRDS = [
  { from: 0.28, to: 0.42 },
  { from: 0.58, to: 0.72 },
] as const
/** So many places are tried for each. */
const TRIED = 20
const FREE = 4
/** Rows beside both gutters at least. */
const LEAST_OF_THREE = 10
/** Fewer words are cards side by side. */
const LEAST_OF_TEXT = 200
/** The share of running text in the middle one and in the last of three columns. */
const PROSE_OF_THREE = { middle: 0.4, least: 0.1 }

/**
 * Three columns with running text in two of them at least, and what stands over and below them; null where there are none,
 * or no more rows of them than of two columns.
 */
function intoThree(rows: readonly RowInfo[], width: number, inTwo: number): Word[][] | null {
  const long = Math.max(LEAST_OF_THREE, inTwo + 1)
  if (rows.length < long) return null
  // Rows that nothing crosses at a place, for each of the places once.
  const [left = [], right = []] = THIRDS.map(({ from, to }) =>
    Array.from({ length: TRIED + 1 }, (_, i) => width * (from + ((to - from) * i) / TRIED)).map((x) => ({
      x,
      free: rows.map((row) => !row.words.some((word) => word.x0 < x + FREE && word.x1 > x - FREE)),
    })),
  )
  let best: { a: number; b: number; from: number; to: number } | null = null
  for (const a of left)
    for (const b of right) {
      let start = 0
      for (let i = 0; i <= rows.length; i++) {
        if (i < rows.length && a.free[i] && b.free[i]) continue
        if (i - start >= long && i - start > (best ? best.to - best.from : 0))
          best = { a: a.x, b: b.x, from: start, to: i }
        start = i + 1
      }
    }
  if (!best) return null
  const { a, b, from, to } = best
  const inside = rows.slice(from, to)
  const parts = [
    inside.map((row) => row.words.filter(({ x1 }) => x1 <= a)),
    inside.map((row) => row.words.filter(({ x0, x1 }) => x0 >= a && x1 <= b)),
    inside.map((row) => row.words.filter(({ x0 }) => x0 >= b)),
  ].map((lines) => lines.filter((words) => words.length > 0))
  const shares = parts
    .map((lines) => (lines.length < LEAST_LINES ? 0 : proseShare(lines)))
    .sort((x, y) => x - y)
  const [least = 0, middle = 0] = shares
  const count = inside.reduce((sum, row) => sum + row.words.length, 0)
  if (count < LEAST_OF_TEXT || least < PROSE_OF_THREE.least || middle < PROSE_OF_THREE.middle) return null
  const whole = (some: readonly RowInfo[]): Word[] => some.flatMap(({ words }) => words)
  return [whole(rows.slice(0, from)), ...parts.map((lines) => lines.flat()), whole(rows.slice(to))].filter(
    (part) => part.length > 0,
  )
}

interface Gutter {
  /** Free on either side, in points. */
  free: number
  step: number
  /** Rows beside it. */
  least: number
  /** An earlier page has it: some running text is enough. */
  known?: true
}
const WIDE: Gutter = { free: 5, step: 3, least: LEAST_LINES }
/** Typesetters leave ten points between columns; the space of so many lines is no river. */
const NARROW: Gutter = { free: 3.5, step: 1.5, least: LONG }
const KNOWN: Gutter = { ...NARROW, least: LEAST_LINES, known: true }
const LEAST_KNOWN = 0.3

function widestRuns(
  rows: readonly RowInfo[],
  width: number,
  rulings: readonly Ruling[],
  like: Gutter,
): { gutter: number; runs: [number, number][] } | undefined {
  let best: { gutter: number; runs: [number, number][]; gain: number } | undefined
  for (let gutter = 0.28 * width; gutter <= 0.72 * width; gutter += like.step) {
    const runs = proseRuns(rows, gutter, rulings, like)
    const gain = runs.reduce((sum, [from, to]) => sum + to - from, 0)
    if (gain > (best?.gain ?? 0)) best = { gutter, runs, gain }
  }
  return best
}

function runsAt(
  rows: readonly RowInfo[],
  gutter: number,
  rulings: readonly Ruling[],
): { gutter: number; runs: [number, number][] } | undefined {
  const runs = proseRuns(rows, gutter, rulings, KNOWN)
  return runs.length > 0 ? { gutter, runs } : undefined
}

/** Runs of rows that no word crosses at the gutter and that have running text on at least one side. */
function proseRuns(
  rows: readonly RowInfo[],
  gutter: number,
  rulings: readonly Ruling[],
  { free, least, known }: Gutter,
): [number, number][] {
  const runs: [number, number][] = []
  if (rows.length < least) return runs
  let start = -1
  for (let i = 0; i <= rows.length; i++) {
    const row = rows[i]
    const crossed = !row || row.words.some((word) => word.x0 < gutter + free && word.x1 > gutter - free)
    // A ruling over the whole width ends the columns above it.
    const above = rows[i - 1]?.base
    const ruled =
      row !== undefined &&
      above !== undefined &&
      rulings.some(
        (r) => !r.vertical && r.y0 > above && r.y0 < row.base && r.x0 < gutter - 8 && r.x1 > gutter + 8,
      )
    if (!crossed && !(ruled && start >= 0)) {
      if (start < 0) start = i
      continue
    }
    if (start >= 0) {
      const end = i - start < least ? start : lastRunning(rows, start, i, gutter)
      if (end - start >= least && isTwoColumns(rows.slice(start, end), gutter, { rulings, known }))
        runs.push([start, columnsEnd(rows, end, i, gutter, rulings)])
      start = crossed ? -1 : i
    }
  }
  return runs
}

/** Where running text ends: a table below it may leave the gutter free by chance. */
function lastRunning(rows: readonly RowInfo[], from: number, to: number, gutter: number): number {
  for (let i = to - 1; i >= from; i--) {
    const words = rows[i]?.words ?? []
    const sides = [words.filter((word) => word.x1 <= gutter), words.filter((word) => word.x0 >= gutter)]
    if (sides.some((side) => isRunning(side, 90))) return i + 1
  }
  return from
}

/** What follows on one side only, or is ruled off within one side, still stands in its column. */
function columnsEnd(
  rows: readonly RowInfo[],
  from: number,
  to: number,
  gutter: number,
  rulings: readonly Ruling[],
): number {
  const level = rulings.filter((r) => !r.vertical && r.x1 - r.x0 > 40)
  let end = from
  for (; end < to; end++) {
    const row = rows[end]
    if (!row) break
    const sides = [row.words.some((w) => w.x1 <= gutter + 1), row.words.some((w) => w.x0 >= gutter - 1)]
    if (!sides[0] || !sides[1]) continue
    const near = level.filter((r) => Math.abs(r.y0 - row.base) < 70)
    // A ruling drawn cell by cell goes on at the gutter; one of a column ends before it.
    const across = near.some(
      (r) =>
        r.x0 < gutter - 8 &&
        (r.x1 > gutter + 8 ||
          (r.x1 > gutter - 4 &&
            near.some((o) => Math.abs(o.y0 - r.y0) < 1.5 && o.x0 < gutter + 4 && o.x1 > gutter + 8))),
    )
    if (across || near.length === 0) break
  }
  return end
}

/** Several words in a row without a wide gap. */
function isRunning(line: readonly Word[], least: number): boolean {
  if (line.length < 4) return false
  const box = union(line)
  if (box.x1 - box.x0 < least) return false
  const widest = 1.8 * (line[0]?.size ?? 10)
  return line.every((word, i) => i === 0 || word.x0 - (line[i - 1]?.x1 ?? word.x0) < widest)
}

function isTwoColumns(
  rows: readonly RowInfo[],
  gutter: number,
  { rulings, known }: { rulings: readonly Ruling[]; known: boolean | undefined },
): boolean {
  const left = rows.map((row) => row.words.filter((word) => word.x1 <= gutter)).filter((w) => w.length > 0)
  const right = rows.map((row) => row.words.filter((word) => word.x0 >= gutter)).filter((w) => w.length > 0)
  if (left.length < LEAST_LINES || right.length < LEAST_LINES) return false
  const sides = [proseShare(left), proseShare(right)]
  if (known) return Math.max(...sides) > LEAST_KNOWN
  const boxes = [left, right].map((side) => union(side.flat()))
  const wide = boxes.map(({ x0, x1 }) => x1 - x0)
  if (Math.min(...wide) < 0.4 * Math.max(...wide)) return false
  // One side of running text is enough when the other may be a table or a figure.
  const long = Math.min(left.length, right.length) >= LONG && Math.min(...sides) > 0.25
  if (long && (sides[0] ?? 0) + (sides[1] ?? 0) > 0.7) return true
  // Tables and charts with rules of their own as wide as each column: a poster.
  const ruled = boxes.every((box) => rulings.some((ruling) => fills(ruling, box)))
  if (ruled && Math.min(left.length, right.length) >= LONG && Math.min(...sides) > LEAST_RULED) return true
  return Math.min(...sides) > 0.5 || (Math.max(...sides) > 0.6 && Math.min(...sides) > 0.12)
}

const LEAST_RULED = 0.12
const fills = (r: Ruling, { x0, y0, x1, y1 }: Box): boolean =>
  !r.vertical && r.y0 > y0 && r.y1 < y1 && Math.abs(r.x0 - x0) < NEAR_EDGE && Math.abs(r.x1 - x1) < NEAR_EDGE
/** In points. */
const NEAR_EDGE = 6

/** Share of the lines that look like running text: several words that fill the column. */
function proseShare(lines: readonly Word[][]): number {
  const box = union(lines.flat())
  const width = box.x1 - box.x0
  const running = lines.filter((line) => isRunning(line, 0.6 * width))
  return running.length / lines.length
}
