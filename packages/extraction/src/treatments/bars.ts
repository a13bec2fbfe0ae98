import type { Document, PageLayout } from '../document.ts'
import type { Line, Segment } from '../layout/lines.ts'
import type { Box } from '../read/geometry.ts'
import { readCell, round } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { type Draft, leadingCode, normalCode, readCode } from './draft.ts'

/** So far above the names of its bars, in points, a chart reaches. */
const HEIGHT = 320
/** So far a figure may stand beside the middle of its bar. */
const ASIDE = 14
/** In sizes of type: so near above a name its code may stand. */
const CLOSE = 3
/** By so much a bar and a sentence may differ. */
const ROUNDED = 0.006
/** So many of the treatments may have a yield already. */
const MOST_TOLD = 0.5
/** So far below its names stands the caption of a chart. */
const BELOW = 60

/** Yields printed over the bars of a chart: a figure over each treatment's code or name, the unit in the heading. */
export function fillFromBars(document: Document, drafts: readonly Draft[]): void {
  // A sentence may tell the best of them.
  const told = drafts.filter(({ produtividade }) => produtividade).length
  if (drafts.length < 2 || told > MOST_TOLD * drafts.length) return
  for (const layout of document.pages) {
    if (fillFromLyingBars(layout, drafts)) return
    const segments = layout.lines.flatMap((line) => line.segments)
    for (const line of layout.lines) {
      if (line.segments.length < 2 || line.segments.length < drafts.length) continue
      const named = drafts.map(
        (draft) =>
          line.segments.find((segment) => names(segment, draft)) ??
          line.segments.find((segment) => tellsDoses(segment, draft, segments)) ??
          line.segments.find((segment) => shortens(segment, draft)),
      )
      const codes = new Set(drafts.flatMap(({ code }) => code ?? []))
      const single = named.map((name) => (name ? figureOver(name, segments, codes) : null))
      const found = single.includes(null) ? (ofLastYear(named, layout, segments) ?? single) : single
      const unit = found.includes(null) ? null : unitOver(layout, line.base)
      if (!unit || new Set(found).size < drafts.length) continue
      if (!takeYields(drafts, found, unit)) continue
      return
    }
  }
}

/** Bars that lie: each name with its figure on one line, the unit in the heading above the first. */
function fillFromLyingBars(layout: PageLayout, drafts: readonly Draft[]): boolean {
  const bars = layout.lines.filter(
    ({ segments: [name, figure, ...more] }) =>
      name !== undefined && figure !== undefined && more.length === 0 && readCell(figure.text) !== null,
  )
  if (bars.length < drafts.length) return false
  const named = Map.groupBy(bars, ({ segments: [name] }) => bare(name?.text ?? ''))
  const own = drafts.map(
    ({ code, nome }) =>
      named.get(bare(nome?.value ?? '-')) ?? named.get(`t${code}`) ?? named.get(`${code}`) ?? [],
  )
  const lines = own.flatMap(([line, ...more]) => (line && more.length === 0 ? [line] : []))
  if (new Set(lines).size < drafts.length) return false
  const top = Math.min(...lines.map(({ base }) => base))
  const heading = layout.lines.filter(({ base }) => base < top && top - base < HEADING).at(-1)
  const unit = heading && yieldUnit(heading.segments.map(({ text }) => text).join(' '))
  if (!unit) return false
  return takeYields(
    drafts,
    lines.map(({ segments }) => segments[1] ?? null),
    unit,
  )
}
/** So far above the first of its bars a chart has its heading. */
const HEADING = 110

/** Gives each treatment the yield that stands at its bar, in so many kilograms. */
export function takeYields(
  drafts: readonly Draft[],
  found: readonly (Pick<Segment, 'text' | 'words'> | null)[],
  unit: NonNullable<ReturnType<typeof yieldUnit>>,
): boolean {
  const values = found.map((segment) => readCell(segment?.text ?? ''))
  const kilos = (i: number): number => round((values[i] ?? 0) * unit.factor, 2)
  // Bars of something else say otherwise.
  const agrees = drafts.every(
    ({ produtividade: known }, i) => !known || Math.abs(known.value - kilos(i)) <= ROUNDED * known.value,
  )
  // One that a sentence told by itself may be of another year.
  const told = drafts.flatMap(({ produtividade }) => produtividade ?? [])
  const single = told.length === 1 && drafts.length > 2 && told[0]?.method !== 'table'
  if (!agrees && !single) return false
  drafts.forEach((draft, i) => {
    if (values[i] == null || (draft.produtividade && agrees)) return
    draft.produtividade = {
      value: kilos(i),
      words: found[i]?.words ?? [],
      score: 0.8,
      method: 'list',
      rank: unit.rank,
      ...(unit.sack && { sacks: values[i] }),
    }
  })
  return true
}

/** Whether what stands under a bar is a treatment's code or name. */
export function names(segment: Segment, draft: Draft): boolean {
  // '2. Algamax' under a bar
  const lead = /^\d/.test(segment.text) ? leadingCode(segment.text) : null
  if (lead && draft.code !== null) return lead.code === draft.code
  const code = readCode(segment.text)
  if (code !== null && draft.code !== null)
    return (
      (/^(?:T|\d{1,2}$)/i.test(segment.text) || /^[A-L]$/.test(segment.text)) &&
      normalCode(code) === draft.code
    )
  return draft.nome !== null && fold(segment.text) === fold(draft.nome.value)
}

