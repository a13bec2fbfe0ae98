import type { FieldKey } from '@ensaio/domain/fields'
import type { Document } from '../document.ts'
import { sliceRun, wordsIn } from '../layout/run.ts'
import { findBrands, findBusinessUnits } from '../values/lexicon.ts'
import { cityInState, findAngles } from '../values/places.ts'
import { fold } from '../values/text.ts'
import { aside, type Candidate, elsewhere } from './candidate.ts'
import { coordinates } from './coordinates.ts'
import { type LabelMatch, matchLabel } from './labels.ts'
import { findWeighed } from './mentions.ts'
import { findHouses } from './name-model.ts'
import { keyOf } from './namings.ts'
import { isLabelItself, type Pair } from './pair.ts'
import { parseFor, parseRegional } from './parsers.ts'
import { findInProse } from './prose.ts'
import { findTyped } from './typed.ts'

/** How much a way of setting label and value is worth by itself. */
const KIND: Record<Pair['kind'], number> = {
  colon: 1,
  checked: 1,
  bold: 0.96,
  row: 0.96,
  column: 0.95,
  header: 0.84,
  below: 0.86,
  above: 0.82,
}
const LEAST = 0.4
/** Every report is somebody's: the surest house is told, however unsure. */
const LEAST_OF: Partial<Record<FieldKey, number>> = {
  consultoria: 0.1,
  marca: 0.12,
  ano: 0.25,
  cultivar: 0.25,
}
/** Fields whose values are any text: beside them another label is easily taken for a value. */
const FREE_TEXT = new Set<string>(['consultoria', 'regional', 'cultivar'])

export type Decision = Partial<Record<FieldKey, Candidate & { margin: number }>>

/** Reads the fields of the record: the best candidate of each, jointly consistent. */
export function decideFields(document: Document, pairs: readonly Pair[]): Decision {
  const told = [
    ...withoutRepeated(fromPairs(pairs)),
    ...withoutSeveral(findInProse(document)),
    ...findTyped(document),
  ]
  const candidates = withWeighed(withHouses(told, findHouses(document, pairs)), findWeighed(document, pairs))
  const chosen: Decision = {}
  const fields = new Set(candidates.map((candidate) => candidate.field))
  for (const field of fields) choose(chosen, field, candidates)
  agreeOnPlace(chosen, candidates)
  partHouses(chosen, candidates)
  return chosen
}

function choose(chosen: Decision, field: FieldKey, candidates: readonly Candidate[]): void {
  const best = elect(candidates.filter((candidate) => candidate.field === field))
  if (best && best.score >= (LEAST_OF[field] ?? LEAST)) chosen[field] = best
  else delete chosen[field]
}

/** What labels say of houses is weighed with all else that is said of the same names; only what is no name in capitals stands by itself. */
function withHouses(told: readonly Candidate[], houses: readonly Candidate[]): Candidate[] {
  const keys = new Set(houses.map(({ field, value }) => `${field} ${keyOf(String(value))}`))
  return [...told.filter(({ field, value }) => !keys.has(`${field} ${keyOf(String(value))}`)), ...houses]
}

/** What is weighed among all that is named stands before what single places say. */
function withWeighed(told: readonly Candidate[], weighed: readonly Candidate[]): Candidate[] {
  const fields = new Set(weighed.filter(({ score }) => score >= LIKELY).map(({ field }) => field))
  return [...told.filter(({ field }) => !fields.has(field)), ...weighed]
}

/** Below it what a blurred label says may be the better reading. */
const LIKELY = 0.4

/** Who did a trial does not make what it is about: of two fields with one name, it stays where it is surer. */
function partHouses(chosen: Decision, candidates: readonly Candidate[]): void {
  const { consultoria, marca } = chosen
  if (!consultoria || !marca) return
  const name = keyOf(String(consultoria.value))
  if (keyOf(String(marca.value)) !== name) return
  const field = consultoria.score < marca.score ? 'consultoria' : 'marca'
  choose(
    chosen,
    field,
    candidates.filter((one) => one.field === field && keyOf(String(one.value)) !== name),
  )
}

