import { COSTS, DOSES, GAINS, NAMES, PRODUCTS, RETURNS, STAGES, YIELDS } from '../values/headings.ts'
import { findModes } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { cleanName } from './product-names.ts'

/** 'Maxi Zinco – sementes (mL/ha)' names a product; 'Dose (L/ha)' does not. */
export function productOfHeading(header: string): string | null {
  const own = cleanName(
    header
      .replace(/[([][^)\]]*[)\]]|,\s*%.*$/g, ' ')
      .replace(/^\s*dos(?:e|es|agem)\s+(?:d[aeo]\s+)?/i, '')
      .replace(/,?\s*(?:\d[\d.,]*\s*|\b)(?:mL|L|kg|g)\s*\/\s*(?:ha|100\s*kg)\b.*$/i, ''),
  )
  const h = fold(own)
  if (h.replace(/[^a-z]/g, '').length < 4 || !/^\p{Lu}/u.test(own)) return null
  const known = [NAMES, PRODUCTS, DOSES, YIELDS, COSTS, STAGES, RETURNS, GAINS].some((p) => p.test(h))
  const way = findModes(h).reduce((rest, mode) => rest.replace(h.slice(mode.start, mode.end), ''), h)
  return known || way.replace(/[^a-z]/g, '').length < 4 || /\bcalda\b|\bvolume\b|\baplicad|\bconcentr/.test(h)
    ? null
    : own
}
