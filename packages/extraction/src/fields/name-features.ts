import { type Features, wordsOf } from '../values/choice.ts'
import { findBrands, findBusinessUnits, findCrops } from '../values/lexicon.ts'
import { isCity } from '../values/places.ts'
import { fold } from '../values/text.ts'
import { MAKER_WORD, parseOrganisation } from './houses.ts'
import { looksLikeLabel, matchLabel } from './labels.ts'
import { isTrade, keyOf, type Naming } from './namings.ts'
import { parseRegional } from './parsers.ts'
import { shareSmall } from './pieces.ts'

/** What the other names of the document have to do with each. */
export interface Others {
  /** Names by what their spellings share. */
  groups: Map<string, Naming[]>
  /** Heights on the first page at which names stand, from the top. */
  heights: number[]
  /** By the first word of names: what follows it in each, and how many stand before a dose, or in a cell. */
  kin: Map<string, Kin>
  /** Words that it writes in small letters. */
  small: ReadonlySet<string>
}

/** A maker's products often begin with its name: 'Solaris Raiz', 'Solaris Flor'. */
interface Kin {
  followers: Set<string>
  dosed: number
  cells: number
}

/** A shorter first word, or one of every report, says nothing. */
const SHORTEST_KIN = 4
const DOSED = /^[^.;]{0,24}?\d\s?(?:l|ml|kg|g|mg)\b/

export function groupNamings(namings: readonly Naming[], small: ReadonlySet<string>): Others {
  const groups = Map.groupBy(namings, ({ name }) => keyOf(name))
  groups.delete('')
  const heights = [...new Set(namings.filter(({ page }) => page === 0).map(({ y }) => y))]
  return { groups, heights: heights.sort((a, b) => a - b), kin: kinOf(namings), small }
}

function kinOf(namings: readonly Naming[]): Map<string, Kin> {
  const kin = new Map<string, Kin>()
  for (const { name, after, place } of namings) {
    const [first = '', second] = keyOf(name).split(' ')
    if (first.length < SHORTEST_KIN) continue
    const own = kin.get(first) ?? { followers: new Set(), dosed: 0, cells: 0 }
    if (second) own.followers.add(second)
    if (DOSED.test(after)) own.dosed++
    if (place === 'cell') own.cells++
    kin.set(first, own)
  }
  return kin
}

/** What those who do trials for others are called. */
const RESEARCH_WORD =
  /\b(?:pesquis\w*|consult\w*|experiment\w*|instituto|universidade|fundacao|agronomica|assist\w*|laborat\w*|estacao|ensaios|faculdade|embrapa)\b/

