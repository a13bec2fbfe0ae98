import { type Document, wordingOf } from '../document.ts'
import { type Features, likelihoods } from '../values/choice.ts'

/** What stands before an ending: 'produtividade' and 'produtividades' are one word. */
const STEM = 7
const SHORTEST = 3
/** The words of a document, each once, whatever ends them. */
export function kindFeatures(document: Document): Features {
  const features: Features = new Map([['any', 1]])
  for (const word of wordingOf(document).match(/[a-z]+/g) ?? [])
    if (word.length >= SHORTEST) features.set(word.slice(0, STEM), 1)
  return features
}

/** Log-odds of whom nothing is known, and how many words tell enough. */
const USUAL = 2.5
const ENOUGH = 80

/**
 * Log-odds that a document is the report of one trial, by its words alone: plans, minutes, price lists, leaflets and
 * what sums up many trials have words of their own. Few words leave it what documents usually are.
 */
export function oddsOfTrial(document: Document): number {
  const features = kindFeatures(document)
  const other = likelihoods('outro', [features])[0] ?? 0
  const told = Math.min(1, features.size / ENOUGH)
  return told * Math.log((1 - other) / other) + (1 - told) * USUAL
}
