import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { COSTS, GAINS, RETURNS } from '../values/headings.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, inKilos, yieldUnit } from '../values/units.ts'
import type { Draft, Found } from './draft.ts'
import { YIELD_UNIT_SOURCE } from './list-items.ts'
import { type Caller, callerOf } from './told-names.ts'

/** Sentences tell of a few treatments, not of a list of sixty. */
const MOST_TREATMENTS = 30
/** So many amounts of one sentence are looked at. */
const MOST_AMOUNTS = 40
/** The share of the treatments that sentences must tell, for them to be believed. */
const MOST_OF_THEM = 0.6
/** Yields of one trial are hardly further apart. */
const FARTHEST = 4
/** So many kilograms a hectare are a harvest. */
const LEAST_HARVEST = 150
/** So far behind its amount a treatment may stand, where no other amount follows. */
const BEHIND = 60
/** So many letters of what stands above say what a paragraph is of. */
const LEAD = 80

/** What was gained, what others harvest, what was applied. */
const OTHER =
  /\b(?:a mais|ganh\w+|increment\w*|acrescim\w*|diferenca|media geral|media do ensaio|vizinh\w+|regiao|dms|cv)\b/
const OVER = /^ ?(?:a mais|acima|sobre|de (?:ganho|vantagem|diferenca|incremento)|d[eo] \d)/
const COSTING = /\b(?:cust\w+|gast\w+|invest\w+)\b/
const PRICED = /\b(?:precos?|receitas?|lucro|retorn\w+|margem)\b/
/** Of a sack or a litre it is a price. */
const PER_PIECE = /^\s*(?:(?:\/|por)\s*|[ao]\s)(?:sc\b|sac|caixa|@|l\b|litro|kg|quilo|t\b)/

/** '2.640 caixas/ha', 'R$ 18,00', '168 g', '1,5 L/ha'. */
const AMOUNT = new RegExp(
  String.raw`(r\$\s*)?(?<![\d.,/-])(${NUMBER_SOURCE})(?!\d|[.,/-]\d)(?:\s*(${YIELD_UNIT_SOURCE})|\s*(${DOSE_UNIT_SOURCE})|\s*(%|[cmµk]?[gm](?:\/[a-z\d²]{1,7})?(?![a-z\d])|mg\/[a-z]{1,3}|°\s?brix))?`,
  'g',
)

interface Amount {
  kind: 'yield' | 'money' | 'other'
  value: number
  unit: string
  start: number
  /** Of the figure. */
  at: [number, number]
  end: number
}

const known = new WeakMap<readonly Block[], readonly Sentence[]>()
interface Sentence {
  run: Run
  /** What stands before it in its paragraph, or at the end of the one above. */
  lead: string
  amounts: readonly Amount[]
}

/** The sentences of a page that tell amounts: the same however its tables are read. */
function sentencesOf(blocks: readonly Block[]): readonly Sentence[] {
  const own =
    known.get(blocks) ??
    blocks.flatMap((block, b) => {
      const run = runOf(block)
      const above = blocks[b - 1]
      const lead = above ? runOf(above).folded.slice(-LEAD) : ''
      const cuts = [...run.text.matchAll(/(?<=[\p{L}\d)%])\.\s+(?=\p{Lu})|\s[—•]\s/gu)].map(
        (m) => m.index + 1,
      )
      return [0, ...cuts].flatMap((from, i): Sentence[] => {
        const to = cuts[i] ?? run.text.length
        if (!/\d/.test(run.text.slice(from, to))) return []
        const sentence = sliceRun(run, from, to)
        const amounts = amountsIn(sentence.folded)
        return amounts.length > 0
          ? [{ run: sentence, lead: `${lead} ${run.folded.slice(Math.max(0, from - LEAD), from)}`, amounts }]
          : []
      })
    })
  known.set(blocks, own)
  return own
}

