import type { Document } from '../document.ts'
import type { Method } from '../result.ts'
import { isOn } from '../stages.ts'
import { uncross } from '../tables/crossed.ts'
import { splitSections } from '../tables/sections.ts'
import { stitchTables } from '../tables/stitch.ts'
import type { Table } from '../tables/table.ts'
import { toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { fillBesideCodes } from './amounts-by-code.ts'
import { fillFromBars } from './bars.ts'
import { fillCostsFromPairs, fillYieldsFromCards } from './cards.ts'
import { fillAnalysesFromBars } from './chart-analyses.ts'
import { fillCodedAmounts } from './coded-amounts.ts'
import { readCommonMode } from './common-mode.ts'
import { fillFromCrossings } from './crossed-names.ts'
import { fillDoseTrial } from './dose-trial.ts'
import { copyOf, type Draft, type DraftProduct } from './draft.ts'
import { fillFromDrawnCharts } from './drawn-charts.ts'
import { fillFromParagraphs } from './headed-paragraphs.ts'
import { clashOf, joinTables, sameTreatment } from './join.ts'
import { aroundOf, fillGiven, nameSubstances } from './levels.ts'
import { fillFromNamedCards } from './named-cards.ts'
import { fillNotedUnits } from './noted-units.ts'
import { fillNumberedNames } from './numbered-names.ts'
import { settlePartHarvests } from './part-harvests.ts'
import { findProductLegend, legendInProse, resolveProductCodes } from './product-codes.ts'
import { fillProductCosts } from './product-prices.ts'
import { fillWaysOfProducts } from './product-ways.ts'
import { fillDosesFromOthers, fillDosesFromProse, fillProductsFromProse } from './prose-doses.ts'
import { readRecords } from './records.ts'
import { fillRespectively } from './respectively.ts'
import { takeFromOthers } from './same-as.ts'
import { explainShortNames } from './short-names.ts'
import { readTreatmentTable, type TreatmentTable } from './table-rows.ts'
import { fillToldAmounts } from './told-amounts.ts'
import { fillToldCosts } from './told-costs.ts'
import { fillToldOfAll } from './told-of-all.ts'
import { turnedByNames } from './turned-by-names.ts'
import { tellWeededApart } from './weeded.ts'

/** Treatments as one way of reading gives them. */
export interface Told {
  drafts: Draft[]
  /** The tables that they were read from. */
  tables: Table[]
  /** How many treatments each table spoke of. */
  counts: number[]
  /** Share of the treatments to which two tables give different yields. */
  clash: number
  /** Every table as it was understood, used or not. */
  understood: { table: Table; treatments: TreatmentTable | null }[]
}

/** A table of treatments says so by itself, or is taken for one because nothing else in the document is. */
export type Strictness = 'sure' | 'likely'
const LIKELY_LEAST = 0.2

/**
 * The treatments of the report in each way in which it may tell them: in its tables, in lists, in cards, in lists whose
 * results stand in tables. The control comes first in each.
 */
export function readTreatments(
  document: Document,
  { strictness, listed }: { strictness: Strictness; listed: readonly Draft[] },
): Told[] {
  const method: Method = 'table'
  const least = strictness === 'likely' ? LIKELY_LEAST : undefined
  const tables =
    document.given ??
    (isOn('pages') ? stitchTables(caughtIn(document)) : caughtIn(document))
      .flatMap(splitSections)
      .map((table) => uncross(table, aroundOf(document, table)) ?? table)
  const all = tables.map((table) => ({ table, treatments: readTreatmentTable(table, method, least) }))
  const coded = dedupe(listed.filter((draft) => draft.code !== null).map(copyOf))
  const described = joinTables(all.map((entry) => entry.treatments).filter((entry) => entry !== null))
  // Where a list tells the treatments, a table of their codes may alone say too little.
  const known = described.length < LEAST_KNOWN && isProgramme(coded) ? coded : described
  for (const entry of all)
    if (!entry.treatments?.keyed) entry.treatments = readKnown(entry.table, method, known) ?? entry.treatments
  const read = all.filter(
    (entry): entry is { table: Table; treatments: TreatmentTable } => entry.treatments !== null,
  )
  settlePartHarvests(read.map(({ treatments }) => treatments))
  const legend = findProductLegend(read)
  const telling = read.map((entry) => entry.treatments).filter((table) => table !== legend?.treatments)
  const fromTables = joinTables(telling)
  const products = legend?.products ?? legendInProse(document, fromTables)
  if (products) resolveProductCodes(fromTables, products)
  const records = isPoor(fromTables) && isOn('records') ? readRecords(document) : []
  const sure = read
    .filter(
      ({ treatments }) =>
        treatments.score >= 0.8 || treatments.columns.some((c) => c.role === 'code' && c.score > 0.9),
    )
    .map((entry) => ({ ...entry.table, y0: entry.treatments.y0 }))
  const clash = clashOf(telling)
  const counts = telling.filter(({ keyed }) => keyed).map((table) => table.drafts.length)
  const ways: { drafts: Draft[]; tables: Table[] }[] = [
    { drafts: complete(fromTables.map(copyOf), listed), tables: sure },
  ]
  // Where treatments have cards of their own, what looked like their table was a grid of cards.
  if (records.length >= 2) ways.push({ drafts: dedupe(records), tables: [] })
  if (isPoor(fromTables) && listed.filter((draft) => draft.produtividade).length >= 2)
    ways.push({ drafts: dedupe(listed.map(copyOf)), tables: sure })
  if (isProgramme(coded)) {
    if (fromTables.length < 2) ways.push({ drafts: coded, tables: sure })
    // A legend of codes names them, the tables measure them: figures of a legend are those of something else.
    else ways.push({ drafts: complete(coded.map(withoutFigures), fromTables), tables: sure })
  }
  // Each way fills and names its own.
  return ways.map((way) => ({
    ...way,
    drafts: filled(document, withoutBlank(way.drafts).map(copyOf)),
    counts,
    clash,
    understood: all,
  }))
}

const caughtIn = ({ pages }: Document): Table[] => pages.flatMap(({ tables }) => tables)

/** Lines of a form that nobody filled in have a number and nothing else. */
function withoutBlank(drafts: readonly Draft[]): readonly Draft[] {
  const last = drafts.findLastIndex(
    ({ nome, produtos, produtividade, analises, custo, control, loose }) =>
      nome !== null ||
      produtos.length > 0 ||
      produtividade !== null ||
      analises.length > 0 ||
      custo !== null ||
      control ||
      loose !== undefined,
  )
  return last < 1 ? drafts : drafts.slice(0, last + 1)
}

/** Fewer than two treatments that have a name or products, or a yield. */
const isPoor = (drafts: readonly Draft[]): boolean =>
  drafts.filter((draft) => draft.nome !== null || draft.produtos.length > 0).length < 2 ||
  drafts.filter((draft) => draft.produtividade !== null).length < 2

const withoutFigures = (draft: Draft): Draft => ({ ...draft, produtividade: null, custo: null, analises: [] })

/** With what sentences, cards and amounts beside codes say of them. */
function filled(document: Document, drafts: Draft[]): Draft[] {
  takeLetters(drafts)
  tellWeededApart(drafts)
  for (const draft of drafts) takeMoney(draft)
  takeFromOthers(drafts)
  explainShortNames(document, drafts)
  fillDoseTrial(document, drafts)
  fillFromCrossings(document, drafts)
  fillCostsFromPairs(document, drafts)
  fillFromNamedCards(document, drafts)
  if (isOn('sentences')) {
    fillFromParagraphs(document, drafts)
    fillGiven(document, drafts)
    fillProductsFromProse(document, drafts)
    fillDosesFromProse(document, drafts)
    fillDosesFromOthers(drafts)
    fillRespectively(document, drafts)
    fillBesideCodes(document, drafts)
    fillCodedAmounts(document, drafts)
    fillToldCosts(document, drafts)
  }
  if (isOn('bars')) {
    fillFromDrawnCharts(document, drafts)
    fillFromBars(document, drafts)
    fillAnalysesFromBars(document, drafts)
  }
  fillYieldsFromCards(document, drafts)
  if (isOn('sentences')) fillToldAmounts(document, drafts)
  fillUnits(drafts)
  fillNotedUnits(document, drafts)
  if (isOn('prices')) fillProductCosts(document, drafts)
  if (isOn('common')) fillToldOfAll(document, drafts)
  fillWaysOfProducts(document, drafts)
  for (const draft of drafts) draft.modalidade ??= modeOfDoses(draft)
  const treated = drafts.filter(({ control }) => !control)
  const open = isOn('common') && treated.some(({ modalidade }) => !modalidade)
  const common = open ? readCommonMode(document) : null
  for (const draft of treated) draft.modalidade ??= common
  fillNumberedNames(document, drafts)
  nameMixtures(drafts)
  if (isOn('sentences')) nameSubstances(document, drafts)
  return order(drafts)
}

/** Several are called by the first of their products: where that does not tell them apart, all of its products do. */
function nameMixtures(drafts: readonly Draft[]): void {
  const names = drafts.map(({ nome }) => fold(nome?.value ?? ''))
  const first = (draft: Draft, i: number): boolean => names[i] === fold(draft.produtos[0]?.nome.value ?? '')
  const again = (_: Draft, i: number): boolean =>
    names.indexOf(names[i] ?? '') !== names.lastIndexOf(names[i] ?? '')
  if (!drafts.some((draft, i) => draft.produtos.length > 1 && first(draft, i) && again(draft, i))) return
  drafts.forEach((draft, i) => {
    if (!draft.nome || draft.produtos.length < 2 || !first(draft, i)) return
    const value = draft.produtos.map(({ nome }) => nome.value).join(' + ')
    draft.nome = { ...draft.nome, value, words: draft.produtos.flatMap(({ nome }) => nome.words) }
  })
}

const LETTERED = /^([A-L])[.)]?\s+(?=\p{L}[\p{L}\d]{2})/u

