import type { Document } from '../document.ts'
import { type Features, likelihoods } from '../values/choice.ts'
import { findBrands } from '../values/lexicon.ts'
import type { Candidate } from './candidate.ts'
import { featuresOf, groupNamings } from './name-features.ts'
import { findNamings, type Naming } from './namings.ts'
import type { Pair } from './pair.ts'
import { smallWords } from './pieces.ts'

/** The fields whose value is the name of a house. */
export type HouseField = 'consultoria' | 'marca'
/** Less likely names are not considered. */
const LEAST = 0.02

/** The names of a document, each with what is said of it. */
export function namesOf(
  document: Document,
  pairs: readonly Pair[],
): { key: string; namings: readonly Naming[]; features: Features }[] {
  const others = groupNamings(findNamings(document, pairs), smallWords(document))
  return [...others.groups].map(([key, namings]) => ({
    ...{ key, namings },
    features: featuresOf(key, namings, others),
  }))
}

/**
 * Every name of the document that may be the house that did the trial, or the one whose products it is about, scored by
 * how likely it is among all names and none.
 */
export function findHouses(document: Document, pairs: readonly Pair[]): Candidate[] {
  const names = namesOf(document, pairs)
  return FIELDS.flatMap((field) => {
    const shares = likelihoods(
      field,
      names.map(({ features }) => features),
    )
    return names.flatMap(({ key, namings }, i): Candidate[] => {
      const score = shares[i] ?? 0
      const best = bestOf(namings)
      // Which of the known brands it is, is told by how each is spoken of.
      const known = field === 'marca' && findBrands(key).length > 0
      if (score < LEAST || !best || known) return []
      return [
        {
          field,
          value: field === 'marca' ? best.name.replace(LEGAL_FORM, '') : best.name,
          score,
          words: best.words,
          method: methodOf(best),
        },
      ]
    })
  })
}
/** A maker is called without what its company is by law. */
const LEGAL_FORM = /,?\s(?:S\.?\/?A|Ltda|Eireli|ME)\.?$/i
const FIELDS = ['consultoria', 'marca'] as const
/** Which of its places shows a name best: beside a label, else where it stands alone, else the first. */
function bestOf(namings: readonly Naming[]): Naming | undefined {
  return (
    namings.find(({ place, whole }) => place === 'pair' && whole) ??
    namings.find(({ whole }) => whole) ??
    namings[0]
  )
}

function methodOf({ place, label }: Naming): Candidate['method'] {
  if (place === 'text') return 'prose'
  if (label) return label.kind === 'column' || label.kind === 'header' ? 'table' : 'label'
  return 'typed'
}
