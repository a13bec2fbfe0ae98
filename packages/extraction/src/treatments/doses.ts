import { type Run, wordsIn } from '../layout/run.ts'
import type { Method } from '../result.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { type AmountUnit, DOSE_UNIT_SOURCE, printedUnit } from '../values/units.ts'
import type { DraftProduct, Found } from './draft.ts'

export const DOSE = new RegExp(
  String.raw`(?:(?:na |a )?(?:dose|dosagem|taxa)\s*(?:de|:)?\s*|[@(]\s*)?(?<![\d.,a-z])(?:\d\s*x\s*)?(${NUMBER_SOURCE})\s*(${DOSE_UNIT_SOURCE}|(?:ml|l|g)\s?\/\s?(?:m|metro|planta|cova|p[eé]|arvore|m2|m²)(?![a-z\d])|(?:ml|l|kg|g|litros?(?!\s*(?:de\s*(?:calda|agua)|por\b|\/))|quilos?(?!\s*(?:por\b|\/)))(?![a-z\d/])|(?=(?:\s*(?:\+|e)\s*(?=(${NUMBER_SOURCE}))\3){1,12}\s*(?:${DOSE_UNIT_SOURCE}|(?:ml|l|kg|g)(?![a-z\d/]))))(?![a-z\d/])\s*\)?`,
  'g',
)
/** Every dose of a text, whatever stands between. */
export function dosesIn(run: Run, method: Method): Pick<DraftProduct, 'dose' | 'unidade'>[] {
  return [...run.folded.matchAll(DOSE)].flatMap((match) => {
    const value = toNumber(match[1] ?? '')
    if (!match[1] || !match[2] || value === null) return []
    const at = match.index + match[0].indexOf(match[1])
    const words = wordsIn(run, at, at + match[1].length)
    const { unidade, factor } = printedUnit(match[2])
    return [{ dose: { value: value * factor, words, score: 0.85, method }, unidade }]
  })
}

const UNITS = new RegExp(DOSE_UNIT_SOURCE, 'g')

/** '4,0 L/ha foliar, 40 e 55 DAP': what follows the only unit of a part is how and when; every place stays its own. */
const withoutWays = ({ text, folded }: Run): string =>
  folded.length !== text.length
    ? text
    : folded.replace(/[^+;]+/g, (part, from: number) => {
        const [unit, more] = [...part.matchAll(UNITS)]
        const own = text.slice(from, from + part.length)
        if (!unit || more) return own
        const end = unit.index + unit[0].length
        return own.slice(0, end) + ' '.repeat(own.length - end)
      })

/** Between doses; 'X: 100' and below it 'Y: 150' need nothing. */
const APART = /\s*(?:\+|;|\se\s|\s\/\s|\s\|\s)\s*|(?<=\d)\s(?=\p{Lu}[\p{L} ]{1,40}:\s?\d)/gu

/** The numbers of a dose cell ('0,5 + 1,0', '200', '0,5 L/ha'); null where a dash stands. */
export function readDoses(
  run: Run,
  header: AmountUnit | null,
  method: Method,
): { dose: Found<number> | null; unidade: DraftProduct['unidade'] }[] {
  const parts: [number, number][] = []
  let at = 0
  for (const match of withoutWays(run).matchAll(APART)) {
    parts.push([at, match.index])
    at = match.index + match[0].length
  }
  parts.push([at, run.text.length])
  const units = parts.map(([from, to]) => printedUnit(run.text.slice(from, to).replace(/^[^a-zA-Z%]*/, '')))
  const shared = units.find(({ unidade }) => unidade !== null) ?? header ?? { unidade: null, factor: 1 }
  return parts.map(([from, to], i) => {
    const text = run.text.slice(from, to)
    const match = new RegExp(NUMBER_SOURCE).exec(
      // 'Vitalis 500: 200'
      text.replace(/^\s*\d\s*x\s*|^[^:]{0,60}:\s*(?=\d)/i, (lead) => ' '.repeat(lead.length)),
    )
    const value = match ? toNumber(match[0]) : null
    const { unidade, factor } = units[i]?.unidade ? units[i] : shared
    if (!match || value === null) return { dose: null, unidade }
    const start = from + match.index
    return {
      dose: {
        value: value * factor,
        words: wordsIn(run, start, start + match[0].length),
        score: 0.95,
        method,
      },
      unidade,
    }
  })
}
