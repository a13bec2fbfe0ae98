import { fold } from '../values/text.ts'
import type { Row } from './orient.ts'

// What programs for trials print above the figures of a table: a row for the pest, the part, the date, the kind, the unit.

const TYPE = /^(?:rating type|assessment type|(?:tipo|variavel)(?: d[ae])? avaliacao|tipo avaliado)$/
const UNIT = /^(?:(?:rating |assessment )?unit|unidade(?: d[ae] avaliacao)?)$/
const WHEN = /^(?:(?:rating|assessment) (?:date|timing)|data(?: d[ae])? avaliacao)$/

/** What the row says of the columns: it stands in its first one or two cells. */
const labelOf = ([first, second]: Row): string =>
  fold(`${first?.text ?? ''} ${second === first ? '' : (second?.text ?? '')}`).trim()

/** The heading of a column under such rows: what was assessed, when where it was more than once, and its unit. */
export function ratedHeading(header: readonly Row[], column: number): string | null {
  const row = (pattern: RegExp): Row | undefined => header.find((one) => pattern.test(labelOf(one)))
  const types = row(TYPE)
  const name = types?.[column]?.text
  if (!types || !name || column < 2) return null
  const again = types.filter((cell) => cell?.text === name).length > 1
  const when = again ? row(WHEN)?.[column]?.text : undefined
  const unit = row(UNIT)?.[column]?.text
  return `${name}${when ? ` ${when}` : ''}${unit ? ` (${unit})` : ''}`
}
