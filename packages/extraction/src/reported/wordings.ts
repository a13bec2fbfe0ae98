import { decimalsOf, toNumber } from '../values/number.ts'
import { matchesOfCount } from './counts.ts'
import type { Candidate } from './found.ts'
import { type Hit, hitsOf, type Passage } from './passages.ts'

const NUMBER = String.raw`(\d{1,3}(?:\.\d{3})+(?:,\d{1,4})?|\d{1,6}(?:[.,]\d{1,4})?)(?![\d\p{L}])`
const JOINTS = String.raw`(?:\s?(?:experimental|medio|geral|do ensaio|do experimento|dos dados|(?:d[ae]|para a?) ?produtividade|d[eo] rendimento|foi|ficou|igual a|de))`

const CV = new RegExp(
  String.raw`(?<![\p{L}\d])(?:c\.? ?v\.?(?![\p{L}\d])|coef(?:icientes?|\.) de variac\w{1,5})(?:\s?\(? ?c\.?v\.? ?\)?)?(\s?[(]? ?% ?[)]?)?${JOINTS}{0,6}\s?([:=]?)\s?${NUMBER}\s?(%?)`,
  'gu',
)

const OF_YIELD =
  /\b(?:produtividad\w{1,2}|rendimentos?|producao|colheitas?|rend|prod|tch|kg ?\/ ?ha|kg ha|sacas?|sc ?\/ ?ha|sc ha)\b/g
const OF_OTHERS =
  /\b(?:alturas?|estande|stand|spad|ndvi|mmg|pmg|pms|massa (?:de|da|seca|fresca)|peso de|severidade|incidencia|acamamento|vagens|vagem|espigas?|fitotox\w{0,9}|intoxicacao|teor|foliar|eficacia|controle d[aeo]s?|diametro|paniculas?|brix|atr|desfolha|raiz|raizes|clorofila|numero de (?:vagens|graos|plantas|ramos|espigas)|graos por|populacao|aacpd|nodulos|proteina|oleo)\b/g

/** What the variable of a figure is: the mention nearest to it, those behind 'para' or 'da' first. */
function variableOf({ before, after }: Pick<Hit, 'before' | 'after'>): 'yield' | 'other' | 'both' | null {
  const own = /^[\s%),]{0,6}(?:para|d[aeo]s?|n[ao]|em)\b/.test(after) ? nearest(after.slice(0, 60), 1) : null
  if (own) return own
  const behind = nearest(before, -1)
  return behind ?? nearest(after.slice(0, 60), 1)
}

function nearest(text: string, way: 1 | -1): 'yield' | 'other' | null {
  const places = (pattern: RegExp): number[] => [...text.matchAll(pattern)].map(({ index }) => index)
  const distance = (at: number[]): number =>
    at.length === 0 ? Infinity : way === 1 ? Math.min(...at) : text.length - Math.max(...at)
  const [of, others] = [distance(places(OF_YIELD)), distance(places(OF_OTHERS))]
  if (of === Infinity && others === Infinity) return null
  return of < others ? 'yield' : 'other'
}

export type CvCandidate = Candidate<number> & { casas: number; nameless: boolean }

/** CVs of running text and notes; `alone` where the report measures nothing but the yield. */
export function cvsInText(passages: readonly Passage[], alone: boolean): CvCandidate[] {
  const found: CvCandidate[] = []
  for (const hit of hitsOf(passages, CV)) {
    const { match } = hit
    const [whole, before, sign, printed = '', after] = match
    // 'CV 7870' is a cultivar, 'cv. 98' too.
    if (!before && !sign && !after && !/variac/.test(whole)) continue
    const value = toNumber(printed)
    if (value === null || value < 0.1 || value > 100) continue
    const clash = /^\s?(?:%\s?)?(?:,|;|e|a|ate)\s\d/.test(hit.after) || /\bcoeficientes\b/.test(whole)
    const of = /produtiv|rendim/.test(whole) ? 'yield' : variableOf(hit)
    if (of === 'other') continue
    const score = of === 'yield' ? 0.93 : alone ? 0.85 : 0.5
    found.push({
      value,
      casas: decimalsOf(printed),
      nameless: of === null && !alone,
      score: score * hit.ours * (clash ? 0.55 : 1),
      words: hit.wordsAt(match.index, match.index + whole.length),
      method: 'prose',
    })
  }
  // Several that are of nobody knows what tell nothing.
  const nameless = new Set(found.filter((one) => one.nameless).map(({ value }) => value))
  return nameless.size > 1 ? found.filter((one) => !one.nameless) : found
}

const DMS = new RegExp(
  String.raw`(?<![\p{L}\d])(?:d\.? ?m\.? ?s\.?(?![\p{L}\d])|l\.? ?s\.? ?d\.?(?![\p{L}\d])|diferenca minima significativa(?: \(d\.?m\.?s\.?\))?)(\s?\([^()\d]{0,24}\d{0,2}\s?%?[^()\d]{0,12}\))?(?:\s(?:foi|de|tukey|a|\d{1,2} ?%)){0,5}\s?([:=]?)\s?${NUMBER}`,
  'gu',
)

export type DmsCandidate = Candidate<number> & { label: string }

/** As printed, in the unit of the report's means. */
export function dmsInText(passages: readonly Passage[], alone: boolean): DmsCandidate[] {
  return hitsOf(passages, DMS).flatMap((hit): DmsCandidate[] => {
    const { match } = hit
    const value = toNumber(match[3] ?? '')
    if (value === null || value <= 0 || /^\s?%/.test(hit.after)) return []
    const of = variableOf(hit)
    if (of === 'other') return []
    return [
      {
        value,
        label: match[0],
        score: (of === 'yield' ? 0.9 : alone ? 0.85 : 0.45) * hit.ours,
        words: hit.wordsAt(match.index, match.index + match[0].length),
        method: 'prose',
      },
    ]
  })
}

