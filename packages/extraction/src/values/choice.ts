import { readFileSync } from 'node:fs'
import { isOn } from '../stages.ts'

/** The fields whose value is weighed among all of its kind that a document names. */
export const WEIGHED = ['ano', 'cultura', 'cultivar', 'tipo_estatistica', 'cidade', 'estado'] as const
export type WeighedField = (typeof WEIGHED)[number]

/**
 * What a learned choice decides: which of the names is the house, the maker, and which way all
 * products were applied; for the weighed fields, which of the values that are named is the trial's; and whether the
 * document is another one than the report of one trial.
 */
export type Choice = 'consultoria' | 'marca' | 'modalidade' | 'outro' | WeighedField
/** What is said by and around a candidate, under the names that the weights are kept by. */
export type Features = Map<string, number>
/** Log-odds of each feature: that a candidate is the one. Made by bench/extraction/fit-choices.ts. */
export type Weights = Readonly<Record<Choice, Readonly<Record<string, number>>>>

let weights: Weights | undefined
/** The weights in use by choice, as they are looked up: the names of features are made anew for each document. */
const inUse = new Map<Choice, ReadonlyMap<string, number>>()
/** For judging: weights that were learned without the report that is read. */
export function withWeights(others: Weights | undefined): void {
  weights = others
  inUse.clear()
}

/** The weights of one choice, read from the file once. */
function weightsOf(choice: Choice): ReadonlyMap<string, number> {
  const known = inUse.get(choice)
  if (known) return known
  weights ??= JSON.parse(readFileSync(new URL('../data/choices.json', import.meta.url), 'utf8')) as Weights
  const own = new Map(Object.entries(weights[choice]))
  inUse.set(choice, own)
  return own
}

/** How likely each candidate is, among all of them and none: 0..1. */
export function likelihoods(choice: Choice, candidates: readonly Features[]): number[] {
  const own = isOn('weights') ? weightsOf(choice) : NONE
  const odds = candidates.map((features) => {
    let sum = 0
    for (const [name, value] of features) sum += value * (own.get(name) ?? 0)
    return Math.exp(Math.min(sum, MOST))
  })
  const all = odds.reduce((a, b) => a + b, 1)
  return odds.map((one) => one / all)
}
const NONE: ReadonlyMap<string, number> = new Map()
/** Log-odds above this are certain, and no figure overflows. */
const MOST = 50

const WORDS = /[a-z]+|\d+|[^\sa-z\d]/g
/** The words, figures and signs of a folded text. */
export const wordsOf = (text: string): string[] => text.match(WORDS) ?? []
