import { groupLines, textOf } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'
import { isHeading } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { makeCell } from './lattice.ts'
import type { Cell, Table } from './table.ts'

/** 'TRAT. 1', 'Tratamento 2', 'T3', and nothing else. */
const CODE = /^(?:T|Trat\.?|Tratamento|Faixa|Parcel[ãa]o)\s?(?:n[º°o.]*\s?)?0?\d{1,2}$/i
/** So many cards with the same labels are a form. */
const LEAST_CARDS = 2
const LEAST_LABELS = 3
/** A label above a value is short. */
const LONGEST_LABEL = 40

/** A box of a form: a label, and below it what was filled in. */
interface Field {
  label: string
  labelWords: Word[]
  value: Word[]
}

interface Card {
  code: Cell
  fields: Field[]
}

/**
 * The boxes of a form, one after the other for each treatment: in each box of it a label stands over its value. One table,
 * a row a treatment, as it would stand if the labels had been its headings.
 */
export function withFormCards(tables: readonly Table[]): Table[] {
  const cards = new Map(tables.map((table) => [table, table.ruled ? cardsOf(table) : []]))
  const forms = tables.filter((table) => (cards.get(table)?.length ?? 0) > 0)
  const all = forms.flatMap((table) => cards.get(table) ?? [])
  const [first] = forms
  const model = all[0]?.fields ?? []
  const fits = ({ fields }: Card): boolean =>
    fields.length === model.length && fields.every(({ label }, i) => label === model[i]?.label)
  if (!first || all.length < LEAST_CARDS || model.length < LEAST_LABELS || !all.every(fits))
    return [...tables]
  const cellOf = (words: readonly Word[]): Cell | null =>
    words.length === 0 ? null : makeCell([...words], union([...words]), first.page)
  const rows = [
    [null, ...model.map(({ labelWords }) => cellOf(labelWords))],
    ...all.map(({ code, fields }) => [code, ...fields.map(({ value }) => cellOf(value))]),
  ]
  const whole: Table = { ...first, ...union(forms), rows, columns: model.length + 1 }
  return tables.flatMap((table) => (table === first ? [whole] : forms.includes(table) ? [] : [table]))
}

/** Each card is the rows along which its code stands; none where a box is no label over a value. */
function cardsOf({ rows }: Table): Card[] {
  const cards: { code: Cell; cells: Set<Cell> }[] = []
  for (const row of rows) {
    const code = row.find((cell) => cell !== null && CODE.test(cell.text))
    if (!code) continue
    const card = cards.at(-1)?.code === code ? cards.at(-1) : undefined
    const cells = card?.cells ?? new Set<Cell>()
    for (const cell of row) if (cell !== null && cell !== code && cell.text !== '') cells.add(cell)
    if (!card) cards.push({ code, cells })
  }
  const read = cards.map(({ code, cells }) => ({ code, fields: [...cells].map(fieldOf) }))
  const whole = ({ fields }: (typeof read)[number]): boolean => fields.every((field) => field !== null)
  return read.every(whole) ? (read as Card[]) : []
}

function fieldOf({ words }: Cell): Field | null {
  const [head, ...below] = groupLines(words)
  if (!head) return null
  const label = textOf(head)
  if (label.length > LONGEST_LABEL || !/\p{L}{2}/u.test(label) || readCell(label) !== null) return null
  // A box that nobody filled in.
  if (below.length === 0 && !isHeading(label)) return null
  return { label, labelWords: head, value: below.flat() }
}
