import { round } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { splitUnit } from '../values/variables.ts'
import { copyOf, type Draft, type Found } from './draft.ts'
import type { TreatmentTable } from './table-rows.ts'

const ELSEWHERE =
  /\bvizinh\w+|\banterior\w*|\bsafra passada\b|\bhistoric\w+|\boutr[oa]s? (?:area|local|ensaio)\w*|\bliteratura\b|\bcomparativo de safras\b/

/** What others found, and the list of their papers. */
const CITED =
  /\badaptad[oa]s? (?:de|a partir)\b|\bet al\b|\bsegundo [^.]{2,30}\(\d{4}\)|\bextraid[oa]s? de\b|\b(?:compilad|publicad)[oa]s?\b|\bsintese de (?:ensaios|trabalhos|estudos)\b/

/** Joins what several tables say of the same treatments: by code, by name, by order. */
export function joinTables(tables: readonly TreatmentTable[]): Draft[] {
  const told = tables.filter(
    ({ title, columns }) => !CITED.test(fold([title, ...columns.map(({ header }) => header)].join(' '))),
  )
  const here = told.filter((table) => !ELSEWHERE.test(fold(table.title)))
  // Where the means of treatments are told, a row a plot tells of no treatment.
  const ofTreatments = here.filter((table) => !tellsPlots(table))
  const own = ofTreatments.some(({ drafts }) => drafts.some(({ produtividade }) => produtividade !== null))
    ? ofTreatments
    : here.map((table) => (tellsPlots(table) && hasBlocks(table) ? meansOf(table) : table))
  // What was read of a table stays as it is: others may be joined to it otherwise.
  const used = (own.length > 0 ? own : told)
    .map((table) => ({ ...table, drafts: table.drafts.map(copyOf) }))
    .sort((a, b) => rank(b) - rank(a))
  const base = used[0]
  if (!base) return []
  // Of two figures of another order the smaller is a part of the harvest.
  for (const table of used)
    if (used.some((other) => isManyTimes(other.drafts, table.drafts))) takeForMeasured(table)
  let drafts = base.drafts.map((draft) => ({ ...draft }))
  for (const table of used.slice(1).sort((a, b) => a.page - b.page))
    drafts = merge(drafts, table, base.dropped)
  return drafts
}

/** Whether its rows are plots: most codes stand there several times. */
const tellsPlots = ({ drafts }: TreatmentTable): boolean =>
  drafts.length >= 6 &&
  drafts.every(({ code }) => code !== null) &&
  new Set(drafts.map(({ code }) => code)).size <= 0.5 * drafts.length

const hasBlocks = ({ columns }: TreatmentTable): boolean => columns.some(({ role }) => role === 'blocks')

/** Of a row a plot, a row a treatment: the mean of what was harvested and measured in all of its plots. */
function meansOf(table: TreatmentTable): TreatmentTable {
  const plots = Map.groupBy(table.drafts, ({ code }) => code)
  const mean = <T extends Found<number>>(all: readonly (T | null | undefined)[]): T | null => {
    const [first] = all
    if (!first || all.some((one) => !one)) return null
    const value = round(all.reduce((sum, one) => sum + (one?.value ?? 0), 0) / all.length, 2)
    return {
      ...first,
      value,
      score: Math.min(first.score, OF_PLOTS),
      words: all.flatMap((one) => one?.words ?? []),
    }
  }
  const drafts = [...plots.values()].flatMap((own): Draft[] => {
    const [first] = own
    if (!first) return []
    const analises = first.analises.flatMap((one) => {
      const valor = mean(own.map(({ analises: all }) => all.find(({ nome }) => nome === one.nome)?.valor))
      return valor ? [{ ...one, valor }] : []
    })
    const harvest = mean(own.map(({ produtividade }) => produtividade))
    // Of a unit that is only a guess the bare figures count.
    const bare = own.flatMap(({ produtividade }) => produtividade?.printed ?? [])
    const printed = round(bare.reduce((sum, one) => sum + one, 0) / own.length, 2)
    const produtividade = harvest && bare.length === own.length ? { ...harvest, printed } : harvest
    return [{ ...copyOf(first), produtividade, analises }]
  })
  return { ...table, drafts }
}
const OF_PLOTS = 0.7

/** So many times apart, for all treatments, two figures per hectare are not of one harvest: cane and its sugar. */
const ANOTHER_ORDER = 3

function isManyTimes(known: readonly Draft[], more: readonly Draft[]): boolean {
  const pairs = more.flatMap((draft) => {
    const same = known.find((candidate) => sameTreatment(candidate, draft))
    return draft.produtividade && same?.produtividade
      ? [[draft.produtividade.value, same.produtividade.value] as const]
      : []
  })
  return pairs.length >= 2 && pairs.every(([less, much]) => much > ANOTHER_ORDER * less)
}

