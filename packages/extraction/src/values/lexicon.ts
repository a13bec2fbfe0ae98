import { remembered } from './remembered.ts'
import { fold } from './text.ts'

/** 'Latossolo Vermelho', 'Argissolo': a soil by its order, in folded text. */
export const SOIL_ORDER =
  /^(?:latos|argis|nitos|neos|cambis|gleis|planos|vertis|plintos|chernos|luvis|espodos|organos)solos?\b/

export const BRANDS = ['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente'] as const

/** Crops with the ways they are named; the domain's own first. */
const CROPS: readonly [string, string][] = [
  ['Soja', 'soja|glycine max|sojicultura|sojicultor(?:es)?'],
  ['Milho', 'milho|zea mays|milho safrinha|safrinha de milho'],
  ['Algodão', 'algodao|algodoeiro|gossypium|cotonicultura|cotonicultor(?:es)?'],
  ['Feijão', 'feijao|feijoeiro|phaseolus|feijao-caupi|feijao caupi|feijao carioca'],
  ['Trigo', 'trigo|triticum|triticultura|triticultor(?:es)?'],
  ['Arroz', 'arroz|oryza sativa|arroz irrigado|orizicultura|orizicultor(?:es)?|arrozal|arrozeir[ao]s?'],
  ['Cana-de-açúcar', 'cana-de-acucar|cana de acucar|cana|canavial|saccharum|soqueira|cana-soca|cana-planta'],
  ['Café', 'cafe|cafeeiro|cafezal|cafeicultura|cafeicultor(?:es)?|coffea'],
  ['Uva', 'uva|uvas|videira|videiras|parreiral|vitis|viticultura|viticultor(?:es)?'],
  ['Manga', 'manga|mangas|mangueira|mangueiras|mangifera|mangicultura'],
  [
    'Batata',
    'batata|batatas|batata inglesa|solanum tuberosum|bataticultura|bataticultor(?:es)?|batateira|batateiro',
  ],
  ['Banana', 'banana|bananal|bananeira|musa'],
  ['Tomate', 'tomate|tomateiro'],
  [
    'Citros',
    'citros|laranja|laranjeira|laranjal|pomar de laranja|citricultura|citricultor(?:es)?|limao|citrus',
  ],
  ['Sorgo', 'sorgo'],
  ['Cevada', 'cevada'],
  ['Aveia', 'aveia'],
  ['Girassol', 'girassol'],
  ['Amendoim', 'amendoim'],
  ['Cebola', 'cebola'],
  ['Alho', 'alho'],
  ['Melão', 'melao'],
  ['Melancia', 'melancia'],
  ['Maçã', 'maca|macieira'],
  ['Mandioca', 'mandioca'],
  ['Pastagem', 'pastagem|pasto|brachiaria|braquiaria'],
]
/** All of them at once: each crop is a group. Tried only where a word begins as one of them does. */
const ANY_CROP = new RegExp(`(?:${CROPS.map(([, words]) => `(${words})`).join('|')})(?![a-z])`, 'y')
const CROPS_BEGIN = new Set(CROPS.flatMap(([, words]) => words.split('|').map((word) => word.slice(0, 3))))
const LETTERS = /[a-z]+/g

export interface Mention {
  value: string
  start: number
  end: number
}

/** Every crop named in a folded text, in order. */
export function findCrops(folded: string): Mention[] {
  const found: Mention[] = []
  for (const { 0: word, index: start } of folded.matchAll(LETTERS)) {
    if (!CROPS_BEGIN.has(word.slice(0, 3)) || start < (found.at(-1)?.end ?? 0)) continue
    ANY_CROP.lastIndex = start
    const match = ANY_CROP.exec(folded)
    if (!match) continue
    const value = CROPS[match.findIndex((group, at) => at > 0 && group !== undefined) - 1]?.[0] ?? ''
    found.push({ value, start, end: start + match[0].length })
  }
  return found
}

const BRAND_PATTERNS = BRANDS.map(
  (name) => [name, new RegExp(`(?<![a-z])${fold(name)}(?![a-z])`, 'g')] as const,
)
export function findBrands(folded: string): Mention[] {
  const found: Mention[] = []
  for (const [value, pattern] of BRAND_PATTERNS)
    for (const match of folded.matchAll(pattern))
      found.push({ value, start: match.index, end: match.index + match[0].length })
  return found.sort((a, b) => a.start - b.start)
}

const UNITS: readonly [string, RegExp][] = [
  ['BU1', /\bbu[\s-]?0?(?:1|i)\b|\bnutricao\b|\bnutricional\b|\bnutricionais\b|\bnutri\b/g],
  ['BU2', /\bbu[\s-]?0?(?:2|ii)\b|\bprotecao\b|\bdefensivos\b/g],
  ['BU3', /\bbu[\s-]?0?(?:3|iii)\b|\badjuvantes?\b|\badjuvancia\b/g],
]
export function findBusinessUnits(folded: string): Mention[] {
  const found: Mention[] = []
  for (const [value, pattern] of UNITS)
    for (const match of folded.matchAll(pattern))
      found.push({ value, start: match.index, end: match.index + match[0].length })
  return found.sort((a, b) => a.start - b.start)
}

