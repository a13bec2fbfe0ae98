import type { Document } from '../document.ts'
import { wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { type Features, likelihoods, wordsOf } from '../values/choice.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import { matchLabel } from './labels.ts'
import type { Pair } from './pair.ts'
import { type Piece, piecesOf } from './pieces.ts'

/** How a year is written: in '2022/23', '22/23', a date, 'out/22', or by itself. */
type Form = 'season' | 'short' | 'date' | 'month' | 'plain'

interface YearMention {
  /** Of a season over two years, the one of its harvest. */
  value: number
  form: Form
  words: Word[]
  /** Folded text around it, of the same piece. */
  before: string
  after: string
  piece: Piece
}

const MONTH =
  '(?:jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez)(?:eiro|ereiro|co|il|o|ho|osto|embro|ubro)?\\.?'
/** Its groups: a season's two years, the year of a date, of a month, one by itself. */
const YEAR = new RegExp(
  [
    String.raw`(?<![\d.,/-])(?:(20[0-4]\d(?=\s?[/-])|[12]\d(?=\s?/\s?[12]\d(?!\d)))\s?[/-]\s?((?:20)?[0-4]\d)(?![\d/-])`,
    String.raw`(20[0-4]\d)-[01]\d-[0-3]\d(?!\d)`,
    String.raw`[0-3]?\d([/.-])[01]?\d\4(20[0-4]\d|[12]\d)(?!\d)`,
    String.raw`(?:${MONTH}(?:\sde\s|[\s/-])|(?:0?[1-9]|1[0-2])/)(20[0-4]\d|[12]\d(?=[\s,;)]|$))(?!\d)`,
    String.raw`(20[0-4]\d)(?![\d/-]|[.,]\d))`,
  ].join('|'),
  'g',
)
const AROUND = 90
/** A document of more years tells nothing by them. */
const MOST = 800

const full = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year))

/** Every year that is named in the first pages and in the last one. */
export function findYears(document: Document, pairs: readonly Pair[]): YearMention[] {
  const out: YearMention[] = []
  for (const piece of piecesOf(document, pairs)) {
    const { folded } = piece.run
    for (const match of folded.matchAll(YEAR)) {
      if (out.length >= MOST) return out
      const end = match.index + match[0].length
      const put = (value: number, form: Form): void => {
        out.push({
          ...{ value, form, piece },
          words: wordsIn(piece.run, match.index, end),
          before: folded.slice(Math.max(0, match.index - AROUND), match.index),
          after: folded.slice(end, end + AROUND),
        })
      }
      const [, first, second, iso, , dated, month, alone] = match
      if (first && second) {
        const [from, to] = [full(first), full(second)]
        if (to === from + 1) put(to, first.length === 4 ? 'season' : 'short')
        // '2021-2023', where '21/23' is no pair of years.
        else if (first.length === 4) for (const year of new Set([from, to])) put(year, 'plain')
      } else if (iso ?? dated) put(full(iso ?? dated ?? ''), 'date')
      else if (month) put(full(month), 'month')
      else if (alone) put(full(alone), 'plain')
    }
  }
  return out
}

/** What a document says of each year that it names. */
export function yearsOf(
  document: Document,
  pairs: readonly Pair[],
): { value: number; mentions: readonly YearMention[]; features: Features }[] {
  const groups = Map.groupBy(findYears(document, pairs), ({ value }) => value)
  const years = [...groups.keys()].sort((a, b) => a - b)
  const all = [...groups.values()].reduce((sum, { length }) => sum + length, 0)
  const inSeason = (year: number): boolean =>
    groups.get(year)?.some(({ form }) => form === 'season' || form === 'short') ?? false
  return [...groups].map(([value, mentions]) => {
    const features: Features = new Map([['always', 1]])
    const set = (name: string, amount = 1): void => {
      features.set(name, amount)
    }
    const back = years.length - 1 - years.indexOf(value)
    set(`from the latest ${Math.min(back, 3)}`)
    set(`of years ${Math.min(years.length, 4)}`)
    if (years.length === 1) set('alone')
    if (groups.has(value + 1)) set('next is named')
    if (groups.has(value - 1)) set('last is named')
    if (inSeason(value)) set('ends a season')
    if (inSeason(value + 1)) set('begins a season')
    else if (years.some(inSeason) && !inSeason(value)) set('beside seasons')
    set('share', mentions.length / all)
    set('often', Math.min(Math.log(1 + mentions.length), 3))
    set('order', Math.min(1, Math.min(...mentions.map(({ piece }) => piece.order)) / 50))
    const [first] = groups.keys()
    if (first === value) set('first')
    for (const mention of mentions) around(mention, set)
    return { value, mentions, features }
  })
}

