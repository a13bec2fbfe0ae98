import { fold } from '../values/text.ts'
import type { Row } from './orient.ts'

// What programs for trials print above the figures of a table: a row for the pest, the part, the date, the kind, the unit.

const TYPE = /^(?:rating type|assessment type|(?:tipo|variavel)(?: d[ae])? avaliacao|tipo avaliado)$/
const UNIT = /^(?:(?:rating |assessment )?unit|unidade(?: d[ae] avaliacao)?)$/
const WHEN = /^(?:(?:rating|assessment) (?:date|timing)|data(?: d[ae])? avaliacao)$/

/** What was assessed in the words of who did it, where the program's codes stand above. */
const WORDS = /^(?:description|descricao)$/

const OTHER =
  /^(?:cod|parte? |pest|crop|dat[ae]|dias|days|n[o.ºu]|#|estadio|stage|tra?t|entry|sub-?(?:amostra|sample)|footnote)/

/** What the row says of the columns: it stands in the first or the second cell; one that comes down from above says nothing. */
function labelOf([first, second]: Row): string {
  const [one, two] = [fold(first?.text ?? ''), fold(second?.text ?? '')]
  return [TYPE, UNIT, WHEN, WORDS, OTHER].some((pattern) => pattern.test(two)) ? two : one
}

/** The heading of a column under such rows: what was assessed, when where it was more than once, and its unit. */
export function ratedHeading(header: readonly Row[], column: number): string | null {
  const row = (pattern: RegExp): Row | undefined => header.find((one) => pattern.test(labelOf(one)))
  const coded = row(TYPE)
  if (!coded?.[column]?.text || column < 2) return null
  const told = row(WORDS)
  const types = told?.[column]?.text ? told : coded
  const name = types[column]?.text ?? ''
  const again = types.filter((cell) => cell?.text === name).length > 1
  const when = again ? row(WHEN)?.[column]?.text : undefined
  const unit = row(UNIT)?.[column]?.text
  return `${name}${when ? ` ${when}` : ''}${unit ? ` (${unit})` : ''}`
}