/** 'B Calcário dolomítico' between 'A Testemunha' and 'C …': letters in their order are codes and no part of a name. */
function takeLetters(drafts: readonly Draft[]): void {
  const named = drafts.filter(({ control }) => !control)
  const letters = named.map(({ nome }) => LETTERED.exec(nome?.value ?? '')?.[1] ?? '')
  const inOrder = letters.every(
    (letter, i) => letter !== '' && (i === 0 || letter === next(letters[i - 1] ?? '')),
  )
  if (named.length < 2 || !inOrder || (letters[0] !== 'A' && letters[0] !== 'B')) return
  named.forEach((draft, i) => {
    draft.code ??= letters[i] ?? null
    const plain = (value: string) => (value.startsWith(`${letters[i]} `) ? value.slice(2).trim() : value)
    if (draft.nome) draft.nome = { ...draft.nome, value: draft.nome.value.replace(LETTERED, '') }
    draft.produtos = draft.produtos.map((product) => ({
      ...product,
      nome: { ...product.nome, value: plain(product.nome.value) },
    }))
  })
}
const next = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) + 1)

/** '1,0 + 0,5' under '1,0 L/ha' and '0,5 L/ha': a product has the unit that it has in the other treatments. */
function fillUnits(drafts: readonly Draft[]): void {
  const units = new Map<string, Set<NonNullable<DraftProduct['unidade']>>>()
  const products = drafts.flatMap(({ produtos }) => produtos.filter(({ dose }) => dose !== null))
  for (const { nome, unidade } of products)
    if (unidade) units.set(fold(nome.value), (units.get(fold(nome.value)) ?? new Set()).add(unidade))
  for (const product of products) {
    const [only, other] = units.get(fold(product.nome.value)) ?? []
    if (!product.unidade && only && other === undefined) product.unidade = only
  }
}

