import {
  BUSINESS_UNIT_NAMES,
  ExperimentInput,
  type FieldKey,
  fieldOf,
  isNumberKey,
  parseNumber,
  STATES,
  searchable,
} from '@ensaio/domain'

const SOUTH_OR_WEST = /(?<!\p{L})(?:[SWO]|sul|oeste)(?!\p{L})/iu
const NUMBER = /(?<![\p{L}\d.,])[-\u2212\u2013]?\d(?:[\d.,]*\d)?/gu

/** The value as the field holds it when it stands in the line, else null. */
export function citedValue(field: FieldKey, value: unknown, line: string): string | number | null {
  if (isNumberKey(field)) return citedNumber(field, value, line)
  if (typeof value !== 'string') return null
  const found = spellings(field, value.replace(/\s+/g, ' ').trim()).find(({ written }) =>
    holds(line, written),
  )
  return found?.value ?? null
}

function citedNumber(field: FieldKey, value: unknown, line: string): number | null {
  const of = fieldOf(field)
  const coordinate = of.type === 'number' && of.coordinate === true
  const wanted =
    typeof value === 'string' ? parseNumber(value, { grouping: !coordinate }) : (value as unknown)
  if (typeof wanted !== 'number' || !ExperimentInput.shape[field].safeParse(wanted).success) return null
  const stands = [...line.matchAll(NUMBER)].some(([token]) => {
    const number = parseNumber(token, { grouping: !coordinate })
    return number === wanted || (coordinate && number === -wanted && wanted < 0 && SOUTH_OR_WEST.test(line))
  })
  return stands ? wanted : null
}

/** The ways in which a report may write the value, with what the field then holds. */
function spellings(field: FieldKey, value: string): { value: string; written: string }[] {
  const same = (text: string) => searchable(text) === searchable(value)
  if (field === 'estado')
    return STATES.filter(({ sigla, nome }) => same(sigla) || same(nome)).flatMap(({ sigla, nome }) => [
      { value: sigla, written: nome },
      { value: sigla, written: sigla },
    ])
  if (field === 'bu')
    return Object.entries(BUSINESS_UNIT_NAMES)
      .filter((names) => names.some(same))
      .flatMap(([code, name]) =>
        [code, code.replace('BU', 'BU '), name].map((written) => ({ value: code, written })),
      )
  return value.length >= 2 && value.length <= 200 ? [{ value, written: value }] : []
}

/** Whole words, whatever their accents; a code of two letters only in capitals. */
function holds(line: string, written: string): boolean {
  const plain = /^[A-Z]{2}$/.test(written)
  const [text, part] = plain ? [line, written] : [searchable(line), searchable(written)]
  const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\d])${literal}(?![\\p{L}\\d])`, 'u').test(text)
}
