import type { Box } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'

export interface Cell extends Box {
  text: string
  words: Word[]
  page: number
}

/** A rectangle of cells; a cell that spans rows or columns stands at each of its places. */
export interface Table extends Box {
  page: number
  rows: (Cell | null)[][]
  columns: number
  ruled: boolean
  /** Text right above (or below) that names the table. */
  title: string
}
