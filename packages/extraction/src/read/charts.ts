import type { Box } from './geometry.ts'

/** Bars of one chart, from left to right or from above down. */
export interface Chart {
  /** They stand; else they lie. */
  upright: boolean
  bars: Box[]
}

const LEAST_BARS = 3
const MOST_BARS = 40
/** More filled boxes on a page are a drawing. */
const MOST_BOXES = 1_500
/** More charts than a report shows on a page are a pattern. */
const MOST_CHARTS = 24
/** Smaller ones, in points, are marks. */
const LEAST_SIDE = 3
/** How far, in points, bars of one chart may differ where they are the same. */
const NEAR = 1.5
/** By so much, in points, the shortest and the longest of a chart differ. */
const LEAST_SPREAD = 2

/** Filled boxes that stand on one line, or begin at one, equally broad and not equally long: bars of charts. */
export function findCharts(boxes: readonly Box[]): Chart[] {
  if (boxes.length > MOST_BOXES) return []
  const sized = boxes.filter(({ x0, y0, x1, y1 }) => x1 - x0 >= LEAST_SIDE && y1 - y0 >= LEAST_SIDE)
  const charts = [...chartsOf(sized, true), ...chartsOf(sized, false)]
  return charts.length > MOST_CHARTS ? [] : charts
}

function chartsOf(boxes: readonly Box[], upright: boolean): Chart[] {
  const foot = (box: Box): number => (upright ? box.y1 : box.x0)
  const breadth = (box: Box): number => (upright ? box.x1 - box.x0 : box.y1 - box.y0)
  const length = (box: Box): number => (upright ? box.y1 - box.y0 : box.x1 - box.x0)
  const place = (box: Box): number => (upright ? box.x0 : box.y0)
  const sorted = [...boxes].sort((a, b) => foot(a) - foot(b) || place(a) - place(b))
  const groups: Box[][] = []
  for (const box of sorted) {
    // The feet rise: whatever began farther back is closed.
    const host = groups.findLast(
      ([first]) =>
        first !== undefined &&
        Math.abs(foot(first) - foot(box)) < NEAR &&
        Math.abs(breadth(first) - breadth(box)) < NEAR,
    )
    if (host) host.push(box)
    else groups.push([box])
  }
  return groups
    .flatMap((group) => {
      const apart = [...group].sort((a, b) => place(a) - place(b))
      // A frame around a filling is the same bar once more.
      const once = apart.filter((box, i) => i === 0 || place(box) - place(apart[i - 1] ?? box) > NEAR)
      return split(once, place)
    })
    .flatMap((bars) => {
      const lengths = bars.map(length)
      const spread = Math.max(...lengths) - Math.min(...lengths)
      const free = bars.every(
        (box, i) => i === 0 || place(box) >= place(bars[i - 1] ?? box) + breadth(box) - NEAR,
      )
      const whole = bars.length >= LEAST_BARS && bars.length <= MOST_BARS && spread > LEAST_SPREAD && free
      return whole ? [{ upright, bars }] : []
    })
}

/** By so much more than from bar to bar, two charts under or beside each other stand apart. */
const APART = 2

function split(bars: readonly Box[], place: (box: Box) => number): Box[][] {
  const steps = bars.slice(1).map((bar, i) => place(bar) - place(bars[i] ?? bar))
  const step = Math.min(...steps)
  const parts: Box[][] = []
  for (const [i, bar] of bars.entries()) {
    if (i === 0 || (steps[i - 1] ?? 0) > APART * step) parts.push([])
    parts.at(-1)?.push(bar)
  }
  return parts
}