/** What each treatment has too. */
const OF_TREATMENTS = 'custo_protocolo'
/** What a label says of the trial it says once; with another value each time it speaks of the treatments. */
function withoutRepeated(candidates: readonly Candidate[]): Candidate[] {
  const values = Map.groupBy(candidates, ({ field, label }) => `${field} ${label ?? ''}`)
  return candidates.map((candidate) => {
    const { field, label } = candidate
    if (field !== OF_TREATMENTS || label === undefined) return candidate
    const told = new Set(values.get(`${field} ${label}`)?.map(({ value }) => value))
    return told.size > 1 ? { ...candidate, score: 0.3 * candidate.score } : candidate
  })
}

/** Costs of which no sentence says that they are the protocol's, one beside the other, are those of treatments. */
function withoutSeveral(candidates: readonly Candidate[]): Candidate[] {
  const bare = candidates.filter(({ field, score }) => field === OF_TREATMENTS && score < 0.7)
  if (new Set(bare.map(({ value }) => value)).size < 2) return [...candidates]
  return candidates.map((candidate) =>
    bare.includes(candidate) ? { ...candidate, score: 0.6 * candidate.score } : candidate,
  )
}

/** Candidates of one value support each other; the margin over the best other value is kept. */
function elect(candidates: readonly Candidate[]): (Candidate & { margin: number }) | null {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const key = typeof candidate.value === 'number' ? String(candidate.value) : fold(candidate.value)
    groups.set(key, [...(groups.get(key) ?? []), candidate])
  }
  const ranked = [...groups.values()]
    .map((group) => {
      const sorted = [...group].sort((a, b) => b.score - a.score)
      const top = sorted[0]
      const support = sorted.slice(1, 6).reduce((sum, c) => sum + 0.035 * c.score, 0)
      return top ? { top, score: Math.min(1.2, top.score + support) } : null
    })
    .filter((entry) => entry !== null)
    .sort((a, b) => b.score - a.score)
  const [best, next] = ranked
  if (!best) return null
  return { ...best.top, score: Math.min(1, best.score), margin: best.score - (next?.score ?? 0) }
}

/** The city must lie in the state; where the two disagree the surer one calls the other. */
function agreeOnPlace(chosen: Decision, candidates: readonly Candidate[]): void {
  const { cidade, estado } = chosen
  if (!cidade || !estado) return
  if (cityInState(String(cidade.value), String(estado.value))) return
  const cities = candidates.filter(
    (c) => c.field === 'cidade' && cityInState(String(c.value), String(estado.value)),
  )
  const states = candidates.filter(
    (c) => c.field === 'estado' && cityInState(String(cidade.value), String(c.value)),
  )
  // Better one of the two alone than one that is hardly likely.
  const city = likely(elect(cities))
  const state = likely(elect(states))
  if (city && (!state || city.score + estado.score > state.score + cidade.score)) chosen.cidade = city
  else if (state) chosen.estado = state
  else delete chosen[cidade.score < estado.score ? 'cidade' : 'estado']
}

const likely = <T extends Candidate>(one: T | null): T | null => (one && one.score >= LEAST ? one : null)

/** Of the ways of setting pairs, the one that gives the most values that cannot be mistaken is the report's own. */
function habits(pairs: readonly Pair[]): (kind: Pair['kind']) => number {
  const counts = new Map<Pair['kind'], number>()
  for (const pair of pairs) {
    const best = matchLabel(pair.label)[0]
    if (!best || best.score < 0.7 || !TELLING.has(best.target)) continue
    const parsed = Object.values(parseFor(best.target, pair.value.text, pair.label, false))
    if (parsed.some((value) => value.fit >= 0.9)) counts.set(pair.kind, (counts.get(pair.kind) ?? 0) + 1)
  }
  const most = Math.max(1, ...counts.values())
  return (kind) => (most < 3 ? 1 : 0.72 + 0.28 * Math.sqrt((counts.get(kind) ?? 0) / most))
}
const TELLING = new Set<string>([
  'marca',
  'bu',
  'cultura',
  'estado',
  'local',
  'cidade',
  'teor_argila',
  'teor_materia_organica',
  'tipo_estatistica',
  'custo_protocolo',
  'roi',
])

