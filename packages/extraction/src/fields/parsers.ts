import type { FieldKey } from '@ensaio/domain/fields'
import { findBrands, findBusinessUnits, findCrops, REGION_NAMES, SOIL_ORDER } from '../values/lexicon.ts'
import { NUMBER_SOURCE, round, toNumber } from '../values/number.ts'
import {
  findPlaces,
  isCity,
  nearestCity,
  readBlurredState,
  readState,
  sharpenState,
} from '../values/places.ts'
import { fold, foldInPlace, saysNothing, tidy } from '../values/text.ts'
import { parseMaker, parseOrganisation } from './houses.ts'

/** A value read out of the text beside a label, with how plausible it is and where in the text it stands. */
export interface Parsed {
  value: string | number
  /** 0..1, how much the text looks like a value of this field. */
  fit: number
  start: number
  end: number
}

export type HeaderValues = Partial<Record<FieldKey, Parsed>>

const whole = (text: string, value: string | number, fit: number): Parsed => ({
  value,
  fit,
  start: 0,
  end: text.length,
})

/** Every field that the text beside a label can give when the label announces `target`. */
export function parseFor(target: string, text: string, label: string, scanned: boolean): HeaderValues {
  if (saysNothing(text)) return {}
  const folded = foldInPlace(text)
  switch (target) {
    case 'consultoria':
      return only('consultoria', parseOrganisation(text))
    case 'marca':
      return only('marca', first(findBrands(folded), text) ?? parseMaker(text, label))
    case 'bu':
      return only(
        'bu',
        /^\s*0?[123]\s*$/.test(text)
          ? whole(text, `BU${text.trim().slice(-1)}`, 0.95)
          : first(findBusinessUnits(folded), text),
      )
    case 'regional':
      return only('regional', parseRegional(text))
    case 'local':
    case 'cidade':
      return parsePlace(text, folded, scanned)
    case 'estado': {
      const state = readState(text)
      if (state) return { estado: whole(text, state, text.length < 30 ? 1 : 0.6) }
      const blurred = scanned ? readBlurredState(text) : null
      return blurred ? { estado: whole(text, blurred, 0.9) } : {}
    }
    case 'cultura':
      return parseCrop(text, folded)
    case 'cultivar':
      return only('cultivar', parseCultivar(text, folded))
    case 'codigo':
      return only('codigo', parseCode(text))
    case 'teor_argila':
      return only('teor_argila', parseShare(text, label, 'clay'))
    case 'teor_materia_organica':
      return only('teor_materia_organica', parseShare(text, label, 'organic'))
    case 'tipo_estatistica':
      return only('tipo_estatistica', parseDesign(folded))
    case 'custo_protocolo':
      return only('custo_protocolo', parseMoney(text, label))
    case 'roi':
      return only('roi', parseMoney(text, label))
    default:
      return {}
  }
}

function only(field: FieldKey, parsed: Parsed | null): HeaderValues {
  return parsed ? { [field]: parsed } : {}
}

function first(found: readonly { value: string; start: number; end: number }[], text: string): Parsed | null {
  const [one, two] = found
  if (!one) return null
  const fit = (two && two.value !== one.value ? 0.6 : 1) * (text.length > 45 ? 0.75 : 1)
  return { ...one, fit }
}

const NO_REGION =
  /\b(?:desenvolvimento|vendas|marketing|comercial|tecnic[oa]|pesquisa|produtos?|agronomic[oa]|negocios?|mercado|experimenta\w+|ensaios?|summary|report|trials?|resumo)$/

export function parseRegional(text: string): Parsed | null {
  const part = tidy(text.replace(/^(?:regional|praça|região)\s+(?=\p{Lu})/iu, ''))
  if (part.length < 2 || part.length > 40 || part.split(' ').length > 5) return null
  if (NO_REGION.test(fold(part))) return null
  if (/\d{2}|\d[,.]|\d\s?(?:m|cm|%)\b|[:;!?]/.test(part) || !/^\p{Lu}/u.test(part)) return null
  const start = Math.max(0, text.indexOf(part))
  const fit = REGION_NAMES.test(fold(part)) ? 1 : isCity(part) ? 0.7 : 0.78
  return { value: part, fit, start, end: start + part.length }
}

