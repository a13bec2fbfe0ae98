import type { Document } from '../document.ts'
import { makeRun, type Run, runOf, sliceRun, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import { type Draft, type Found, normalCode } from './draft.ts'

/** 'R$ 18,00 (T2)', '25,4 g no T2', '9.420 kg/ha para o tratamento 2', '32,4 t/ha na testemunha (a)'. */
const AMOUNT_FIRST = new RegExp(
  String.raw`(r\$\s*)?(?<![\d.,t])(${NUMBER_SOURCE})\s*([^\d\s,;()]{1,12}(?:\s?(?:\/|por)\s?(?:ha|hectare))?)?\s*(?:(?:\(|(?:,\s*)?\b(?:no|na|em|para o?|com o?|do|ao)\s+)(?:tratamento\s+|trat\.?\s*|t\.?\s?)0?(\d{1,2})(?!\d|[.,]\d)\)?|(?:[a-z]+\s+){0,3}\(([a-h])\))`,
  'g',
)
/** 'T2 = R$ 18,00', 'T2: R$ 18,00', 'T2 com R$ 18,00'. */
const CODE_FIRST = new RegExp(
  String.raw`\b(?:t|trat\.?|tratamento)\s?0?(\d{1,2})\s*(?:[:=(–-]|\bcom\b|\bde\b)\s*(r\$\s*)(${NUMBER_SOURCE})`,
  'g',
)
const COST = /\bcust|\binvesti|\bdesembols|\bgast|\bdespes/
const GAIN = /\bganh|\bincrement|\bretorn|\blucr|\bmais\b|\bacresc|\bdiferenc/

interface Told {
  code: string
  amount: string
  at: number
  money: boolean
  unit: string
}

function toldIn(sentence: string): Told[] {
  const first = [...sentence.matchAll(AMOUNT_FIRST)].map((m) => ({
    code: m[4] ?? m[5] ?? '',
    amount: m[2] ?? '',
    at: m.index + (m[1]?.length ?? 0),
    money: m[1] !== undefined,
    unit: m[3] ?? '',
  }))
  if (first.length >= 2) return first
  return [...sentence.matchAll(CODE_FIRST)].map((m) => ({
    code: m[1] ?? '',
    amount: m[3] ?? '',
    at: m.index + m[0].length - (m[3]?.length ?? 0),
    money: true,
    unit: '',
  }))
}

const cutsOf = (run: Run): number[] =>
  [...run.text.matchAll(/(?<=[\p{L}\d)])\.\s+(?=\p{Lu})/gu)].map((m) => m.index + 1)

/** The text without its sentences that list one amount a treatment. */
export function withoutAmountLists(run: Run): Run {
  const cuts = [0, ...cutsOf(run), run.text.length]
  const parts = cuts.slice(1).map((to, i) => [cuts[i] ?? 0, to] as const)
  const kept = parts.filter(([from, to]) => [...run.folded.slice(from, to).matchAll(AMOUNT_FIRST)].length < 2)
  if (kept.length === parts.length) return run
  return makeRun(kept.flatMap(([from, to]) => wordsIn(run, from, to)))
}

/** 'Os produtos custaram R$ 18,00 (T2) e R$ 27,00 (T3)', 'A altura foi de 71 cm no T1 e 74 cm no T2'. */
export function fillBesideCodes(document: Document, drafts: readonly Draft[]): void {
  for (const layout of document.pages)
    for (const block of layout.blocks) {
      const run = runOf(block)
      const cuts = [0, ...cutsOf(run), run.text.length]
      cuts.slice(1).forEach((to, i) => {
        fillFrom(sliceRun(run, cuts[i] ?? 0, to), drafts)
      })
    }
}

function fillFrom(run: Run, drafts: readonly Draft[]): void {
  const told = toldIn(run.folded)
  const [first] = told
  if (!first || told.length < 2) return
  const before = run.folded.slice(0, first.at)
  const unit = told.map((t) => yieldUnit(`${t.amount} ${t.unit}`)).find((u) => u !== null)
  const gain = GAIN.test(before)
  const variable = first.money || unit || gain ? null : variableBefore(run.text.slice(0, first.at))
  for (const { code, amount, at, money, unit: printed } of told) {
    const draft = drafts.find((d) => d.code === normalCode(code))
    const value = toNumber(amount)
    if (!draft || value === null) continue
    const found: Found<number> = {
      value,
      words: wordsIn(run, at, at + amount.length),
      score: 0.8,
      method: 'prose',
    }
    if (money) {
      if (COST.test(run.folded) && !gain) draft.custo ??= found
    } else if (unit) {
      if (!gain) draft.produtividade ??= { ...found, ...inKilos(value, unit) }
    } else if (variable && !draft.analises.some((known) => known.nome === variable))
      draft.analises.push({ nome: variable, unidade: printed === '' ? null : printed, valor: found })
  }
}

/** 'A massa de mil grãos foi de' names what was measured. */
function variableBefore(text: string): string | null {
  const name =
    /(?:^|[.;:]\s+|,\s+)(?:[AOao]s?\s+)?(\p{L}[\p{L}\d -]{3,40}?)\s+(?:foi|foram|ficou|ficaram|chegou|atingiu|alcançou|mediu|passou|variou|somou)\b[^\d]*$/u.exec(
      text,
    )?.[1]
  return name ? name.charAt(0).toUpperCase() + name.slice(1) : null
}
