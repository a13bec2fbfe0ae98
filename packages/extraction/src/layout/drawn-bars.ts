import type { Chart } from '../read/charts.ts'
import { type Box, union } from '../read/geometry.ts'
import type { Page, Word } from '../read/page.ts'
import { readCell } from '../values/number.ts'
import { type Segment, toSegment } from './lines.ts'

/** A bar with what stands at its end and at its foot. */
export interface Bar {
  figure: Segment
  name: Segment
}

/** So far from the end of a bar, in points, its figure stands. */
const AT_END = 26
/** So far below a bar that stands its name reaches. */
const BELOW = 52
/** So far before a bar that lies its name ends. */
const BEFORE = 160
/** How far from its foot, in points, what stands over a bar may begin. */
const LEVEL = 5
/** The type of a page of that these distances are, in points. */
const USUAL_TYPE = 10

const scales = new WeakMap<readonly Word[], number>()

/** How much larger than on a sheet of A4 everything stands on a page, as on a poster: by its usual type. */
export function scaleOf({ words }: Page): number {
  const known = scales.get(words)
  if (known !== undefined) return known
  const sizes = words.map(({ size }) => size).sort((a, b) => a - b)
  const scale = Math.max(1, (sizes[sizes.length >> 1] ?? USUAL_TYPE) / USUAL_TYPE)
  scales.set(words, scale)
  return scale
}

const known = new WeakMap<Chart, readonly Bar[]>()

/** The bars of a chart of this page that have a figure and a name: looked for once, however often the page is read. */
export function barsOf(page: Page, chart: Chart): readonly Bar[] {
  const bars = known.get(chart) ?? findBars(page, chart)
  known.set(chart, bars)
  return bars
}

function findBars(page: Page, { upright, bars }: Chart): Bar[] {
  const at = (box: Box): number => (upright ? (box.x0 + box.x1) / 2 : (box.y0 + box.y1) / 2)
  const pitch = pitchOf(bars, at)
  const over = namesOver(page, { upright, bars })
  const scale = scaleOf(page)
  return bars.flatMap((bar, i) => {
    const beside = page.words.filter((word) => Math.abs(at(word) - at(bar)) < pitch / 2)
    const figure = figureOf(beside, bar, { upright, scale })
    const name = upright ? nameBelow(beside, bar, scale) : over ? over[i] : nameBefore(beside, bar, scale)
    return figure && name ? [{ figure, name }] : []
  })
}

const pitchOf = (bars: readonly Box[], at: (box: Box) => number): number =>
  Math.min(...bars.slice(1).map((bar, i) => at(bar) - at(bars[i] ?? bar)))

/** What stands over each of the bars that lie, from its foot on; null where that is not so of all. */
function namesOver({ words }: Page, { upright, bars }: Chart): Segment[] | null {
  if (upright) return null
  const pitch = pitchOf(bars, ({ y0, y1 }) => (y0 + y1) / 2)
  const names = bars.flatMap((bar) => {
    const name = nameOver(words, bar, pitch)
    return name && Math.abs(name.x0 - bar.x0) < LEVEL ? [name] : []
  })
  return names.length === bars.length ? names : null
}

/** The figure at the end of a bar, outside or just inside. */
function figureOf(
  words: readonly Word[],
  bar: Box,
  { upright, scale }: { upright: boolean; scale: number },
): Segment | null {
  const past = ({ base, x0 }: Word): number => (upright ? bar.y0 - base : x0 - bar.x1)
  const most = (upright ? AT_END : 2 * AT_END) * scale
  const outside = words.filter((word) => past(word) > -2 && past(word) < most)
  const inside = words.filter(
    (word) => past(word) <= -2 && word.x0 >= bar.x0 - 1 && word.x1 <= bar.x1 + 1 && word.base <= bar.y1 + 1,
  )
  for (const own of [outside, inside]) {
    const first = [...own].sort((a, b) => past(a) - past(b))[0]
    const line = own.filter((word) => first && Math.abs(word.base - first.base) < 0.4 * first.size)
    const figure = line.length > 0 ? toSegment(line.sort((a, b) => a.x0 - b.x0)) : null
    if (figure && readCell(figure.text) !== null) return figure
  }
  return null
}

/** Lines below the foot of a bar that stands. */
function nameBelow(words: readonly Word[], bar: Box, scale: number): Segment | null {
  const own = words
    .filter(({ y0, base }) => y0 > bar.y1 - 2 && base - bar.y1 < BELOW * scale)
    .sort((a, b) => a.base - b.base || a.x0 - b.x0)
  const end = own.findIndex((word, i) => i > 0 && word.base - (own[i - 1]?.base ?? 0) > 1.8 * word.size)
  return asName(end < 0 ? own : own.slice(0, end))
}

/** What ends before a bar that lies, on one line or two. */
function nameBefore(words: readonly Word[], bar: Box, scale: number): Segment | null {
  const left = words.filter(({ x1 }) => x1 < bar.x0 + 2).sort((a, b) => b.x1 - a.x1)
  const own: Word[] = []
  let edge = bar.x0
  for (const word of left) {
    if (edge - word.x1 > (own.length === 0 ? BEFORE * scale : 2.5 * word.size)) break
    own.push(word)
    edge = Math.min(edge, word.x0)
  }
  return asName(own.sort((a, b) => a.base - b.base || a.x0 - b.x0))
}

/** What stands over a bar that lies, from its foot on. */
function nameOver(words: readonly Word[], bar: Box, pitch: number): Segment | null {
  const own = words
    .filter(({ x0, base }) => x0 > bar.x0 - 4 && base < bar.y0 + 2 && bar.y0 - base < pitch / 2)
    .sort((a, b) => a.x0 - b.x0)
  const end = own.findIndex((word, i) => i > 0 && word.x0 - (own[i - 1]?.x1 ?? 0) > 2 * word.size)
  return asName(end < 0 ? own : own.slice(0, end))
}

const asName = (words: Word[]): Segment | null => (words.length > 0 ? toSegment(words) : null)

/** The words of a page but for those of charts whose names stand over their bars: they are no text, nor rows of a table. */
export function outsideCharts(page: Page): Word[] {
  const inside = new Set<Word>()
  for (const chart of page.charts ?? []) {
    const bars = barsOf(page, chart)
    const own = bars.flatMap(({ figure, name }) => [...figure.words, ...name.words])
    if (bars.length === chart.bars.length && namesOver(page, chart) && standAlone(own, page.words))
      for (const word of own) inside.add(word)
  }
  return inside.size === 0 ? page.words : page.words.filter((word) => !inside.has(word))
}

/** Bars that are drawn into the cells of a table have more beside them. */
function standAlone(own: readonly Word[], words: readonly Word[]): boolean {
  const held = new Set(own)
  const { x0, x1, y0, y1 } = union(own)
  return !words.some(
    (word) => !held.has(word) && word.x0 < x1 + AT_END && word.x1 > x0 && word.y1 < y1 && word.y0 > y0,
  )
}
