import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { isControl } from '../values/lexicon.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import type { Draft } from './draft.ts'
import { YIELD } from './list-items.ts'

/** The share of the treatments without a yield that sentences must tell, for the others to be believed. */
const MOST_OF_THEM = 0.6
/** Yields of one trial are hardly further apart. */
const FARTHEST = 4
/** What was gained, what others harvest, what was applied. */
const OTHER =
  /\b(?:a mais|ganh\w+|increment\w*|acrescim\w*|diferenca|media geral|media do ensaio|vizinh\w+|regiao|dms|cv)\b/
const BEHIND = /^ ?(?:a mais|acima|sobre|de (?:ganho|vantagem|diferenca|incremento)|d[eo] \d)/
const CONTROL = /\b(?:testemunha|controle|sem aplicacao|sem produto)\b/

/**
 * 'Com X foram 8.365 kg/ha; a mistura de X com Y foi a melhor, 9.275 kg/ha': passages that name the products of one
 * treatment, or the control, before the first yield.
 */
export function fillToldYields(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter(({ produtividade }) => produtividade === null)
  if (!mayBeNamed(drafts) || open.length === 0 || drafts.some(({ sown }) => sown)) return
  const products = productsOf(drafts)
  const found = new Map<Draft, NonNullable<Draft['produtividade']>>()
  for (const { blocks } of document.pages)
    for (const { passage, told } of yieldsIn(blocks)) {
      const of = treatmentIn(passage.folded.slice(0, told.at), drafts, products)
      if (of && open.includes(of) && !found.has(of)) found.set(of, told.value)
    }
  if (found.size < Math.max(2, MOST_OF_THEM * open.length)) return
  const all = drafts.flatMap((draft) => (draft.produtividade ?? found.get(draft))?.value ?? [])
  if (Math.max(...all) > FARTHEST * Math.min(...all)) return
  for (const [draft, value] of found) draft.produtividade = value
}

/** 'Composto a 5 t/ha, R$ 475,00; Fertorg, R$ 2.130,00': what treatments cost that are told by their products. */
export function fillCostsByName(document: Document, drafts: readonly Draft[]): void {
  if (!mayBeNamed(drafts) || drafts.some(({ custo }) => custo !== null && custo.value > 0)) return
  const products = productsOf(drafts)
  const found = new Map<Draft, NonNullable<Draft['custo']>>()
  for (const { blocks } of document.pages)
    for (const [b, block] of blocks.entries()) {
      const run = runOf(block)
      const above = blocks[b - 1]
      const said = `${above ? runOf(above).folded.slice(-LEAD) : ''} ${run.folded}`
      if (!run.folded.includes('r$') || !COSTING.test(said) || PRICED.test(said)) continue
      for (const passage of passagesOf(run)) {
        let from = 0
        for (const money of passage.folded.matchAll(MONEY)) {
          const end = money.index + money[0].length
          const value = toNumber(money[1] ?? '')
          // 'R$ 338,00 (Ureia + Enxofre)'
          const behind = /^[^().;]{0,14}\(([^()]{3,60})\)/.exec(passage.folded.slice(end))?.[1]
          const of = treatmentIn(behind ?? passage.folded.slice(from, money.index), drafts, products)
          from = end
          if (!money[1] || value === null || !of || found.has(of)) continue
          const at = money.index + money[0].indexOf(money[1])
          const words = wordsIn(passage, at, at + money[1].length)
          found.set(of, { value, words, score: 0.7, method: 'prose' })
        }
      }
    }
  const treated = drafts.filter(({ control }) => !control)
  if (found.size < Math.max(2, MOST_OF_THEM * treated.length)) return
  for (const [draft, custo] of found) draft.custo ??= custo
}
/** Sentences tell of a few treatments, not of a list of sixty. */
const MOST_TREATMENTS = 30
const mayBeNamed = ({ length }: readonly Draft[]): boolean => length >= 3 && length <= MOST_TREATMENTS

/** So many letters of what stands above say what a paragraph is of. */
const LEAD = 80
const COSTING = /\b(?:cust\w+|gast\w+|invest\w+)\b/
const PRICED = /\b(?:precos?|receitas?|lucro|retorn\w+|margem)\b/
const MONEY = new RegExp(String.raw`r\$\s*(${NUMBER_SOURCE})`, 'g')

