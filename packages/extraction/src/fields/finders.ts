import type { Run } from '../layout/run.ts'
import type { WeighedField } from '../values/choice.ts'
import { findCrops } from '../values/lexicon.ts'
import { findPlaces, findStates } from '../values/places.ts'
import { foldInPlace } from '../values/text.ts'
import { findDesigns, parseCultivar } from './parsers.ts'

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
  /** Of a name: whether words that stand behind it were left off. */
  cut?: boolean
}

/** Towns and states are looked for in the same text, one after the other. */
let last: { text: string; places: ReturnType<typeof findPlaces> } | undefined
function placesIn(text: string, folded: string): ReturnType<typeof findPlaces> {
  if (last?.text !== text) last = { text, places: findPlaces(text, folded) }
  return last.places
}

/** Everything of a field's kind that a piece of text names. */
export const FINDERS: Readonly<
  Record<WeighedField, (run: Pick<Run, 'text' | 'folded'>, labelled?: boolean) => Found[]>
> = {
  ano: ({ folded }) => findYears(folded),
  cultura: ({ folded }) =>
    findCrops(folded).map(({ value, start, end }) => ({ value, start, end, form: 'crop' })),
  cultivar: findCultivars,
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

const NAME_WORD = String.raw`(?:\p{Lu}[\p{L}\d/.-]*|\d[\p{L}\d.-]*|\p{Ll}\d[\p{Lu}\d]*)(?<![./-])`
/** Words in capitals and figures, one behind the other. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\d.,/-])${NAME_WORD}(?:\s(?:d[aeo]s?\s)?${NAME_WORD}){0,6}`,
  'gu',
)
/** What stands before a cultivar's name: 'Cultivar', 'Híbrido simples', 'Lavoura de', its crop and the crop's kind. */
const WHAT_IT_IS =
  /^(?:cultivar|hibrido|variedade|cv\.?|material|clone|genotipo|semente|(?:lavoura|pomar|talhao|cafezal|vinhedo|canavial) d[aeo])\s/
/** Where words in capitals may be a cultivar. */
const OF_CROPS =
  /\b(?:cultivar|hibrid|variedade|cv\b|material|clone|genotip|semente|semead|plantad|plantio|lavoura|pomar|cafezal|vinhedo|canavial|talhao)/
/** 'TBIO Sonic', 'Guri INTA CL': a breeder's or a trait's letters beside a name. */
const LETTERS_AND_NAME = /^(?:[A-Z]{2,6}\s\S.*|.*\S\s[A-Z]{2,6})$/
const MOST_WORDS = 5
/** A name may have words behind it that are no part of it. */
const ENDINGS = 3

/** Names that may be a cultivar's, whole and without their first or last words. */
function findCultivars({ text, folded }: Pick<Run, 'text' | 'folded'>, labelled = false): Found[] {
  const out: Found[] = []
  const ofCrops = labelled || OF_CROPS.test(folded) || findCrops(folded).length > 0
  for (const match of text.matchAll(NAME))
    for (const lead of leadsOf(match[0])) {
      const name = match[0].slice(lead)
      const start = match.index + lead
      const words = [...name.matchAll(/\S+/g)]
      for (const last of words.slice(-ENDINGS)) {
        const value = name.slice(0, last.index + last[0].length)
        if (words.indexOf(last) >= MOST_WORDS || parseCultivar(value, foldInPlace(value))?.value !== value)
          continue
        if (!/\d/.test(value) && !ofCrops && !LETTERS_AND_NAME.test(value)) continue
        const cut = lead > 0 || last !== words.at(-1)
        out.push({ value, form: formOf(value), start, end: start + value.length, cut })
      }
    }
  return out
}

/** Where a name may begin: at its first word, or behind those that say what it is. */
function leadsOf(name: string): Set<number> {
  const folded = foldInPlace(name)
  const leads = new Set([0])
  let at = 0
  for (;;) {
    const crop = findCrops(folded.slice(at)).find(({ start }) => start === 0)
    const end = WHAT_IT_IS.exec(folded.slice(at))?.[0].length ?? (crop ? crop.end + 1 : 0)
    if (end === 0 || at + end >= name.length) return leads
    at += end
    if (folded[at - 1] !== ' ') at += folded.slice(at).search(/ |$/) + 1
    leads.add(at)
  }
}

function formOf(name: string): string {
  if (/\d/.test(name)) return /^[A-Z]/.test(name) ? 'code' : 'figure'
  return name === name.toUpperCase() ? 'capitals' : 'words'
}