function fromPairs(pairs: readonly Pair[]): Candidate[] {
  const candidates: Candidate[] = []
  const habit = habits(pairs)
  for (const pair of pairs.flatMap(partsOf)) {
    if (pair.kind !== 'checked' && /[☐☑☒]|\(\s?\)|\[\s?\]/.test(pair.value.text)) continue
    if (pair.value.text.length > LONGEST_VALUE) continue
    const [own] = matchLabel(pair.value.text)
    const labelItself = isLabelItself(pair) && !(own && isNameItself(pair.value.text, own))
    const scanned = pair.value.spans.some((span) => span.word.ocr !== undefined)
    // A small label under its value is whole even where it begins in lower case.
    const caption = pair.kind === 'above' && pair.context !== ''
    const matches = matchLabel(
      caption ? pair.label.charAt(0).toUpperCase() + pair.label.slice(1) : pair.label,
    )
    // A label that holds figures is more likely a value itself.
    const numbered =
      /\d/.test(pair.label.replace(/\(?\b0 ?(?:-|a|–) ?(?:10|15|20|25|30) ?(?:cm)?\)?/, '')) &&
      pair.kind !== 'colon'
        ? 0.6
        : 1
    const away = numbered * Math.min(elsewhere(fold(pair.label)), aside(fold(pair.context)))
    const other = matches.find((m) => m.target === 'other')?.score ?? 0
    const best = matches.find((m) => m.target !== 'other')
    if (best) {
      for (const match of matches) {
        if (match.target === 'other' || match.score < 0.5 * best.score || match.score < other * 0.9) continue
        if (labelItself && FREE_TEXT.has(match.target)) continue
        if (
          FREE_TEXT.has(match.target) &&
          (isNameItself(pair.label, match) || startsWithLabel(pair.value.text, match.target))
        )
          continue
        const usual = FREE_TEXT.has(match.target) ? habit(pair.kind) : 1
        labelled(
          pair,
          match.target,
          match.score,
          away * usual * depth(pair, match.target),
          scanned,
          candidates,
        )
      }
    }
    if ((!best || best.score < 0.7) && other < 1) unlabelled(pair, away, candidates)
  }
  return candidates
}

/** More is no value of a field. */
const LONGEST_VALUE = 160

/** 'Cultivar / semeadura' with 'TSG 7420 / 18/10/2022': two labels, each with its value. */
function partsOf(pair: Pair): Pair[] {
  const labels = pair.label.split(' / ')
  if (labels.length < 2 || pair.value.text.length > LONGEST_VALUE) return [pair]
  const values = [...pair.value.text.matchAll(/(?:^| \/ )(.+?)(?=$| \/ )/g)]
  const targets = labels.map((label) => matchLabel(label)[0]?.target)
  const known = targets.filter((target) => target !== undefined && target !== 'other')
  const apart = values.length === labels.length && known.length > 0 && new Set(known).size === known.length
  if (!apart || targets.some((target) => target === 'local' || target === 'cidade' || target === 'estado'))
    return [pair]
  return values.map((match, i) => {
    const start = match.index + match[0].length - (match[1]?.length ?? 0)
    const value = sliceRun(pair.value, start, match.index + match[0].length)
    return { ...pair, label: labels[i] ?? pair.label, value }
  })
}

/** 'Plantec Consultoria' holds a label's word but is a name: it begins with another capitalised word. */
function isNameItself(label: string, match: LabelMatch): boolean {
  if (match.cover > 0.62 || label.trim().endsWith(':')) return false
  // Where all is set in capitals they tell nothing, but of a house in its letterhead.
  if (label === label.toUpperCase() && match.target !== 'consultoria') return false
  const words = label.trim().split(/\s+/)
  const first = words[0] ?? ''
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length
  return (
    capitals >= 2 &&
    !matchLabel(first).some((m) => m.target === match.target) &&
    !/^(?:nome|razao|dados)/.test(fold(first))
  )
}

/** 'Ciclo 2022' beside 'Variedade' is the next label with its value. */
function startsWithLabel(text: string, target: string): boolean {
  const words = text.trim().split(/\s+/)
  for (const n of [1, 2, 3]) {
    if (words.length <= n) break
    const best = matchLabel(words.slice(0, n).join(' '))[0]
    if (
      best &&
      best.target !== target &&
      best.target !== 'other' &&
      best.score >= 0.9 &&
      best.cover > 0.95 &&
      /\d|:/.test(words.slice(n).join(' '))
    )
      return true
  }
  return false
}

