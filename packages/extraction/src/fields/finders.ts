import type { Run } from '../layout/run.ts'
import type { WeighedField } from '../values/choice.ts'
import { findCrops } from '../values/lexicon.ts'
import { findPlaces, findStates } from '../values/places.ts'
import { findDesigns } from './parsers.ts'

/** A value of the kind in a piece of text. */
export interface Found {
  value: string | number
  /** The name that the form offers for what is printed, where it offers several. */
  shown?: string
  /** How it is written. */
  form: string
  start: number
  end: number
  /** Of a date, 1..12. */
  month?: number
}

/** Everything of a field's kind that a piece of text names. */
export const FINDERS: Readonly<Record<WeighedField, (run: Pick<Run, 'text' | 'folded'>) => Found[]>> = {
  ano: ({ folded }) => findYears(folded),
  cultura: ({ folded }) =>
    findCrops(folded).map(({ value, start, end }) => ({ value, start, end, form: 'crop' })),
  tipo_estatistica: ({ folded }) =>
    findDesigns(folded).map((found) => {
      const printed = folded.slice(found.start, found.end)
      return { ...found, form: printed.slice(0, 6), ...(/^d\.?b/.test(printed) && { shown: 'DBC' }) }
    }),
  cidade: ({ text, folded }) =>
    findPlaces(text, folded).flatMap(({ city, state, start, end }) =>
      city ? [{ value: city, form: state ? 'in its state' : 'alone', start, end }] : [],
    ),
  estado: ({ text, folded }) => {
    const places = findPlaces(text, folded).filter(({ state }) => state)
    return findStates(text, folded).map((found) => ({
      ...found,
      form: places.some(({ start, end }) => start <= found.start && found.end <= end + 1)
        ? 'of a town'
        : found.end - found.start === 2
          ? 'code'
          : 'name',
    }))
  },
}

const MONTH =
  '(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?:eiro|ereiro|co|il|o|ho|osto|embro|ubro)?\\.?'
/** Its groups: a season's two years; of a date its year, month and sign, also the other way round; of a month its name or number and the year; a year by itself. */
const YEAR = new RegExp(
  [
    String.raw`(?<![\d.,/-])(?:(20[0-4]\d(?=\s?[/-])|[12]\d(?=\s?/\s?[12]\d(?!\d)))\s?[/-]\s?((?:20)?[0-4]\d)(?![\d/-])`,
    String.raw`(20[0-4]\d)-([01]\d)-[0-3]\d(?!\d)`,
    String.raw`[0-3]?\d([/.-])([01]?\d)\5(20[0-4]\d|[12]\d)(?!\d)`,
    String.raw`(?:(?:[0-3]?\d(?:\sde\s|[\s/-]))?(${MONTH})(?:\sde\s|[\s/-])|(0?[1-9]|1[0-2])/)(20[0-4]\d|[12]\d(?=[\s,;)]|$))(?!\d)`,
    String.raw`(20[0-4]\d)(?![\d/-]|[.,]\d))`,
  ].join('|'),
  'g',
)
const full = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year))

/** Of a season over two years, the one of its harvest, as people answer and as sheets are read. */
function findYears(folded: string): Found[] {
  const out: Found[] = []
  for (const match of folded.matchAll(YEAR)) {
    const put = (value: number, form: string, month?: number): void => {
      const at = { start: match.index, end: match.index + match[0].length }
      out.push({ value, form, ...at, ...(month && { month }) })
    }
    const [, first, second, iso, isoMonth, , month, dated, named, counted, ofMonth, alone] = match
    if (first && second) {
      const [from, to] = [full(first), full(second)]
      if (to === from + 1) put(to, first.length === 4 ? 'season' : 'short')
      // '2021-2023', where '21/23' is no pair of years.
      else if (first.length === 4) for (const year of new Set([from, to])) put(year, 'plain')
    } else if (iso) put(full(iso), 'date', Number(isoMonth))
    else if (dated) put(full(dated), 'date', Number(month))
    else if (ofMonth) put(full(ofMonth), 'month', named ? monthOf(named) : Number(counted))
    else if (alone) put(full(alone), 'plain')
  }
  return out
}

const monthOf = (name: string): number =>
  1 +
  ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'].indexOf(
    name.slice(0, 3),
  )
