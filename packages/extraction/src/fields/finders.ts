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

/** Towns and states are looked for in the same text, one after the other. */
let last: { text: string; places: ReturnType<typeof findPlaces> } | undefined
function placesIn(text: string, folded: string): ReturnType<typeof findPlaces> {
  if (last?.text !== text) last = { text, places: findPlaces(text, folded) }
  return last.places
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
    placesIn(text, folded).flatMap(({ city, state, start, end }) =>
      city ? [{ value: city, form: state ? 'in its state' : 'alone', start, end }] : [],
    ),
  estado: ({ text, folded }) => {
    const places = placesIn(text, folded).filter(({ state }) => state)
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
  '(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?:eiro|ereiro|co|il|o|ho|sto|embro|ubro)?\\.?'
const FULL = String.raw`20[0-4]\d`
/** Of two figures where nothing goes on. */
const SHORT = String.raw`[12]\d(?=[\s,;).:]|$)`
/** A date, the other way round; a season's two years; a date; a month by name or number and its year; a year by itself. */
const YEAR = new RegExp(
  [
    String.raw`(?<![\d.,/]|\d-)(?:(?<iso>${FULL})([/-])(?<isoMonth>[01]\d)\2[0-3]\d(?!\d)`,
    String.raw`(?<from>${FULL}(?=\s?[/-])|[12]\d(?=\s?/\s?[12]\d(?!\d)))\s?[/-]\s?(?<to>(?:20)?[0-4]\d)(?!\d|/\d)`,
    String.raw`[0-3]?\d(?:([/-])(?<month>[01]?\d)\6(?<dated>${FULL}|[12]\d)|\.(?<stopMonth>[01]?\d)\.(?<stopped>${FULL}))(?!\d)`,
    String.raw`(?:[0-3]?\d(?:\sde\s|[\s/-]))?(?<![a-z])(?<named>${MONTH})(?:\sde\s|[\s/-]|(?<=\.))(?<ofNamed>${FULL}|${SHORT})(?!\d)`,
    String.raw`(?<counted>0?[1-9]|1[0-2])[/-](?<ofCounted>${FULL})(?!\d)`,
    String.raw`(?<alone>${FULL})(?!\d|[.,]\d|[/-]\s?(?:20)?[0-4]\d(?!\d)))`,
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
      out.push({ value, form, ...at, ...(month && month <= 12 && { month }) })
    }
    const { iso, isoMonth, from, to, named, ofNamed, counted, ofCounted, alone, ...date } = match.groups ?? {}
    const dated = date.dated ?? date.stopped
    if (iso) put(full(iso), 'date', Number(isoMonth))
    else if (from && to) {
      const [first, last] = [full(from), full(to)]
      if (last === first + 1) put(last, from.length === 4 ? 'season' : 'short')
      // '2021-2023'; of '2023/05' the second is no year, and '21/23' is no pair of years.
      else if (from.length === 4)
        for (const year of last > first ? [first, last] : [first]) put(year, 'plain')
    } else if (dated) put(full(dated), 'date', Number(date.month ?? date.stopMonth))
    else if (named && ofNamed) put(full(ofNamed), 'month', monthOf(named))
    else if (ofCounted) put(full(ofCounted), 'month', Number(counted))
    else if (alone) put(full(alone), 'plain')
  }
  return out
}

const monthOf = (name: string): number =>
  1 +
  ['jan', 'fev', 'mar', 'abr', 'mai', 'jun', 'jul', 'ago', 'set', 'out', 'nov', 'dez'].indexOf(
    name.slice(0, 3),
  )
