import { COSTS, DOSES, GAINS, NAMES, PRODUCTS, RETURNS, STAGES, YIELDS } from '../values/headings.ts'
import { findModes } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { cleanName } from './product-names.ts'

/** 'N (kg/ha)', 'Mo (g ha-1)': an amount of what a product is given for. */
const NUTRIENT =
  /^(?:dose (?:de )?)?(N|P2O5|P₂O₅|K2O|K₂O|S|B|Zn|Mn|Mo|Cu|Si|Co|Ni|Se)\s*[([]?\s*(?:kg|g|mg)\s*(?:\/\s*ha|ha\s?[-−⁻]\s?[1¹])\s*[)\]]?$/

/** Which nutrient the heading of its amounts names, if it names nothing else. */
export const nutrientOfHeading = (header: string): string | null => NUTRIENT.exec(header)?.[1] ?? null

/** 'Maxi Zinco – sementes (mL/ha)' names a product; 'Dose (L/ha)' does not. */
export function productOfHeading(header: string): string | null {
  const nutrient = nutrientOfHeading(header)
  if (nutrient) return nutrient
  const own = cleanName(
    header
      .replace(/[([][^)\]]*[)\]]|,\s*%.*$/g, ' ')
      .replace(/^\s*dos(?:e|es|agem)\s+(?:d[aeo]\s+)?/i, '')
      .replace(/,?\s*(?:\d[\d.,]*\s*|\b)(?:mL|L|kg|g)\s*\/\s*(?:ha|100\s*kg)\b.*$/i, ''),
  )
  const h = fold(own)
  if (h.replace(/[^a-z]/g, '').length < 4 || !/^\p{Lu}/u.test(own)) return null
  if (/^(?:fertilizantes?|adubos?|formulados?|corretivos?)$/.test(h)) return null
  const known = [NAMES, PRODUCTS, DOSES, YIELDS, COSTS, STAGES, RETURNS, GAINS].some((p) => p.test(h))
  const way = findModes(h).reduce((rest, mode) => rest.replace(h.slice(mode.start, mode.end), ''), h)
  return known || way.replace(/[^a-z]/g, '').length < 4 || /\bcalda\b|\bvolume\b|\baplicad|\bconcentr/.test(h)
    ? null
    : own
}