function amountsIn(folded: string): Amount[] {
  const found: Amount[] = []
  for (const match of folded.matchAll(AMOUNT)) {
    const [whole, money, printed = '', harvest, dose, unit = ''] = match
    const value = toNumber(printed)
    if (dose !== undefined || value === null) continue
    const from = match.index + (money?.length ?? 0)
    found.push({
      kind: money ? 'money' : harvest ? 'yield' : 'other',
      ...{ value, unit: harvest ?? unit, start: match.index },
      ...{ at: [from, from + printed.length], end: match.index + whole.length },
    })
    if (found.length >= MOST_AMOUNTS) break
  }
  return found
}

type Told = { draft: Draft; amount: Amount }[]

/** 'R$ 338,00 (Ureia + Enxofre)' */
const IN_BRACKETS = /^[^().;]{0,14}\(([^()]{3,60})\)/

/** Amounts of one kind, each with the treatment that stands before it, or behind it: whichever tells more of them. */
function paired({ run }: Sentence, amounts: readonly Amount[], who: Caller): Told {
  const between = (from: number, to: number): Draft | null =>
    who(run.text.slice(from, to), run.folded.slice(from, to))
  const bracketed = amounts.map(({ end }) => {
    const match = IN_BRACKETS.exec(run.folded.slice(end))
    const to = end + (match?.[0].length ?? 0)
    return { draft: match ? between(end, to) : null, to }
  })
  const before = amounts.map(({ start }, i) => {
    const last = bracketed[i - 1]
    const from = last?.draft ? last.to : (amounts[i - 1]?.end ?? 0)
    return bracketed[i]?.draft ?? between(from, start)
  })
  const behind = amounts.map(({ end }, i) =>
    between(end, amounts[i + 1]?.start ?? Math.min(run.text.length, end + BEHIND)),
  )
  const told = (drafts: readonly (Draft | null)[]): Told =>
    drafts.flatMap((draft, i) => {
      const amount = amounts[i]
      return draft && amount && drafts.indexOf(draft) === drafts.lastIndexOf(draft) ? [{ draft, amount }] : []
    })
  const [first, second] = [told(before), told(behind)]
  // 'Foi de 168 g na testemunha, 174 g com X': what stands before the first is of none.
  const infront = second.length > first.length || (second.length === first.length && before[0] === null)
  return infront ? second : first
}

const foundOf = (run: Run, { value, at }: Amount, score: number): Found<number> => ({
  ...{ value, words: wordsIn(run, at[0], at[1]), score, method: 'prose' },
})

/**
 * 'Com X foram 8.365 kg/ha; a mistura de X com Y foi a melhor, 9.275 kg/ha', 'o peso foi de 168 g no A, 177 g no B', 'o custo
 * foi de R$ 236,00/ha no talhão B': amounts of one kind in a sentence, each beside the one treatment that it is of,
 * whatever that is called by.
 */
export function fillToldAmounts(document: Document, drafts: readonly Draft[]): void {
  if (drafts.length < 3 || drafts.length > MOST_TREATMENTS) return
  const who = callerOf(drafts)
  const sentences = document.pages.flatMap(({ blocks }) => sentencesOf(blocks))
  fillYields(sentences, drafts, who)
  fillCosts(sentences, drafts, who)
  for (const sentence of sentences) fillMeasured(sentence, drafts, who)
}

function fillYields(sentences: readonly Sentence[], drafts: readonly Draft[], who: Caller): void {
  const open = drafts.filter(({ produtividade }) => produtividade === null)
  if (open.length === 0 || drafts.some(({ sown }) => sown)) return
  const found = new Map<Draft, NonNullable<Draft['produtividade']>>()
  for (const sentence of sentences) {
    const { run } = sentence
    const harvests = sentence.amounts.filter(({ kind }) => kind === 'yield')
    for (const { draft, amount } of paired(sentence, harvests, who)) {
      const unit = yieldUnit(amount.unit)
      const from = harvests[harvests.indexOf(amount) - 1]?.end ?? 0
      // '20 kg/ha' was applied.
      if (!unit || !open.includes(draft) || found.has(draft) || amount.value * unit.factor < LEAST_HARVEST)
        continue
      if (OTHER.test(run.folded.slice(from, amount.start)) || OVER.test(run.folded.slice(amount.end)))
        continue
      found.set(draft, { ...foundOf(run, amount, 0.75), ...inKilos(amount.value, unit) })
    }
  }
  // Where one alone is left out of the tables, one sentence tells it.
  if (found.size < Math.max(Math.min(2, open.length), MOST_OF_THEM * open.length)) return
  const all = drafts.flatMap((draft) => (draft.produtividade ?? found.get(draft))?.value ?? [])
  if (Math.max(...all) > FARTHEST * Math.min(...all)) return
  for (const [draft, value] of found) draft.produtividade = value
}