/** 'R$ 118,00/ha' at the head of a card is no name. */
function takeMoney(draft: Draft): void {
  const { nome } = draft
  const printed = nome && /^R\$\s?(\d[\d.,]*)(?:\s?\/\s?ha)?$/.exec(nome.value)?.[1]
  const value = printed ? toNumber(printed) : null
  if (!nome || value === null) return
  draft.custo ??= { ...nome, value }
  draft.nome = null
}

/** Half of its rows at least must be treatments that surer tables have named. */
export const KNOWN_LEAST = 0.1

const LEAST_KNOWN = 3

/** A table that alone would say too little: its rows name treatments that are known. */
function readKnown(table: Table, method: Method, known: readonly Draft[]): TreatmentTable | null {
  if (known.length < LEAST_KNOWN) return null
  for (const one of [table, turnedByNames(table, known)]) {
    const read = one && readTreatmentTable(one, method, KNOWN_LEAST)
    const named = read?.drafts.filter((draft) => known.some((k) => sameTreatment(k, draft))) ?? []
    if (read && named.length >= 2 && named.length >= 0.6 * read.drafts.length) return read
  }
  return null
}

/** A list of treatments by code, the control among them, whose results stand elsewhere. */
function isProgramme(listed: readonly Draft[]): boolean {
  const coded = listed.filter((draft) => draft.code !== null)
  const dosed = coded.filter((draft) => draft.produtos.some((product) => product.dose !== null))
  return coded.length >= 3 && dosed.length >= 2 && coded.some((draft) => draft.control)
}

