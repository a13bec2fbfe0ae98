import { type Hit, hitsOf, type Passage } from './passages.ts'

const WORDS = ['dois', 'tres', 'quatro', 'cinco', 'seis', 'sete', 'oito', 'nove', 'dez']

/** 'quatro', '4', '04', 'duas'. */
export function countOf(text: string): number | null {
  const t = text.trim()
  if (/^\d{1,2}$/.test(t)) return Number(t)
  if (t === 'duas') return 2
  const at = WORDS.indexOf(t)
  return at < 0 ? null : at + 2
}

const COUNT = `(\\d{1,2}|duas|${WORDS.join('|')})`
const COUNTED = new RegExp(
  `(?<![\\d,.\\p{L}])${COUNT}(?: ?\\((?:\\d{1,2}|[a-z]{3,7})\\))? ?(?:x )?(repeticoes|repeticao|blocos|replicas|replicatas|replicacoes|reps?\\b)`,
  'gu',
)
const TIMES = new RegExp(`\\b(repetid[oa]s?) ${COUNT} vezes`, 'gu')
const LABELLED = /\b(repeticoes|blocos|r) ?(?:por tratamento ?)?[:=] ?(\d{1,2})(?![\d,.]\d|\d|\p{L})/gu

/** How many repetitions or blocks are counted, with the noun that says of what. */
export function matchesOfCount(passages: readonly Passage[]): { value: number; hit: Hit; noun: string }[] {
  const of = (pattern: RegExp, count: 1 | 2): { value: number; hit: Hit; noun: string }[] =>
    hitsOf(passages, pattern).flatMap((hit) => {
      const value = countOf(hit.match[count] ?? '')
      return value === null ? [] : [{ value, hit, noun: hit.match[3 - count] ?? '' }]
    })
  return [...of(COUNTED, 1), ...of(TIMES, 2), ...of(LABELLED, 2)]
}