/** Its figures per hectare are a measurement under their own heading. */
function takeForMeasured({ drafts, columns }: TreatmentTable): void {
  const column = columns.find(({ role }) => role === 'yield')
  const { nome, unidade } = splitUnit(column?.header ?? '')
  for (const draft of drafts) {
    const { produtividade } = draft
    draft.produtividade = null
    if (!produtividade || nome === '') continue
    const value = produtividade.value / (column?.yieldUnit?.factor ?? 1)
    draft.analises.push({ nome, unidade, valor: { ...produtividade, value: round(value, 4) } })
  }
}

/** The table that leads: one that names its treatments, with many of them. */
function rank(table: TreatmentTable): number {
  const named = table.drafts.filter((draft) => draft.nome !== null || draft.produtos.length > 0).length
  const yields = table.drafts.some((draft) => draft.produtividade !== null) ? 1.5 : 0
  return named + yields + (table.drafts.some((draft) => draft.control) ? 2 : 0) + table.score
}

function merge(drafts: Draft[], table: TreatmentTable, dropped: number): Draft[] {
  const matched =
    byDose(drafts, table.drafts) ??
    table.drafts.map((draft) => drafts.find((known) => sameTreatment(known, draft)))
  if (inStep(drafts, table.drafts, matched)) {
    table.drafts.forEach((draft, i) => {
      const known = drafts[i]
      if (known) absorb(known, draft)
    })
    return drafts
  }
  const hits = matched.filter((draft) => draft !== undefined).length
  if (hits >= Math.min(2, table.drafts.length) && hits >= 0.5 * table.drafts.length) {
    table.drafts.forEach((draft, i) => {
      const known = matched[i]
      if (known) absorb(known, draft)
      else if (draft.code !== null && hits >= 2 && !known) drafts.push({ ...draft })
    })
    return drafts.sort(byCode)
  }
  if (countsOn(drafts, table.drafts)) return [...drafts, ...table.drafts.map((draft) => ({ ...draft }))]
  if (tellsTheRest(drafts, table.drafts) && matched.every((known, i) => !known || known === drafts[i])) {
    table.drafts.forEach((draft, i) => {
      const known = drafts[i]
      if (!known) return
      // 'Rizo 300 + Azo' is short for what the list names.
      if (draft.nome && !known.control && /\s\d/.test(known.nome?.value ?? '')) known.nome = draft.nome
      absorb(known, draft)
    })
    return drafts
  }
  // Columns of a sheet printed on another page: the same rows, without their names.
  if (!table.keyed || table.drafts.every((draft) => draft.nome === null && draft.produtos.length === 0)) {
    // Rows of means and CV have no name there to be known by.
    if (
      table.drafts.length === drafts.length ||
      (table.drafts.length > drafts.length && table.drafts.length <= drafts.length + Math.max(dropped, 3))
    )
      table.drafts.forEach((draft, i) => {
        const known = drafts[i]
        if (known) absorb(known, draft)
      })
  }
  return drafts
}

/**
 * As many rows without codes as another table has with them, half of them and more with the same names in the same places
 * and none elsewhere: the others are called otherwise ('N mineral' for 'Ureia').
 */
function inStep(
  drafts: readonly Draft[],
  more: readonly Draft[],
  matched: readonly (Draft | undefined)[],
): boolean {
  const uncoded = [drafts, more].filter((list) => list.every(({ code }) => code === null))
  if (drafts.length < 4 || drafts.length !== more.length || uncoded.length !== 1) return false
  const placed = matched.filter((known, i) => known !== undefined && known === drafts[i])
  const astray = matched.filter((known, i) => known !== drafts[i] && known && !placed.includes(known))
  return placed.length >= more.length / 2 && placed.length < more.length && astray.length === 0
}

/** Rows that are only known by their dose, where each treatment has another: which it is of; null where it is not so. */
function byDose(drafts: readonly Draft[], more: readonly Draft[]): (Draft | undefined)[] | null {
  const amounts = more.map(({ code, nome, produtos, loose }) =>
    code === null && nome === null && produtos.length === 0 && loose?.length === 1
      ? (loose[0]?.dose?.value ?? null)
      : null,
  )
  const doses = drafts.map(({ control, produtos }) =>
    produtos.length === 0 && control ? 0 : produtos.length === 1 ? (produtos[0]?.dose?.value ?? null) : null,
  )
  const known = [...amounts, ...doses].every((amount) => amount !== null)
  if (!known || new Set(doses).size < doses.length || new Set(amounts).size < amounts.length) return null
  const of = amounts.map((amount) => drafts[doses.indexOf(amount)])
  return of.includes(undefined) ? null : of
}