const MODES: readonly [string, RegExp][] = [
  [
    'Sementes',
    /\b(?:tratamento (?:de |das |via |na |em )?sementes?|tratamento na semente|(?:via|na|nas|em|sobre|junto as?) sementes?|sementes?(?! ?(?:por|\/) ?m)|ts|t\. ?s\b|tsi|trat\.? ?sem\w*\.?|inoculacao|on farm|recobrimento das sementes)\b/y,
  ],
  [
    'Sulco',
    /\b(?:sulcos?|linha de (?:plantio|semeadura)|jato dirigido no sulco|in-?furrow|drench no sulco)\b/y,
  ],
  [
    'Foliar',
    /\b(?:foliar(?:es)?|foliarmente|folhas?|fl|fol|parte aerea|pulverizac(?:ao|oes)|pulverizad[oa]s?|aerea|via folha|aplicac(?:ao|oes) aereas?|dossel|via calda)\b/y,
  ],
  ['Incorporado', /\b(?:incorporad[oa]s?|incorporacao|gradagem|grade)\b/y],
  [
    'Cobertura',
    /\b(?:cobertura(?! (?:e (?:densidade|deposi)|d[aeo]s? (?:gotas|solo|folhas?|calda)|vegetal|morta|verde|foliar)| ?\([^()]*%)|a lanco|lanco|top ?dress\w*|distribuicao superficial|superficie|em superficie)\b/y,
  ],
  [
    'Solo',
    /\b(?:solo(?! (?:arenos|argilos|franc|medi|pesad|leve|fert|acid|d[aeo] |com \d+ ?%))|via solo|drench|fertirrigacao|gotejo|esguicho|rega|radicular)\b/y,
  ],
]
/** The ways that a word may begin, by its first two letters: elsewhere no pattern is tried. */
const MODES_BEGIN = new Map<string, number[]>()
MODES.forEach(([, { source }], mode) => {
  for (const [, letters = ''] of source.matchAll(/(?:[(|:])([a-z]{1,2})/g))
    MODES_BEGIN.set(letters, [...new Set([...(MODES_BEGIN.get(letters) ?? []), mode])])
})
const WORD = /\w+/g
/** Ways of application named in a folded text, in order of appearance. */
export function findModes(folded: string): Mention[] {
  const found: Mention[] = []
  const ends = MODES.map(() => 0)
  for (const { 0: word, index: start } of folded.matchAll(WORD))
    for (const mode of MODES_BEGIN.get(word.slice(0, 2)) ?? []) {
      const [value, pattern] = MODES[mode] as (typeof MODES)[number]
      if (start < (ends[mode] ?? 0)) continue
      pattern.lastIndex = start
      const end = start + (pattern.exec(folded)?.[0].length ?? 0)
      if (end === start) continue
      found.push({ value, start, end })
      ends[mode] = end
    }
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const reach = new Map<string, number>()
  return found.filter(({ value, start, end }) => {
    const covered = [...reach].some(([other, to]) => to > start && other !== value)
    reach.set(value, Math.max(reach.get(value) ?? 0, end))
    return !covered
  })
}

/** Reads the modality of a table cell or a short label value. */
export const readMode = remembered((text): string | null => {
  const t = fold(text)
  if (/^(controle|padrao|tratamento)$/.test(t)) return t === 'controle' ? 'Controle' : null
  return findModes(t)[0]?.value ?? null
})

const CONTROL =
  /(?<![a-z])(?:testemunhas?|test(?:em)?\.|^test$|^nada|controle(?! (?:(?:de|do|da|das|dos)\b|quimic|biolog|total\b)| ?\(?%)|sem aplicac\w+|sem produtos?|sem tratamento|sem adubac\w+ foliar|nao (?:tratad|aplicad|inoculad|adubad|pulverizad|nutrid)[oa]s?|ausencia|branco|check|utc|untreated|area sem|nada (?:a )?mais|(?:so|somente|apenas) (?:a |o )?(?:adubac\w+|adubo|manejo) (?:d[aeo]s? )?(?:sr|produtor|fazenda|sitio|area|base|casa|padrao|cooperad\w))(?![a-z])/
/** 'Faixa-padrão, sem regulador', 'Manejo do produtor (sem foliares)' */
const USUAL_WITHOUT =
  /^(?:[a-z]+[- ])?(?:padrao|comum|usual|d[oa] (?:produtor|cooperado|fazenda|sitio))[a-z ]{0,20}[,(] ?sem [a-z ]{3,30}\)?$/
/** 'Sem fungicida', 'Sem bioestimulante foliar': all that the name says is what was left out. */
const WITHOUT = /^sem (?!(?:informa\w+|dados?|registro|efeito|diferenca)\b)[a-z][a-z ]{1,36}$/
/** Whether a treatment's name says that it is the control. */
export const isControl = remembered((text): boolean => {
  // '1. Sem nada'
  const t = fold(text).replace(/^(?:t(?:rat\.?)? ?)?\(?\d{1,2}[).:-]? (?=sem )/, '')
  return (CONTROL.test(t) || WITHOUT.test(t) || USUAL_WITHOUT.test(t)) && !AGAINST_CONTROL.test(t)
})
const AGAINST_CONTROL =
  /\b(?:sobre|vs|versus|relacao|comparad[oa]|ante|increment\w*|ganho|diferenca|acima|superior\w*|dif|% da)\b|\bs\/|δ|∆|^controle\b.*(?:\(%\)|\d ?d\.?a\.?[aest]\b|\d dias\b)/

export const REGION_NAMES =
  /^(?:(?:regiao|regional|praca)\s+)?(norte|nordeste|centro[- ]?oeste|sudeste|sul|leste|oeste|cerrado(?: \w+)?|matopiba|mapito\w*|brasil central)$/
