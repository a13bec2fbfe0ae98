import type { PageLayout } from '../document.ts'
import { type Line, makeLines, type Segment } from '../layout/lines.ts'
import type { Word } from '../read/page.ts'

/** A numbered strip of a page, its first line at its head. */
export interface Strip {
  code: string
  heading: Segment
  words: Word[]
}

const LEAST = 3
/** How far the numbers may stand aside of one another. */
const ASIDE = 6

/** Strips one under the other, each beside a number that counts on from 1, wherever in its height the number stands. */
export function stripsOf(layout: PageLayout): Strip[] {
  const lines = makeLines(layout.page.words, layout.page.rulings)
  const numbers = countedDown(lines)
  if (numbers.length < LEAST) return []
  const bounds = numbers.slice(1).map((number, i) => widestGap(lines, numbers[i] ?? number, number))
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (!first || !last || bounds.includes(null)) return []
  const inner = bounds as number[]
  const height = Math.max(...inner.slice(1).map((y, i) => y - (inner[i] ?? y)), (inner[0] ?? 0) - first.base)
  const edges = [edgeAbove(lines, first, height), ...inner, last.base + 0.7 * height]
  return numbers.flatMap((number, i): Strip[] => {
    const [top, bottom] = [edges[i] ?? 0, edges[i + 1] ?? 0]
    const words = layout.page.words.filter(
      (word) => word.base > top && word.base <= bottom && !number.words.includes(word) && word.x0 > number.x0,
    )
    const heading = makeLines(words, layout.page.rulings)[0]?.segments[0]
    if (!heading) return []
    return [{ code: number.text, heading, words: words.filter((word) => !heading.words.includes(word)) }]
  })
}

/** Segments that are nothing but a number, one under the other, counting from 1, with lines between them. */
function countedDown(lines: readonly Line[]): Segment[] {
  const bare = lines.flatMap(({ segments }) => segments).filter(({ text }) => /^\d{1,2}$/.test(text))
  const starts = bare.filter(({ text }) => Number(text) === 1)
  for (const start of starts) {
    const run = [start]
    for (const next of bare) {
      const last = run.at(-1)
      if (!last || next.base <= last.base || Math.abs(next.x0 - start.x0) > ASIDE) continue
      if (Number(next.text) !== run.length + 1) break
      run.push(next)
    }
    const apart = run.slice(1).every((number, i) => number.base - (run[i]?.base ?? 0) > 2.4 * number.size)
    if (run.length >= LEAST && apart) return run
  }
  return []
}

/** The base below which the next strip begins: where most space is left between two numbers. */
function widestGap(lines: readonly Line[], above: Segment, below: Segment): number | null {
  const between = lines.filter(
    ({ base, segments }) =>
      base >= above.base - 1 && base <= below.base + 1 && segments.some(({ x0 }) => x0 >= above.x0 - 1),
  )
  let best: number | null = null
  let widest = -Infinity
  between.slice(1).forEach((line, i) => {
    const before = between.slice(0, i + 1)
    const gap = line.y0 - Math.max(...before.map(({ y1 }) => y1))
    if (gap <= widest) return
    widest = gap
    best = Math.max(...before.map(({ base }) => base)) + 0.5
  })
  return best
}

/** Where the first strip begins: its lines follow one another as closely as those of the others. */
function edgeAbove(lines: readonly Line[], first: Segment, height: number): number {
  const above = lines.filter(({ base }) => base < first.base - 1 && first.base - base < 0.7 * height)
  let top = first.base
  for (const line of [...above].reverse()) {
    if (top - line.base > 1.9 * first.size) break
    top = line.base
  }
  return top - 1
}
