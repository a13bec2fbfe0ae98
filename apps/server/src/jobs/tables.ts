import { Problem, problem, type WorkbookCell } from '@ensaio/domain'
import type { Workbooks } from './workbooks.ts'

/** A cell as the file has it; numbers of a workbook keep their type, in a text file everything is text. */
type TableCell = string | number | null
interface Table {
  /** Names of the sheets; of a text file none. */
  abas: string[]
  linhas: TableCell[][]
}

/** What is said of a file of plots that is over its limits. */
export const tableTooLarge = () =>
  problem('import.too_large', { status: 413, detail: 'A planilha passa de 5 MB ou de 20.000 linhas' })

/**
 * The rows of a workbook's sheet, the first where none is named, or of a text file.
 * @throws import.unreadable, import.too_large, import.encrypted, import.old_format, server.busy
 */
export async function tableOf(
  workbooks: Workbooks,
  bytes: Buffer,
  { aba, limits, who }: { aba: string | null; limits: { rows: number; columns: number }; who: string },
): Promise<Table> {
  // Names come last: of each sheet no more is kept than a table may have.
  const sheets: WorkbookCell[][][] = []
  const tooLong = new Set<number>()
  const head = await workbooks
    .read(bytes, {
      ...{ who, texto: false, colunas: limits.columns },
      rows: async (folha, first, rows) => {
        if (aba === null && folha > 0) return
        if (first + rows.length > limits.rows + 1) {
          if (aba === null) throw tableTooLarge()
          // Perhaps not the one that is asked for.
          tooLong.add(folha)
          return
        }
        const sheet = sheets[folha] ?? []
        sheets[folha] = sheet
        while (sheet.length < first) sheet.push([])
        sheet.push(...rows)
      },
    })
    .catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
      if (error.code === 'import.too_large') throw tableTooLarge()
      if (error.code === 'import.invalid' || error.code === 'import.empty') throw problem('import.unreadable')
      throw error
    })
  const text = head.formato === 'csv'
  const at = aba === null || text ? 0 : head.folhas.findIndex(({ nome }) => nome === aba)
  if (tooLong.has(at)) throw tableTooLarge()
  const rows = sheets[at]
  if (!rows) throw problem('import.unreadable')
  // Where a comma parts the columns, a dot is the decimal sign and groups nothing.
  const points = head.separador === ','
  const width = Math.max(...rows.map(({ length }) => length))
  const linhas = rows.map((row) =>
    Array.from({ length: width }, (_, column) => {
      const cell = row[column] ?? null
      return (points ? pointNumber(cell) : null) ?? cellOf(cell)
    }),
  )
  return { abas: text ? [] : head.folhas.map(({ nome }) => nome), linhas }
}

function cellOf(cell: WorkbookCell): TableCell {
  if (typeof cell === 'boolean') return String(cell)
  if (cell === null || typeof cell !== 'object') return cell
  if ('data' in cell) return cell.data
  return 'erro' in cell ? cell.erro : null
}

const pointNumber = (cell: WorkbookCell): number | null =>
  typeof cell === 'string' && cell.length <= 40 && /^\s*-?\d{1,15}\.\d{1,15}\s*$/.test(cell)
    ? Number(cell)
    : null
