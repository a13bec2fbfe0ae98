import type { Document, PageLayout } from '../document.ts'
import type { Pair } from '../fields/pair.ts'
import { findPairsAmong } from '../fields/pairs.ts'
import { type Line, makeBlocks, makeLines, type Segment } from '../layout/lines.ts'
import { makeRun, type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { COSTS, DOSES, GAINS, MODES, NAMES, PRODUCTS, RETURNS, STAGES, YIELDS } from '../values/headings.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, inKilos, yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import { dosesIn, readDoses } from './doses.ts'
import { copyOf, type Draft, emptyDraft, leadingCode, normalCode, readCode } from './draft.ts'
import { readDescription, readProducts } from './products.ts'
import { stripsOf } from './strips.ts'

/** A heading that names a treatment, and the words of its card or list below it. */
interface Card {
  heading: Segment
  words: Word[]
}

/** Treatments that have a heading each, with their own labels and values below it: lists, or cards side by side. */
export function readRecords(document: Document): Draft[] {
  // They are the same however the tables are read.
  const [first] = document.pages
  const known = first && alreadyRead.get(first.lines)
  const read = known ?? findRecords(document)
  if (first) alreadyRead.set(first.lines, read)
  return read.map(copyOf)
}
const alreadyRead = new WeakMap<readonly Line[], readonly Draft[]>()

function findRecords(document: Document): Draft[] {
  const cards = document.pages.flatMap((layout, p) => cardsOf(layout, document.pages[p + 1]))
  const drafts = cards.map((card) => readCard(card, rulingsOf(document, card)))
  if (measured(drafts) >= 2) return drafts
  const strips = document.pages.flatMap(stripsOf)
  const stripped = strips.map((strip) => ({
    ...readCard(strip, rulingsOf(document, strip)),
    code: strip.code,
  }))
  return measured(stripped) >= 3 && measured(stripped) >= 0.75 * stripped.length ? stripped : []
}

const measured = (drafts: readonly Draft[]): number =>
  drafts.filter(({ produtividade }) => produtividade !== null).length

const rulingsOf = (document: Document, card: Card): PageLayout['page']['rulings'] =>
  document.pages.find((layout) => layout.page.index === card.heading.page)?.page.rulings ?? []

/** How far a last card may reach where no other tells how high cards are. */
const USUAL_HEIGHT = 160

function cardsOf(layout: PageLayout, next: PageLayout | undefined): Card[] {
  const lines = makeLines(layout.page.words, layout.page.rulings)
  const bands = headingBands(lines)
  const starts = bands.map((band) => Math.max(...band.map((heading) => heading.base)))
  const heights = starts.slice(1).map((start, i) => start - (starts[i] ?? start))
  return bands.flatMap((band, b) => {
    const top = starts[b] ?? 0
    const following = bands[b + 1]
    const usual = heights.length > 0 ? Math.max(...heights) * 1.25 : USUAL_HEIGHT
    const across = acrossBelow(lines, band, top)
    const reach = across ?? top + Math.max(usual, USUAL_HEIGHT)
    const bottom = following ? Math.min(...following.map((h) => h.y0)) : reach
    const inside = layout.page.words.filter((word) => word.base > top + 1 && word.base < bottom)
    const edges = band.slice(1).map((heading, i) => leftEdge(band[i] ?? heading, heading, inside))
    return band.flatMap((heading, i): Card[] => {
      // A box beside the last card, as one of the means, is none.
      if (!band.every(({ text }) => namesTreatment(text)) && isBeside(heading, band)) return []
      const from = edges[i - 1] ?? -Infinity
      const to = edges[i] ?? Infinity
      const words = inside.filter((word) => (word.x0 + word.x1) / 2 > from && (word.x0 + word.x1) / 2 <= to)
      // A list may go on at the top of the next page, up to the heading there.
      const over = !following && band.length === 1 && next ? overPage(next) : []
      return [{ heading, words: [...words, ...over] }]
    })
  })
}

/** Cards side by side end where text runs across them. */
function acrossBelow(lines: readonly Line[], band: readonly Segment[], top: number): number | null {
  const starts = band.slice(1).map(({ x0 }) => x0)
  if (starts.length === 0) return null
  const line = lines.find(
    ({ base, segments }) =>
      base > top + 1 &&
      segments.some((segment) => starts.some((x) => segment.x0 < x - 5 && segment.x1 > x + 5)),
  )
  return line?.y0 ?? null
}

function overPage(next: PageLayout): Word[] {
  const first = headingBands(makeLines(next.page.words, next.page.rulings))[0]
  const limit = first ? Math.min(...first.map((heading) => heading.y0)) : 0
  return next.page.words.filter((word) => word.base < limit)
}

/** Lines that hold nothing but headings of treatments. */
function headingBands(lines: readonly Line[]): Segment[][] {
  const all = lines
    .filter((line) => line.words.length <= 16 * line.segments.length)
    .filter(
      (line) =>
        line.segments.every((segment) => namesTreatment(segment.text) || isBeside(segment, line.segments)) ||
        countsOn(line.segments),
    )
    .map((line) => line.segments)
  // Beside cards with codes, 'Sem aplicação' is what stands in one of them.
  const coded = all.filter((band) => band.every(({ text }) => /^T/i.test(text)))
  const named = coded.some((band) => band.length > 1) ? coded : all
  const controls = lines
    .flatMap((line) => line.segments.map((segment) => ({ line, segment })))
    .filter(({ segment }) => isControl(segment.text) && segment.text.length < 40 && segment.bold)
    .filter(({ line, segment }) => line.segments.every((other) => isPeer(other, segment)))
  const model = controls[0]?.segment
  if (!model || controls.length > 1 || named.flat().length > 1) return named
  // Only the control says what it is: the others are headings of its style, at the places of its cards.
  return lines
    .filter((line) => line.segments.every((segment) => isPeer(segment, model)))
    .map((line) => line.segments)
}

/** A heading without a code in the style of one with a code that stands left of it. */
const isBeside = (segment: Segment, band: readonly Segment[]): boolean =>
  !namesTreatment(segment.text) &&
  band.some(
    (other) => /^T\p{L}*\.?\s?\d/u.test(other.text) && other.x0 < segment.x0 && isPeer(segment, other),
  )

/** '1 · Padrão Fazenda', '2 · X', '3 · X + Y' side by side. */
function countsOn(segments: readonly Segment[]): boolean {
  const numbers = segments.map(({ text }) => Number(/^(\d{1,2})\s*[·•|–—-]\s+\p{Lu}/u.exec(text)?.[1]))
  return numbers.length > 1 && numbers.every((number, i) => number === (numbers[0] ?? 0) + i)
}

/** Set as a heading is; one that goes on may begin with a small letter. */
function isPeer(segment: Segment, model: Segment, going?: 'going on'): boolean {
  return (
    segment.bold &&
    model.bold &&
    Math.abs(segment.size - model.size) < 0.04 * model.size &&
    segment.words.length <= 12 &&
    segment.base > model.base - 1 &&
    (going !== undefined || /^\p{Lu}/u.test(segment.text)) &&
    !/:$/.test(segment.text)
  )
}

/** Where the card of the right heading begins: at its words if they are set flush, else halfway. */
function leftEdge(left: Segment, right: Segment, inside: readonly Word[]): number {
  const flush = inside.some((word) => Math.abs(word.x0 - right.x0) < 3)
  return flush ? right.x0 - 5 : (left.x0 + left.x1 + right.x0 + right.x1) / 4
}

function namesTreatment(text: string): boolean {
  if (/\d[\d.,]*\s*(?:kg|sc|sacas|t|@)\s*\/\s*ha/i.test(text)) return false
  return (
    /^(?:Tratamento|Trat\.?|TRATAMENTO|T)\s?\d{1,2}\s*(?:[-–—:.|·•]|$)/.test(text) ||
    // A recognised heading may have lost the sign behind its code.
    /^T\s?\d{1,2}\s+\p{Lu}(?:\S*\s*){1,5}$/u.test(text) ||
    (isControl(text) && text.length < 40)
  )
}

function readCard({ heading, words }: Card, rulings: PageLayout['page']['rulings']): Draft {
  const draft = emptyDraft()
  let title = makeRun(heading.words)
  let lines = makeLines(words, rulings)
  // A heading may take two lines.
  const last = title.spans.at(-1)?.word
  const second = lines[0]
  if (
    last &&
    second &&
    isPeer(second.segments[0] ?? heading, heading, 'going on') &&
    second.base - last.base < 1.5 * last.size
  ) {
    title = makeRun([...heading.words, ...second.words])
    lines = lines.slice(1)
  }
  const bare = readCode(title.text)
  if (bare) {
    // Only a code heads the card: the name is the line below it.
    draft.code = normalCode(bare)
    const first = lines[0]
    if (first?.segments.length === 1 && !/[:=]/.test(first.segments[0]?.text ?? ''))
      title = makeRun(first.words)
    else title = makeRun([])
  } else {
    const lead = leadingCode(title.text)
    if (lead) title = sliceRun(title, lead.end, title.text.length)
    draft.code = lead?.code ?? null
  }
  draft.control = isControl(title.text)
  const described = readDescription(title, 'list')
  draft.nome = described.nome
  draft.produtos = draft.control ? [] : described.produtos
  const pairs = findPairsAmong(words, rulings).filter((pair) => pair.kind !== 'header')
  const stacked = pairs.filter((pair) => pair.kind === 'below' || pair.kind === 'above')
  for (const pair of pairs) if (!stacked.includes(pair)) fill(draft, pair)
  // A card that ends in words has its labels below their values.
  const kind = /\d/.test(lines.at(-1)?.segments.at(-1)?.text ?? '') ? 'below' : 'above'
  for (const pair of stacked)
    if (pair.kind === kind && (kind === 'below' || pair.context !== '')) fill(draft, pair)
  fillFromText(draft, lines)
  const used = draft.produtividade?.words ?? []
  draft.analises = draft.analises.filter(({ valor }) => !valor.words.some((word) => used.includes(word)))
  return draft
}

/** What a card says without labels: '62,3 sc/ha', 'X 0,5 L/ha, no sulco'. */
function fillFromText(draft: Draft, lines: readonly Line[]): void {
  const segments = lines.flatMap((line) => line.segments)
  for (const [i, { text, words: own }] of segments.entries()) {
    const behind = segments[i + 1]
    // 'Investimento: R$' at the end of a line, its amount on the next.
    if (!draft.custo && behind && COSTS.test(fold(text)) && /r\$\s*$/i.test(text)) {
      const cost = /^\d[\d.,]*/.exec(behind.text)
      const amount = cost ? readNumber(cost[0]) : null
      if (amount !== null)
        draft.custo = { value: amount, words: behind.words.slice(0, 1), score: 0.8, method: 'list' }
    }
    // A figure set large, its unit in small below it.
    const above = segments[i - 1]
    const large = above && readCell(above.text) !== null && !/\d/.test(text) && text.length < 9
    const words = large ? [...above.words, ...own] : own
    const run = makeRun(words)
    const unit = yieldUnit(run.text)
    const amount = unit ? /\d[\d.,]*/.exec(run.text) : null
    const value = amount ? readNumber(amount[0]) : null
    const gain = GAINS.test(run.folded) || /^\s*\+/.test(run.text)
    if (unit && amount && value !== null && !gain && value * unit.factor >= 250)
      draft.produtividade ??= {
        ...inKilos(value, unit),
        words: wordsIn(run, amount.index, amount.index + amount[0].length),
        score: 0.75,
        method: 'list',
      }
  }
  for (const block of makeBlocks(lines)) {
    const run = runOf(block)
    if (addTold(draft, run)) continue
    const dosed = new RegExp(`\\d\\s*${DOSE_UNIT_SOURCE}`).test(run.folded)
    if (dosed && !draft.control && draft.produtos.every((product) => product.dose === null)) {
      const found = readProducts(run, 'list')
      if (found.some((product) => product.dose !== null)) draft.produtos = found
      else {
        // '2,0 kg/ha, 3 pulverizações' under the product's name.
        const amounts = dosesIn(run, 'list')
        if (amounts.length === draft.produtos.length)
          draft.produtos.forEach((product, i) => {
            product.dose = amounts[i]?.dose ?? null
            product.unidade = amounts[i]?.unidade ?? null
          })
      }
    }
    const mode = draft.control ? undefined : findModes(run.folded)[0]
    if (mode && !draft.modalidade && run.spans.length <= 16)
      draft.modalidade = {
        value: mode.value,
        words: wordsIn(run, mode.start, mode.end),
        score: 0.7,
        method: 'list',
      }
  }
}

/** 'TC Zinco: 2 L/ha · R$ 64,00/ha', a line a product. */
const TOLD =
  /^\p{Lu}[^:;]{1,38}:\s*\d[\d.,]*\s*(?:m?l|litros?|kg|g)\s*\/\s*ha\s*(?:[·|,;(–-]\s*R\$\s*([\d.,]*\d)\s*(?:\/\s*ha)?\)?)?$/iu

/** Another product of a card that tells each in a line of its own, with its cost where one stands behind it. */
function addTold(draft: Draft, run: Run): boolean {
  const told = TOLD.exec(run.text)
  const label = run.folded.slice(0, run.folded.indexOf(':'))
  if (!told || draft.control || DOSES.test(label) || AMOUNT_USED.test(label)) return false
  const [product] = readProducts(run, 'list')
  if (!product?.dose || (!told[1] && !/l/i.test(product.unidade ?? ''))) return false
  const value = told[1] ? readNumber(told[1]) : null
  const at = run.text.lastIndexOf(told[1] ?? '')
  const words = wordsIn(run, at, at + (told[1]?.length ?? 0))
  const custo = value === null ? product.custo : { value, words, score: 0.8, method: 'list' as const }
  const known = draft.produtos.filter(({ dose }) => dose !== null)
  if (known.some(({ nome }) => nome.value === product.nome.value)) return true
  draft.produtos = [...known, { ...product, custo }]
  return true
}

function fill(draft: Draft, pair: Pair): void {
  const label = fold(pair.label)
  if (/^[-+]?\d|r\$\s*\d/.test(label)) return
  // 'sc/ha' above 'Investimento: R$ 0,00/ha', 'foliar' above a figure set large: no label of it.
  if ((yieldUnit(label) !== null && /r\$/i.test(pair.value.text)) || readMode(pair.label) !== null) {
    if (!MODES.test(label)) return
  }
  const { value } = pair
  const words = wordsIn(value, 0, value.text.length)
  const amount =
    readCell(value.text.replace(/(?<=\d)\s*[a-zA-Z@%].*$/, '')) ??
    readNumber(value.text.replace(/^R\$\s*/, ''))
  if (DOSES.test(label) || AMOUNT_USED.test(label)) {
    if (!/\d/.test(value.text) || draft.produtos.some((product) => product.dose !== null)) return
    const doses = readDoses(value, null, 'list')
    draft.produtos.forEach((product, i) => {
      product.dose = doses[i]?.dose ?? null
      product.unidade = doses[i]?.unidade ?? null
    })
  } else if ((YIELDS.test(label) || yieldUnit(label) !== null) && !GAINS.test(label) && !COSTS.test(label)) {
    const unit = yieldUnit(value.text) ?? yieldUnit(label)
    if (unit && amount !== null)
      draft.produtividade ??= {
        ...inKilos(amount, unit),
        words,
        score: 0.85,
        method: 'list',
      }
  } else if (RETURNS.test(label) || GAINS.test(label) || STAGES.test(label)) return
  else if (COSTS.test(label)) {
    if (amount !== null && /\d/.test(value.text))
      draft.custo ??= { value: amount, words, score: 0.85, method: 'list' }
  } else if (MODES.test(label) || /^onde\b/.test(label)) {
    const mode = readMode(value.text)
    if (mode) draft.modalidade ??= { value: mode, words, score: 0.85, method: 'list' }
  } else if (PRODUCTS.test(label) || NAMES.test(label)) fillProducts(draft, pair)
  else if (
    amount !== null &&
    !TOLD.test(`${pair.label}: ${value.text}`) &&
    value.text.length < 24 &&
    /^[-+]?\d/.test(value.text) &&
    /\p{L}{3}/u.test(pair.label)
  ) {
    const own = splitUnit(pair.label)
    const printed = value.text.replace(/^[-+\d.,\s]+/, '').trim()
    if (!draft.analises.some((known) => known.nome === own.nome))
      draft.analises.push({
        nome: own.nome,
        unidade: own.unidade ?? (printed === '' ? null : printed),
        valor: { value: amount, words, score: 0.75, method: 'list' },
      })
  }
}

const AMOUNT_USED = /\bquanto foi (?:usado|aplicado)\b|\bvolume (?:usado|aplicado)\b/

/** 'Produto: X' and 'Composição: X 0,5 L/ha + Y 1 L/ha' within a card. */
function fillProducts(draft: Draft, pair: Pair): void {
  if (draft.control || draft.produtos.some((product) => product.dose !== null)) return
  const found = readProducts(pair.value, 'list')
  if (found.length === 0) return
  draft.produtos = found
  draft.nome ??= {
    value: found.map((product) => product.nome.value).join(' + '),
    words: found.flatMap((product) => product.nome.words),
    score: 0.85,
    method: 'list',
  }
}
