import { readFileSync } from 'node:fs'
import { distance, fold } from './text.ts'

export interface Place {
  city: string | null
  state: string | null
  start: number
  end: number
}

const STATE_NAMES: readonly [string, string][] = [
  ['MS', 'Mato Grosso do Sul'],
  ['MT', 'Mato Grosso'],
  ['RN', 'Rio Grande do Norte'],
  ['RS', 'Rio Grande do Sul'],
  ['AC', 'Acre'],
  ['AL', 'Alagoas'],
  ['AM', 'Amazonas'],
  ['AP', 'Amapá'],
  ['BA', 'Bahia'],
  ['CE', 'Ceará'],
  ['DF', 'Distrito Federal'],
  ['ES', 'Espírito Santo'],
  ['GO', 'Goiás'],
  ['MA', 'Maranhão'],
  ['MG', 'Minas Gerais'],
  ['PA', 'Pará'],
  ['PB', 'Paraíba'],
  ['PE', 'Pernambuco'],
  ['PI', 'Piauí'],
  ['PR', 'Paraná'],
  ['RJ', 'Rio de Janeiro'],
  ['RO', 'Rondônia'],
  ['RR', 'Roraima'],
  ['SC', 'Santa Catarina'],
  ['SE', 'Sergipe'],
  ['SP', 'São Paulo'],
  ['TO', 'Tocantins'],
]
const CODES = new Set(STATE_NAMES.map(([code]) => code))
const STATE_ALTERNATION = STATE_NAMES.map(([, name]) => fold(name)).join('|')
const STATE_BY_NAME = new Map(STATE_NAMES.map(([code, name]) => [fold(name), code]))

interface City {
  name: string
  state: string
}
let cities: Map<string, City[]> | undefined