/**
 * One lists what was applied and the other what was harvested of as many treatments, the control at the same place,
 * under names of their own ('Ureia protegida, dose reduzida', 'NitroGuard 150').
 */
function tellsTheRest(drafts: readonly Draft[], more: readonly Draft[]): boolean {
  const at = drafts.findIndex(({ control }) => control)
  const same = at >= 0 && more.findIndex(({ control }) => control) === at
  const one = drafts.filter(({ control }) => control).length + more.filter(({ control }) => control).length
  if (drafts.length < 3 || drafts.length !== more.length || !same || one !== 2) return false
  const dosed = (list: readonly Draft[]) =>
    list.filter(({ produtos }) => produtos.some(({ dose }) => dose !== null)).length >=
    0.6 * (list.length - 1)
  const measured = (list: readonly Draft[]) => list.every(({ produtividade }) => produtividade !== null)
  return dosed(drafts) !== dosed(more) && measured(drafts) !== measured(more) && !crossed(drafts, more)
}

/** Whether a product of one row stands in the name of another row of the other table, and not in its own. */
function crossed(drafts: readonly Draft[], more: readonly Draft[]): boolean {
  const word = ({ nome }: Draft['produtos'][number]) => fold(nome.value).split(/[^a-z\d]+/)[0] ?? ''
  const names = (list: readonly Draft[]) => list.map((draft) => ` ${key(draft)} `)
  const against = (list: readonly Draft[], other: readonly string[]): boolean =>
    list.some((draft, i) =>
      draft.produtos.some((product) => {
        const own = ` ${word(product)} `
        // 'Rizo 300 + Azo' for 'RizoGerais + AzoVerde'
        const short = (other[i] ?? '')
          .split(' ')
          .some((part) => part.length > 2 && own.startsWith(` ${part}`))
        return (
          own.length > 5 && !short && !other[i]?.includes(own) && other.some((name) => name.includes(own))
        )
      }),
    )
  return against(drafts, names(more)) || against(more, names(drafts))
}

/** Treatments whose codes go on where those of another table end: the same list, parted. */
function countsOn(drafts: readonly Draft[], more: readonly Draft[]): boolean {
  const last = Number(drafts.at(-1)?.code ?? Number.NaN)
  return (
    more.length > 0 &&
    more.every(({ code }, i) => Number(code ?? Number.NaN) === last + 1 + i) &&
    more.every(({ produtos, nome }) => produtos.length > 0 || nome !== null)
  )
}

function byCode(a: Draft, b: Draft): number {
  const x = Number(a.code)
  const y = Number(b.code)
  return a.code !== null && b.code !== null && Number.isFinite(x) && Number.isFinite(y) ? x - y : 0
}

/** By how much two figures of one yield may differ: rounding, and another unit of it. */
const ONE_YIELD = 0.03
const ONE_FACTOR = 1.005
/** So many tables are held against each other, and no longer ones: each with each. */
const MOST_TABLES = 12
const MOST_ROWS = 60

/**
 * Largest share of treatments to which two tables give different yields: they are of different trials, places or years.
 */
export function clashOf(tables: readonly TreatmentTable[]): number {
  const measured = tables
    .filter(
      ({ drafts, columns }) =>
        drafts.length <= MOST_ROWS &&
        drafts.filter(({ produtividade }) => produtividade).length >= 2 &&
        columns.some(({ role, guessed }) => role === 'yield' && !guessed),
    )
    .slice(0, MOST_TABLES)
  const shares = measured.flatMap((one, i) =>
    measured.slice(i + 1).map((other) => {
      const pairs = one.drafts.flatMap((draft) => {
        const same = other.drafts.find((candidate) => sameTreatment(draft, candidate))
        return draft.produtividade && same?.produtividade
          ? [[draft.produtividade.value, same.produtividade.value]]
          : []
      })
      const apart = pairs.filter(([a = 0, b = 0]) => Math.abs(a - b) > ONE_YIELD * Math.max(a, b)).length
      // What is several times as much is something else.
      if (isManyTimes(one.drafts, other.drafts) || isManyTimes(other.drafts, one.drafts)) return 0
      // By one factor for all of them: the same in another unit, as sacks of 50 kg.
      const factors = pairs.map(([a = 0, b = 1]) => a / b)
      if (pairs.length >= 3 && Math.max(...factors) < ONE_FACTOR * Math.min(...factors)) return 0
      return pairs.length < 2 ? 0 : apart / pairs.length
    }),
  )
  return Math.max(0, ...shares)
}

