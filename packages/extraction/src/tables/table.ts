import type { RowLabel } from '@ensaio/domain/tables'
import type { Line } from '../layout/lines.ts'
import type { Box } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'

export interface Cell extends Box {
  text: string
  words: Word[]
  page: number
}

/** A rectangle of cells; a cell that spans rows or columns stands at each of its places. */
export interface Table extends Box {
  /** How many rows are its heading, where another count is tried than its rows suggest. */
  head?: number
  /** What a person says that its columns and rows are; its rows stand upright then. */
  given?: { roles: readonly (string | null)[]; labels: readonly RowLabel[] }
  /** Of which variable a program of statistics printed it. */
  analysed?: string
  /** The lines of a table held together by alignment only: they may be put together otherwise. */
  lines?: readonly Line[]
  page: number
  rows: (Cell | null)[][]
  columns: number
  ruled: boolean
  /** Text right above (or below) that names the table. */
  title: string
}
