import { union } from '../read/geometry.ts'
import { makeCell } from '../tables/lattice.ts'
import type { Cell, Table } from '../tables/table.ts'
import { isControl } from '../values/lexicon.ts'
import { hasLetters } from '../values/text.ts'

/** Names go on in rows without a label, before the first that has one: 'Composto' over '5 t/ha'. */
export function linesOfNames(rows: Readonly<Table['rows']>, at: number): Table['rows'] {
  const below = rows.slice(at + 1)
  const end = below.findIndex((row) => (row[0]?.text ?? '') !== '')
  const lines = below.slice(0, Math.max(0, end))
  const own = [rows[at] ?? [], ...lines].flatMap((row) => row.slice(1).flatMap((cell) => cell?.text || []))
  const fits =
    lines.length <= MOST_LINES &&
    (rows[at]?.[0]?.text ?? '') === '' &&
    own.every((text) => hasLetters(text) && !/^T\s?\d{1,2}$/.test(text))
  return fits ? lines : []
}
/** A name has hardly more lines. */
const MOST_LINES = 3

/** Cells below each other as one. */
export function oneCell(cells: readonly (Cell | null)[]): Cell | null {
  const filled = [...new Set(cells)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const [first, more] = filled
  if (!first || !more) return first ?? cells[0] ?? null
  const words = filled.flatMap((cell) => cell.words)
  return { ...makeCell(words, union(words), first.page), text: filled.map(({ text }) => text).join(' ') }
}

/** 'Testemunha | – | 0 | sem N': a treatment, whatever it has no figures. */
export const beginsWithControl = (row: Table['rows'][number] | undefined): boolean => {
  const first = row?.find((cell) => cell !== null && cell.text !== '')
  return (
    first === row?.[0] &&
    isControl(first?.text ?? '') &&
    /^(?:testemunha|controle)\b/i.test(first?.text ?? '')
  )
}

/** A sentence below a sheet, over several of its columns, is of none of them: 'T1 = controle: mesmo fungicida …'. */
export const isOfColumns = ([head, next]: readonly (Cell | null)[]): boolean =>
  !head || head !== next || head.text.length < LEAST_NOTE
const LEAST_NOTE = 60

export const spansAll = (row: readonly (Cell | null)[]): boolean =>
  row.length > 1 && row.every((cell) => cell === row[0])