function parsePlace(printed: string, printedFolded: string, scanned: boolean): HeaderValues {
  const text = scanned ? sharpenState(printed) : printed
  const folded = scanned ? foldInPlace(text) : printedFolded
  const places = findPlaces(text, folded)
  const best = places.find((place) => place.state) ?? places.at(-1)
  const result: HeaderValues = {}
  if (best?.city) {
    const fit = best.state
      ? 1
      : places.length === 1 && best.end - best.start > 0.6 * text.length
        ? 0.97
        : 0.75
    result.cidade = { value: best.city, fit, start: best.start, end: best.end }
    if (best.state) result.estado = { value: best.state, fit: 1, start: best.start, end: best.end }
    return result
  }
  const state = /[-/,(]\s*[A-Z]{2}\)?\s*$/.test(text) ? readState(text) : null
  if (state) result.estado = { value: state, fit: 0.85, start: 0, end: text.length }
  const name = tidy(text.replace(/[-/,(]\s*[A-Z]{2}\)?\s*$/, ''))
  if (scanned || state) {
    const city = nearestCity(name, state)
    if (city) result.cidade = { value: city, fit: 0.85, start: 0, end: text.length }
  }
  return result
}

/** Words that follow a crop's name without being a cultivar. */
const NOT_CULTIVAR =
  /^(?:safrinha|segunda safra|2[ªa] safra|primeira safra|1[ªa] safra|verao|inverno|irrigad[oa]|sequeiro|em |de |da |do |na |no |para |com |e |convencional|safra|\d{4}|arabica|conilon|soca|planta|cultivar|hibrido|variedade|silagem|grao|industria|mesa|comum|upland|herbace|fase|ciclo)/

/** '(Triticum aestivum L.)' */
const BINOMIAL = /\(\p{Lu}\p{Ll}+ (?:x )?\p{Ll}{3,}(?: \p{Lu}\p{L}{0,12}\.?)?\)/u

function parseCrop(text: string, folded: string): HeaderValues {
  const crop = findCrops(folded)[0]
  if (!crop) return {}
  const fit = text.length > 60 ? 0.7 : crop.start === 0 ? 1 : 0.85
  const result: HeaderValues = { cultura: { ...crop, fit } }
  const rest = text.slice(crop.end).replace(BINOMIAL, (name) => ' '.repeat(name.length))
  const tail =
    /^\s*(?:[,;(|/–-]|\s)\s*(?:(?:cultivar|h[ií]brido|variedade|cv\.?|var\.?|material|gen[oó]tipo)\s*:?\s*)?(.+?)\)?$/iu.exec(
      rest,
    )
  const announced = /cultivar|h[ií]brido|variedade|cv\.|material/i.test(rest)
  if (tail?.[1]) {
    const parsed = parseCultivar(tail[1], foldInPlace(tail[1]))
    const bracketed = /^\s*\([^)]+\)\s*$/.test(rest)
    const looks =
      parsed &&
      typeof parsed.value === 'string' &&
      (/\d|^[A-Z]{2,}|\b[A-Z]{2,}\b/.test(parsed.value) || (bracketed && /^\p{Lu}/u.test(parsed.value)))
    if (parsed && !NOT_CULTIVAR.test(fold(tail[1])) && (announced || looks)) {
      const start = crop.end + rest.indexOf(tail[1]) + parsed.start
      result.cultivar = {
        ...parsed,
        start,
        end: start + parsed.end - parsed.start,
        fit: announced ? 0.97 : 0.8,
      }
    }
  }
  return result
}

export function parseCultivar(text: string, folded: string): Parsed | null {
  const lead =
    /^(?:(?:cultivar|hibrido|variedade|cv\.?|material|clone|soja|milho|trigo|algodao|feijao|cafe|arroz|batata|uva|manga|cana|banana)(?:\s*[:/,–-]\s*|\s+))(?=\S)/.exec(
      folded,
    )
  const from = lead ? lead[0].length : 0
  const cut =
    /\s*(?:[;|·•]|,\s|\. |\s[-–—]\s(?=\p{Ll})|\s\(|(?<=\S)\s+(?:com|em|na|no|sob|sobre|enxertad|semead|plantad|foi|de ciclo|ciclo|populacao|grupo|espacad|densidade|obtentor|plantio|peneira|row)\b)/u.exec(
      folded.slice(from),
    )
  const part = tidy(text.slice(from, cut ? from + cut.index : undefined)).replace(/\.$/, '')
  if (part.length < 2 || part.length > 42 || part.split(' ').length > 6) return null
  // 'T1 T2 T3': letters of a chart
  if (/^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}\b/.test(part) || /^(?:T\s?\d{1,2}(?:\s|$))+$/.test(part)) return null
  if (
    /\d\s*(?:ml|l|kg|g|sc|t)\s*\/|^(?:tsi?|ml|kg|tratamento\b.*|foliar|(?:via|na|no|em) .*|fazenda .*)$/i.test(
      part,
    )
  )
    return null
  if (SOIL_ORDER.test(fold(part))) return null
  if (!/[\p{Lu}\d]/u.test(part) || /^\d{1,3}([.,]\d+)?\s*%?$/.test(part) || /[:!?%]/.test(part)) return null
  if (findCrops(fold(part)).some((crop) => crop.end - crop.start >= part.length - 1)) return null
  const start = Math.max(0, text.indexOf(part))
  return { value: part, fit: /^[\p{Lu}\d]/u.test(part) ? 1 : 0.5, start, end: start + part.length }
}

