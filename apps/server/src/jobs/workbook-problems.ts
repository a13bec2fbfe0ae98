import { openXlsx, saveXlsx, type WriteSheet, writeXlsx } from 'hucre/xlsx'
import { readWorkbook } from './workbook-file.ts'
import type { ProblemsAsked } from './workbooks.ts'

const TITLE = 'Problemas'
const WIDTH = 60
const FILL = { fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFF8D7DA' } } } as const

/** A text that begins like a formula is one in a spreadsheet; an apostrophe sets it apart. */
const quoted = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** Their own workbook with a column more, and the cells in colour; of a text file a workbook of the same rows. */
export async function problemsBeside(bytes: Buffer, asked: ProblemsAsked): Promise<Buffer> {
  const own = bytes[0] === 0x50 && bytes[1] === 0x4b && !asked.texto
  const book = own ? await openXlsx(bytes).catch(() => null) : null
  if (book) {
    for (const { folha, linha } of asked.titulos) {
      const sheet = book.sheets[folha]
      if (!sheet) continue
      const at = Math.max(...sheet.rows.map((row) => lastOf(row) + 1), 0)
      const cells = sheet.cells ?? new Map()
      sheet.cells = cells
      if (linha > 0) put(sheet.rows, linha - 1, at, TITLE)
      for (const problem of asked.problemas) {
        if (problem.folha !== folha) continue
        put(sheet.rows, problem.linha - 1, at, quoted(problem.texto))
        for (const column of problem.colunas) {
          const key = `${problem.linha - 1},${column}`
          const before = cells.get(key)
          const value = sheet.rows[problem.linha - 1]?.[column] ?? null
          cells.set(key, {
            value,
            type: typeof value === 'number' ? 'number' : 'string',
            ...before,
            style: { ...before?.style, ...FILL },
          })
        }
      }
    }
    return Buffer.from(await saveXlsx(book))
  }
  const { head, sheets } = await readWorkbook(bytes, asked)
  const made = sheets.map((rows, folha): WriteSheet => {
    const title = asked.titulos.find((one) => one.folha === folha)
    const at = Math.max(0, ...rows.map((row) => row.length))
    const table = rows.map((row) =>
      Array.from({ length: at }, (_, column) => {
        const cell = row[column] ?? null
        if (typeof cell === 'string') return quoted(cell)
        if (typeof cell === 'object' && cell !== null)
          return 'data' in cell ? cell.texto : 'erro' in cell ? cell.erro : null
        return cell
      }),
    )
    const cells: NonNullable<WriteSheet['cells']> = new Map()
    if (title && title.linha > 0) put(table, title.linha - 1, at, TITLE)
    for (const problem of asked.problemas) {
      if (problem.folha !== folha) continue
      put(table, problem.linha - 1, at, quoted(problem.texto))
      for (const column of problem.colunas) cells.set(`${problem.linha - 1},${column}`, { style: FILL })
    }
    return {
      name: head.folhas[folha]?.nome || 'Planilha',
      rows: table,
      cells,
      columns: Array.from({ length: at + 1 }, (_, column) => ({ width: column === at ? WIDTH : 16 })),
    }
  })
  return Buffer.from(await writeXlsx({ sheets: made }))
}

const lastOf = (row: readonly unknown[]): number =>
  row.findLastIndex((cell) => cell !== null && cell !== undefined && cell !== '')

function put<T>(rows: (T | string | null)[][], row: number, column: number, text: string): void {
  while (rows.length <= row) rows.push([])
  const of = rows[row]
  if (!of) return
  while (of.length < column) of.push(null)
  of[column] = text
}
