import { parse as parseCsv } from 'csv-parse/sync'
import { Unzip, UnzipInflate, type Zippable, zipSync } from 'fflate'
import { readXlsx } from 'hucre/xlsx'

/** A cell as the file has it; numbers of a workbook keep their type, in a text file everything is text. */
export type TableCell = string | number | null
export interface Table {
  /** Names of the sheets; of a text file none. */
  abas: string[]
  linhas: TableCell[][]
}
/** Why a file gave no table. */
export type TableFailure = 'unreadable' | 'too_large'
export type TableLimits = { rows: number; columns: number; unpacked: number }

const MOST_PARTS = 1000
const LONGEST_CELL = 32_767
const TOO_LARGE = new Error('too_large')

/**
 * The rows of a workbook's sheet or of a text file, told apart by content. Runs in a thread of its own: what a
 * hostile file makes of memory and time ends with it.
 */
export async function readTable(
  bytes: Uint8Array,
  { aba, limits }: { aba: string | null; limits: TableLimits },
): Promise<Table | TableFailure> {
  try {
    const table = isArchive(bytes) ? await workbook(bytes, aba, limits) : textFile(bytes, limits)
    if (table === null) return 'unreadable'
    const used = table.linhas.filter((row) => row.some((cell) => cell !== null && cell !== ''))
    // A shared text that a million cells name is small in its file alone.
    const letters = used.reduce((sum, row) => sum + lettersOf(row), 0)
    if (table.linhas.length > limits.rows + 1 || letters > limits.unpacked) return 'too_large'
    return used.length === 0 ? 'unreadable' : table
  } catch (error) {
    return error === TOO_LARGE ? 'too_large' : 'unreadable'
  }
}

const isArchive = (bytes: Uint8Array) => bytes[0] === 0x50 && bytes[1] === 0x4b

const lettersOf = (row: readonly TableCell[]) =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)

/** Begins as XML may: what stands before the first element. */
const PROLOG = /^[^<]*(?:<(?:\?[^>]*|!--[\s\S]*?--)>[^<]*)*/

/**
 * The archive packed anew of what really comes out of it, counted before a library sees it: neither sizes in its
 * headers nor its table of contents are believed, which may point into the middle of another part.
 */
function checkedArchive(bytes: Uint8Array, most: number): Uint8Array {
  let total = 0
  const parts = new Map<string, Uint8Array[]>()
  const unzip = new Unzip((file) => {
    if (parts.size >= MOST_PARTS || parts.has(file.name)) throw TOO_LARGE
    const chunks: Uint8Array[] = []
    parts.set(file.name, chunks)
    file.ondata = (error, chunk) => {
      if (error) throw error
      total += chunk.length
      if (total > most) throw TOO_LARGE
      chunks.push(chunk)
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  const step = 64 * 1024
  for (let at = 0; at < bytes.length; at += step)
    unzip.push(bytes.subarray(at, at + step), at + step >= bytes.length)
  if (parts.size === 0) throw new Error('an archive without parts')
  const whole: Zippable = Object.create(null)
  for (const [name, chunks] of parts) {
    const part = Buffer.concat(chunks)
    if (/\.(xml|rels)$/i.test(name)) checkProlog(part)
    whole[name] = [part, { level: 0 }]
  }
  return zipSync(whole)
}

/** Nothing that names an entity: a document type stands before the first element, behind any comment. */
function checkProlog(part: Buffer): void {
  const text = part.toString('latin1')
  const [before = ''] = PROLOG.exec(text) ?? []
  if (/^<!(?!--)/.test(text.slice(before.length)) || /<!(DOCTYPE|ENTITY)/i.test(text.slice(0, 4096)))
    throw new Error('a document type in a part')
}

async function workbook(bytes: Uint8Array, aba: string | null, limits: TableLimits): Promise<Table | null> {
  const abas: string[] = []
  const { sheets } = await readXlsx(checkedArchive(bytes, limits.unpacked), {
    maxRows: limits.rows + 2,
    sheets: ({ name }, index) => {
      abas.push(name)
      return aba === null ? index === 0 : name === aba
    },
  })
  const [sheet] = sheets
  if (!sheet) return null
  return { abas, linhas: inBounds(sheet.rows, limits).map((row) => row.map(cellOf)) }
}

/** Columns that are cut off would be lost without a word. */
function inBounds<T>(rows: readonly T[][], { columns }: TableLimits): readonly T[][] {
  if (rows.some((row) => row.slice(columns).some((cell) => cell !== null && cell !== ''))) throw TOO_LARGE
  return rows.map((row) => row.slice(0, columns))
}

function cellOf(value: unknown): TableCell {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (value instanceof Date) return value.toISOString().slice(0, 10)
  if (value === null || value === undefined) return null
  const text = String(value).slice(0, LONGEST_CELL).trim()
  return text === '' ? null : text
}

function textFile(bytes: Uint8Array, limits: TableLimits): Table | null {
  if (bytes.includes(0)) return null
  const text = decoded(bytes).replace(/^\uFEFF/, '')
  const [, declared] = /^sep=([;,\t|])\r?\n/.exec(text.slice(0, 10)) ?? []
  const delimiter = declared ?? separatorOf(text)
  const rows: string[][] = parseCsv(declared ? text.slice(text.indexOf('\n') + 1) : text, {
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    to: limits.rows + 2,
    max_record_size: 1_000_000,
  })
  // Where a comma parts the columns, a dot is the decimal sign and groups nothing.
  const read = delimiter === ',' ? (cell: string) => pointNumber(cell) ?? cellOf(cell) : cellOf
  const linhas = inBounds(rows, limits).map((row) => row.map((cell) => read(cell)))
  // Lines keep the numbers that they have in the file.
  return { abas: [], linhas: declared ? [[], ...linhas] : linhas }
}

const pointNumber = (cell: string): number | null =>
  /^\s*-?\d{1,15}\.\d{1,15}\s*$/.test(cell.slice(0, 40)) && cell.length <= 40 ? Number(cell) : null

/** UTF-8 where it is valid, else what Windows wrote. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The sign that parts the first lines into the same number of columns, most of them. */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\r|\n/, 40)
    .filter((line) => line.trim() !== '')
  const score = (sign: string) => {
    const counts = lines.map((line) => line.split(sign).length - 1)
    const first = counts[0] ?? 0
    return first === 0 ? 0 : counts.filter((count) => count === first).length * 100 + first
  }
  return [';', '\t', ',', '|'].reduce((best, sign) => (score(sign) > score(best) ? sign : best), ';')
}