/** What a trial is told apart by: 'SOJ-2024/017'; a word has a figure in it, else it is none. */
export function parseCode(text: string): Parsed | null {
  const part = tidy(/^[^|;·•,]*/.exec(text)?.[0] ?? '')
  if (part.length > 60 || part.split(' ').length > 4 || !/\d/.test(part)) return null
  if (!/^[\p{L}\d][\p{L}\d ._/#–-]*$/u.test(part) || /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/.test(part))
    return null
  const start = Math.max(0, text.indexOf(part))
  return { value: part, fit: part.includes(' ') ? 0.9 : 1, start, end: start + part.length }
}

const PER_MILLE = /\bg\s*(?:\/|\.|\s|·)?\s*(?:kg|dm)|‰|\bmg\s*\/\s*g/
const SHARE = new RegExp(
  `(?<![\\d,.a-z]|[a-z]-\\s?)(${NUMBER_SOURCE})\\s*(%|g\\s*[/.\\s·]?\\s*(?:kg|dm)\\S{0,3}(?:\\s*-?\\s*[13]\\b)?|dag\\s*[/.\\s]?\\s*(?:kg|dm)\\S{0,3}|‰)?`,
)

/** Clay or organic matter in percent; g/kg and g/dm³ divide by ten. */
export function parseShare(text: string, label: string, kind: 'clay' | 'organic'): Parsed | null {
  const folded = foldInPlace(text)
  if (/r\$/.test(folded)) return null
  if (/\b20\s*(?:-|a|–)\s*40\b/.test(folded) && !/\b0\s*(?:-|a|–)\s*(?:10|20)\b/.test(folded)) return null
  // A depth in front of the value is not the value.
  const depth = /\(?(?:de )?\b0\s*(?:-|a|–)\s*(?:10|15|20|25|30)\s*(?:cm)?\)?\s*:?/.exec(folded)
  const from = depth && depth.index < 12 ? depth.index + depth[0].length : 0
  const match = SHARE.exec(folded.slice(from))
  if (!match?.[1]) return null
  const printed = toNumber(match[1])
  // No soil has none: it is where a depth begins.
  if (printed === null || printed <= 0) return null
  const unit = match[2] ?? ''
  const said = fold(label)
  const start = from + match.index
  const end = start + match[0].length
  let value: number
  let fit = 1
  if (PER_MILLE.test(unit)) value = printed / 10
  else if (/dag|%/.test(unit)) value = printed
  else if (PER_MILLE.test(said) && !/dag/.test(said)) value = printed / 10
  else if (/%|dag/.test(said)) value = printed
  else {
    value = printed > (kind === 'clay' ? 100 : 10) ? printed / 10 : printed
    fit = 0.8
  }
  if (value > (kind === 'clay' ? 95 : 30)) return null
  return { value: round(value, 4), fit: text.length > 50 ? fit * 0.85 : fit, start, end }
}

const DESIGNS: readonly [string, RegExp, number][] = [
  [
    'Blocos Casualizados',
    /\bd\.?b\.?c\.?c?(?:\b|(?=\d))|\bdba\b|\bblocos?\b.{0,24}\b(?:casualizad\w*|acaso|aleatorizad\w*|randomizad\w*|completos|sorte\w+)|\bblocos\b|\brandomi[sz]ed complete blocks?\b|\brcbd?\b/,
    1,
  ],
  [
    'Inteiramente Casualizado',
    /\bd\.?i\.?c\.?\b|\b(?:inteiramente|completamente|totalmente)\s+(?:casualizad\w*|ao acaso|aleatori\w*|randomizad\w*)|\bcompletely randomi[sz]ed\b/,
    1,
  ],
  ['ANOVA', /\banova\b|\banalise de varianc\w+|\banava\b/, 0.8],
]
const OTHER_DESIGNS = [
  ['Quadrado Latino', /\bquadrados? latinos?\b|\bd\.?q\.?l\b\.?/],
  ['Parcelas Subdivididas', /\bparcelas? sub-?divididas?\b|\bsplit[- ]plots?\b/],
] as const
const STRIPS = /\b(?:em )?faixas\b/
const ALL_DESIGNS = [
  ...DESIGNS.map(([value, pattern]) => [value, pattern] as const),
  ...OTHER_DESIGNS,
  ['Faixas', STRIPS] as const,
].map(([value, pattern]) => [value, new RegExp(pattern, 'g')] as const)
/** Every design that a folded text names. */
export function findDesigns(folded: string): { value: string; start: number; end: number }[] {
  const found: { value: string; start: number; end: number }[] = []
  for (const [value, pattern] of ALL_DESIGNS)
    for (const match of folded.matchAll(pattern))
      found.push({ value, start: match.index, end: match.index + match[0].length })
  return found
}

/** The design by name; 'ANOVA' only when no design is named. */
export function parseDesign(folded: string): Parsed | null {
  const dic = DESIGNS[1]?.[1].exec(folded)
  const dbc = DESIGNS[0]?.[1].exec(folded)
  if (dic && (!dbc || dic.index < dbc.index || dbc[0] === 'blocos'))
    return { value: 'Inteiramente Casualizado', fit: 1, start: dic.index, end: dic.index + dic[0].length }
  if (dbc)
    return {
      // The form offers both names of the one design: the one that is printed.
      value: /^(?:bloco|r)/.test(dbc[0]) ? 'Blocos Casualizados' : 'DBC',
      fit: dbc[0] === 'blocos' ? 0.7 : 1,
      start: dbc.index,
      end: dbc.index + dbc[0].length,
    }
  for (const [value, pattern] of OTHER_DESIGNS) {
    const named = pattern.exec(folded)
    if (named) return { value, fit: 0.9, start: named.index, end: named.index + named[0].length }
  }
  const strips = /^(?:em )?faixas\b/.exec(folded)
  if (strips) return { value: 'Faixas', fit: 0.9, start: 0, end: strips[0].length }
  const anova = DESIGNS[2]?.[1].exec(folded)
  return anova ? { value: 'ANOVA', fit: 0.85, start: anova.index, end: anova.index + anova[0].length } : null
}

const MONEY = new RegExp(
  `(?:(r\\$|brl)\\s*)?(?<![\\d,.a-z]|[a-z]-\\s?)(${NUMBER_SOURCE})\\s*(%|x\\b|:\\s*1|vezes|reais)?(\\s*(?:\\/|por|p\\/)?\\s*(?:ha\\b|hectare|ha-1))?`,
  'g',
)

/** An amount in R$/ha; percentages and ratios are not amounts. */
export function parseMoney(text: string, label: string): Parsed | null {
  const folded = foldInPlace(text)
  const said = fold(label)
  let best: Parsed | null = null
  for (const match of folded.matchAll(MONEY)) {
    const [all, currency, number, suffix, area] = match
    if (!number || suffix === '%' || suffix === 'x' || suffix === 'vezes' || suffix?.startsWith(':')) continue
    // The price of a sack, a tonne or a litre is none of a hectare.
    if (
      /^\s*(?:(?:\/|por|p\/|[ao])\s?)?(?:sc|sacas?|saco|kg|t\b|ton\w*|litro|l\b|@|arroba|dias|meses|anos|safras?)(?![a-z])/.test(
        folded.slice(match.index + all.length),
      )
    )
      continue
    const value = toNumber(number)
    if (value === null || value < 0) continue
    const money = currency !== undefined || suffix === 'reais'
    // 'tabela do balcão, setembro/2022'
    if (!money && !area && /^(?:19|20)\d\d$/.test(number)) continue
    if (!money && /%|percentual|\bsc\b|sacas/.test(said)) continue
    const fit = money ? (area ? 1 : 0.95) : /r\$|reais|\(r\$/.test(said) ? 0.95 : area ? 0.75 : 0.5
    if (!best || fit > best.fit + 0.1)
      best = { value, fit, start: match.index, end: match.index + all.trimEnd().length }
  }
  if (best && text.length > 60) best.fit *= 0.8
  return best
}