export const bare = (text: string): string => fold(text).replace(/[^a-z\d]/g, '')

/** 'Maturix 0,8 + K-Cana 3,0': the products with their doses. */
export const tellsProducts = (text: string, { produtos }: Draft): boolean =>
  produtos.length > 0 &&
  bare(text) === bare(produtos.map((one) => `${one.nome.value} ${shownDose(one)}`).join(' '))

/** 'Maturix 0,8' over '+ K-Cana 3,0': the products with their doses, on one line or two. */
function tellsDoses(segment: Segment, { produtos, nome }: Draft, segments: readonly Segment[]): boolean {
  if (produtos.length === 0) return false
  const told = bare(produtos.map((one) => `${one.nome.value} ${shownDose(one)}`).join(' '))
  const own = bare(segment.text)
  if (own === '' || !told.startsWith(own)) return false
  const below = segments.find(
    (other) =>
      other.base > segment.base && other.base - segment.base < 1.6 * segment.size && overlap(other, segment),
  )
  const whole = bare(`${segment.text} ${below?.text ?? ''}`)
  // Where one stands below, it is of this name if both together are.
  return whole === told || (own === told && nome !== null)
}
const overlap = (a: Pick<Box, 'x0' | 'x1'>, b: Pick<Box, 'x0' | 'x1'>): boolean => a.x0 < b.x1 && a.x1 > b.x0
const shownDose = ({ dose }: Draft['produtos'][number]): string =>
  dose === null ? '' : dose.words.map(({ text }) => text).join(' ')

/** 'Testem.' of a table is 'Testemunha' under a bar. */
export function shortens(segment: Segment, { nome }: Draft): boolean {
  const [a, b] = [bare(segment.text), bare(nome?.value ?? '')]
  return Math.min(a.length, b.length) >= LEAST_NAME && (a.startsWith(b) || b.startsWith(a))
}
const LEAST_NAME = 4

/** The only figure over a name; a code between the two is none. */
export function figureOver(
  name: Segment,
  segments: readonly Segment[],
  codes: ReadonlySet<string>,
): Segment | null {
  const middle = (name.x0 + name.x1) / 2
  const over = segments.filter(
    (segment) =>
      segment.base < name.base - 2 &&
      name.base - segment.base < HEIGHT &&
      Math.abs((segment.x0 + segment.x1) / 2 - middle) < ASIDE &&
      readCell(segment.text) !== null &&
      !(codes.has(segment.text) && name.base - segment.base < CLOSE * name.size),
  )
  return over.length === 1 ? (over[0] ?? null) : null
}

/** Bars of several years over each name, the years in a line of their own: the figures over those of the last one. */
function ofLastYear(
  named: readonly (Segment | null | undefined)[],
  { lines }: PageLayout,
  segments: readonly Segment[],
): Segment[] | null {
  const names = named.flatMap((name) => name ?? [])
  const middle = ({ x0, x1 }: Segment): number => (x0 + x1) / 2
  const base = names[0]?.base ?? 0
  const sorted = names.map(middle).sort((a, b) => a - b)
  const half = Math.min(...sorted.slice(1).map((x, i) => x - (sorted[i] ?? 0))) / 2
  if (names.length < named.length || !(half > 0)) return null
  const over = names.map((name) =>
    segments
      .filter(
        (one) =>
          one.base < base - 2 &&
          base - one.base < HEIGHT &&
          Math.abs(middle(one) - middle(name)) < half &&
          readCell(one.text) !== null,
      )
      .sort((a, b) => a.x0 - b.x0),
  )
  const years = lines
    .filter((line) => Math.abs(base - line.base) < 1.3 * HEIGHT)
    .map(({ segments: own }) =>
      [
        ...own
          .map(({ text }) => text)
          .join(' ')
          .matchAll(/\b20\d\d\b/g),
      ].map(Number),
    )
    .find((own) => own.length >= 2 && new Set(own).size === own.length)
  if (!years || over.some((own) => own.length !== years.length)) return null
  const last = years.indexOf(Math.max(...years))
  return over.flatMap((own) => own[last] ?? [])
}

/** The unit of the nearest line above that names one, or of the caption below. */
function unitOver(layout: PageLayout, base: number): ReturnType<typeof yieldUnit> {
  const above = layout.lines.filter((line) => line.base < base && base - line.base < 1.3 * HEIGHT)
  const isCaption = ({ segments }: PageLayout['lines'][number]): boolean =>
    /^(?:figura|grafico)\b/.test(fold(segments[0]?.text ?? ''))
  // Where one stands above, what stands below is of the next chart.
  const below = above.some(isCaption)
    ? []
    : layout.lines.filter((line) => line.base > base && line.base - base < BELOW && isCaption(line))
  const textOf = ({ segments }: Pick<Line, 'segments'>): string => segments.map(({ text }) => text).join(' ')
  for (const line of [...above.sort((a, b) => b.base - a.base), ...below]) {
    const text = textOf(line)
    // 'Produtividade (sacas' over 'beneficiadas/ha)'
    const begun = /^[^(]*\)/.test(text)
      ? above.find((one) => one.base < line.base && overlap(one, line))
      : undefined
    const unit = yieldUnit(begun ? `${textOf(begun)} ${text}` : text)
    if (unit) return unit
  }
  return null
}