/** The names of all products, the longer ones first: 'Rizo Max' is no 'Rizo'. */
const productsOf = (drafts: readonly Draft[]): string[] =>
  [...new Set(drafts.flatMap(({ produtos }) => produtos.map(({ nome }) => fold(nome.value))))]
    .filter((name) => name.length > 3)
    .sort((a, b) => b.length - a.length)

type ToldYield = NonNullable<ReturnType<typeof yieldIn>>
const known = new WeakMap<readonly Block[], readonly { passage: Run; told: ToldYield }[]>()

/** The passages of a page that tell a yield: the same however its tables are read. */
function yieldsIn(blocks: readonly Block[]): readonly { passage: Run; told: ToldYield }[] {
  const own =
    known.get(blocks) ??
    blocks
      .flatMap((block) => passagesOf(runOf(block)))
      .flatMap((passage) => {
        const told = yieldIn(passage)
        return told ? [{ passage, told }] : []
      })
  known.set(blocks, own)
  return own
}

function passagesOf(run: Run): Run[] {
  const cuts = [...run.text.matchAll(/;\s|(?<=[\p{L}\d)])\.\s+(?=\p{Lu})|\s[—•]\s/gu)].map((m) => m.index + 1)
  return [0, ...cuts].map((from, i) => sliceRun(run, from, cuts[i] ?? run.text.length))
}

function yieldIn(run: Run): { at: number; value: NonNullable<Draft['produtividade']> } | null {
  const [match] = run.folded.matchAll(new RegExp(YIELD.source, 'g'))
  const [, printed = '', unit = ''] = match ?? []
  const [amount, per] = [toNumber(printed), yieldUnit(unit)]
  if (!match || amount === null || !per) return null
  const end = match.index + match[0].length
  if (OTHER.test(run.folded.slice(0, match.index)) || BEHIND.test(run.folded.slice(end))) return null
  const words = wordsIn(run, match.index, match.index + printed.length)
  return { at: match.index, value: { ...inKilos(amount, per), words, score: 0.75, method: 'prose' } }
}

/** The treatments that a text calls by names of their own; 'Ureia' is no name where 'Ureia + Enxofre' stands. */
function namesIn(text: string, drafts: readonly Draft[]): Draft[] {
  let rest = text
  const names = drafts
    .map((draft) => ({ draft, name: fold(draft.nome?.value ?? '') }))
    .filter(
      ({ draft, name }) =>
        !draft.control && name.length > 4 && !draft.produtos.some(({ nome }) => fold(nome.value) === name),
    )
    .sort((a, b) => b.name.length - a.name.length)
  return names.flatMap(({ draft, name }) => {
    if (!says(rest, name)) return []
    rest = rest.replaceAll(name, ' ')
    return [draft]
  })
}

/** The treatment whose products are just those that a text names. */
function treatmentIn(text: string, drafts: readonly Draft[], products: readonly string[]): Draft | null {
  const called = namesIn(text, drafts)
  if (called.length > 0) return called.length === 1 ? (called[0] ?? null) : null
  let rest = text
  const named = products.filter((name) => {
    const said = says(rest, name)
    if (said) rest = rest.replaceAll(name, ' ')
    return said
  })
  const control = CONTROL.test(rest) || isControl(rest.trim().slice(0, 40))
  const alike = drafts.filter(({ control: own, produtos }) =>
    named.length === 0
      ? control && own
      : !control &&
        !own &&
        produtos.length === named.length &&
        produtos.every(({ nome }) => named.includes(fold(nome.value))),
  )
  // The same products in other doses: those that are told.
  const told = (draft: Draft): boolean =>
    draft.produtos.every(({ dose }) =>
      dose?.words.some((word) => new RegExp(`(?<![\\d.,])${escaped(word.text)}(?![\\d]|[.,]\\d)`).test(text)),
    )
  const [only, other] = alike.length > 1 ? alike.filter(told) : alike
  return only && !other ? only : null
}

/** Whether a text has a name as words of its own. */
const says = (text: string, name: string): boolean =>
  text.includes(name) && new RegExp(`(?<![a-z])${escaped(name)}(?![a-z\\d])`).test(text)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
