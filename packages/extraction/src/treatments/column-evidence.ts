import type { DoseUnit } from '@ensaio/domain'
import type { Cell } from '../tables/table.ts'
import { DOSES, PRODUCTS, STAGES, YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { isCity } from '../values/places.ts'
import { fold, saysNothing } from '../values/text.ts'
import { doseUnit, yieldUnit } from '../values/units.ts'
import { splitUnit } from '../values/variables.ts'
import type { Column } from './columns.ts'
import { productOfHeading } from './heading-product.ts'
import { isSubstance } from './product-names.ts'

// What columns say of each other: sums, means, names beside doses.

/** At least so many plots make a mean, which agrees with them to what is printed. */
const LEAST_PLOTS = 3
/** Between the plots and their mean may stand their sum. */
const MOST_BETWEEN = 1

/** 'kg/ha' alone beside products, nothing of it for the control: what was applied. */
export function settleApplied(typed: Column[], columns: readonly (readonly Cell[])[]): void {
  if (!typed.some(({ role }) => role === 'product') || typed.some(({ role }) => role === 'dose')) return
  typed.forEach((column, c) => {
    if (
      column.role === 'yield' &&
      /^(?:kg|t|l) ?\/ ?ha$/.test(fold(column.header)) &&
      readCell(columns[c]?.[0]?.text ?? '') === 0
    )
      column.role = 'dose'
  })
}

/** So many towns over columns hold the trial's beside others'. */
const LEAST_TOWNS = 2

/** 'Rio Verde 09/02' beside 'Jataí 03/03': what a table compares over places, this trial tells elsewhere. */
export function settleTowns(typed: Column[]): void {
  const town = ({ header }: Column): string => fold(header.replace(/(?:\s[–-]\s|[\d/.,(]).*$/, '')).trim()
  const own = typed.filter((column) => isCity(town(column)))
  if (new Set(own.map(town)).size >= LEAST_TOWNS) for (const column of own) column.role = 'ignore'
}

/** Columns whose sum or mean stands behind them, row by row, are plots of it, whatever their headings say. */
export function settleReplicates(typed: Column[], columns: readonly (readonly Cell[])[]): void {
  const values = columns.map((cells) => cells.map((cell) => readCell(cell.text)))
  const rows = values.at(-1)?.length
  const whole = values.map(
    (own) => own.length >= 3 && own.length === rows && own.every((value) => value !== null),
  )
  /** The largest share by which a row's sum or mean is off; infinite where one is off by more than what is printed. */
  const off = (from: number, end: number, at: number, share: (count: number) => number): number => {
    let worst = 0
    for (const [r, value] of (values[at] ?? []).entries()) {
      let sum = 0
      for (let c = from; c < end; c++) sum += values[c]?.[r] ?? 0
      const by = Math.abs(sum * share(end - from) - (value ?? 0)) / Math.abs(value || Number.MIN_VALUE)
      if (by > 0.006) return Infinity
      worst = Math.max(worst, by)
    }
    return worst
  }
  for (let at = LEAST_PLOTS; at < typed.length; at++) {
    if (!whole[at]) continue
    for (let end = at; end >= Math.max(LEAST_PLOTS, at - MOST_BETWEEN); end--) {
      // Three of four plots have nearly their mean.
      let best = { off: Infinity, from: 0, mean: false }
      for (let from = end - LEAST_PLOTS; from >= 0 && whole[from]; from--) {
        if (!whole.slice(from, end).every(Boolean)) break
        const asMean = off(from, end, at, (count) => 1 / count)
        const asSum = end === at ? off(from, end, at, () => 1) : Infinity
        const least = Math.min(asMean, asSum)
        if (least < best.off) best = { off: least, from, mean: asMean <= asSum }
      }
      if (best.off < Infinity) settlePlots(typed, { from: best.from, end, at, mean: best.mean })
    }
  }
}

function settlePlots(
  typed: Column[],
  { from, end, at, mean }: { from: number; end: number; at: number; mean: boolean },
): void {
  const head = typed[at]
  const own = typed.slice(from, end)
  // 'Especial | Primeira | Descarte | Total': what has a name of its own is no plot, but a part of the whole.
  if (!mean && own.every(({ header }) => isPart(header))) return
  // 'Alto | Médio | Baixo | Média': parts of a plant are no plots either.
  if (mean && own.every(({ header }) => OF_PLANTS.test(fold(header)))) return
  const measured = own.find(({ role }) => role === 'yield')
  for (const column of own) column.role = 'replicate'
  if (!head) return
  if (!mean) head.role = 'ignore'
  else if (measured && head.role !== 'yield') {
    head.role = 'yield'
    head.score = 0.9
    head.yieldUnit = measured.yieldUnit
  }
}

const OF_PLANTS =
  /^(?:tercos? )?(?:alto|medio|baixo|superior|inferior|topo|meio|base|baixeiro|ponteiro|apical|basal)\b/
const isPart = (header: string): boolean => /\p{L}{4}/u.test(header) && !PLOTS.test(fold(header))
const PLOTS = /\b(?:blocos?|rep\w*|parcelas?|faixas?)\b/

/** Names beside doses are products, also where the heading is no word for them. */
export function settleDosed(typed: Column[], columns: readonly (readonly Cell[])[]): void {
  typed.forEach((column, c) => {
    const before = typed[c - 1]
    if (column.role !== 'dose' || !before || before.score > 0.5 || !/^(?:ignore|name)$/.test(before.role))
      return
    if (!typed.some(({ role, score }) => /^(?:name|code)$/.test(role) && score > 0.5)) return
    const cells = (columns[c - 1] ?? []).filter((cell) => !saysNothing(cell.text))
    const named = cells.filter((cell) => /\p{L}{3}/u.test(cell.text) && readCell(cell.text) === null)
    if (cells.length === 0 || named.length < 0.8 * cells.length) return
    // A heading over several rows of a turned table.
    if (cells.some((cell) => before.header.includes(cell.text))) return
    before.role = 'product'
    before.score = 0.8
  })
  // 'Fungicida | p.c. | Adjuvante | Dose': where a further product has its own dose, the first is one, too.
  typed.forEach((column, c) => {
    const pairs = typed.filter(({ role }, at) => role === 'product' && typed[at + 1]?.role === 'dose').length
    if (
      column.role === 'name' &&
      PRODUCTS.test(fold(column.header)) &&
      typed[c + 1]?.role === 'dose' &&
      pairs > 0
    )
      column.role = 'product'
  })
}

/** One column names the treatment; another text column with products is 'product'. */
const DOSED = /\d\s*(?:ml|l|kg|g)\b/i
const AMOUNT_BEHIND = /\p{L}{3}.*\(\s*\d[\d.,]*\s*\)/u

export function settleNames(typed: Column[], columns: readonly (readonly Cell[])[], title: string): void {
  const names = typed.filter((column) => column.role === 'name').sort((a, b) => b.score - a.score)
  const best = names[0]
  for (const column of names.slice(1)) {
    const cells = columns[typed.indexOf(column)] ?? []
    const doses = cells.filter((cell) => DOSED.test(cell.text)).length
    // 'V8 | R1 | R5.1' over 'Fungi Alfa (400)': what was applied then.
    const amounts = cells.filter((cell) => AMOUNT_BEHIND.test(cell.text)).length
    const said = cells.filter((cell) => !saysNothing(cell.text)).length
    column.role =
      PRODUCTS.test(fold(column.header)) ||
      doses > 0.4 * cells.length ||
      (amounts > 0 && amounts >= 0.6 * said)
        ? 'product'
        : column.score > 0.8
          ? 'product'
          : 'ignore'
  }
  // 'Programa foliar' over several columns, each with a product and its dose.
  const dosed = (column: Column): boolean => {
    const cells = (columns[typed.indexOf(column)] ?? []).filter((cell) => !saysNothing(cell.text))
    return cells.length > 0 && cells.filter((cell) => DOSED.test(cell.text)).length >= 0.6 * cells.length
  }
  const alike = ({ role, header }: Column): boolean => role === 'product' && header === best?.header
  const amounts = ({ header }: Column, c: number): boolean =>
    header !== '' &&
    (columns[c] ?? []).filter((cell) => AMOUNT_BEHIND.test(cell.text)).length >=
      0.5 * (columns[c] ?? []).filter((cell) => !saysNothing(cell.text)).length
  const programme =
    typed.some(({ role }) => role === 'code') &&
    typed.filter((column, c) => column.role === 'product' && amounts(column, c)).length > 0
  if (best && best.header !== '' && typed.some(alike) && dosed(best)) best.role = 'product'
  // 'Aplicação A (V8)' is one of several times.
  else if (best && programme && amounts(best, typed.indexOf(best))) best.role = 'product'
  else if (best && best.score < 0.5 && typed.some((column) => column.role === 'product')) best.role = 'ignore'
  const unit = unitIn(title)
  for (const column of typed) if (column.role === 'product' && unit !== null) column.dose ??= unit
}

/** Amounts of money that add up to another column, row by row, are parts of it: '59,20 | 13,50 | 72,70'. */
export function settleParts(typed: readonly Column[], columns: readonly (readonly Cell[])[]): void {
  const money = typed.flatMap((column, c) => (MONEY.test(column.role) ? [c] : []))
  const rows = Math.max(0, ...money.map((c) => columns[c]?.length ?? 0))
  const value = (c: number, r: number): number | null => {
    const cell = columns[c]?.[r]
    return cell && !saysNothing(cell.text) ? readCell(cell.text) : 0
  }
  if (money.length < 3 || money.some((c) => columns[c]?.length !== rows)) return
  // 'Produto 1 | Dose | R$/ha | Produto 2 | Dose | R$/ha | Custo total'
  const byProduct = typed.filter(({ role }) => role === 'product').length === money.length - 1
  for (const whole of money) {
    const parts = money.filter((c) => c !== whole && (byProduct || Math.abs(c - whole) < money.length))
    let summed = 0
    const holds = Array.from({ length: rows }, (_, r) => {
      const all = parts.map((c) => value(c, r))
      const total = value(whole, r)
      if (total === null || all.includes(null)) return true
      if (all.filter((v) => v !== 0).length >= 2) summed++
      return Math.abs(all.reduce((sum: number, v) => sum + (v ?? 0), 0) - total) <= 0.011 * Math.max(1, total)
    })
    if (summed === 0 || holds.includes(false)) continue
    for (const c of parts) {
      const part = typed[c]
      if (part) part.role = byProduct ? 'productCost' : 'costPart'
    }
    const total = typed[whole]
    if (total) total.role = 'cost'
    return
  }
}
const MONEY = /^(?:cost|productCost)$/

/** 'Viziar 0,80 + Adjutop 0,30' in a table of doses: names, each with its dose in the unit of heading or caption. */
export function withDoses(column: Column, cells: readonly Cell[], title: string): Column {
  if (column.score >= 0.9 || !/^(?:ignore|name|product|mode|dose)$/.test(column.role)) return column
  const unit = doseUnit(column.header.replace(/^[^,(]*[,(]/, '')) ?? unitIn(title)
  const own = cells.filter((cell) => !saysNothing(cell.text))
  const dosed = own.filter((cell) => NAME_AND_NUMBER.test(cell.text)).length
  if (unit === null || own.length < 2 || dosed < 0.7 * own.length) return column
  return { ...column, role: 'product', score: 0.85, dose: unit }
}

/** Beside such columns those that hold the same are such, too, whatever little their heading says: 'TS' over 'X 0,3'. */
export function settleProgramme(typed: Column[], columns: readonly (readonly Cell[])[]): void {
  const known = typed.find(({ role, dose }) => role === 'product' && dose !== undefined)
  if (!known?.dose) return
  typed.forEach((column, c) => {
    const own = (columns[c] ?? []).filter((cell) => !saysNothing(cell.text))
    const dosed = own.filter((cell) => NAME_AND_NUMBER.test(cell.text)).length
    const h = fold(column.header)
    const open =
      c > 0 && !/^(?:code|name)$/.test(column.role) && (h === '' || STAGES.test(h) || AT_STAGE.test(h))
    if (!open || column.dose !== undefined || column.score >= 0.9) return
    if (own.length === 0 || dosed < 0.7 * own.length) return
    typed[c] = { ...column, role: 'product', score: 0.8, ...(known.dose && { dose: known.dose }) }
  })
}
/** Over what was applied then, or there. */
const AT_STAGE = /\b(?:ts|sulco|foliar|sementes?|[vr]\d|[bcf]\d|estadio)\b/
const NAME_AND_NUMBER =
  /^(?!(?:Programa|Manejo|Protocolo|Faixa|Talh|Bloco|[ÁA]rea|Tratamento|Lote|Parcela|Estrat|Pacote))\p{Lu}[\p{L}-][\p{L}\d .-]*\s\d+(?:[.,]\d+)?(?:\s*\+\s*\p{Lu}|$)/u

/** The unit that a caption of doses names. */
const unitIn = (title: string): DoseUnit | null =>
  DOSES.test(fold(title))
    ? (doseUnit(
        /\bdos(?:es?|agens?)(?: d[eo]s? [\p{L} ]{3,24})? em (\S{2,10})/iu
          .exec(title)?.[1]
          ?.replace(/[.,;]$/, '') ?? '',
      ) ?? doseUnit(/[([]([^)\]]+)[)\]]/.exec(title)?.[1]?.split(/ d[eo] /)[0] ?? ''))
    : null

/** Several columns of doses under names of their own: a matrix of products, most of whose cells are empty or zero. */
export function settleMatrix(
  typed: readonly Column[],
  columns: readonly (readonly Cell[])[],
  title: string,
): void {
  // 'HumiSolo | Fosfomil | Custo total' under 'Custo dos produtos (R$/ha)' are parts of it.
  if (
    typed.some(({ role }) => role === 'product') ||
    (isOfMoney(title) && typed.some(({ role }) => role === 'cost'))
  )
    return
  settleNamedMatrix(typed, columns)
  const rows = Math.max(0, ...columns.map((cells) => cells.length))
  const harvested = typed.some(
    ({ role, header }, c) =>
      yieldUnit(header) !== null && !isLevels(columns[c] ?? [], rows) && role !== 'replicate',
  )
  const named = typed.filter((column, c) => {
    if (productOfHeading(column.header) === null) return false
    return (
      column.role === 'dose' ||
      // 'Ureia (kg/ha)' beside doses
      (column.role === 'yield' &&
        !YIELDS.test(fold(column.header)) &&
        (isSubstance(productOfHeading(column.header) ?? '') || isLevels(columns[c] ?? [], rows))) ||
      // 'N (kg/ha) | Mo (g/ha) | Média (kg/ha)'
      (harvested &&
        /^(?:yield|analysis)$/.test(column.role) &&
        (yieldUnit(column.header) !== null || doseUnit(unitOf(column.header)) !== null) &&
        isLevels(columns[c] ?? [], rows)) ||
      (/^(?:ignore|analysis|name)$/.test(column.role) && allDoses(columns[c] ?? []))
    )
  })
  if (named.length < 2 || new Set(named.map((column) => productOfHeading(column.header))).size < named.length)
    return
  for (const column of named) column.role = 'productDose'
  // 'Total de produto' beside them is their sum.
  for (const column of typed)
    if (column.role === 'analysis' && /^total\b/.test(fold(column.header))) column.role = 'ignore'
  // 'Cobrax (kg/ha)' among them is no harvest: the control has none of it.
  typed.forEach((column, c) => {
    const told = (columns[c] ?? []).filter(({ text }) => !saysNothing(text) && readCell(text) !== 0)
    const open = column.role === 'yield' && !YIELDS.test(fold(column.header))
    if (open && productOfHeading(column.header) !== null && told.length < rows) column.role = 'productDose'
  })
}

const unitOf = (header: string): string => /[([]([^()[\]]{2,12})[)\]]$/.exec(header)?.[1] ?? ''

/** Levels of a factor: round amounts, each of which comes again or goes over several rows, nothing among them. */
function isLevels(cells: readonly Cell[], rows: number): boolean {
  const values = cells.map(({ text }) => (saysNothing(text) ? 0 : readCell(text)))
  const levels = new Set(values)
  return (
    !levels.has(null) &&
    levels.has(0) &&
    levels.size >= 2 &&
    2 * levels.size <= rows &&
    values.every((value) => Number.isInteger(2 * (value ?? 0)))
  )
}

/** 'Orizinco | Radicel' over figures just in the rows whose treatments name each: amounts, whatever their unit. */
function settleNamedMatrix(typed: readonly Column[], columns: readonly (readonly Cell[])[]): void {
  const names = columns[typed.findIndex(({ role }) => role === 'name')] ?? []
  const of = typed.map((column, c) => {
    const product = column.role === 'analysis' ? productOfHeading(column.header) : null
    const cells = columns[c] ?? []
    const own = product !== null && cells.length === names.length && names.length >= LEAST_NAMED
    const agrees = (cell: Cell, r: number): boolean => {
      const told = !saysNothing(cell.text) && readCell(cell.text) !== 0
      return told === fold(names[r]?.text ?? '').includes(fold(product ?? ''))
    }
    return own && cells.every(agrees) && cells.some(({ text }) => saysNothing(text) || readCell(text) === 0)
  })
  if (of.filter(Boolean).length < 2) return
  for (const [c, column] of typed.entries()) if (of[c]) column.role = 'productDose'
}
const LEAST_NAMED = 3

/** Whether whatever is told is an amount with the unit of a dose. */
function allDoses(cells: readonly Cell[]): boolean {
  const told = cells.flatMap(({ text }) => (saysNothing(text) || readCell(text) === 0 ? [] : [text]))
  const isDose = (text: string) => /^\d.*[/%]/.test(text) && doseUnit(text.replace(/^[\d.,\s]+/, '')) !== null
  return told.length > 0 && told.every(isDose)
}

/** 'Produto / Dose / Época' beside what was applied, row after row. */
export function repeatsHeadings(cells: readonly Cell[]): boolean {
  const [first, ...others] = cells
  return (
    first !== undefined &&
    others.length > 0 &&
    others.every(({ text }) => text === first.text) &&
    first.words.length > 1 &&
    first.words.every(
      ({ text }) => DOSES.test(fold(text)) || PRODUCTS.test(fold(text)) || STAGES.test(fold(text)),
    )
  )
}

/** Figures with the letters of a test of means behind them, of more than one group. */
export function isLettered(cells: readonly Cell[]): boolean {
  const letters = cells.flatMap(({ text }) => /\d\s*([a-h]{1,4})$/.exec(text.trim())?.[1] ?? [])
  return letters.length > 0.5 * cells.length && new Set(letters).size > 1
}

const UNIT_PRICE = /r\$ ?(?:\/|por) ?(?:un\w*|l|lt|litro|kg|quilo|t|saco|dose)\b|\b(?:preco|valor|custo) unit/

const isOfMoney = (title: string): boolean =>
  /r\$|^(?:(?:tabela|quadro) ?\d*[ .:-]*)?(?:custos?|quanto custa\w*|analise (?:economica|de custos?))\b/.test(
    fold(title),
  )

/** Under a caption of money, what has no unit of its own is money: parts of the cost, and their sum. */
export function settleMoney(typed: readonly Column[], title: string): void {
  // The price of a litre is not what a hectare costs.
  const prices = typed.filter(({ role, header }) => role === 'cost' && UNIT_PRICE.test(fold(header)))
  if (prices.length < typed.filter(({ role }) => role === 'cost').length)
    for (const column of prices) column.role = 'ignore'
  if (!isOfMoney(title) || typed.some(({ role }) => role === 'yield')) return
  for (const column of typed) {
    if (column.role !== 'analysis' || splitUnit(column.header).unidade !== null) continue
    const sum = /^total\b/.test(fold(column.header)) && !typed.some(({ role }) => role === 'cost')
    column.role = sum ? 'cost' : 'ignore'
  }
}

/** 'Teor de N (%)' beside doses, and no harvest, is what a fertiliser is made of. */
export function settleContents(
  typed: readonly Column[],
  columns: readonly (readonly Cell[])[],
  title: string,
): void {
  if (!typed.some(({ role }) => role === 'dose') || typed.some(({ role }) => role === 'yield')) return
  if (/folia|folha|tecido|grao|plantas?\b/.test(fold(title))) return
  typed.forEach((column, c) => {
    const h = fold(column.header)
    // The control, which got none, has no share of it; a figure of its own would be a measurement.
    const none = (columns[c] ?? []).some(({ text }) => saysNothing(text) || readCell(text) === 0)
    if (column.role === 'analysis' && /%/.test(h) && CONTENT.test(h) && none) column.role = 'ignore'
  })
}
const CONTENT =
  /^(?:teor|concentracao|%) ?(?:de )?(?:n|p|k|ca|mg|s|b|zn|mn|cu|mo|p2o5|k2o|nutrientes?|ativos?)\b(?! foliar| n[oa])/
