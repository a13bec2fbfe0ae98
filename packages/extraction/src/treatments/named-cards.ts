import type { Document, PageLayout } from '../document.ts'
import { type Line, makeLines, type Segment } from '../layout/lines.ts'
import { makeRun, type Run, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { NUMBER_SOURCE, readCell, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { Draft, DraftProduct } from './draft.ts'
import { readProducts } from './products.ts'

/** Cards of so many treatments at least are no chance. */
const LEAST_CARDS = 3
/** So many sizes of type a line of a card may stand below the one before it. */
const FARTHEST = 4
/** The share of the treatments that must have a card, and of the cards that must tell a dose. */
const MOST_OF_THEM = 0.6

/**
 * Treatments that tables only name, whose products stand on cards of their own: each name over lines of products and
 * doses, side by side or below one another, on one page.
 */
export function fillFromNamedCards(document: Document, drafts: readonly Draft[]): void {
  const others = drafts.filter(({ control }) => !control)
  const open = others.filter(({ produtos }) => produtos.every(({ dose }) => dose === null))
  if (open.length < 2 || open.length < MOST_OF_THEM * others.length || drafts.length < LEAST_CARDS) return
  for (const layout of document.pages) {
    const cards = cardsOf(layout, drafts)
    if (!cards) continue
    const dosed = others.filter((draft) => (cards.get(draft)?.products ?? []).length > 0)
    if (dosed.length < MOST_OF_THEM * others.length) continue
    for (const [draft, { products, cost }] of cards) {
      if (draft.control || products.length > 0) draft.produtos = products
      draft.custo ??= cost
    }
    return
  }
}

const COUNTED = /^(?:t\s?)?\d{1,2}\s?[.):–-]?\s+/
const COST = new RegExp(String.raw`\b(?:custo|investimento)[^:]{0,24}:\s*r\$\s*(${NUMBER_SOURCE})`)

const known = new WeakMap<readonly Line[], readonly Segment[]>()

/** The pieces of lines of a page: the same however its tables are read. */
function segmentsOf({ page, lines, furniture }: PageLayout): readonly Segment[] {
  const outside = new Set(furniture.flatMap(({ words }) => words))
  const segments =
    known.get(lines) ??
    makeLines(
      page.words.filter((word) => !outside.has(word)),
      page.rulings,
    ).flatMap((line) => line.segments)
  known.set(lines, segments)
  return segments
}

interface Card {
  products: DraftProduct[]
  cost: Draft['custo']
}

/** 'Investimento: R$ 71,50/ha' */
function costIn(run: Run): Draft['custo'] {
  const match = COST.exec(run.folded)
  const value = match?.[1] ? toNumber(match[1]) : null
  if (!match?.[1] || value === null) return null
  const end = match.index + match[0].length
  return { value, words: wordsIn(run, end - match[1].length, end), score: 0.8, method: 'list' }
}

/** What stands below each name; null where the page has no cards of most of them. */
function cardsOf(layout: PageLayout, drafts: readonly Draft[]): Map<Draft, Card> | null {
  const segments = segmentsOf(layout)
  const headings = new Map<Draft, Segment>()
  for (const draft of drafts) {
    const name = fold(draft.nome?.value ?? '')
    const called = segments.filter(
      (one) => fold(one.text).replace(COUNTED, '') === name && !beginsRow(one, segments),
    )
    // '3 Cooper 1' heads its card, 'Cooper 1' may stand below a bar.
    const counted = called.filter(({ text }) => fold(text) !== name)
    const [only, more] = name === '' ? [] : counted.length > 0 ? counted : called
    if (only && !more) headings.set(draft, only)
  }
  const all = [...headings.values()]
  // Treatments of one name have no cards by it.
  if (new Set(all).size < all.length) return null
  if (all.length < LEAST_CARDS || all.length < MOST_OF_THEM * drafts.length) return null
  return new Map(
    [...headings].map(([draft, heading]) => {
      const run = makeRun(below(heading, all, segments))
      const products = run.text === '' ? [] : readProducts(run, 'list')
      return [draft, { products: products.filter(({ dose }) => dose !== null), cost: costIn(run) }]
    }),
  )
}

/** Figures behind a name on its line: the row of a table. */
const beginsRow = ({ base, x1, size }: Segment, segments: readonly Segment[]): boolean =>
  segments.some(
    (other) =>
      other.x0 > x1 &&
      Math.abs(other.base - base) < 0.3 * size &&
      other.words.every(({ text }) => readCell(text) !== null || /^[a-eA-E]{1,4}$/.test(text)),
  )

/** The lines under a heading, up to the next one and halfway to those beside it. */
function below(heading: Segment, all: readonly Segment[], segments: readonly Segment[]): Word[] {
  const middle = ({ x0, x1 }: Segment): number => (x0 + x1) / 2
  const beside = all.filter(
    (other) => other !== heading && Math.abs(other.base - heading.base) < heading.size,
  )
  const nearest = (own: number, other: Segment): number => (own + middle(other)) / 2
  const left = Math.max(
    -Infinity,
    ...beside.filter((other) => other.x0 < heading.x0).map((other) => nearest(middle(heading), other)),
  )
  const right = Math.min(
    Infinity,
    ...beside.filter((other) => other.x0 > heading.x0).map((other) => nearest(middle(heading), other)),
  )
  const bottom = Math.min(
    Infinity,
    ...all
      .filter(({ y0, base }) => base > heading.base + heading.size && y0 > heading.y1 - 1)
      .map(({ y0 }) => y0),
  )
  const words: Word[] = []
  let last = heading.base
  for (const segment of segments) {
    const inside = middle(segment) > left && middle(segment) < right && segment.base < bottom
    if (!inside || segment.base <= heading.base + 1) continue
    if (segment.base - last > FARTHEST * heading.size) break
    words.push(...segment.words)
    last = segment.base
  }
  return words
}
