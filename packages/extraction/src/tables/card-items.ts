import type { Segment } from '../layout/lines.ts'
import { textOf } from '../layout/lines.ts'
import { overlap } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'
import { readNumber } from '../values/number.ts'
import { hasLetters } from '../values/text.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import { tellsApplication } from './apart.ts'
import type { Card, Item } from './card-table.ts'

const LONGEST_LABEL = 40
/** Sizes of type by which a label is smaller than its figure. */
const SMALLER = 0.5
/** How far, in sizes of type, a figure may stand from what it is called. */
const NEAR = 1.2
/** Figures times what they may be called: a card has a dozen of each. */
const MOST_PAIRS = 2500
/** In kg/ha: less may be a dose. */
const LEAST_YIELD = 700

const AMOUNT = String.raw`[-+−]?\s?(?:R\$\s?)?\d[\d.,]*`
/** A figure with its unit, and nothing else but a pictogram before it. */
export const VALUE = new RegExp(
  `^(?:[^\\p{L}\\p{N}\\s+−-]\\s)?${AMOUNT}(?:\\s?[\\p{L}%°º/²³⁻¹ .-]{0,14})?$`,
  'u',
)
/** 'Rendimento: 512 L/sc', 'Investimento R$ 24,90/ha' */
const LABELLED =
  /^(\p{L}[^:]{1,39}?)\s*(?::\s*(?=(?:R\$\s*)?[-+−]?\d)|(?=\sR\$\s?\d[\d.,]*(?:\s?\/\s?\p{L}+)?$))/u

/**
 * What the pieces of a card tell besides its name: figures by what stands nearest over, under or before them, and what is
 * neither a figure nor its label.
 */
export function readItems(segments: readonly Segment[]): Pick<Card, 'told' | 'items'> {
  const used = new Set<Segment>()
  const items: { at: number; item: Item }[] = []
  for (const segment of segments) {
    const item = labelledIn(segment)
    if (!item) continue
    used.add(segment)
    items.push({ at: segment.base, item })
  }
  const values = segments.filter((one) => !used.has(one) && VALUE.test(one.text.trim()))
  const labels = segments.filter(
    (one) =>
      !used.has(one) &&
      hasLetters(one.text) &&
      !/^[\d+•]/.test(one.text) &&
      one.text.length <= LONGEST_LABEL &&
      !tellsApplication(one.words),
  )
  // So many pieces are no card.
  const few = values.length * labels.length <= MOST_PAIRS
  const pairs = (few ? values : [])
    .flatMap((value) => labels.map((label) => ({ value, label, gap: gapOf(value, label) })))
    .filter(({ gap }) => gap < Infinity)
    .sort((a, b) => a.gap - b.gap)
  for (const { value, label } of pairs) {
    if (used.has(value) || used.has(label)) continue
    used.add(value)
    used.add(label)
    items.push({ at: Math.min(value.base, label.base), item: itemOf(value, label) })
  }
  for (const value of values) {
    if (used.has(value)) continue
    // '+5,7 sc' beside a name: what was gained.
    if (/^[+−-]/.test(value.text)) used.add(value)
    const printed = value.text.replace(new RegExp(`^${AMOUNT}\\s?`), '')
    const unit = yieldUnit(printed)
    const amount = readNumber(value.text)
    if (!unit || amount === null || inKilos(amount, unit).value < LEAST_YIELD) continue
    used.add(value)
    items.push({ at: value.base, item: { label: printed, labelWords: value.words, value: value.words } })
  }
  return {
    told: toldIn(segments.filter((one) => !used.has(one))),
    items: items.sort((a, b) => a.at - b.at).map(({ item }) => item),
  }
}

/** What bullets or lines of doses part, semicolons part in a cell; a remark may stand over them. */
function toldIn(segments: readonly Segment[]): Word[] {
  const words = segments.flatMap((one) => one.words)
  const bullet = words.findIndex(({ text }) => text === '•')
  if (bullet >= 0)
    return words.slice(bullet + 1).map((word) => (word.text === '•' ? { ...word, text: ';' } : word))
  const begins = ({ text, words: own }: Segment): boolean =>
    /^\p{L}/u.test(text) && tellsApplication(own) && own.length > 1
  const first = segments.findIndex(begins)
  return segments.slice(Math.max(0, first)).flatMap((one, i) => {
    const [word] = one.words
    return i > 0 && word && begins(one) ? [{ ...word, text: ';' }, ...one.words] : one.words
  })
}

/** 'R$ 62,50' over 'por hectare' is what it costs. */
function itemOf(value: Segment, label: Segment): Item {
  const figure = value.words.findIndex(({ text }) => /[\d$]/.test(text))
  const printed = label.text.replace(/\s*:$/, '')
  const costs = /^R\$/.test(value.words[figure]?.text ?? '') && PER_AREA.test(printed)
  return {
    ...{ label: costs ? `Custo ${printed}` : printed, labelWords: label.words },
    value: value.words.slice(Math.max(0, figure)),
  }
}
const PER_AREA = /^por (?:hectare|ha)$/i

function labelledIn({ text, words }: Segment): Item | null {
  const name = LABELLED.exec(text)?.[1]
  if (name === undefined) return null
  const at = words.findIndex((_, i) => textOf(words.slice(0, i + 1)).length >= name.length)
  const value = words.slice(at + 1).filter((word: Word) => word.text !== ':')
  return value.length > 0 ? { label: name, labelWords: words.slice(0, at + 1), value } : null
}

/** How far a figure stands from what it may be called: right over or under it, or before it on its line. */
function gapOf(value: Segment, label: Segment): number {
  if (Math.abs(value.base - label.base) < 0.3 * Math.min(value.size, label.size))
    return label.x1 <= value.x0 ? (value.x0 - label.x1) / 10 : Infinity
  if (overlap(value.x0, value.x1, label.x0, label.x1) <= 0) return Infinity
  if (label.size > value.size - SMALLER && label.bold === value.bold) return Infinity
  const gap = label.base > value.base ? label.y0 - value.y1 : value.y0 - label.y1
  return gap < NEAR * label.size ? gap : Infinity
}
