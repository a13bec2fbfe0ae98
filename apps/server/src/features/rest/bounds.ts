import type { Condition } from './parse-filter.ts'
import { RestError } from './rest-error.ts'

const MOST_CONDITIONS = 40
const MOST_VALUES = 1000
const LONGEST_VALUE = 1000
const MOST_PATTERNS = 4
const LONGEST_LIKE = 200
const LONGEST_PATTERN = 100

/**
 * What a filter may ask of the database. A pattern may repeat a letter or a class, but no group, and not count:
 * such patterns take the database's time without a bound, and nobody looks for a name by one.
 * @throws RestError
 */
export function checkBounds(conditions: readonly Condition[]): void {
  const flat = conditions.flatMap(parts)
  if (flat.length > MOST_CONDITIONS) throw tooMuch(`more than ${MOST_CONDITIONS} conditions`)
  let patterns = 0
  for (const condition of flat) {
    const values = valuesOf(condition)
    if (values.length > MOST_VALUES) throw tooMuch(`more than ${MOST_VALUES} values`)
    if (values.some((value) => value.length > LONGEST_VALUE))
      throw tooMuch(`a value of more than ${LONGEST_VALUE} characters`)
    if (!('operator' in condition)) continue
    const { operator } = condition
    if (operator === 'like' || operator === 'ilike') {
      if (values.some((value) => value.length > LONGEST_LIKE))
        throw tooMuch(`a pattern of more than ${LONGEST_LIKE} characters`)
    } else if (operator === 'match' || operator === 'imatch') {
      patterns += values.length
      for (const value of values) checkPattern(value)
    }
  }
  if (patterns > MOST_PATTERNS) throw tooMuch(`more than ${MOST_PATTERNS} regular expressions`)
}

type Single = Exclude<Condition, { kind: 'logic' }>

const parts = (condition: Condition): Single[] =>
  condition.kind === 'logic' ? condition.conditions.flatMap(parts) : [condition]

function valuesOf(condition: Single): string[] {
  if (condition.kind === 'is') return []
  return condition.kind === 'compare' ? [condition.value] : condition.values
}

function checkPattern(pattern: string): void {
  const reason =
    pattern.length > LONGEST_PATTERN
      ? `it has more than ${LONGEST_PATTERN} characters`
      : /[{]|\)[*+?]|\(\?|\\[0-9]/.test(pattern)
        ? 'it counts, repeats a group, looks around or refers back'
        : null
  if (reason)
    throw new RestError(400, '2201B', `invalid regular expression: ${reason}`, {
      hint: 'Use like, ilike or a simpler expression.',
    })
}

const tooMuch = (what: string) => new RestError(400, '54000', `The query is too large: ${what}`)
