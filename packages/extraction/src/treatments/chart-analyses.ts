import type { Document, PageLayout } from '../document.ts'
import type { Segment } from '../layout/lines.ts'
import { COSTS, GAINS, RETURNS, YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { fold, hasLetters } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import { figureOver, names } from './bars.ts'
import type { Draft } from './draft.ts'

/** So far above the names of its bars, in points, a chart has its heading. */
const HEIGHT = 400
const LONGEST = 60
/** Bars of fewer treatments are no chart of the trial. */
const LEAST_BARS = 3
/** A line that names its treatments more often has no charts over it. */
const MOST_ABREAST = 6

/** 'Severidade em R6 (%)' over bars with a figure each, a treatment under each: what was measured besides the yield. */
export function fillAnalysesFromBars(document: Document, drafts: readonly Draft[]): void {
  if (drafts.length < LEAST_BARS) return
  const codes = new Set(drafts.flatMap(({ code }) => code ?? []))
  for (const layout of document.pages) {
    const segments = layout.lines.flatMap((line) => line.segments)
    for (const line of layout.lines)
      for (const bars of chartsOn(line.segments, drafts)) {
        const figures = bars.map((bar) => figureOver(bar, segments, codes))
        const heading = figures.includes(null) ? null : headingOver(layout, bars, figures)
        if (!heading || new Set(figures).size < figures.length || areKnown(figures, drafts)) continue
        const { nome, unidade } = splitUnit(heading.text.replace(/[:.]$/, ''))
        drafts.forEach((draft, i) => {
          const value = readCell(figures[i]?.text ?? '')
          if (value === null || draft.analises.some((one) => fold(one.nome) === fold(nome))) return
          const valor = { value, words: figures[i]?.words ?? [], score: 0.75, method: 'list' as const }
          draft.analises.push({ nome, unidade, valor })
        })
      }
  }
}

/** The yields once more, in whatever unit, all of them by one factor; or what a table tells. */
export function areKnown(figures: readonly (Segment | null)[], drafts: readonly Draft[]): boolean {
  const values = figures.map((figure) => readCell(figure?.text ?? ''))
  const alike = (known: readonly (number | undefined)[], most: number): boolean => {
    const factors = known.flatMap((value, i) => (value && values[i] ? [value / values[i]] : []))
    const [low, high] = [Math.min(...factors), Math.max(...factors)]
    return factors.length >= LEAST_BARS && high < ONE_FACTOR * low && high < most
  }
  const told = new Set(drafts.flatMap(({ analises }) => analises.map(({ nome }) => nome)))
  return (
    alike(
      drafts.map(({ produtividade }) => produtividade?.value),
      Infinity,
    ) ||
    [...told].some((name) =>
      alike(
        drafts.map(({ analises }) => analises.find(({ nome }) => nome === name)?.valor.value),
        ONE_FACTOR,
      ),
    )
  )
}
const ONE_FACTOR = 1.01

/** The bars of each chart whose treatments stand on a line: charts may stand side by side. */
function chartsOn(segments: readonly Segment[], drafts: readonly Draft[]): Segment[][] {
  if (segments.length < drafts.length) return []
  const own = drafts.map((draft) => segments.filter((segment) => names(segment, draft)))
  const count = own[0]?.length ?? 0
  if (count === 0 || count > MOST_ABREAST || own.some((list) => list.length !== count)) return []
  return Array.from({ length: count }, (_, chart) => own.flatMap((list) => list[chart] ?? []))
}

/** The nearest words over the figures that name something measured; null where it is the yield, or money. */
function headingOver(
  { lines }: PageLayout,
  bars: readonly Segment[],
  figures: readonly (Segment | null)[],
): Segment | null {
  const [left, right] = [Math.min(...bars.map(({ x0 }) => x0)), Math.max(...bars.map(({ x1 }) => x1))]
  const top = Math.min(...figures.map((figure) => figure?.base ?? Infinity))
  const base = bars[0]?.base ?? 0
  const heading = lines
    .flatMap(({ segments }) => segments)
    .filter(
      (one) =>
        one.base < top &&
        base - one.base < HEIGHT &&
        one.x0 < right &&
        one.x1 > left &&
        (one.x0 + one.x1) / 2 > left - 40 &&
        (one.x0 + one.x1) / 2 < right + 40 &&
        one.text.length <= LONGEST &&
        hasLetters(one.text) &&
        readCell(one.text) === null,
    )
    .sort((a, b) => b.base - a.base)[0]
  const h = fold(heading?.text ?? '')
  const other = YIELDS.test(h) || yieldUnit(h) !== null || [COSTS, RETURNS, GAINS].some((one) => one.test(h))
  // What ends with a parenthesis of the line above is the rest of a heading.
  return heading && !other && !/r\$|\brelativ|^[^(]*\)/.test(h) ? heading : null
}
