import type { Document } from '../document.ts'
import { textOf } from '../layout/lines.ts'
import { wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { type Features, likelihoods, WEIGHED, type WeighedField, wordsOf } from '../values/choice.ts'
import { findCrops } from '../values/lexicon.ts'
import { isCity } from '../values/places.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import { FINDERS, type Found } from './finders.ts'
import { MAKER_WORD } from './houses.ts'
import { matchLabel } from './labels.ts'
import { keyOf } from './namings.ts'
import type { Pair } from './pair.ts'
import { type Piece, piecesOf, shareSmall, smallWords } from './pieces.ts'

/** A value as it stands in one place of the document. */
interface Mention extends Found {
  words: Word[]
  /** Folded text around it, of the same piece. */
  before: string
  after: string
  piece: Piece
}

/** One of the values that a field may have, with all that is said of it. */
export interface Weighed {
  value: string | number
  mentions: readonly Mention[]
  features: Features
}

const AROUND = 90
/** Of more values of one kind the first tell as much. */
const MOST = 800

/** What a document says of each value that its pieces name, by field. */
export function weigh(document: Document, pairs: readonly Pair[]): Record<WeighedField, Weighed[]> {
  const mentions = byField((): Mention[] => [])
  const found = new Map<string, Found[]>()
  for (const piece of piecesOf(document, pairs)) {
    const { text, folded } = piece.run
    for (const field of WEIGHED) {
      if (mentions[field].length >= MOST) continue
      // The same text stands on its line, in its cell and beside its label.
      const key = `${field} ${piece.label !== null} ${text}`
      const here = found.get(key) ?? FINDERS[field](piece.run, piece.label !== null)
      found.set(key, here)
      for (const one of here) {
        if (mentions[field].length >= MOST) break
        mentions[field].push({
          ...{ ...one, piece },
          words: wordsIn(piece.run, one.start, one.end),
          before: folded.slice(Math.max(0, one.start - AROUND), one.start),
          after: folded.slice(one.end, one.end + AROUND),
        })
      }
    }
  }
  const small = smallWords(document)
  return byField((field) => {
    const groups = Map.groupBy(mentions[field], ({ value }) =>
      field === 'cultivar' ? keyOf(String(value)) : value,
    )
    return [...groups].map(([key, own]) => ({
      ...{ value: own[0]?.value ?? key, mentions: own },
      features: featuresOf(field, key, groups, small),
    }))
  })
}

const byField = <T>(of: (field: WeighedField) => T): Record<WeighedField, T> =>
  // Object.fromEntries forgets which keys it was given.
  Object.fromEntries(WEIGHED.map((field) => [field, of(field)])) as Record<WeighedField, T>

type Groups = ReadonlyMap<string | number, readonly Mention[]>
/** Values of few kinds are likelier or less likely by themselves. */
const OF_A_LIST = new Set<WeighedField>(['cultura', 'tipo_estatistica'])

function featuresOf(
  field: WeighedField,
  value: string | number,
  groups: Groups,
  small: ReadonlySet<string>,
): Features {
  const features: Features = new Map([['always', 1]])
  const set = (name: string, amount = 1): void => {
    features.set(name, amount)
  }
  const own = groups.get(value) ?? []
  const all = [...groups.values()].reduce((sum, { length }) => sum + length, 0)
  const [first] = groups.keys()
  set(`of values ${Math.min(groups.size, 4)}`)
  set('share', own.length / all)
  set('often', Math.min(Math.log(1 + own.length), 3))
  set('order', Math.min(1, Math.min(...own.map(({ piece }) => piece.order)) / 50))
  if (groups.size === 1) set('alone')
  if (first === value) set('first')
  if (Math.max(...[...groups.values()].map(({ length }) => length)) === own.length) set('most often')
  if (OF_A_LIST.has(field)) set(`value ${value}`)
  if (typeof value === 'number') amongYears(value, groups, set)
  if (field === 'cultivar') {
    ofName(String(value), own, groups, set)
    set('small letters', shareSmall(String(value), small))
  }
  for (const mention of own) around(mention, set)
  return features
}

type Put = (name: string, amount?: number) => void

/** A year beside the others that are named. */
function amongYears(year: number, groups: Groups, set: Put): void {
  const years = [...groups.keys()].map(Number).sort((a, b) => a - b)
  const inSeason = (one: number): boolean =>
    groups.get(one)?.some(({ form }) => form === 'season' || form === 'short') ?? false
  set(`from the latest ${Math.min(years.length - 1 - years.indexOf(year), 3)}`)
  if (groups.has(year + 1)) set('next is named')
  if (groups.has(year - 1)) set('last is named')
  const months = groups.get(year)?.flatMap(({ month }) => month ?? []) ?? []
  if (months.length > 0 && months.every((month) => month >= SPRING))
    set(groups.has(year + 1) ? 'spring only, next is named' : 'spring only')
  if (inSeason(year)) set('ends a season')
  if (inSeason(year + 1)) set('begins a season')
  else if (years.some(inSeason) && !inSeason(year)) set('beside seasons')
}

/** A cultivar's name by itself: its letters and figures, and what else is called so. */
function ofName(key: string, own: readonly Mention[], groups: Groups, set: Put): void {
  const words = wordsOf(key)
  set(`words ${key.split(' ').length}`)
  set('words', key.split(' ').length)
  for (const word of words) if (/[a-z]/.test(word)) set(`word ${word}`)
  set(`shape ${key.replace(/[a-z]+/g, 'a').replace(/\d+/g, '0')}`)
  if (isCity(key)) set('town')
  if (MAKER_WORD.test(key)) set('called a maker')
  const [first = ''] = words
  if (first.length > 3) set(`begins ${first.slice(0, 4)}`)
  if (own.every(({ cut }) => cut)) set('only cut')
  if (own.some(({ after }) => DOSED.test(after))) set('dosed')
  const inLonger = [...groups].filter(([other]) => other !== key && ` ${other} `.includes(` ${key} `))
  if (inLonger.length > 0) set('in a longer one')
  set(
    'share in longer ones',
    Math.min(1, inLonger.reduce((sum, [, { length }]) => sum + length, 0) / own.length),
  )
  for (const { before, piece } of own) {
    const crops = findCrops(before)
    if (crops.some(({ end }) => /^\W*$/.test(before.slice(end)))) set('behind its crop')
    if (piece.label && findCrops(fold(piece.label.text)).length > 0) set('crop as label')
    if (piece.run.text.length < key.length + 4) set(`whole ${piece.place}`)
  }
}
/** 'Azonord (0,3 L/ha)': a product. */
const DOSED = /^[^.;]{0,24}?\d\s?(?:l|ml|kg|g|mg)\b/

/** What is sown in spring is harvested in the next year. */
const season = (month: number): string => (month >= SPRING ? 'in spring' : 'before spring')
const SPRING = 8

/** Words before and after that are looked at, and those of a label and of the lines beside. */
const NEAR = { before: 10, after: 6, label: 6, line: 5 }
const ENDS_CLAUSE = /[.;|·•](?=\s|$)/
const figureless = (text: string): string[] =>
  wordsOf(text).map((word) => (/^\d/.test(word) ? '0'.repeat(Math.min(word.length, 4)) : word))

/** What stands around one mention. */
function around({ form, before, after, piece, month }: Mention, set: Put): void {
  const { place, label, page, run, height, sizes } = piece
  set(`form ${form}`)
  set(`place ${place}`)
  set(`${form} in ${place}`)
  if (month) set(`month ${month}`)
  if (label) {
    set(`setting ${label.kind}`)
    for (const word of figureless(fold(label.text)).slice(0, NEAR.label)) {
      set(`label ${word}`)
      set(`${form} label ${word}`)
      if (month) set(`${season(month)} ${word}`)
    }
    for (const { target, score } of matchLabel(label.text)) set(`label of ${target}`, score)
  }
  const [first] = run.spans
  if (page === 0 && first) {
    const y = first.word.y0 / height
    if (y < HEAD) set(`${form} at the head`)
    if (y > FOOT) set(`${form} at the foot`)
    if (first.word.size > 0.9 * sizes.largest && sizes.largest > 1.1 * sizes.usual)
      set(`${form} in the title`)
  }
  const told = figureless(before.split(ENDS_CLAUSE).at(-1) ?? '')
  const next = figureless(after.split(ENDS_CLAUSE)[0] ?? '')
  if (told.length === 0) set(`${form} first in ${place}`)
  else {
    set(`before ${told.at(-1)}`)
    set(`before ${told.slice(-2).join(' ')}`)
    for (const near of told.slice(-NEAR.before)) {
      set(`near before ${near}`)
      if (month) set(`${season(month)} ${near}`)
      set(`${form} near before ${near}`)
    }
  }
  if (next.length === 0) set(`${form} last in ${place}`)
  else {
    set(`after ${next[0]}`)
    for (const near of next.slice(0, NEAR.after)) set(`near after ${near}`)
  }
  for (const near of figureless(fold(piece.above)).slice(0, NEAR.line)) set(`above ${near}`)
  for (const near of figureless(fold(piece.below)).slice(0, NEAR.line)) set(`below ${near}`)
}
/** Shares of the page above which is its head, and below which its foot. */
const HEAD = 0.15
const FOOT = 0.9

/** Less likely values are not considered. */
const LEAST = 0.02

/** The values that the weighed fields may have, each as likely as it is among all that are named, and none. */
export function findWeighed(document: Document, pairs: readonly Pair[]): Candidate[] {
  const weighed = weigh(document, pairs)
  const labels = new Set(pairs.map(({ label }) => labelOf(label)))
  return WEIGHED.flatMap((field) => {
    const shares = likelihoods(
      field,
      weighed[field].map(({ features }) => features),
    )
    return weighed[field].flatMap((one, i): Candidate[] => {
      const score = shares[i] ?? 0
      if (score < LEAST) return []
      const { value, mentions } = (field === 'cultivar' && wholeOf(one, weighed.cultivar, labels)) || one
      const best = mentions.reduce((a, b) => (worth(field, b) > worth(field, a) ? b : a))
      const { place, label } = best.piece
      const method = place === 'text' ? 'prose' : label ? methodOf(label.kind) : 'typed'
      const shown = best.shown ?? value
      return [
        { field, value: shown, score, words: best.words, method, ...(label && { label: fold(label.text) }) },
      ]
    })
  })
}

/** A name that goes on where its line ends: whole in one piece of text, and broken off in another of the same words. */
function wholeOf(part: Weighed, all: readonly Weighed[], labels: ReadonlySet<string>): Weighed | undefined {
  const begins = `${keyOf(String(part.value))} `
  return all.find(
    ({ value, mentions }) =>
      keyOf(String(value)).startsWith(begins) &&
      mentions.some(
        (long) => !long.cut && part.mentions.some((short) => !short.cut && goesOn(short.words, long, labels)),
      ),
  )
}

/** Whether a mention is these words and others for which their line had no room: what has room below is another thing. */
function goesOn(
  words: readonly Word[],
  { words: whole, piece }: Mention,
  labels: ReadonlySet<string>,
): boolean {
  const last = words.at(-1)
  const next = whole[words.length]
  if (!last || !next || !words.every((word) => whole.includes(word)) || next.y0 < last.y1) return false
  const right = Math.max(...piece.run.spans.map(({ word }) => word.x1))
  const room = right - last.x1 - last.size * SPACE
  return room < next.x1 - next.x0 && !labels.has(labelOf(textOf(whole.slice(words.length))))
}
/** A label without the dots and the colon that lead to its value. */
const labelOf = (text: string): string => fold(text).replace(/[\s.:]+$/, '')
/** Width of a space, in sizes of its type. */
const SPACE = 0.25

/** Which mention shows a value best: beside a label of the field, and in its fullest form. */
function worth(field: WeighedField, { form, piece: { label } }: Mention): number {
  const told = label ? (matchLabel(label.text).find(({ target }) => target === field)?.score ?? 0) : 0
  return told + (FULL.has(form) ? 0.5 : 0) - (form === 'date' ? 0.2 : 0)
}
const FULL = new Set(['season', 'short', 'in its state'])

const methodOf = (kind: Pair['kind']): Candidate['method'] =>
  kind === 'column' || kind === 'header' ? 'table' : kind === 'checked' ? 'checkbox' : 'label'
