import type { Document } from '../document.ts'
import type { Pair } from '../fields/pair.ts'
import { pairsOfLines } from '../fields/pairs.ts'
import { pairsOfTable } from '../fields/table-pairs.ts'
import { wordsIn } from '../layout/run.ts'
import { readCell, readNumber } from '../values/number.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import { type Draft, normalCode, readCode } from './draft.ts'

/** Yields shown on cards or in a list, a code over each figure, with the unit in the heading of the page. */
export function fillYieldsFromCards(document: Document, drafts: readonly Draft[]): void {
  if (drafts.length < 2 || drafts.some((draft) => draft.produtividade)) return
  if (drafts.every((draft) => draft.code === null)) return
  const all = document.pages.flatMap(({ lines, tables }) => [
    ...pairsOfLines(lines),
    ...tables.flatMap(pairsOfTable),
  ])
  const coded = all.flatMap((pair) => {
    const code = /^(?:T|Trat)/i.test(pair.label) && pair.kind !== 'header' ? readCode(pair.label) : null
    return code === null ? [] : [{ ...pair, code: normalCode(code) }]
  })
  if (isPlan(coded, drafts.length)) return
  const found = drafts.map((draft) => {
    for (const pair of coded) {
      if (pair.code !== draft.code) continue
      const { value } = pair
      const unit = yieldUnit(value.text) ?? unitAbove(document, pair)
      // 'T2 | Potasol 45 4,0 kg/ha' is a product and its dose.
      const figure = /^[^\p{L}\d]{0,3}\d/u.test(value.text) && yieldUnit(value.text) !== null
      const amount = readCell(value.text) ?? (figure ? readNumber(value.text) : null)
      if (unit && amount !== null) return { unit, amount, words: wordsIn(value, 0, value.text.length) }
    }
    return null
  })
  const told = found.flatMap((entry) => entry ?? [])
  // Figures of several units are of several things, and those of a table are called by its headings.
  if (told.length < 2 || new Set(told.map(({ unit }) => unit.factor)).size > 1) return
  if (found.every((entry, i) => !entry || measures(drafts[i], entry.amount))) return
  drafts.forEach((draft, i) => {
    const entry = found[i]
    if (!entry) return
    draft.produtividade = {
      ...inKilos(entry.amount, entry.unit),
      words: entry.words,
      score: 0.8,
      method: 'list',
    }
  })
}

/** Whether a figure is known to be of something else. */
const measures = (draft: Draft | undefined, amount: number): boolean =>
  draft?.analises.some(({ valor }) => valor.value === amount) === true

/** 'Custo T2: R$ 38,00/ha': what each treatment costs, in a list of labels beside the tables. */
export function fillCostsFromPairs(document: Document, drafts: readonly Draft[]): void {
  if (drafts.some(({ custo }) => custo !== null && custo.value > 0)) return
  for (const { lines, tables } of document.pages)
    for (const { label, value } of [...pairsOfLines(lines), ...tables.flatMap(pairsOfTable)]) {
      const code = COST_OF.exec(label.trim())?.[1]
      const draft = code === undefined ? undefined : drafts.find((one) => one.code === normalCode(code))
      const amount = /^R\$/.test(value.text) ? readNumber(value.text) : null
      if (draft && amount !== null)
        draft.custo ??= {
          value: amount,
          words: wordsIn(value, 0, value.text.length),
          score: 0.8,
          method: 'list',
        }
    }
}
const COST_OF = /^(?:custo|investimento)(?: total)?(?: d[oe])?(?: tratamento| trat\.?)? T?\s?0?(\d{1,2})$/i

/** A plan of the plots: their numbers, and each treatment's code in several blocks. */
function isPlan(coded: readonly { code: string; value: Pair['value'] }[], treatments: number): boolean {
  const numbers = Map.groupBy(
    coded.filter(({ value }) => /^\d{3,4}$/.test(value.text)),
    ({ code }) => code,
  )
  const all = [...numbers.values()].flat().map(({ value }) => Number(value.text))
  // Each plot has its own number: 101 to 106, 201 to 206.
  const places = new Set(all.map((number) => number % 100))
  if (new Set(all).size < all.length || places.size > Math.max(treatments, all.length / 2)) return false
  const repeated = [...numbers.values()].filter(
    (pairs) => new Set(pairs.map(({ value }) => value.text)).size >= 2,
  )
  return repeated.length >= 0.7 * treatments
}

/** The unit of the nearest line above that names one. */
function unitAbove(document: Document, pair: Pair): ReturnType<typeof yieldUnit> {
  const layout = document.pages.find((p) => p.page.index === pair.page)
  const base = pair.value.spans[0]?.word.base ?? 0
  const lines = layout?.lines.filter((line) => line.base < base) ?? []
  for (const line of [...lines].sort((a, b) => b.base - a.base)) {
    const unit = yieldUnit(line.segments.map((s) => s.text).join(' '))
    if (unit) return unit
  }
  return null
}