/** A dose per 100 kg of seeds says where the product goes. */
function modeOfDoses(draft: Draft): Draft['modalidade'] {
  const product = draft.produtos.find((p) => p.dose !== null)
  if (!product?.dose || !product.unidade?.endsWith('sementes')) return null
  return { value: 'Sementes', words: product.dose.words, score: 0.75, method: product.dose.method }
}

function dedupe(drafts: readonly Draft[]): Draft[] {
  const kept: Draft[] = []
  for (const draft of drafts) {
    const known = kept.find((k) =>
      k.code !== null && draft.code !== null ? k.code === draft.code : k.control && draft.control,
    )
    if (!known) {
      kept.push(draft)
      continue
    }
    known.nome ??= draft.nome
    known.modalidade ??= draft.modalidade
    known.produtividade ??= draft.produtividade
    known.custo ??= draft.custo
    if (known.produtos.length === 0 && !known.control) known.produtos = draft.produtos
    if (known.analises.length === 0) known.analises = draft.analises
  }
  return kept
}

/** Whether both are called the same, and not only both the control. */
const isNamed = ({ nome }: Draft, item: Draft): boolean =>
  nome !== null && item.nome !== null && nome.value.length > 3 && fold(nome.value) === fold(item.nome.value)

/** 'T2 – inoculação com Rizoforte' is of treatment 2, whatever a table calls it. */
const isCoded = ({ code, numbered, produtos }: Draft): boolean =>
  code !== null && !numbered && produtos.some(({ dose }) => dose !== null)

/** '2. Local e época …, adubação de 400 kg/ha de 02-20-20': a section's number is no treatment's. */
function tellsOfOthers(item: Draft, known: Draft): boolean {
  const words = ({ produtos }: Draft) =>
    produtos.flatMap(({ nome }) => fold(nome.value).match(/[a-z]{3,}/g) ?? [])
  const [told, own] = [words(item), words(known)]
  return told.length > 0 && own.length > 0 && !told.some((word) => own.includes(word))
}

