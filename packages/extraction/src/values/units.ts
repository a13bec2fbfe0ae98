import type { DoseUnit } from '@ensaio/domain'
import { round } from './number.ts'
import { remembered } from './remembered.ts'
import { fold } from './text.ts'

/** Kilograms in one unit of yield as written on paper: sack of 60 kg, arroba of 15 kg, tonne. */
export interface YieldUnit {
  factor: number
  /** Preference when the same yield is printed in several units. */
  rank: number
  /** It is a sack whose weight is not said beside it. */
  sack?: true
}

/** A yield in kg/ha, with the preference of its unit, and how many sacks where nobody said what one weighs. */
export const inKilos = (amount: number, { factor, rank, sack }: YieldUnit) => ({
  ...{ value: round(amount * factor, 2), rank },
  ...(sack && { sacks: amount }),
})

const AREA = String.raw`\s*(?:\/|por|p\/|\.|-|\s)?\s*(?:ha(?:\s*[-^]?\s*1)?|hectares?)(?![a-z])`
/** 't de cana por ha': what is harvested as it comes from the field. */
const CROP = String.raw`(?:\s+de\s+(?:cana|colmos?|graos?|raiz(?:es)?|tuberculos?|bulbos?|frutos?|milho|soja|trigo|arroz|feijao|batata|mandioca))?`
const KILOS = new RegExp(String.raw`\b(?:kg|quilos?|kilos?|quilogramas?)${CROP}${AREA}`)
const SACKS = new RegExp(
  String.raw`\b(?:sc?s|sc|sacas?|sacos?)(?:\s*(?:de\s*)?\(?(?:20|25|40|50|60)\s*kg\)?)?(?:\s*(?:de\s+)?(?:cafe\s+)?(?:ben(?:ef(?:iciad[oa]s?)?)?|limp[oa]s?|em coco|secas?)\.?)?${AREA}`,
)
const TONNES = new RegExp(String.raw`\b(?:t|ton|tons|toneladas?|mg)${CROP}${AREA}`)
const ARROBAS = new RegExp(String.raw`(?:@|\barrobas?)${AREA}`)

const USUAL_SACK = 60

/** Oranges are counted in boxes. */
const BOXES = new RegExp(
  String.raw`\b(?:caixas?|cxs?\.?)(?:\s*\(?(?:de\s*)?(\d\d(?:[,.]\d)?)\s*kg\)?)?${AREA}`,
)
const USUAL_BOX = 40.8

