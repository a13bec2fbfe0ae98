import { type FileCell, guessMap, titleRow } from '@ensaio/domain'
import type { Cell, Change, Column } from './sheet-state.ts'

/** More than a sheet holds; a paste of a whole workbook is cut there. */
const MOST_CELLS = 200_000

/** A block of cells as spreadsheets copy it: tabs between cells, quotes around what holds a line's end. */
export function blockOf(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  let count = 0
  const end = () => {
    rows.at(-1)?.push(cell)
    cell = ''
    count += 1
  }
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  for (let at = 0; at < plain.length && count < MOST_CELLS; at++) {
    const sign = plain[at]
    if (quoted) {
      if (sign !== '"') cell += sign
      else if (plain[at + 1] === '"') {
        cell += '"'
        at += 1
      } else quoted = false
    } else if (sign === '"' && cell === '') quoted = true
    else if (sign === '\t') end()
    else if (sign === '\n') {
      end()
      rows.push([])
    } else cell += sign
  }
  end()
  return rows
}

/** Where each pasted cell goes, by its place from the chosen cell on. */
export function byPlace(
  block: readonly (readonly string[])[],
  at: Cell,
  { rows, columns }: { rows: readonly number[]; columns: readonly Column[] },
): Change[] {
  return block.flatMap((line, down) =>
    line.flatMap((text, right) => {
      const row = rows[at.row + down]
      const column = columns[at.column + right]
      return row === undefined || !column || column.derived ? [] : [{ row, column, text }]
    }),
  )
}

/** Whether the block says itself where its values belong: a treatment's column, and a block's or plot's. */
export function saysWhere(block: readonly (readonly FileCell[])[]): boolean {
  const titles = block[titleRow(block)]
  if (!titles || block.length < 2) return false
  const roles = new Set(guessMap(titles).colunas.map(({ papel }) => papel))
  return roles.has('parcela') || (roles.has('tratamento') && roles.has('bloco'))
}
