import type { Document } from '../document.ts'
import { type Features, likelihoods, wordsOf } from '../values/choice.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'
import { findWays, type WayMention } from './ways.ts'

/** The way of application that is said of all treatments at once: the likeliest of those named, or none. */
export function readCommonMode(document: Document): Draft['modalidade'] {
  const ways = waysOf(document)
  const shares = likelihoods(
    'modalidade',
    ways.map(({ features }) => features),
  )
  const score = Math.max(0, ...shares)
  const way = ways[shares.indexOf(score)]
  const none = 1 - shares.reduce((a, b) => a + b, 0)
  const [first] = way?.mentions ?? []
  if (!way || !first || score <= none) return null
  const ticked = way.mentions.find(({ place }) => place === 'ticked')
  const { words, place } = ticked ?? way.mentions.find(({ label }) => label.includes('aplica')) ?? first
  return { value: way.value, words, score, method: METHODS[place] }
}
const METHODS = { title: 'prose', text: 'prose', cell: 'label', line: 'label', ticked: 'checkbox' } as const

/** What a document says of each way of application that it names. */
export function waysOf(
  document: Document,
): { value: string; mentions: readonly WayMention[]; features: Features }[] {
  // 'Sem cobertura': what was left out is no way of applying.
  const all = findWays(document).filter(({ before }) => wordsOf(before).at(-1) !== 'sem')
  const groups = Map.groupBy(all, ({ value }) => value)
  return [...groups].map(([value, mentions]) => {
    const features: Features = new Map([['always', 1]])
    const set = (name: string, amount = 1): void => {
      features.set(name, amount)
    }
    set(`way ${value}`)
    set('share', mentions.length / all.length)
    set('often', Math.min(Math.log(1 + mentions.length), 3))
    set('others', Math.min(groups.size - 1, 4))
    if (groups.size === 1) set('alone')
    if (all[0]?.value === value) set('first')
    for (const mention of mentions) around(mention, set)
    return { value, mentions, features }
  })
}

/** Words before and after that are looked at, and those of a label. */
const NEAR = { before: 10, after: 8, label: 6 }
const wordsAlone = (text: string): string[] => wordsOf(text).filter((word) => !/\d/.test(word))

/** What stands around one mention. */
function around(
  { value, words, place, ...sides }: WayMention,
  set: (name: string, amount?: number) => void,
): void {
  set(`place ${place}`)
  set(`${value} in ${place}`)
  set(`said ${fold(words.map(({ text }) => text).join(' ')).replace(/[^a-z ]/g, '')}`)
  for (const word of wordsAlone(sides.label).slice(0, NEAR.label)) set(`label ${word}`)
  for (const word of wordsAlone(sides.column).slice(0, NEAR.label)) set(`column ${word}`)
  const [before, after] = [wordsAlone(sides.before), wordsAlone(sides.after)]
  if (before.length === 0) set(`nothing before in ${place}`)
  else set(`before ${before.at(-1)}`)
  if (before.length + after.length === 0) set(`alone in ${place}`)
  if (after.length > 0) set(`after ${after[0]}`)
  for (const word of before.slice(-NEAR.before)) set(`near before ${word}`)
  for (const word of after.slice(0, NEAR.after)) set(`near after ${word}`)
}