/** Bullets that describe treatments whose results stand in a table. */
function complete(drafts: Draft[], listed: readonly Draft[]): Draft[] {
  const bare = drafts.every(({ code }) => code === null)
  const at = listed.findIndex(({ control }) => control)
  const codes = (of: readonly Draft[]): string =>
    of
      .flatMap(({ code }) => code ?? [])
      .sort()
      .join()
  // A list that counts just the treatments of the tables, the control at the same place, is theirs.
  const counted =
    listed.length >= LEAST_KNOWN &&
    codes(listed) === codes(drafts) &&
    drafts.some(({ control, code }) => control && listed.some((item) => item.control && item.code === code))
  const named = listed.map((item) => drafts.find((draft) => isNamed(draft, item)))
  // Rows whose letters nobody could read, as many as the list tells.
  const nameless = drafts.every(({ nome, produtos }) => nome === null && produtos.length === 0)
  const inOrder =
    bare &&
    drafts.length === listed.length &&
    at >= 0 &&
    (nameless || drafts.findIndex(({ control }) => control) === at) &&
    named.every((draft, i) => draft === undefined || draft === drafts[i])
  for (const [i, item] of listed.entries()) {
    const known =
      named[i] ??
      (inOrder ? drafts[i] : undefined) ??
      drafts.find((draft) => item.code !== null && draft.code === item.code) ??
      (bare && item.produtos.some(({ dose }) => dose !== null)
        ? drafts.find((draft) => sameTreatment(draft, item))
        : undefined)
    const same = counted && known?.code === item.code
    if (!known || (known !== named[i] && !same && !isCoded(item) && tellsOfOthers(item, known))) continue
    // 'ATR 2,0 + MES 0,25' is short for what the list tells.
    if (
      same &&
      item.nome &&
      ABBREVIATED.test(known.nome?.value ?? '') &&
      item.produtos.some(({ dose }) => dose)
    )
      known.nome = item.nome
    // 'T2, terço inferior' under a picture names no treatment whose products are known.
    const told = item.produtos.length > 0 || known.produtos.length === 0
    if (told && (!known.nome || known.nome.value.length < 4)) known.nome = item.nome ?? known.nome
    if (
      known.produtos.every((product) => product.dose === null) &&
      item.produtos.some((p) => p.dose !== null)
    )
      known.produtos = item.produtos
    known.modalidade ??= item.modalidade
    known.produtividade ??= item.produtividade
    known.custo ??= item.custo
    // A sentence about a treatment may name the control beside it.
    known.control ||= item.control && known.produtos.every((product) => product.dose === null)
    if (known.analises.length === 0) known.analises = item.analises
  }
  return drafts
}

const ABBREVIATED = /^\p{Lu}{2,4}(?:\s\d[\d.,]*)?(?:\s?\+\s?\p{Lu}{2,4}(?:\s\d[\d.,]*)?)*$/u

/** Where none is called the control, it is the one at an end that got nothing while all others got a product. */
function nameControl(drafts: readonly Draft[]): void {
  if (drafts.length < 3 || drafts.some(({ control }) => control)) return
  const bare = drafts.filter(
    ({ produtos, custo, nome }) => produtos.length === 0 && !custo?.value && (nome?.value.length ?? 0) < 90,
  )
  const [only] = bare
  if (bare.length === 1 && only && (only === drafts[0] || only === drafts.at(-1))) only.control = true
}

/** The control comes first; a lone first row without products is it. */
function order(drafts: Draft[]): Draft[] {
  nameControl(drafts)
  // 'Sem adjuvante' beside a control that got nothing: with products and doses it is none.
  const plain = drafts.some(({ control, produtos }) => control && produtos.length === 0)
  if (plain) for (const draft of drafts) draft.control &&= draft.produtos.every(({ dose }) => dose === null)
  const controls = drafts.filter((draft) => draft.control)
  const first = controls[0]
  if (!first || drafts[0] === first) return drafts
  return [first, ...drafts.filter((draft) => draft !== first)]
}
