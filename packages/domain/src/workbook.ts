/**
 * A cell of a spreadsheet as its file has it. In a text file every cell is a text. A formula is its stored value.
 * - `data`: an ISO date with the text that the sheet shows ('01/03/2024', 'mar/24') and its day number in the epoch
 *   of 1900, with which a number that was taken for a date can be told.
 * - `erro`: an error value, as '#DIV/0!'.
 * - `formula`: a formula without a stored value.
 */
export type WorkbookCell =
  | null
  | string
  | number
  | boolean
  | { data: string; texto: string; serial: number }
  | { erro: string }
  | { formula: true }

/** Rows and columns count from 0. */
export interface WorkbookSheet {
  nome: string
  oculta: boolean
  /** What is used: up to the last row and the last column with content. */
  linhas: number
  colunas: number
  mescladas: { linha: number; coluna: number; linhas: number; colunas: number }[]
  /** Only those with content. */
  linhas_ocultas: number[]
  colunas_ocultas: number[]
}

export const WORKBOOK_FORMATS = ['xlsx', 'ods', 'csv', 'texto'] as const
export const TEXT_ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type TextEncoding = (typeof TEXT_ENCODINGS)[number]
export const TEXT_SEPARATORS = [';', '\t', ',', '|'] as const
export type TextSeparator = (typeof TEXT_SEPARATORS)[number]

/** What a spreadsheet says of itself, besides its cells. */
export interface WorkbookHead {
  formato: (typeof WORKBOOK_FORMATS)[number]
  /** Null for a workbook. */
  codificacao: TextEncoding | null
  separador: TextSeparator | null
  folhas: WorkbookSheet[]
  /** Sentences: 'As macros foram ignoradas' */
  avisos: string[]
}