/** Soil is described for 0-20 cm; deeper layers and other areas stand in the context. */
function depth(pair: Pair, target: string): number {
  if (!target.startsWith('teor_')) return 1
  const context = fold(`${pair.context} ${pair.label}`)
  if (/\b20\s*(?:-|a|ate|e)\s*40\b|\b40\s*(?:-|a)\s*60\b|\b10\s*(?:-|a)\s*20\b|subsuperf/.test(context))
    return /\b0\s*(?:-|a|ate)\s*20\b/.test(context) ? 0.8 : 0.25
  return /\b0\s*(?:-|a|ate|e)\s*(?:10|15|20|25|30)\b/.test(context) ? 1.06 : 1
}

function labelled(
  pair: Pair,
  target: string,
  weight: number,
  away: number,
  scanned: boolean,
  candidates: Candidate[],
): void {
  const { text } = pair.value
  if (/\blat/.test(fold(pair.label)) && /\blon/.test(fold(pair.label))) target = 'coordenadas'
  const kind = KIND[pair.kind] * (pair.context === 'set apart' ? 1.08 : 1)
  if (target === 'latitude' || target === 'longitude' || target === 'coordenadas') {
    coordinates(pair, target, { score: weight * kind * away, method: methodOf(pair) }, candidates)
    return
  }
  // Which of the years that are named is weighed among them all.
  if (target === 'ano') return
  // A whole table column headed 'Custo' is about treatments, not about the protocol.
  if (
    (target === 'custo_protocolo' || target === 'roi') &&
    pair.kind === 'header' &&
    !/protocolo|programa/.test(fold(pair.label))
  )
    weight *= 0.35
  // 'O custo por hectare foi de R$ 41,60 para o Abamax, R$ 207,90 para o Espirotop'
  if (target === 'custo_protocolo' && (pair.value.folded.match(/r\$/g)?.length ?? 0) > 1) weight *= 0.35
  for (const [field, parsed] of Object.entries(parseFor(target, text, pair.label, scanned))) {
    // 'De: Joana Prado' of a letter or mail is a person, unless it says what house it is.
    if (field === 'consultoria' && weight < WEAK_LABEL && parsed.fit < 1) continue
    candidates.push({
      // Object.entries widens the key that parseFor typed.
      field: field as FieldKey,
      value: parsed.value,
      score: Math.min(1, weight * kind) * parsed.fit * away,
      words: wordsIn(pair.value, parsed.start, parsed.end),
      method: methodOf(pair),
      label: fold(pair.label),
    })
  }
}

const WEAK_LABEL = 0.7

function methodOf(pair: Pair): Candidate['method'] {
  if (pair.kind === 'checked') return 'checkbox'
  return pair.kind === 'column' || pair.kind === 'header' ? 'table' : 'label'
}

/** A value that only one field can have speaks for itself, whatever its label says. */
function unlabelled(pair: Pair, away: number, candidates: Candidate[]): void {
  if (pair.kind === 'header' || pair.kind === 'above' || pair.value.text.length > 48) return
  const { text, folded } = pair.value
  const kind = KIND[pair.kind]
  const add = (field: FieldKey, value: string | number, score: number, start: number, end: number): void => {
    candidates.push({
      field,
      value,
      score: score * kind * away,
      words: wordsIn(pair.value, start, end),
      method: 'typed',
    })
  }
  const exact = (start: number, end: number): boolean => end - start >= text.trim().length - 1
  for (const brand of findBrands(folded))
    if (exact(brand.start, brand.end)) add('marca', brand.value, 0.55, brand.start, brand.end)
  for (const unit of findBusinessUnits(folded))
    if (exact(unit.start, unit.end) || /^bu\b/.test(folded)) add('bu', unit.value, 0.55, unit.start, unit.end)
  const regional = parseRegional(text)
  if (regional?.fit === 1) add('regional', regional.value, 0.5, regional.start, regional.end)
  const angles = findAngles(folded, text)
  if (angles.length === 2 && /[°º]|-\d/.test(text))
    coordinates(pair, 'coordenadas', { score: 0.7 * kind * away, method: methodOf(pair) }, candidates)
}