/** 'Casa Branca' of 'Casa Branca – SP' is where it was. */
const STATE_BEHIND = /^\s?[-–/,(]\s?(?:a[clmp]|ba|ce|df|es|go|m[agst]|p[abeir]|r[jnors]|s[cep]|to)(?![a-z])/

const ENDS_CLAUSE = /[.;|·•]/
/** Words before and after a name that are looked at, without their order. */
const NEAR = { before: 8, after: 5, line: 6 }
/** More readings of one name tell nothing new. */
const MOST = 40

export function featuresOf(
  key: string,
  namings: readonly Naming[],
  { groups, heights, kin, small }: Others,
): Features {
  const features: Features = new Map([['always', 1]])
  const set = (name: string, value = 1): void => {
    if (value !== 0) features.set(name, value)
  }
  const words = key.split(' ')
  set('words', words.length)
  set(`words ${Math.min(words.length, 6)}`)
  for (const word of words) {
    set(`word ${word}`)
    if (word.length > 5) set(`begins ${word.slice(0, 4)}`)
    if (word.length > 5) set(`ends ${word.slice(-4)}`)
  }
  set(`first ${words[0]}`)
  set(`last ${words.at(-1)}`)
  set('small letters', shareSmall(key, small))
  if (shareSmall(key, small) === 1) set('in small letters')
  const own = kin.get(words[0] ?? '')
  if (own) {
    const others = [...own.followers].filter((one) => one !== words[1]).length
    set('kin', Math.min(others, 4) / 4)
    if (others > 1) set('has kin')
    set('kin dosed', Math.min(Math.log(1 + own.dosed), 2))
    if (own.dosed > 1 && others > 1) set('kin are products')
    if (own.cells > 1 && others > 1) set('kin in cells')
  }
  if (isTrade(key)) set('a trade')
  if (MAKER_WORD.test(key)) set('called a maker')
  if (RESEARCH_WORD.test(key)) set('called research')
  const [{ name }] = namings as readonly [Naming]
  const organisation = parseOrganisation(name)
  set('like a house', organisation?.fit ?? 0)
  if (!organisation) set('no house')
  if (looksLikeLabel(name)) set('a label')
  if (parseRegional(name)?.fit === 1) set('region')
  if (findBusinessUnits(key).length > 0 && words.length <= 2) set('unit')
  if (isCity(key)) set('town')
  if (findCrops(key).length > 0) set('crop')
  if (findBrands(key).length > 0) set('brand')
  set('often', Math.min(Math.log(1 + namings.length), 2.5))
  if (namings.length === 1) set('once')
  set('pages', Math.min(new Set(namings.map(({ page }) => page)).size, 4))
  set('order', Math.min(1, Math.min(...namings.map(({ order }) => order)) / 50))
  const onFirst = namings.filter(({ page }) => page === 0)
  if (onFirst.length > 0) {
    const y = Math.min(...onFirst.map((one) => one.y))
    const large = Math.max(...onFirst.map(({ size }) => size.largest))
    set('on the first page')
    set(`height ${Math.min(9, Math.floor(10 * y))}`)
    if (y < 0.08) set('at the head')
    set('large', large)
    if (large > 0.95) set('largest')
    set(`rank ${Math.min(heights.indexOf(y), 4)}`)
  }
  const larger = Math.max(...namings.map(({ size }) => size.usual))
  if (larger > 1.25) set('larger')
  if (larger < 0.85) set('smaller')
  if (namings.some(({ words: [first] }) => first?.bold)) set('bold')
  if (namings.some(({ name }) => name === name.toUpperCase())) set('capitals')
  if (namings.some(({ whole }) => whole)) set('whole')
  if (namings.some(({ whole, place }) => whole && place === 'pair')) set('whole value')
  if (namings.every(({ cut }) => cut !== 'none')) set('only cut')
  const within = ` ${key} `
  let inLonger = 0
  for (const [other, list] of groups) {
    if (other === key) continue
    if (` ${other} `.includes(within)) inLonger += list.length
    else if (within.includes(` ${other} `)) set('holds another')
  }
  if (inLonger > 0) set('in a longer one')
  set('share in longer ones', Math.min(1, inLonger / namings.length))
  for (const naming of namings.slice(0, MOST)) around(naming, set)
  return features
}

/** What stands around one naming. */
function around(naming: Naming, set: (name: string, value?: number) => void): void {
  set(`place ${naming.place}`)
  set(`cut ${naming.cut}`)
  const [first, ...rest] = naming.words
  if (first && rest.some(({ base }) => Math.abs(base - first.base) > 0.5 * first.size))
    set(`over lines ${naming.place}`)
  const { label } = naming
  if (label) {
    set(`setting ${label.kind}`)
    for (const word of wordsOf(fold(label.text))) set(`label ${word}`)
    for (const { target, score } of matchLabel(label.text)) set(`label of ${target}`, score)
  }
  const before = wordsOf(naming.before.split(ENDS_CLAUSE).at(-1) ?? '')
  if (before.length === 0) set('nothing before')
  else {
    set(`before ${before.at(-1)}`)
    set(`before ${before.slice(-2).join(' ')}`)
    for (const word of before.slice(-NEAR.before)) set(`near before ${word}`)
  }
  const after = wordsOf(naming.after.split(ENDS_CLAUSE)[0] ?? '')
  if (after.length === 0) set('nothing after')
  else {
    set(`after ${after[0]}`)
    for (const word of after.slice(0, NEAR.after)) set(`near after ${word}`)
  }
  set(`sign after ${naming.after.trim().charAt(0)}`)
  if (STATE_BEHIND.test(naming.after)) set('state after')
  for (const word of wordsOf(fold(naming.above)).slice(0, NEAR.line)) set(`above ${word}`)
  for (const word of wordsOf(fold(naming.below)).slice(0, NEAR.line)) set(`below ${word}`)
}
