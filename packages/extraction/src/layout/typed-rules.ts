import { union } from '../read/geometry.ts'
import type { Page, Ruling, Word } from '../read/page.ts'
import { groupLines } from './lines.ts'

/** '+-----+', '=====', '|' */
const RULE = /^[-–—_=~*+|¦│]+$/
const LONG = /^[-–—_=~*]{2,}$/
const BAR = /^[|¦│]$/
const CORNER = /^[|¦│+]$/
/** Bars of one column stand under each other this exactly. */
const UPRIGHT = 2.5
/** Rows of one frame are as many sizes of type apart. */
const APART = 2.6
/** A frame has as many rows with bars, and a column as many of them. */
const LEAST_ROWS = 3
const LEAST_SHARE = 0.5
/** What has more of them is no table that anybody typed. */
const MOST_BARS = 4000
/** Points: a shorter one is a dash of a text or an empty cell. */
const LEAST_LINE = 60
/** Of its bars stand under each other. */
const ALIGNED = 0.75

/**
 * The page of a typewriter or of a fixed type, on which rules are made of signs: lines of dashes are no rows of a table,
 * and a frame of bars is one that is drawn.
 */
export function withTypedRules(page: Page): Page {
  if (!page.words.some(({ text }) => BAR.test(text) || LONG.test(text))) return page
  const words = page.words.flatMap(apartFromBars)
  const rows = groupLines(words)
  const frames = framesIn(rows)
  const bars = frames.flat().flatMap((row) => row.filter(isRule(row) ? () => true : isBar))
  const gone = new Set([...rows.filter(isRule).flat(), ...bars, ...words.filter(isDashes)])
  if (gone.size === 0) return page
  return {
    ...page,
    words: (frames.length > 0 ? words : page.words).filter((word) => !gone.has(word)),
    rulings: [...page.rulings, ...frames.flatMap(rulingsOf), ...rows.filter(isLine).map(lineOf)],
  }
}

const isBar = ({ text }: Word): boolean => BAR.test(text)
const isCorner = ({ text }: Word): boolean => CORNER.test(text)
const isRule = (row: readonly Word[]): boolean =>
  row.every(({ text }) => RULE.test(text)) && (row.length > 1 || row.some(({ text }) => LONG.test(text)))
/** Also beside words: it says nothing. */
const isDashes = ({ text }: Word): boolean => /^-{12,}$/.test(text)
/** A line of dashes by itself is one that is drawn. */
const isLine = (row: readonly Word[]): boolean =>
  row.every(({ text }) => LONG.test(text)) && union([...row]).x1 - union([...row]).x0 > LEAST_LINE
const lineOf = (row: readonly Word[]): Ruling => {
  const { x0, x1, y0, y1 } = union([...row])
  const y = middle(y0, y1)
  return { x0, x1, y0: y, y1: y, vertical: false, edge: false }
}
const middle = (from: number, to: number) => (from + to) / 2

/** 'Zincomax|': the bar stands by itself; in a fixed type all signs are as wide. */
function apartFromBars(word: Word): Word[] {
  const [, before = '', text = '', behind = ''] = /^([|¦│]?)(.*?)([|¦│]?)$/.exec(word.text) ?? []
  if (text === '' || (before === '' && behind === '')) return [word]
  const sign = (word.x1 - word.x0) / word.text.length
  const [from, to] = [word.x0 + (before ? sign : 0), word.x1 - (behind ? sign : 0)]
  return [
    ...(before ? [{ ...word, text: before, x1: from }] : []),
    { ...word, text, x0: from, x1: to },
    ...(behind ? [{ ...word, text: behind, x0: to }] : []),
  ]
}

/** Lines below each other that have bars, and the rules among them. */
function framesIn(rows: readonly Word[][]): Word[][][] {
  const frames: Word[][][] = []
  let frame: Word[][] = []
  const close = () => {
    const rows = frame.filter((row) => !isRule(row)).length
    const bars = frame.reduce((sum, row) => sum + row.filter(isBar).length, 0)
    // 'Marca: X | BU: Nutrição' line by line: bars that stand anywhere part words.
    if (rows >= LEAST_ROWS && bars <= MOST_BARS && isAligned(frame)) frames.push(frame)
    frame = []
  }
  for (const row of rows) {
    const [first, before] = [row[0], frame.at(-1)?.[0]]
    if (!first || !(isRule(row) || row.some(isBar))) {
      close()
      continue
    }
    if (before && first.base - before.base > APART * Math.max(first.size, before.size)) close()
    frame.push(row)
  }
  close()
  return frames
}

interface BarColumn {
  x: number
  rows: number
}
/** Bars under each other, and in how many rows they stand. */
function columnsOf(frame: readonly Word[][]): BarColumn[] {
  const columns: BarColumn[] = []
  for (const word of frame.flatMap((row) => row.filter(isRule(row) ? isCorner : isBar))) {
    const x = middle(word.x0, word.x1)
    const host = columns.find((column) => Math.abs(column.x - x) < UPRIGHT)
    if (host) host.rows += 1
    else columns.push({ x, rows: 1 })
  }
  const least = Math.max(2, LEAST_SHARE * frame.filter((row) => !isRule(row)).length)
  return columns.filter(({ rows }) => rows >= least)
}

function isAligned(frame: readonly Word[][]): boolean {
  const bars = frame.flatMap((row) => row.filter(isRule(row) ? isCorner : isBar)).length
  return columnsOf(frame).reduce((sum, { rows }) => sum + rows, 0) >= ALIGNED * bars
}

/** Of a frame with two columns at least: its bars, its rules, and its edges where it has none. */
function rulingsOf(frame: readonly Word[][]): Ruling[] {
  const texts = frame.flatMap((row) => (isRule(row) ? [] : row.filter((word) => !isBar(word))))
  if (texts.length === 0) return []
  const box = union(texts)
  const bars = columnsOf(frame)
    .map(({ x }) => x)
    .sort((a, b) => a - b)
  const [left, right] = [Math.min(box.x0 - 1, ...bars), Math.max(box.x1 + 1, ...bars)]
  const upright = [...new Set([left, ...bars, right])]
  if (upright.length < 3) return []
  const [first, last] = [frame[0], frame.at(-1)]
  if (!first || !last) return []
  const heights = frame.filter(isRule).map((row) => middle(union(row).y0, union(row).y1))
  const [top, bottom] = [
    isRule(first) ? (heights[0] ?? box.y0) : box.y0 - 1,
    isRule(last) ? (heights.at(-1) ?? box.y1) : box.y1 + 1,
  ]
  return [
    ...upright.map((x): Ruling => ({ x0: x, x1: x, y0: top, y1: bottom, vertical: true, edge: false })),
    ...[...new Set([top, ...heights, bottom])].map(
      (y): Ruling => ({ x0: left, x1: right, y0: y, y1: y, vertical: false, edge: false }),
    ),
  ]
}
