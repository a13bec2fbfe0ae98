import type { Document, PageLayout } from '../document.ts'
import { type Bar, barsOf, scaleOf } from '../layout/drawn-bars.ts'
import { groupLines, type Segment, toSegment } from '../layout/lines.ts'
import type { Chart } from '../read/charts.ts'
import { union } from '../read/geometry.ts'
import { COSTS, GAINS, RETURNS, YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { type YieldUnit, yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import { bare, names, shortens, takeYields, tellsProducts } from './bars.ts'
import { areKnown } from './chart-analyses.ts'
import type { Draft } from './draft.ts'

/** So far above a chart stands its heading, and so far below its names its axis' or its caption. */
const HEADING = 130
const AXIS = 60
/** So far beside it either may begin or end. */
const ASIDE = 50
/** A caption with all its notes. */
const LONGEST_CAPTION = 600
/** Longer is a sentence. */
const LONGEST = 110
/** So many bars more than treatments: a mean, a reference. */
const MOST_MORE = 2
/** So many of the treatments may have a yield already. */
const MOST_TOLD = 0.5

/** What charts tell whose bars are drawn: each bar's figure is that of the treatment named at its foot. */
export function fillFromDrawnCharts(document: Document, drafts: readonly Draft[]): void {
  if (drafts.length < 2) return
  for (const layout of document.pages)
    for (const chart of layout.page.charts ?? []) {
      const bars = barsOf(layout.page, chart)
      // Of two years, or two variables, one name has several bars.
      const alone = !(layout.page.charts ?? []).some((other) => other !== chart && isAmong(other, chart))
      const single = alone && chart.bars.length <= drafts.length + MOST_MORE && bars.length >= drafts.length
      const own = single ? inOrder(bars, drafts) : null
      const told = own && variableOf(layout, chart, bars)
      if (!own || !told) continue
      const figures = own.map(({ figure }) => figure)
      if (told.unit) {
        const known = drafts.filter(({ produtividade }) => produtividade).length
        if (known <= MOST_TOLD * drafts.length && takeYields(drafts, figures, told.unit))
          forget(drafts, figures)
      } else if (!areKnown(figures, drafts)) takeMeasured(drafts, figures, told)
    }
}

/** Bars of one chart that stand between those of another: of another year. */
function isAmong(other: Chart, chart: Chart): boolean {
  const [a, b] = [union(other.bars), union(chart.bars)]
  const level = chart.upright ? Math.abs(a.y1 - b.y1) < 2 : Math.abs(a.x0 - b.x0) < 2
  const among = chart.upright ? a.x0 < b.x1 && b.x0 < a.x1 : a.y0 < b.y1 && b.y0 < a.y1
  return other.upright === chart.upright && level && among
}

/** What was taken for a measurement, before the chart said what it counts. */
function forget(drafts: readonly Draft[], figures: readonly Segment[]): void {
  const words = new Set(figures.flatMap((figure) => figure.words))
  for (const draft of drafts)
    draft.analises = draft.analises.filter(({ valor }) => !valor.words.some((word) => words.has(word)))
}

function takeMeasured(
  drafts: readonly Draft[],
  figures: readonly Segment[],
  { nome, unidade }: { nome: string; unidade: string | null },
): void {
  drafts.forEach((draft, i) => {
    const figure = figures[i]
    const value = readCell(figure?.text ?? '')
    if (!figure || value === null || draft.analises.some((one) => fold(one.nome) === fold(nome))) return
    draft.analises.push({ nome, unidade, valor: { value, words: figure.words, score: 0.75, method: 'list' } })
  })
}

/** Each treatment's bar; null where one has none, or two. */
function inOrder(bars: readonly Bar[], drafts: readonly Draft[]): Bar[] | null {
  const free = new Set(bars)
  const found = new Map<Draft, Bar>()
  // What is called so comes before what begins so.
  for (const is of [isCalled, shortens])
    for (const draft of drafts) {
      const [only, more] = found.has(draft) ? [] : [...free].filter(({ name }) => is(name, draft))
      if (!only || more) continue
      found.set(draft, only)
      free.delete(only)
    }
  const own = drafts.flatMap((draft) => found.get(draft) ?? [])
  return own.length === drafts.length ? own : null
}

/** By all that stands at the foot of its bar, or by one line of it: 'A' over 'Testemunha'. */
const isCalled = (name: Segment, draft: Draft): boolean =>
  calls(name, draft) || groupLines(name.words).some((line) => calls(toSegment(line), draft))

function calls(name: Segment, draft: Draft): boolean {
  const [, number, rest] = /^(\d{1,2})\s+(\D.*)$/.exec(name.text) ?? []
  const own = bare(draft.nome?.value ?? '-')
  return (
    names(name, draft) ||
    (draft.alias !== undefined && draft.alias === name.text) ||
    bare(name.text) === own ||
    (number !== undefined && (draft.code === number || bare(rest ?? '') === own)) ||
    tellsProducts(name.text, draft)
  )
}

/** What the bars count: of heading, axis and caption the nearest that says a unit; money and gains tell nothing here. */
function variableOf(
  layout: PageLayout,
  chart: Chart,
  bars: readonly Bar[],
): { nome: string; unidade: string | null; unit: YieldUnit | null } | null {
  const own = new Set(bars.flatMap(({ figure, name }) => [...figure.words, ...name.words]))
  const box = union([...chart.bars, ...bars.flatMap(({ figure, name }) => [figure, name])])
  const scale = scaleOf(layout.page)
  const near = layout.lines
    .flatMap(({ segments }) => segments)
    .filter(
      ({ words, x0, x1 }) =>
        x0 < box.x1 + ASIDE * scale && x1 > box.x0 - ASIDE * scale && !words.some((word) => own.has(word)),
    )
  const above = near.filter(({ base }) => base < box.y0 + 2 && box.y0 - base < HEADING * scale)
  const below = near.filter(({ y0, base }) => y0 > box.y1 - 2 && base - box.y1 < AXIS * scale)
  // Along the axis, turned: read from below.
  const beside = layout.page.words.filter(
    ({ x0, x1, y0, y1 }) => x1 < box.x0 + 2 && x0 > box.x0 - HEADING * scale && y1 > box.y0 && y0 < box.y1,
  )
  const tall = beside.filter(({ text, x0, x1, y0, y1 }) => text.length > 2 && y1 - y0 > 1.5 * (x1 - x0))
  const strip = tall.length > 0 ? union(tall) : null
  const turned = beside.filter(({ x0, x1 }) => strip !== null && x0 > strip.x0 - 2 && x1 < strip.x1 + 2)
  const texts = [
    turned
      .sort((a, b) => b.y0 - a.y0)
      .map(({ text }) => text)
      .join(' '),
    ...[...above].sort((a, b) => b.base - a.base).map(({ text }) => text),
    ...[...below].sort((a, b) => a.base - b.base).map(({ text }) => text),
  ]
  for (const text of texts) {
    if (text.length > LONGEST_CAPTION) continue
    const said = text.replace(CAPTION, '').replace(/\.\s+\p{Lu}.*$/u, '')
    if (said.length > LONGEST) continue
    // 'O fosfatado, 350 kg/ha, não diferiu' tells what was given.
    const unit = yieldUnit(YIELDS.test(fold(said)) ? said : said.replace(AMOUNT, ' '))
    if (unit) return { nome: '', unidade: null, unit }
    const { nome, unidade } = splitUnit(said.replace(/[:.]$/, ''))
    const h = fold(said)
    const other = [COSTS, RETURNS, GAINS, YIELDS].some((one) => one.test(h)) || /r\$|\brelativ/.test(h)
    if (unidade !== null && /\p{L}{2}/u.test(nome) && !/\d\s*$|,/.test(nome))
      return other ? null : { nome, unidade, unit }
  }
  return null
}
const AMOUNT = /\d[\d.,]*\s?(?:kg|g|t|sc|sacas?|@|m?L)(?![\p{L}])\S*/giu
const CAPTION = /^(?:figura|gr[áa]fico|fig\.)\s?\d{0,2}\s?[.:–-]?\s*/i
