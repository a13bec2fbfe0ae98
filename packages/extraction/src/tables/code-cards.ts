import { union } from '../read/geometry.ts'
import type { Cell, Table } from './table.ts'

type Row = Table['rows'][number]

/** 'T3', 'TS-03', 'Trat. 3': a letter before it, so that figures side by side are none. */
const CODE = /^(?:T|TS|Trat\.?|Tratamento|Amostra)\s?[-.]?\s?0?(\d{1,2})$/i
/** Rows of cards at the least, and cards in all. */
const LEAST_ROWS = 2
const LEAST_CARDS = 4

const codeOf = (cell: Cell | null | undefined): number =>
  Number(CODE.exec(cell?.text ?? '')?.[1] ?? Number.NaN)

/** Whether it stands over cards: codes and nothing else. */
function isHead(row: Row | undefined): boolean {
  const own = (row ?? []).filter((cell) => cell !== null && cell.text !== '')
  return own.length >= 2 && own.every((cell) => Number.isFinite(codeOf(cell)))
}

/**
 * Cards of treatments in rows side by side, each with its code over lines of products and doses: one table, a row a
 * line, as it would stand if they had been set below each other.
 */
export function withCodeCards(caught: readonly Table[]): Table[] {
  const tables = caught.flatMap(atHeads)
  const heads = tables.filter(({ rows }) => isHead(rows[0]) && !rows.slice(1).some(isHead))
  const cards = heads.flatMap(cardsOf)
  const inOrder = cards.every(({ code }, i) => code === (cards[0]?.code ?? 0) + i)
  const [first] = heads
  if (!first || heads.length < LEAST_ROWS || cards.length < LEAST_CARDS || !inOrder) return [...caught]
  const columns = 1 + Math.max(...cards.flatMap(({ lines }) => lines.map((line) => line.length)))
  const rows = cards.flatMap(({ head, lines }) =>
    lines.map((line, i): Row => {
      const row = [i === 0 ? head : null, ...line]
      return [...row, ...Array.from({ length: columns - row.length }, () => null)]
    }),
  )
  const whole: Table = { ...first, ...union(heads), rows, columns }
  return tables.flatMap((table) => (table === first ? [whole] : heads.includes(table) ? [] : [table]))
}

/** Rows of cards that were caught as one table, each with its own. */
function atHeads(table: Table): Table[] {
  const starts = table.rows.flatMap((row, r) => (isHead(row) ? [r] : []))
  if (starts.length < LEAST_ROWS || starts[0] !== 0) return [table]
  return starts.map((from, i) => {
    const rows = table.rows.slice(from, starts[i + 1])
    const cells = rows.flat().filter((cell): cell is Cell => cell !== null && cell.text !== '')
    return { ...table, ...union(cells), rows }
  })
}

interface Card {
  code: number
  head: Cell
  lines: Row[]
}
/** Each card goes from its code to the next one's. */
function cardsOf({ rows: [head = [], ...below] }: Table): Card[] {
  const starts = head.flatMap((cell, c) => (cell && cell.text !== '' ? [{ cell, c }] : []))
  return starts.map(({ cell, c }, i) => {
    const own = below
      .map((row) => row.slice(c, starts[i + 1]?.c))
      .filter((line) => line.some((one) => one !== null && one.text !== ''))
    return { code: codeOf(cell), head: cell, lines: own.length > 0 ? own : [[]] }
  })
}