/** Whether two rows speak of one treatment: by code, by name, as the control. */
export function sameTreatment(a: Draft, b: Draft): boolean {
  if (a.code !== null && b.code !== null) return a.code === b.code
  if (isAlias(a, b) || isAlias(b, a)) return true
  if (a.control && b.control) return true
  if (otherDoses(a, b)) return false
  const house = HOUSE_CODE.exec(fold(a.nome?.value ?? ''))?.[1]
  if (house !== undefined && HOUSE_CODE.exec(fold(b.nome?.value ?? ''))?.[1] === house) return true
  if (a.control !== b.control && (a.control || b.control) && a.nome && b.nome) return false
  const x = key(a)
  const y = key(b)
  if (x === '' || y === '') return false
  return x === y || (Math.min(x.length, y.length) > 5 && sortedKey(x) === sortedKey(y))
}

const isAlias = ({ alias }: Draft, { nome, code }: Draft): boolean =>
  alias !== undefined && (alias === nome?.value || alias === code)

/** 'Florex' at 0,5 and 'Florex' at 1,0 mL/m are two; in other units they may be one. */
function otherDoses(a: Draft, b: Draft): boolean {
  const dosed = ({ produtos }: Draft) => produtos.filter(({ dose }) => dose !== null)
  const [x, y] = [dosed(a), dosed(b)]
  return (
    x.length > 0 &&
    x.length === y.length &&
    x.every(({ unidade }, i) => unidade === y[i]?.unidade) &&
    x.some(({ dose }, i) => dose?.value !== y[i]?.dose?.value)
  )
}

/** 'Manejo A Controle (padrão da fazenda)' is 'Manejo A'; 'Manejo A + X' is another. */
const HOUSE_CODE =
  /^((?:manejo|programa|protocolo|pacote|estrategia|faixa) (?:[a-h]|\d{1,2}))(?:$|\s*[:(–][^+]*$| (?:testemunha|controle|padrao)\b[^+]*$)/

const key = (draft: Draft): string =>
  fold(draft.nome?.value ?? draft.produtos.map((p) => p.nome.value).join(' + '))
    .replace(HOUSE_CODE, '$1')
    // 'X (4 aplicações)'
    .replace(/(?<=.{5})\([^()]*\)$/, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
const sortedKey = (name: string): string =>
  name
    .split(' ')
    .filter((word) => word !== 'e')
    .sort()
    .join(' ')

/** Doses printed on another page than the names. */
function takeLoose(known: Draft, loose: NonNullable<Draft['loose']>): void {
  if (known.control) return
  if (known.produtos.length === 0 && known.nome && loose.some((l) => l.dose))
    known.produtos = [{ nome: known.nome, dose: null, unidade: null, custo: null }]
  known.produtos.forEach((product, i) => {
    product.dose ??= loose[i]?.dose ?? null
    product.unidade ??= loose[i]?.unidade ?? null
  })
}

function absorb(known: Draft, told: Draft): void {
  // 'METARHIZ_1' is what a program calls it, and neither its name nor a product.
  const draft = isAlias(known, told) ? { ...told, nome: null, produtos: [] } : told
  known.code ??= draft.code
  if (!known.nome || (known.nome.value.length < 3 && draft.nome)) known.nome = draft.nome
  known.control ||= draft.control
  known.modalidade ??= draft.modalidade
  if (draft.produtividade && (!known.produtividade || draft.produtividade.rank > known.produtividade.rank))
    known.produtividade = draft.produtividade
  known.custo ??= draft.custo
  if (draft.parts) known.parts ??= draft.parts
  if (draft.named) known.named ??= draft.named
  if (draft.sign) known.sign ??= draft.sign
  if (draft.loose) takeLoose(known, draft.loose)
  const doses = (d: Draft): number => d.produtos.filter((product) => product.dose !== null).length
  if (doses(draft) > doses(known) || known.produtos.length === 0) known.produtos = draft.produtos
  for (const product of known.produtos) {
    const other = draft.produtos.find((p) => fold(p.nome.value) === fold(product.nome.value))
    // The same dose, whose unit stands in the other table.
    if (product.unidade === null && other?.unidade && other.dose?.value === product.dose?.value)
      product.unidade = other.unidade
    product.custo ??= other?.custo ?? null
  }
  for (const analysis of draft.analises)
    if (!known.analises.some((a) => fold(a.nome) === fold(analysis.nome))) known.analises.push(analysis)
}