function fillCosts(sentences: readonly Sentence[], drafts: readonly Draft[], who: Caller): void {
  if (drafts.some(({ custo }) => custo !== null && custo.value > 0)) return
  const found = new Map<Draft, Found<number>>()
  for (const sentence of sentences) {
    const { run, lead } = sentence
    const money = sentence.amounts.filter(
      ({ kind, end }) => kind === 'money' && !PER_PIECE.test(run.folded.slice(end)),
    )
    if (money.length === 0 || !tellsCosts(lead, run.folded)) continue
    for (const { draft, amount } of paired(sentence, money, who))
      if (!found.has(draft)) found.set(draft, foundOf(run, amount, 0.7))
  }
  const treated = drafts.filter(({ control }) => !control)
  if (found.size < Math.max(2, MOST_OF_THEM * treated.length)) return
  for (const [draft, custo] of found) draft.custo ??= custo
}

/** 'O custo, aos preços de maio, foi de': what is told of prices and gains first is of them. */
function tellsCosts(lead: string, sentence: string): boolean {
  const priced = sentence.search(PRICED)
  const costing = sentence.search(COSTING)
  return costing < 0 ? priced < 0 && COSTING.test(lead) : priced < 0 || costing < priced
}

/** What was measured: named at the head of the sentence, one figure a treatment. */
function fillMeasured(sentence: Sentence, drafts: readonly Draft[], who: Caller): void {
  const { run, amounts } = sentence
  const others = amounts.filter(({ kind, at }) => kind === 'other' && run.text[at[0] - 1] !== '(')
  for (const own of Map.groupBy(others, ({ unit }) => unit).values()) {
    const [first] = own
    if (!first || own.length < 2) continue
    const told = paired(sentence, own, who)
    // '1 – testemunha, 2 – X': they count the treatments.
    const counts = told.every(({ amount: { value } }) => Number.isInteger(value) && value <= drafts.length)
    const enough = told.length >= Math.max(2, MOST_OF_THEM * drafts.length)
    const nome = enough && !counts ? subjectOf(run.text) : null
    if (nome === null) continue
    const values = told.map(({ draft, amount }) => ({ draft, valor: foundOf(run, amount, 0.7) }))
    const isKnown = values.some(({ draft, valor }) =>
      draft.analises.some(
        (one) => fold(one.nome) === fold(nome) || one.valor.words.some((word) => valor.words.includes(word)),
      ),
    )
    if (isKnown) continue
    for (const { draft, valor } of values)
      draft.analises.push({ nome, unidade: first.unit === '' ? null : first.unit, valor })
  }
}

/** 'O peso médio da fruta foi de', 'O Brix, medido em 20 frutas, foi de' */
const SUBJECT =
  /^(?:(?:[AOao]s?|J[áa] [ao]s?|No caso d[ao]s?)\s)?(?!(?:Com|Sem|Em|N[ao]s?|Onde|Quanto|Para|Pelo|Pela|Quando|Ao?)\s)(\p{L}[\p{L}\d -]{2,40}?)\s*(?:,|\(|\s(?:foi|foram|ficou|ficaram|chegou|chegaram|atingiu|atingiram|alcançou|mediu|passou|variou|somou|caiu|subiu|era|eram|esteve|deu)\s)/u
function subjectOf(text: string): string | null {
  const name = SUBJECT.exec(text.trim())?.[1]
  if (!name || [COSTS, GAINS, RETURNS].some((of) => of.test(fold(name)))) return null
  return name.charAt(0).toUpperCase() + name.slice(1)
}