/** Words before and after that are looked at, and those of a label and of the lines beside. */
const NEAR = { before: 10, after: 6, label: 6, line: 5 }
const ENDS_CLAUSE = /[.;|·•](?=\s|$)/
const figureless = (text: string): string[] =>
  wordsOf(text).map((word) => (/^\d/.test(word) ? '0'.repeat(Math.min(word.length, 4)) : word))

/** What stands around one mention. */
function around(
  { form, before, after, piece }: YearMention,
  set: (name: string, amount?: number) => void,
): void {
  const { place, label, page, run, height, sizes } = piece
  set(`form ${form}`)
  set(`place ${place}`)
  set(`${form} in ${place}`)
  if (label) {
    set(`setting ${label.kind}`)
    for (const word of figureless(fold(label.text)).slice(0, NEAR.label)) {
      set(`label ${word}`)
      set(`${form} label ${word}`)
    }
    for (const { target, score } of matchLabel(label.text)) set(`label of ${target}`, score)
  }
  const [word] = run.spans
  if (page === 0 && word) {
    const y = word.word.y0 / height
    if (y < 0.15) set(`${form} at the head`)
    if (y > 0.9) set(`${form} at the foot`)
    if (word.word.size > 0.9 * sizes.largest && sizes.largest > 1.1 * sizes.usual) set(`${form} in the title`)
  }
  const told = figureless(before.split(ENDS_CLAUSE).at(-1) ?? '')
  const next = figureless(after.split(ENDS_CLAUSE)[0] ?? '')
  if (told.length === 0) set(`${form} first in ${place}`)
  else {
    set(`before ${told.at(-1)}`)
    set(`before ${told.slice(-2).join(' ')}`)
    for (const near of told.slice(-NEAR.before)) {
      set(`near before ${near}`)
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

/** Less likely years are not considered. */
const LEAST = 0.02
/** Which mention shows a year best. */
const SHOWS: Record<Form, number> = { season: 4, short: 3, plain: 2, month: 1, date: 0 }

/** The years that the trial may be of, each as likely as it is among all that are named, and none. */
export function readYears(document: Document, pairs: readonly Pair[]): Candidate[] {
  const years = yearsOf(document, pairs)
  const shares = likelihoods(
    'ano',
    years.map(({ features }) => features),
  )
  return years.flatMap(({ value, mentions }, i): Candidate[] => {
    const score = shares[i] ?? 0
    const [best] = [...mentions].sort((a, b) => worth(b) - worth(a))
    if (score < LEAST || !best) return []
    const { place, label } = best.piece
    const method = place === 'text' ? 'prose' : label ? methodOf(label.kind) : 'typed'
    return [
      { field: 'ano', value, score, words: best.words, method, ...(label && { label: fold(label.text) }) },
    ]
  })
}

function worth({ form, piece: { label } }: YearMention): number {
  const told = label ? (matchLabel(label.text).find(({ target }) => target === 'ano')?.score ?? 0) : 0
  return 10 * told + SHOWS[form]
}

const methodOf = (kind: Pair['kind']): Candidate['method'] =>
  kind === 'column' || kind === 'header' ? 'table' : kind === 'checked' ? 'checkbox' : 'label'