/** The names of the tests of means by which others know them. */
const TESTS: readonly [string, RegExp][] = [
  ['Scott-Knott', /scott ?[-&e]? ?knott|\bsk\b/],
  ['Tukey', /tukey/],
  ['Duncan', /duncan/],
  ['SNK', /student[- ]newman|newman[- ]keuls|\bs\.?n\.?k\b/],
  ['Bonferroni', /bonferroni/],
  ['Dunnett', /dunnett/],
  ['t', /\bl\.?s\.?d\b|\bteste[s]? t\b|\bt de student\b|\bt ?\((?:lsd|dms)\)|\bfisher\b/],
]
const ANY_TEST =
  /scott ?[-&e]? ?knott|tukey|duncan|student[- ]newman|newman[- ]keuls|\bs\.?n\.?k\b|bonferroni|dunnett|\bl\.?s\.?d\b|\bteste t\b|\bt de student\b/g

export const testIn = (folded: string): string | null =>
  TESTS.find(([, pattern]) => pattern.test(folded))?.[0] ?? null

const OF_LETTERS =
  /mesma letra|letras? (?:iguais|distintas|diferentes|minuscula|na coluna)|seguid[ao]s|nao diferem|same letter/

/** A note on the letters says by which test they are; what the methods announce comes after it. */
export function testsInText(passages: readonly Passage[]): Candidate<string>[] {
  return hitsOf(passages, ANY_TEST).flatMap((hit): Candidate<string>[] => {
    const { match, before, after } = hit
    const value = testIn(match[0])
    if (!value) return []
    const sentence = `${before}${match[0]}${after}`
    // Normality and homogeneity are tested too, and a DMS only names its own.
    if (/\bd\.?m\.?s\.? ?\(? ?$/.test(before)) return []
    const score = OF_LETTERS.test(sentence)
      ? 0.95
      : /\bmedias?\b|compar|pelo teste|ao teste|\bteste de\b/.test(sentence)
        ? 0.86
        : 0.65
    // Beside another test, Dunnett is the one against the control.
    return [
      {
        value,
        score: score * hit.ours * (value === 'Dunnett' ? 0.8 : 1),
        words: hit.wordsAt(match.index, match.index + match[0].length),
        method: 'prose',
      },
    ]
  })
}

/** 'quatro repetições', '4 blocos', 'repetido quatro vezes'. */
export function repetitionsInText(passages: readonly Passage[]): Candidate<number>[] {
  return matchesOfCount(passages).flatMap(({ value, hit, noun }): Candidate<number>[] => {
    if (value < 2 || value > 30) return []
    // Of a reading, a sample or a plot there are repetitions too.
    if (
      /^\s?(?:de (?:leitura|campo|analise|laboratorio|amostra)|por (?:parcela|planta|folha|amostra|leitura|ponto)|analitic)/.test(
        hit.after,
      )
    )
      return []
    const blocks = noun.startsWith('bloco')
    const told = /delineament|tratament|casualiz|acaso|dbc|dic\b|experiment|ensaio|medias? de/.test(
      hit.before + hit.after,
    )
    return [
      {
        value,
        score: (told ? 0.95 : blocks ? 0.72 : 0.85) * hit.ours,
        words: hit.wordsAt(hit.match.index, hit.match.index + hit.match[0].length),
        method: 'prose',
      },
    ]
  })
}

const RESIDUAL =
  /(?:graus de liberdade|\bg\.? ?l\.?) ?(?:\(gl\) ?)?(?:d[oe] )?(?:residuo|erro|residual)(?: experimental)? ?(?:foi |foram |de |= ?|: ?|igual a ){0,3}(\d{1,4})(?![\d,.]\d|\d)/g
const RESIDUAL_BEFORE = /\b(\d{1,4}) graus de liberdade (?:d[oe] |para o |no )(?:residuo|erro)\b/g
const BOTH =
  /\b(?:gl|g\.l\.) ?[=:] ?\d{1,3} ?(?:e|;|,) ?(\d{1,4})(?![\d,.]\d|\d)|\bf ?\( ?\d{1,3} ?[,;] ?(\d{1,4}) ?\)/g

/** Degrees of freedom of the residual, said in words or beside an F. */
export function residualInText(passages: readonly Passage[]): Candidate<number>[] {
  const of = (pattern: RegExp, score: number): Candidate<number>[] =>
    hitsOf(passages, pattern).flatMap((hit) => {
      const value = Number(hit.match[1] ?? hit.match[2])
      if (!(value >= 1 && value <= 10_000)) return []
      return [
        {
          value,
          score: score * hit.ours,
          words: hit.wordsAt(hit.match.index, hit.match.index + hit.match[0].length),
          method: 'prose' as const,
        },
      ]
    })
  return [...of(RESIDUAL, 0.93), ...of(RESIDUAL_BEFORE, 0.93), ...of(BOTH, 0.75)]
}

const SQUARE = /quadrados? latinos?|\bd\.?q\.?l\b/g
/** Two errors: no single CV says how sure a mean is. */
const TWO_ERRORS =
  /parcelas? (?:sub-?)?sub-?divididas?|\bsplit[- ]?plot\b|\bstrip[- ]?plot\b|esquema (?:de|em) faixas|\bpsub\b/

export const latinSquaresIn = (passages: readonly Passage[]): Hit[] => hitsOf(passages, SQUARE)
export const hasTwoErrors = (passages: readonly Passage[]): boolean =>
  passages.some(({ text }) => TWO_ERRORS.test(text))
