import type { Document } from '../document.ts'
import { makeLines } from '../layout/lines.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { COSTS, RETURNS } from '../values/headings.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { type Draft, normalCode } from './draft.ts'

const COST =
  /\bcust(?:ou|aram|a|am|o|os)\b|\bgast(?:ou|aram|a|am|o|os)\b|\binvest(?:iu|imentos?)\b|\bsa(?:iu|iram|i) por\b/
const NO_COST = /\bprecos?\b|\breceitas?\b|\blucro\b|\bsobr(?:a|ou|aram)\b|\bganh\w+|\bretorn\w+|\bmargem\b/
const CODE = /\b(?:t|trat\.?|tratamento|faixa|parcela|manejo|programa|numero) ?0?(\d{1,2}|[a-h])\b(?!,\d)/g
const MONEY = new RegExp(
  String.raw`r\$\s*(${NUMBER_SOURCE})(?!\s*(?:\/|por|[ao])\s*(?:sc\b|sac|@|l\b|litro|kg|quilo|t\b))`,
)
/** So far behind its treatment its amount may stand. */
const NEAR = 70
const LEAST = 2

/** 'tratamento 2 ........ R$ 93,00', whatever the recognition made of the dots. */
const LISTED = new RegExp(
  String.raw`^(?:t|trat\.?|tratamento|faixa|programa|manejo)\s?0?(\d{1,2}|[a-h])\b.{0,80}?r\$\s*(${NUMBER_SOURCE})(?:\s*\/\s*ha)?$`,
)
/** So many lines above a list tell what it is of. */
const ABOVE = 6

const known = new WeakMap<object, readonly Run[]>()

/** The lines of a page, as they stand: put together once however often its tables are read. */
function linesOf(words: readonly Word[]): readonly Run[] {
  const runs = known.get(words) ?? makeLines(words, []).map((line) => makeRun(line.words))
  known.set(words, runs)
  return runs
}

function fillFromLines(runs: readonly Run[], drafts: readonly Draft[]): void {
  const told = runs.flatMap((run, i) => {
    const match = LISTED.exec(run.folded)
    const value = toNumber(match?.[2] ?? '')
    const draft = drafts.find(({ code }) => code === normalCode(match?.[1] ?? ''))
    if (!match?.[2] || value === null || !draft || (run.folded.match(/r\$/g)?.length ?? 0) > 1) return []
    const at = run.text.length - match[0].length + match[0].lastIndexOf(match[2])
    return [{ draft, value, i, words: wordsIn(run, at, at + match[2].length) }]
  })
  const [first] = told
  if (!first || told.length < LEAST_LINES || new Set(told.map(({ draft }) => draft)).size < told.length)
    return
  const above = runs
    .slice(Math.max(0, first.i - ABOVE), first.i)
    .map(({ folded }) => folded)
    .join(' ')
  if (!COSTS.test(above) || RETURNS.test(above)) return
  for (const { draft, value, words } of told) draft.custo ??= { value, words, score: 0.75, method: 'list' }
}
const LEAST_LINES = 3

/**
 * 'A faixa 2 custou R$ 41,00, a faixa 3 saiu por R$ 82,00 e a faixa 5, que leva os três, R$ 117,90': one sentence of what
 * each treatment cost, whatever stands between a treatment and its amount.
 */
export function fillToldCosts(document: Document, drafts: readonly Draft[]): void {
  if (drafts.some(({ custo }) => custo !== null && custo.value > 0)) return
  for (const { blocks, page } of document.pages) {
    fillFromLines(linesOf(page.words), drafts)
    for (const block of blocks) {
      const run = runOf(block)
      if (!run.folded.includes('r$') || !COST.test(run.folded)) continue
      for (const [from, to] of sentencesOf(run)) fillFrom(run, from, to, drafts)
    }
  }
}

function sentencesOf({ folded }: Run): [number, number][] {
  const cuts = [...folded.matchAll(/(?<=[a-z\d)])\.\s+(?=[a-z])/g)].map(({ index }) => index + 1)
  return [0, ...cuts].map((from, i) => [from, cuts[i] ?? folded.length])
}

function fillFrom(run: Run, from: number, to: number, drafts: readonly Draft[]): void {
  const text = run.folded.slice(from, to)
  if (!COST.test(text)) return
  const codes = [...text.matchAll(CODE)]
  const told = codes.flatMap((match, i) => {
    const start = match.index + match[0].length
    const part = text.slice(start, Math.min(start + NEAR, codes[i + 1]?.index ?? text.length))
    const money = MONEY.exec(part)
    const value = toNumber(money?.[1] ?? '')
    const draft = drafts.find(({ code }) => code === normalCode(match[1] ?? ''))
    if (!money?.[1] || value === null || !draft || NO_COST.test(part.slice(0, money.index))) return []
    const at = from + start + money.index + money[0].indexOf(money[1])
    return [{ draft, value, words: wordsIn(run, at, at + money[1].length) }]
  })
  take(inFront(run, from, text, drafts) ?? told)
}

interface Told {
  draft: Draft
  value: number
  words: Word[]
}
function take(told: readonly Told[]): void {
  if (told.length < LEAST || new Set(told.map(({ draft }) => draft)).size < told.length) return
  for (const { draft, value, words } of told) draft.custo ??= { value, words, score: 0.75, method: 'prose' }
}

/** 'R$ 62,00 no número 2; R$ 124,00 no número 3': each amount in front of its code; null where it is not so. */
function inFront(run: Run, from: number, text: string, drafts: readonly Draft[]): Told[] | null {
  const amounts = [...text.matchAll(new RegExp(MONEY.source, 'g'))]
  const told = amounts.flatMap((match, i): Told[] => {
    const end = match.index + match[0].length
    const [code, more] = text.slice(end, amounts[i + 1]?.index ?? text.length).matchAll(CODE)
    const value = toNumber(match[1] ?? '')
    const draft = drafts.find((one) => one.code === normalCode(code?.[1] ?? ''))
    if (!code || more || code.index > BESIDE || !draft || value === null) return []
    const at = from + match.index + match[0].indexOf(match[1] ?? '')
    return [{ draft, value, words: wordsIn(run, at, at + (match[1]?.length ?? 0)) }]
  })
  return told.length >= LEAST && told.length === amounts.length ? told : null
}
/** So near behind its amount its code stands: 'no tratamento'. */
const BESIDE = 12
