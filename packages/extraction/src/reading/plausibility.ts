import { matchLabel } from '../fields/labels.ts'
import type { Word } from '../read/page.ts'
import type { Draft } from '../treatments/draft.ts'
import { RANGES } from '../treatments/plausible.ts'
import { isWeeded } from '../treatments/weeded.ts'
import { findCrops } from '../values/lexicon.ts'
import { fold, hasLetters } from '../values/text.ts'

/** One reason for or against a reading, in log-odds. */
export interface Feature {
  name: string
  value: number
  weight: number
}

/** What is known of the document before its treatments are. */
export interface Setting {
  crop: string | null
  /** The words with figures that stand in tables. */
  figures: ReadonlySet<Word>
  /** How many treatments each table spoke of. */
  counts: readonly number[]
  /** Share of the treatments to which two tables give different yields. */
  clash: number
  /** As many treatments as the text says that there are; null: it does not say. */
  announced: number | null
  /** A table tells of several towns, or headings count trials. */
  sites: boolean
  /** It says that it compares cultivars, none of which is a control. */
  rivals: boolean
}

/** What each reason counts for a value of 1, in log-odds: learned by bench/extraction/learn.ts. */
export const WEIGHTS = {
  control: 2.88,
  rivals: 2.88,
  controls: -1.5,
  count: -2.02,
  announced: 1.67,
  codes: 2.37,
  gaps: -1.53,
  described: 4.8,
  dosed: 5.06,
  measured: 6.56,
  range: -1.84,
  spread: -2.34,
  empty: -4,
  labels: -4.46,
  costs: 2.25,
  ways: 1.59,
  analyses: 1.46,
  repeated: -2.35,
  left: -4.25,
  explained: 5.46,
  short: -3,
  clash: -15,
  treated: -4,
  sites: -12,
  crops: -12,
}

/** More rows than these are hardly the treatments of one trial. */
const MOST = 15

export const isFigure = (word: Word): boolean => /\d/.test(word.text)

/** The words that a treatment's values were read from. */
const wordsOf = (draft: Draft): Word[] =>
  [
    draft.nome,
    draft.modalidade,
    draft.produtividade,
    draft.custo,
    ...draft.produtos.flatMap(({ nome, dose, custo }) => [nome, dose, custo]),
    ...draft.analises.map(({ valor }) => valor),
  ].flatMap((found) => found?.words ?? [])

const share = (list: readonly Draft[], test: (draft: Draft) => boolean): number =>
  list.length === 0 ? 0 : list.filter(test).length / list.length

/** Why these may be the treatments of one trial, and why not. */
export function reasons(
  drafts: readonly Draft[],
  { crop, announced, figures, counts, clash, sites, rivals }: Setting,
): Feature[] {
  const value: Partial<Record<keyof typeof WEIGHTS, number>> = { clash, sites: sites ? 1 : 0 }
  const controls = drafts.filter(({ control }) => control).length
  const others = drafts.filter((draft) => !draft.control && !isWeeded(draft))
  value.control = controls === 1 ? 1 : 0
  value.rivals = rivals && controls === 0 && drafts.length > 1 ? 1 : 0
  value.controls = Math.max(0, controls - 1)
  value.count = drafts.length < 2 ? 2 - drafts.length : Math.min(2, Math.max(0, drafts.length - 12) / 3)
  value.announced = announced === null ? 0 : announced === drafts.length ? 1 : -1
  const codes = drafts.flatMap((draft) => (draft.code === null ? [] : [place(draft.code)]))
  if (codes.length > 1) {
    const sorted = [...codes].sort((a, b) => a - b)
    const on = sorted.slice(1).filter((code, i) => code === (sorted[i] ?? 0) + 1).length
    value.codes = on / (drafts.length - 1)
    value.gaps = 1 - on / (sorted.length - 1)
  }
  // What all of them had, the farm's own programme, the control had too.
  const hadByAll = ({ nome }: Draft['produtos'][number]): boolean =>
    others.length > 1 &&
    others.every(({ produtos }) => produtos.some((product) => fold(product.nome.value) === fold(nome.value)))
  value.treated = drafts.some(
    ({ control, produtos }) =>
      control && produtos.some((product) => product.dose !== null && !hadByAll(product)),
  )
    ? 1
    : 0
  value.described = share(others, (draft) => draft.produtos.length > 0)
  value.dosed = share(others, (draft) => draft.produtos.some((product) => product.dose !== null))
  value.measured = share(drafts, (draft) => draft.produtividade !== null)
  const yields = drafts.flatMap((draft) => draft.produtividade?.value ?? [])
  const range = crop ? RANGES[crop] : undefined
  if (range && yields.length > 0)
    value.range = yields.filter((kg) => kg < range[0] || kg > range[1]).length / yields.length
  if (yields.length > 1) value.spread = Math.max(...yields) > 4 * Math.min(...yields) ? 1 : 0
  value.empty = share(others, (draft) => draft.produtos.length === 0 && draft.produtividade === null)
  value.labels = share(drafts, (draft) => isLabel(draft.nome?.value ?? ''))
  value.costs = share(others, (draft) => draft.custo !== null)
  value.ways = share(others, (draft) => draft.modalidade !== null)
  value.analyses = Math.min(
    3,
    drafts.reduce((sum, { analises }) => sum + analises.length, 0) / Math.max(1, drafts.length),
  )
  value.short = share(others, (draft) => draft.produtos.length === 0 && (draft.nome?.value.length ?? 9) <= 2)
  const names = others.flatMap((draft) => draft.nome?.value ?? [])
  // 'Soja BTX 5855', 'Milho KX 3310', and no control among them: fields that somebody visited.
  const crops = drafts.map(({ nome }) => findCrops(fold(nome?.value ?? ''))[0]?.value ?? '')
  const named = crops.filter((name) => name !== '')
  value.crops = controls === 0 && named.length === drafts.length && new Set(named).size > 1 ? 1 : 0
  value.repeated = names.length > 1 ? 1 - new Set(names).size / names.length : 0
  const most = Math.max(0, ...counts.filter((count) => count <= MOST))
  value.left = most === 0 ? 0 : Math.max(0, most - drafts.length) / most
  const used = new Set(drafts.flatMap(wordsOf).filter((word) => figures.has(word)))
  value.explained = figures.size === 0 ? 0 : used.size / figures.size
  return (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    .map((name) => ({ name, value: value[name] ?? 0, weight: WEIGHTS[name] }))
    .filter((feature) => feature.value !== 0)
}

export const sumOf = (features: readonly Feature[]): number =>
  features.reduce((sum, { value, weight }) => sum + value * weight, 0)

const place = (code: string): number => (/^\d+$/.test(code) ? Number(code) : code.charCodeAt(0) - 64)

/** The name of a field or a bare figure where a treatment's name should be. */
function isLabel(name: string): boolean {
  if (name === '') return false
  return (
    !hasLetters(name) || matchLabel(name).some((m) => m.target !== 'other' && m.score >= 0.8 && m.cover > 0.6)
  )
}