/** Key under which spellings with apostrophes and hyphens meet. */
const key = (text: string): string => fold(text).replace(/['-]/g, ' ').replace(/\s+/g, ' ').trim()

function gazetteer(): Map<string, City[]> {
  if (cities) return cities
  const data: Record<string, string> = JSON.parse(
    readFileSync(new URL('../data/municipalities.json', import.meta.url), 'utf8'),
  )
  cities = new Map()
  for (const [state, names] of Object.entries(data))
    for (const name of names.split('|')) {
      const entry = cities.get(key(name)) ?? []
      entry.push({ name, state })
      cities.set(key(name), entry)
    }
  return cities
}

/** Reads a state by code ('MT') or name ('Mato Grosso'). */
export function readState(text: string): string | null {
  const code = /(?<![A-Za-zÀ-ú])([A-Z]{2})(?![A-Za-zÀ-ú])/g
  for (const match of text.matchAll(code)) if (match[1] && CODES.has(match[1])) return match[1]
  const named = new RegExp(`(?<![a-z])(${STATE_ALTERNATION})(?![a-z])`).exec(fold(text))
  if (named?.[1]) return STATE_BY_NAME.get(named[1]) ?? null
  const lone = fold(text)
    .replace(/[^a-z]/g, '')
    .toUpperCase()
  return CODES.has(lone) ? lone : null
}

/** Every state that a text names, by its code or its name. `folded` has the same length. */
export function findStates(text: string, folded: string): { value: string; start: number; end: number }[] {
  const found: { value: string; start: number; end: number }[] = []
  for (const match of text.matchAll(/(?<![\p{L}\d])([A-Z]{2})(?![\p{L}\d])/gu))
    if (CODES.has(match[0])) found.push({ value: match[0], start: match.index, end: match.index + 2 })
  for (const match of folded.matchAll(STATE_NAME)) {
    const value = STATE_BY_NAME.get(match[0])
    // 'para' is a word.
    const capital = /\p{Lu}/u.test(text.charAt(match.index))
    if (value && capital) found.push({ value, start: match.index, end: match.index + match[0].length })
  }
  return found
}
const STATE_NAME = new RegExp(`(?<![a-z])(?:${STATE_ALTERNATION})(?![a-z])`, 'g')

const LOOKALIKES: Readonly<Record<string, string>> = {
  $: 'S',
  5: 'S',
  0: 'O',
  1: 'I',
  l: 'I',
  '|': 'I',
  8: 'B',
  6: 'G',
  4: 'A',
}

/** A state's code whose letters a scan shows as signs that look like them ('R$', 'G0'). */
export function readBlurredState(text: string): string | null {
  const code = text.trim().replace(/./g, (sign) => LOOKALIKES[sign] ?? sign)
  return CODES.has(code) ? code : null
}

/** Puts the letters back into a blurred state's code at the end of a place; the length stays. */
export function sharpenState(text: string): string {
  return text.replace(/([-–/,(]\s*|\s)(\S{2})(?=\)?\s*$)/, (all, before: string, code: string) =>
    readBlurredState(code) ? before + readBlurredState(code) : all,
  )
}

const TAIL_NAME = new RegExp(
  `^[\\s,(/|·•–-]*(?:n[oa] |em |d[oa] )?(?:(?:regiao |mesorregiao )?(?:(?:norte|sul|leste|oeste|sudoeste|sudeste|noroeste|nordeste|centro|extremo oeste|interior|triangulo) )?(?:n?o estado )?(?:d[eoa]|n[oa]|em|estado d[eoa]) )?(?:estado d[eoa] )?(${STATE_ALTERNATION})(?![a-z])`,
)
const TAIL_CODE = /^\s*(?:[-,/(|–—·.]\s*|\s)(?:estado:? ?)?\(?([A-Z]{2})(?![A-Za-zÀ-ú])/

/** The state written right after a place name. */
function stateAfter(text: string, folded: string, at: number): { state: string; end: number } | null {
  const code = TAIL_CODE.exec(text.slice(at))
  if (code?.[1] && CODES.has(code[1])) return { state: code[1], end: at + code[0].length }
  const named = TAIL_NAME.exec(folded.slice(at, at + 70))
  const state = named?.[1] ? STATE_BY_NAME.get(named[1]) : undefined
  return state && named ? { state, end: at + named[0].length } : null
}

const NOT_A_CITY =
  /(?:fazenda|faz\.|sitio|estancia|chacara|granja|agropecuaria|rua|r\.|avenida|av\.|rodovia|bairro|grupo|haras|gleba|assentamento|distrito|nossa senhora|estacao experimental|talhao)\s+(?:d[aeo]s?\s+)?$/

/** The municipality that is written so: Goiana is none of Goianá's. Without accents, the first of those meant. */
const spelled = (known: readonly { name: string }[], text: string): string | null =>
  (known.find(({ name }) => name.toLowerCase() === text.toLowerCase()) ?? known[0])?.name ?? null

/** A municipality's name has no more words, and no more letters. */
const MOST_WORDS = 7
const LONGEST_NAME = 34

/** Municipalities named in a text with the state printed beside them, if any. `folded` has the same length. */
export function findPlaces(text: string, folded: string): Place[] {
  const names = gazetteer()
  const found: Place[] = []
  const starts = [...folded.matchAll(/(?<![a-z0-9])[a-z]/g)].map((m) => m.index)
  const ends = [...folded.matchAll(/(?<=[a-z])(?![a-z])/g)].map((m) => m.index)
  let after = 0
  let first = 0
  for (const start of starts) {
    if (start < after || !/\p{Lu}/u.test(text.charAt(start))) continue
    while (first < ends.length && (ends[first] ?? 0) <= start) first++
    const candidates = ends
      .slice(first, first + MOST_WORDS)
      .filter((end) => end - start <= LONGEST_NAME)
      .reverse()
    for (const end of candidates) {
      const known = names.get(key(folded.slice(start, end)))
      if (!known) continue
      if (NOT_A_CITY.test(folded.slice(Math.max(0, start - 40), start))) break
      const city = spelled(known, text.slice(start, end))
      const tail = stateAfter(text, folded, end)
      const inState = tail && known.find((city) => city.state === tail.state)
      const before = /(?<![A-Z])([A-Z]{2})\s*[-–/:]\s*$/.exec(text.slice(Math.max(0, start - 6), start))
      const stateBefore = before?.[1] && CODES.has(before[1]) ? before[1] : null
      if (tail && !inState) {
        found.push({ city, state: null, start, end })
      } else if (tail && inState) found.push({ city: inState.name, state: tail.state, start, end: tail.end })
      else if (stateBefore && known.some((city) => city.state === stateBefore))
        found.push({ city, state: stateBefore, start: start - 5, end })
      else found.push({ city, state: null, start, end })
      after = tail && inState ? tail.end : end
      break
    }
  }
  return found
}

export function cityInState(city: string, state: string): boolean {
  return (
    gazetteer()
      .get(key(city))
      ?.some((entry) => entry.state === state) ?? false
  )
}

export function isCity(text: string): boolean {
  return gazetteer().has(key(text))
}

/** Letters that scans take for one another, brought to one form. */
const blur = (text: string): string =>
  text
    .replace(/[l1|!íi]/g, 'i')
    .replace(/[0o]/g, 'o')
    .replace(/rn/g, 'm')
    .replace(/[5$]/g, 's')
    .replace(/8/g, 'b')

let blurred: Map<string, Set<string>> | undefined

/** Municipalities whose names look the same as the text to a bad eye. */
function lookalikes(text: string, state: string | null): string[] {
  if (!blurred) {
    blurred = new Map()
    for (const name of gazetteer().keys()) {
      const names = blurred.get(blur(name)) ?? new Set()
      blurred.set(blur(name), names.add(name))
    }
  }
  const entries = [...(blurred.get(blur(key(text))) ?? [])].flatMap((name) => gazetteer().get(name) ?? [])
  return [...new Set(entries.filter((e) => !state || e.state === state).map((e) => e.name))]
}

/** The municipality that a badly read name most likely is; only unambiguous answers. */
export function nearestCity(text: string, state: string | null): string | null {
  const alike = lookalikes(text, state)
  if (alike.length === 1 && alike[0]) return alike[0]
  const wanted = key(text).replace(/[^a-z ]/g, '')
  if (wanted.length < 4) return null
  const limit = wanted.length >= 9 ? 2 : 1
  let best: { name: string; away: number } | undefined
  let ties = 0
  for (const [name, entries] of gazetteer()) {
    if (Math.abs(name.length - wanted.length) > limit) continue
    const entry = state ? entries.find((e) => e.state === state) : entries[0]
    if (!entry) continue
    const away = distance(wanted, name, limit)
    if (away > limit) continue
    if (!best || away < best.away) {
      best = { name: entry.name, away }
      ties = 1
    } else if (away === best.away) ties++
  }
  return best && ties === 1 ? best.name : null
}

const SOUTH_WEST: Record<string, number> = { s: -1, n: 1, o: -1, w: -1, l: 1, e: 1 }
const LATITUDE = /^[sn]/
export interface Angle {
  value: number
  axis: 'latitude' | 'longitude' | null
  start: number
  end: number
}

const HEMISPHERE = '(?:sul|norte|oeste|leste|west|south|[snolwe])(?![a-z])'
const DMS = new RegExp(
  String.raw`(?:(?<![a-z])(${HEMISPHERE})[\s:]*)?([-]?\s?\d{1,3})\s*[°ºo˚d*]\s*(\d{1,2}(?:[.,]\d+)?)\s*['m′’]?\s*(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["″”s]|''|')?)?\s*(?:(?:de\s+)?(?:latitude|longitude|lat|long?)\.?\s+)?(${HEMISPHERE})?`,
  'g',
)
/** '1.800 kg/ha' */
const AMOUNT = String.raw`\s?(?:%|(?:kg|mg|ml|cm|mm)(?![a-z])|(?:g|l|t|sc)\s?(?:\/|ha\b))`
const DECIMAL = new RegExp(
  String.raw`(?:(?<![a-z])(${HEMISPHERE})[\s:]*)?([-]\s?\d{1,2}[.,]\d{1,8}|\d{1,2}[.,]\d{2,8})(?!\d|${AMOUNT})\s*[°º˚]?\s*(${HEMISPHERE})?`,
  'g',
)

/** Angles written as coordinates in a folded text: decimal or degrees, minutes and seconds. */
export function findAngles(folded: string, original = folded): Angle[] {
  // The conjunctions 'e' and 'o' are no hemispheres.
  const lone = /(?<=[\d.,°º'"”″]\s)([eos])(?=\s)/g
  const text = folded
    .replace(lone, (letter: string, _: string, at: number) => (original.charAt(at) === letter ? ';' : letter))

    .replace(/[“”]/g, '"')
    .replace(/[‘’´`′]/g, "'")
    // A typesetter's circle: '18◦36′ S'
    .replace(/[◦˚∘]/g, '°')
    .replace(/[−–]/g, '-')
  const found: Angle[] = []
  for (const match of text.matchAll(DMS)) {
    const [, before, degrees, minutes, seconds, after] = match
    const value =
      Math.abs(Number(degrees?.replace(/\s/g, ''))) +
      Number(minutes?.replace(',', '.')) / 60 +
      Number((seconds ?? '0').replace(',', '.')) / 3600
    push(found, value, /-/.test(degrees ?? ''), before ?? after, match)
  }
  if (found.length > 0) return found
  for (const match of text.matchAll(DECIMAL)) {
    const [, before, number, after] = match
    const value = Math.abs(Number(number?.replace(/\s/g, '').replace(',', '.')))
    push(found, value, /^-/.test(number ?? ''), before ?? after, match)
  }
  return found
}

function push(
  found: Angle[],
  size: number,
  negative: boolean,
  hemisphere: string | undefined,
  match: RegExpExecArray,
): void {
  const letter = hemisphere?.charAt(0)
  const sign = letter ? (SOUTH_WEST[letter] ?? 1) : negative ? -1 : 1
  const value = Math.round(size * sign * 1e6) / 1e6
  if (!Number.isFinite(value) || size > 75) return
  const axis = letter ? (LATITUDE.test(letter) ? 'latitude' : 'longitude') : null
  found.push({ value, axis, start: match.index, end: match.index + match[0].trimEnd().length })
}
