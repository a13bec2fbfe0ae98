import { makeRun, type Run, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE } from '../values/number.ts'

/** 'ureia, 178 kg/ha (80 kg/ha de N)': what an amount holds of a nutrient is no further product. */
export function withoutEquivalents(run: Run): Run {
  const asides = [...run.folded.matchAll(EQUIVALENT)].filter(({ index }) =>
    /\d/.test(run.folded.slice(0, index)),
  )
  if (asides.length === 0) return run
  const out = new Set(asides.flatMap((match) => wordsIn(run, match.index + 1, match.index + match[0].length)))
  return makeRun(run.spans.map(({ word }) => word).filter((word) => !out.has(word)))
}
const EQUIVALENT = new RegExp(
  String.raw`\((?:equivalente a |ou )?${NUMBER_SOURCE}\s*kg\s*(?:\/|\s)?\s*ha(?:-1)?\s*de\s*(?:n|p2o5|k2o|k|p|s|b|zn|ca|mg|nitrogenio|potassio|fosforo)\)`,
  'g',
)

/** How a sentence ends before a name that begins. */
const SENTENCE_END = /\p{Ll}{4}\.\s+(?=\p{Lu}\p{L}|$)/u
const LONGEST_SENTENCE = 160
/** Where the name begins behind a sentence of three words or more. */
export function behindSentence(text: string): number {
  const end = SENTENCE_END.exec(text.slice(0, LONGEST_SENTENCE))
  const before = end ? text.slice(0, end.index) : ''
  return end && /^[\p{Lu}(]/u.test(text) && before.split(' ').length > 2 && !before.includes('.')
    ? end.index + end[0].length
    : 0
}