/** Kilograms of a sack or box where a folded sentence says them: 'sacos de 50 kg', 'sc (50 kg)', 'caixa de 40,8 kg'. */
export const saidSack = (text: string): number | null =>
  Number(
    /\b(?:(?:scs?|sacas?|sacos?)\b(?:\/ha)? ?(?:de |\(|= ?)(?=(?:25|[2456]0) ?\D)|(?:caixas?|cxs?)\b(?:\/ha)? ?(?:de |\(|= ?))(\d\d(?:[.,]\d)?) ?(?:kg|quilos)\b(?! de n\b)/
      .exec(text)?.[1]
      ?.replace(',', '.'),
  ) || null

function sackOf(text: string): YieldUnit {
  // In a heading nothing else can be meant.
  const said = Number(/\b(?:scs?|sacas?|sacos?)\b[^\d]{0,12}(20|25|40|50|60) ?kg\b/.exec(text)?.[1]) || null
  return { factor: said ?? USUAL_SACK, rank: 2, ...(said === null && { sack: true }) }
}

/** Reads the unit of a yield out of a header, a cell or a sentence. */
export const yieldUnit = remembered((text): YieldUnit | null => {
  // In scans the slash of 't/ha' is easily read as a letter.
  const t = fold(text)
    .replace(/[⁻−]/g, '-')
    .replace(/¹/g, '1')
    .replace(/\b(sc|sacas|kg|t)[l1i|]ha\b/g, '$1/ha')
  if (SACKS.test(t)) return sackOf(t)
  const boxes = BOXES.exec(t)
  if (boxes?.[1]) return { factor: Number(boxes[1].replace(',', '.')), rank: 2 }
  if (boxes) return { factor: USUAL_BOX, rank: 2, sack: true }
  if (KILOS.test(t)) return { factor: 1, rank: 3 }
  if (TONNES.test(t)) return { factor: 1000, rank: 2 }
  if (ARROBAS.test(t)) return { factor: 15, rank: 2 }
  return null
})

/** The unit of a yield where the hectare is left unsaid ('sacas', 'sc', 'kg'); for headers known to be yield. */
export function looseYieldUnit(text: string): YieldUnit | null {
  const t = fold(text)
  const full = yieldUnit(t)
  if (full) return full
  if (/\b(sacas?|sacos?|scs?)\b/.test(t)) return sackOf(t)
  if (/\b(kg|quilos?)\b/.test(t)) return { factor: 1, rank: 3 }
  if (/@|\barrobas?\b/.test(t)) return { factor: 15, rank: 2 }
  if (/\b(t|ton|toneladas?)\b/.test(t)) return { factor: 1000, rank: 2 }
  return null
}

const PER_AREA = String.raw`\s*(?:\/|por|p\/|\.|\s|·)?\s*(?:ha(?:\s*[-^−⁻]?\s*[1¹])?|hectares?)`
const SEEDS = String.raw`(?:de\s*)?(?:sementes?|sem\.?|seeds?)`
const PER_SEED = String.raw`\s*(?:\/|por|p\/|para)?\s*(?:cada\s*)?100\s*kg(?:\s*[-^−⁻]?\s*[1¹])?(?:\s*${SEEDS})?`
/** A half of it, or what else a bag of seeds weighs. */
const PER_BAG = String.raw`\s*(?:\/|por|p\/|para)\s*(?:cada\s*)?(?:20|25|40|50|60)\s*kg(?:\s*[-^−⁻]\s*[1¹])?(?:\s*${SEEDS})?`
/** A hundredth of it. */
const PER_KILO_OF_SEED = String.raw`\s*(?:\/|por|p\/|para)\s*(?:cada\s*)?kg\s*(?:[-^−⁻]\s*[1¹]\s*)?${SEEDS}`
const PER_WATER = String.raw`\s*(?:\/|por|p\/|em|para)?\s*(?:cada\s*)?100\s*(?:l|litros)(?:\s*[-^−⁻]?\s*[1¹])?(?:\s*(?:de\s*)?(?:agua|calda))?`
/** A hundredth of it, too. */
const PER_LITRE_OF_WATER = String.raw`\s*(?:\/|por|p\/|para)\s*(?:cada\s*)?(?:l|litro)(?:\s*[-^−⁻]\s*[1¹])?(?:\s*(?:de\s*)?(?:agua|calda))?`
const MILLI = '(?:ml|mililitros?|cm3|cc)'
const LITRE = '(?:l|lt|lts|litros?)'
const KILO = '(?:kg|quilos?|quilogramas?)'
const GRAM = '(?:g|gr|gramas?)'

const DOSE_PATTERNS: readonly [DoseUnit, string][] = [
  ['mL/100 kg sementes', MILLI + PER_SEED],
  ['g/100 kg sementes', GRAM + PER_SEED],
  ['mL/100 kg sementes', MILLI + PER_BAG],
  ['g/100 kg sementes', GRAM + PER_BAG],
  ['mL/100 kg sementes', MILLI + PER_KILO_OF_SEED],
  ['g/100 kg sementes', GRAM + PER_KILO_OF_SEED],
  ['mL/100 kg sementes', String.raw`${MILLI}(?:\s?\/\s?kg|\s+por\s+kg|\s+kg\s?[-−⁻]\s?1)`],
  ['mL/100 L água', MILLI + PER_WATER],
  ['mL/ha', MILLI + PER_AREA],
  ['kg/ha', KILO + PER_AREA],
  ['g/ha', GRAM + PER_AREA],
  ['L/ha', LITRE + PER_AREA],
  ['% v/v', String.raw`%\s*(?:\(?v\s*\/\s*v\)?|v\.v|do volume|da calda|de calda|volume)`],
]
/** 'Verdalga 0,2%': less than a hundredth is of the spray; more of it is what a product holds. */
const OF_SPRAY = String.raw`(?<=(?<![\d.,])0[.,]\d{1,3}\s?)%(?!\s?[a-z\d])`
/** Lime and manure are told in tonnes; of anything else they are a harvest. */
const OF_BULK = String.raw`(?<=\b(?:calcario|gesso|composto|torta de filtro|esterco|cama de (?:frango|aviario)|po de rocha|silicato|escoria|cinzas?|biochar|adubo organico|organomineral)\b[^+;.]{0,50}?\d[\d.,]{0,6}\s{0,2})(?:t|ton|toneladas?|mg)${PER_AREA}(?![a-z])`
/** Alternation of every dose unit, and of those that no product keeps, on folded text; for larger patterns. */
export const DOSE_UNIT_SOURCE = `(?:${DOSE_PATTERNS.map(([, source]) => source).join('|')}|${MILLI}${PER_LITRE_OF_WATER}|(?:${GRAM}|${KILO}|${LITRE})${PER_WATER}|(?:${LITRE}|${KILO})${PER_SEED}|${OF_SPRAY}|${OF_BULK})`

const BAG_OF_SEED = new RegExp(`(?<![a-z])(?:${MILLI}|${GRAM})${PER_BAG}(?!\\s*\\/?\\s*ha)`)
const KILO_OF_SEED = new RegExp(
  `(?:${MILLI}|${GRAM})${PER_KILO_OF_SEED}|${MILLI}(?:\\s?\\/\\s?kg|\\s+por\\s+kg|\\s+kg\\s?[-−⁻]\\s?1)`,
)
const LITRE_OF_WATER = new RegExp(`^${MILLI}${PER_LITRE_OF_WATER}$`)
/** What a printed dose is multiplied with to stand in its unit: '2 mL/kg de sementes' is 200 mL/100 kg. */
function doseFactor(text: string): number {
  const bag = Number(/(\d+)\s*kg/.exec(BAG_OF_SEED.exec(fold(text))?.[0] ?? '')?.[1])
  return bag ? 100 / bag : KILO_OF_SEED.test(fold(text)) ? 100 : 1
}

/**
 * The unit of an amount, and what the amount is multiplied with: '2 mL/L' is 200 mL/100 L; lime and manure are told in
 * tonnes, '2,0 t/ha' is 2,000 kg/ha.
 */
export function printedUnit(text: string): AmountUnit {
  if (LITRE_OF_WATER.test(fold(text).trim())) return { unidade: 'mL/100 L água', factor: 100 }
  if (text.trim() === '%') return { unidade: '% v/v', factor: 1 }
  if (TONNES_OF_DOSE.test(fold(text).replace(/[()[\]]/g, ' '))) return { unidade: 'kg/ha', factor: 1000 }
  const bare = BARE.some(([, pattern]) => pattern.test(fold(text).trim()))
  return { unidade: doseUnit(text), factor: doseFactor(text), ...(bare && { bare: true as const }) }
}

const TONNES_OF_DOSE = new RegExp(`(?<![a-z])(?:t|ton|tons|toneladas?|mg)${PER_AREA}(?![a-z])`)
export interface AmountUnit {
  unidade: DoseUnit | null
  /** What a printed amount is multiplied with to stand in it. */
  factor: number
  /** Of what it is an amount is not printed: 'mL'. */
  bare?: true
}
const BARE: readonly [DoseUnit, RegExp][] = [
  ['mL/ha', new RegExp(`^${MILLI}$`)],
  ['kg/ha', new RegExp(`^${KILO}$`)],
  ['g/ha', new RegExp(`^${GRAM}$`)],
  ['L/ha', new RegExp(`^${LITRE}$`)],
]

const DOSES_BY_PATTERN = DOSE_PATTERNS.map(
  ([unit, source]) => [unit, new RegExp(`(?<![a-z])${source}(?![a-z])`)] as const,
)

const EITHER =
  /(?<![a-z])(?:l|litros?) ?(?:ou|e\/ou|\/|e) ?(?:kg|quilos?)(?![a-z])|(?<![a-z])(?:kg|quilos?) ?(?:ou|e\/ou|\/|e) ?(?:l|litros?)(?![a-z])/
const EITHER_SMALL =
  /(?<![a-z])ml ?(?:ou|e\/ou|\/|e) ?g(?:ramas?)?(?![a-z])|(?<![a-z])g(?:ramas?)? ?(?:ou|e\/ou|\/|e) ?ml(?![a-z])/
/** Liquids and solids as their formulations are called: 'Ramufix SC', 'Zircon WG'. */
const LIQUID = /\b(?:SC|EC|CE|EW|SL|CS|OD|SE|ME|FS|ZC)$/
const SOLID = /\b(?:WG|WP|SP|SG|DF|GR|PM)$/

/** Of a dose under 'L ou kg/ha', 'mL ou g/ha'; null where the name does not say. */
export function unitByFormulation(header: string, name: string): DoseUnit | null {
  const h = fold(header).replace(/[()[\]]/g, ' ')
  const small = EITHER_SMALL.test(h)
  if (!small && !EITHER.test(h)) return null
  if (LIQUID.test(name)) return small ? 'mL/ha' : 'L/ha'
  return SOLID.test(name) ? (small ? 'g/ha' : 'kg/ha') : null
}

/** Reads the unit of a dose; a bare 'mL' or 'kg' is taken as per hectare. */
export const doseUnit = remembered((text): DoseUnit | null => {
  const t = fold(text)
    .replace(/[()[\]]/g, ' ')
    // 'mL p.c./ha': of the product as sold.
    .replace(/\b(ml|l|kg|g) ?(?:d[eo] )?p\.? ?c\.?(?= ?(?:\/|por\b|$))/g, '$1')
    .trim()
  // 'L ou kg/ha': which of them, each product's own formulation says.
  if (EITHER.test(t) || EITHER_SMALL.test(t)) return null
  for (const [unit, pattern] of DOSES_BY_PATTERN) if (pattern.test(t)) return unit
  for (const [unit, pattern] of BARE) if (pattern.test(t)) return unit
  if (/\b(?:por|para) (?:cada )?(?:l|lt|litro)\b/.test(t)) return null
  if (/[\d/]/.test(t.replace(/^\d+(?:[.,]\d+)?\s*/, ''))) return null
  for (const [unit, pattern] of BARE)
    if (t.split(/[^a-z0-9%]+/).some((word) => pattern.test(word))) return unit
  return null
})
