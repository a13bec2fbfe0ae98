import type { Document } from '../document.ts'
import { type Run, runOf, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, round, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { Draft, DraftProduct, Found } from './draft.ts'

/** What a product costs: per hectare, or per litre or kilogram (times its dose). */
interface Price {
  value: number
  per: 'ha' | 'litre' | 'kilo' | null
  words: Found<number>['words']
}

/** By how much a sum may differ from what is printed: prices are rounded. */
const ROUNDED = 0.006

/** The costs of products, as far as parts, prices in sentences and the treatments' own costs tell them. */
export function fillProductCosts(document: Document, drafts: readonly Draft[]): void {
  takeNamedColumns(drafts)
  for (const { named, produtos } of drafts)
    for (const product of produtos)
      product.custo ??= named?.find(({ name }) => name === fold(product.nome.value))?.custo ?? null
  const treated = drafts.filter(({ control, produtos }) => !control && produtos.length > 0)
  for (const { parts, produtos } of treated)
    if (parts?.length === produtos.length && produtos.every(({ custo }) => custo === null))
      produtos.forEach((product, i) => {
        product.custo = parts[i] ?? null
      })
  const open = treated.filter(({ produtos }) => produtos.some(({ custo }) => custo === null))
  if (open.length > 0) fillFromPrices(open, pricesIn(document, productsOf(open)))
  fillByName(document, treated)
  for (const draft of treated) {
    const [only] = draft.produtos
    // Of one product alone, its cost is the treatment's.
    if (draft.produtos.length === 1 && only && draft.custo && draft.custo.value > 0)
      only.custo ??= { ...draft.custo, score: 0.9 * draft.custo.score }
  }
}

/** Figures under the names of products are what these cost, where they add up to the treatment's cost; they measure nothing. */
function takeNamedColumns(drafts: readonly Draft[]): void {
  const names = [...new Set(productsOf(drafts).map(fold))].filter((name) => name.length > LEAST_NAME)
  const named = (column: string): string[] =>
    column.length > LEAST_NAME ? names.filter((name) => name === column || name.startsWith(`${column} `)) : []
  for (const draft of drafts) {
    const under = draft.analises.filter(
      ({ nome, unidade }) => unidade === null && named(fold(nome)).length > 0,
    )
    if (under.length === 0) continue
    const sum = under.reduce((total, { valor }) => total + valor.value, 0)
    if (!draft.custo || Math.abs(sum - draft.custo.value) > ROUNDED * sum + 0.011) continue
    draft.analises = draft.analises.filter((one) => !under.includes(one))
    for (const product of draft.produtos)
      product.custo ??=
        under.find(({ nome }) => named(fold(nome)).includes(fold(product.nome.value)))?.valor ?? null
  }
}
const LEAST_NAME = 3

const productsOf = (drafts: readonly Draft[]): string[] =>
  drafts.flatMap(({ produtos }) => produtos.map(({ nome }) => nome.value))

/** 'o gasto foi de R$ 1.020,00 no silicato, R$ 2.640,00 no nim': told of the treatments by their names. */
function fillByName(document: Document, treated: readonly Draft[]): void {
  if (treated.some(({ custo }) => custo !== null)) return
  const names = treated.flatMap(({ nome }) => (nome === null ? [] : [nome.value]))
  const short = new Map(names.map((name) => [fold(name), shortName(name, names)]))
  const prices = pricesIn(document, [...names, ...short.values()])
  const priceOf = (name: string): Price | undefined => prices.get(name) ?? prices.get(short.get(name) ?? '')
  const told = treated.map((draft) => ({ draft, price: priceOf(fold(draft.nome?.value ?? '')) }))
  if (told.some(({ price }) => price?.per === 'litre' || price?.per === 'kilo')) return
  // Of some only, where the sentence says that it tells the costs of a hectare.
  const some = told.filter(({ price }) => price !== undefined)
  if (some.length < told.length && (some.length < 3 || some.some(({ price }) => price?.per !== 'ha'))) return
  for (const { draft, price } of told)
    if (price) draft.custo = { value: price.value, words: price.words, score: 0.75, method: 'prose' }
}

/** 'Abamax' of 'Abamax 18 EC', where no other is called so. */
function shortName(name: string, names: readonly string[]): string {
  const [own = ''] = fold(name).split(' ')
  const alone = names.filter((other) => fold(other).split(' ')[0] === own).length === 1
  return alone && own.length > LEAST_NAME && !name.includes('+') ? own : fold(name)
}

const sumOf = (costs: readonly (Found<number> | null)[]): number =>
  costs.reduce((sum, cost) => sum + (cost?.value ?? 0), 0)

/** Takes prices where they add up to the costs of treatments, or where no treatment's cost says otherwise. */
function fillFromPrices(drafts: readonly Draft[], prices: ReadonlyMap<string, Price>): void {
  const told = drafts.map((draft) => ({
    draft,
    costs: draft.produtos.map(
      (product) => product.custo ?? costOf(product, prices.get(fold(product.nome.value))),
    ),
  }))
  const whole = told.filter(({ costs }) => !costs.includes(null))
  const agrees = ({ draft, costs }: (typeof told)[number]): boolean =>
    draft.custo === null || Math.abs(sumOf(costs) - draft.custo.value) <= ROUNDED * draft.custo.value + 0.011
  const checked = whole.filter(({ draft }) => draft.custo !== null)
  if (checked.filter(agrees).length < 0.6 * checked.length) return
  for (const one of whole.filter(agrees))
    one.draft.produtos.forEach((product, i) => {
      product.custo = one.costs[i] ?? null
    })
}

function costOf({ dose, unidade, nome }: DraftProduct, price: Price | undefined): Found<number> | null {
  if (!price) return null
  const found = { words: price.words, score: 0.8, method: 'prose' as const }
  if (price.per === 'ha' || price.per === null) return { ...found, value: price.value }
  const amount = dose?.value ?? null
  const unit = /^(m?[lL]|k?g)\/ha$/.exec(unidade ?? '')?.[1]?.toLowerCase()
  const factor = { l: 1, ml: 0.001, kg: 1, g: 0.001 }[unit ?? '']
  const fits = price.per === 'litre' ? /l$/.test(unit ?? '') : /g$/.test(unit ?? '')
  if (amount === null || !factor || !fits || nome.value === '') return null
  return { ...found, value: round(amount * factor * price.value, 2) }
}

/** 'X, R$ 38,60/ha', 'X R$ 74,00/L', 'X custa R$ 18,00 por hectare'. */
const AFTER = new RegExp(
  String.raw`^[^.;r]{0,4}(?:[^;.$]{0,28}?)r\$\s*(${NUMBER_SOURCE})\s*((?:\/|por|o|a)\s*(?:ha\b|hectare|l\b|lt\b|litro|kg\b|quilo))?`,
)
/** '66 do X', 'R$ 48,00 do X'. */
const BEFORE = new RegExp(
  String.raw`(?:r\$\s*)?(?<![\d.,])(${NUMBER_SOURCE})\s*(?:(?:so )?d[oae]s?|para [oa]|n[oa]|em)\s+$`,
)

function pricesIn(document: Document, named: readonly string[]): Map<string, Price> {
  const names = [...new Set(named.map(fold))]
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length)
  const prices = new Map<string, Price>()
  for (const { blocks } of document.pages)
    for (const { segments } of blocks) {
      if (!segments.some(({ text }) => /R\$|\bcust/i.test(text))) continue
      const run = runOf({ segments })
      for (const name of names) {
        const price = prices.has(name) ? null : priceOf(run, name, names)
        if (price) prices.set(name, price)
      }
    }
  return prices
}

function priceOf(run: Run, name: string, names: readonly string[]): Price | null {
  for (let at = run.folded.indexOf(name); at >= 0; at = run.folded.indexOf(name, at + 1)) {
    if (/[a-z\d]/.test(run.folded[at - 1] ?? ' ') || /[a-z\d]/.test(run.folded[at + name.length] ?? ' '))
      continue
    // Part of a longer name.
    if (names.some((other) => other !== name && other.startsWith(name) && run.folded.startsWith(other, at)))
      continue
    const ahead = Math.max(0, at - LONGEST_PRICE)
    const told = run.folded.slice(ahead, at)
    const found = BEFORE.exec(told)
    // What it brought, or what a litre costs, is not what a hectare costs.
    const before = found && !OTHER.test(told) && !/\b(?:litro|kg|quilo|preco)\b/.test(told) ? found : null
    // 'R$ 1.020,00 no X, R$ 912,00 no Y': what stands behind is the next one's.
    if (before?.[1] && /^r\$/.test(before[0])) return priceBefore(run, ahead + before.index, before)
    const rest = run.folded.slice(at + name.length)
    const after = AFTER.exec(rest)
    const between = after ? after[0].slice(0, after[0].indexOf('r$')) : ''
    if (after?.[1] && !names.some((other) => between.includes(other)) && !OTHER.test(between)) {
      const from =
        at + name.length + after[0].lastIndexOf(after[1], after[0].length - (after[2]?.length ?? 0))
      return priceAt(run, from, after[1], after[2] ?? '')
    }
    if (before?.[1] && /r\$/.test(run.folded.slice(0, at)))
      return priceBefore(run, ahead + before.index, before)
  }
  return null
}

/** So far before a name its price may stand. */
const LONGEST_PRICE = 60

const priceBefore = (run: Run, at: number, [said, printed = '']: RegExpExecArray): Price | null =>
  priceAt(run, at + said.indexOf(printed), printed, '')

/** A sentence that tells the costs of many treatments. */
const LONGEST_TOLD = 400

const OTHER = /\bsac[ao]|\breceita|\bretorn|\bganh|\blucr|\bsobr|\broi\b|\d\s*%/

function priceAt(run: Run, from: number, printed: string, unit: string): Price | null {
  const value = toNumber(printed)
  if (value === null || value <= 0) return null
  const ahead = run.folded.slice(Math.max(0, from - LONGEST_TOLD), from)
  const sentence = ahead.slice(Math.max(ahead.lastIndexOf('. '), ahead.lastIndexOf(';')) + 1)
  const said = /\bcusto\b/.test(sentence) && sentence.includes('por hectare')
  const per =
    /ha|hect/.test(unit) || (unit === '' && said)
      ? 'ha'
      : /\bl|litro/.test(unit)
        ? 'litre'
        : /kg|quilo/.test(unit)
          ? 'kilo'
          : null
  return { value, per, words: wordsIn(run, from, from + printed.length) }
}
