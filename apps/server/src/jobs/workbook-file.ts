import type { TextEncoding, TextSeparator, WorkbookCell, WorkbookHead, WorkbookSheet } from '@ensaio/domain'
import { CsvError, parse as parseCsv } from 'csv-parse/sync'
import { type Cell, readOds } from 'hucre/ods'
import { readXlsx } from 'hucre/xlsx'
import { checkedArchive, RefusedArchive } from './archive.ts'

/** Why a file is not read. */
export type WorkbookRefusal =
  | 'invalid'
  | 'too_large'
  | 'empty'
  | 'encrypted'
  | 'old_format'
  | 'pdf'
  | 'unclosed_quote'
export class RefusedWorkbook extends Error {
  readonly why: WorkbookRefusal
  readonly line: number | null
  constructor(why: WorkbookRefusal, line: number | null = null) {
    super(why)
    this.why = why
    this.line = line
  }
}

export interface ReadWorkbook {
  head: WorkbookHead
  sheets: WorkbookCell[][][]
}
export interface WorkbookOptions {
  /** Pasted: parted by tabs. */
  texto: boolean
  codificacao?: TextEncoding | null | undefined
  separador?: TextSeparator | null | undefined
  /** So many at most. */
  colunas?: number | undefined
}

const ARCHIVE = { all: 100 * 1024 * 1024, part: 64 * 1024 * 1024 }
const MOST_ROWS = 50_000
const MOST_COLUMNS = 200
const MOST_LETTERS = 100 * 1024 * 1024
const LONGEST_CELL = 32_767
const MOST_MERGES = 20_000

/** Reads a whole file, told by its content. @throws RefusedWorkbook */
export async function readWorkbook(bytes: Uint8Array, options: WorkbookOptions): Promise<ReadWorkbook> {
  if (options.texto) return textFile(bytes, options)
  const start = Buffer.from(bytes.subarray(0, 8))
  if (start.length === 0) throw new RefusedWorkbook('empty')
  if (start[0] === 0x50 && start[1] === 0x4b) return workbook(bytes, options)
  if (start.equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])))
    throw new RefusedWorkbook(isEncryptedPackage(bytes) ? 'encrypted' : 'old_format')
  // Workbooks of before 1997 are bare records.
  if (start[0] === 0x09 && [0x00, 0x02, 0x04, 0x08].includes(start[1] ?? -1))
    throw new RefusedWorkbook('old_format')
  if (/^\s*%PDF-/.test(start.toString('latin1'))) throw new RefusedWorkbook('pdf')
  return textFile(bytes, options)
}

/** Its folder names the stream that holds the encrypted workbook. */
const isEncryptedPackage = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  )

async function workbook(
  bytes: Uint8Array,
  { colunas = MOST_COLUMNS }: WorkbookOptions,
): Promise<ReadWorkbook> {
  let archive: ReturnType<typeof checkedArchive>
  try {
    archive = checkedArchive(bytes, ARCHIVE)
  } catch (error) {
    if (error instanceof RefusedArchive) throw new RefusedWorkbook(error.why)
    throw error
  }
  const { packed, names, textOf: partOf } = archive
  const ods = names.has('content.xml')
  if (ods && isEncryptedOds(packed)) throw new RefusedWorkbook('encrypted')
  if (!ods && !names.has('xl/workbook.xml') && ![...names].some((name) => /(^|\/)workbook\.xml$/.test(name)))
    throw new RefusedWorkbook('invalid')
  // Styles are read where one of them shows 0,45 as '45%': what is seen counts.
  const readStyles = ods
    ? partOf('content.xml').includes('"percentage"')
    : showsShares(partOf('xl/styles.xml'))
  const read = await (ods ? readOds(packed, { readStyles }) : readXlsx(packed, { readStyles })).catch(() => {
    throw new RefusedWorkbook('invalid')
  })
  const hiddenOf = ods ? hiddenInOds(partOf('content.xml')) : null
  const letters = { count: 0 }
  const sheets = read.sheets.map((sheet) =>
    sheet.rows.map((row, at) => rowOf(row, at, { cells: sheet.cells, letters, colunas })),
  )
  const head: WorkbookHead = {
    formato: ods ? 'ods' : 'xlsx',
    codificacao: null,
    separador: null,
    folhas: read.sheets.map((sheet, at) => {
      const used = extentOf(sheets[at] ?? [])
      const filled = (index: number) => (sheets[at]?.[index] ?? []).some((cell) => cell !== null)
      const hidden = hiddenOf?.[at] ?? {
        sheet: sheet.hidden === true || sheet.veryHidden === true,
        rows: [...(sheet.rowDefs ?? [])].flatMap(([index, row]) => (row.hidden ? [index] : [])),
        columns: (sheet.columns ?? []).flatMap((column, index) => (column.hidden ? [index] : [])),
      }
      return {
        nome: sheet.name,
        oculta: hidden.sheet,
        ...used,
        mescladas: (sheet.merges ?? [])
          .filter(({ startRow, startCol }) => startRow < used.linhas && startCol < used.colunas)
          .slice(0, MOST_MERGES)
          .map(({ startRow, startCol, endRow, endCol }) => ({
            linha: startRow,
            coluna: startCol,
            linhas: endRow - startRow + 1,
            colunas: endCol - startCol + 1,
          })),
        linhas_ocultas: hidden.rows.filter(filled),
        colunas_ocultas: hidden.columns.filter((index) => index < used.colunas),
      } satisfies WorkbookSheet
    }),
    avisos: [...names].some((name) => /(^|\/)vbaProject\.bin$|^Basic\//i.test(name))
      ? ['As macros foram ignoradas']
      : [],
  }
  return checkedSize({ head, sheets }, colunas)
}

interface Hidden {
  sheet: boolean
  rows: number[]
  columns: number[]
}

/** What an OpenDocument sheet does not show, sheet by sheet: the library does not tell. */
function hiddenInOds(content: string): Hidden[] {
  const unseen = new Set<string>()
  for (const [, tag = '', inside = ''] of content.matchAll(
    /<style:style ([^>]{0,2000}[^/])>((?:<style:table-properties [^>]{0,2000}>)?)/g,
  ))
    if (inside.includes('table:display="false"')) unseen.add(attribute(tag, 'style:name') ?? '')
  const sheets: Hidden[] = []
  let at = { row: 0, column: 0 }
  for (const [, kind, tag = ''] of content.matchAll(
    /<table:(table|table-row|table-column)(?: ([^>]{0,4000}))?\/?>/g,
  )) {
    if (kind === 'table') {
      at = { row: 0, column: 0 }
      sheets.push({ sheet: unseen.has(attribute(tag, 'table:style-name') ?? '\0'), rows: [], columns: [] })
      continue
    }
    const sheet = sheets.at(-1)
    const [axis, list, most] =
      kind === 'table-row'
        ? (['row', sheet?.rows, MOST_ROWS] as const)
        : (['column', sheet?.columns, MOST_COLUMNS] as const)
    const repeated = Number(attribute(tag, `table:number-${axis}s-repeated`) ?? 1) || 1
    if (/table:visibility="(?:collapse|filter)"/.test(tag))
      for (let index = at[axis]; index < Math.min(most, at[axis] + repeated); index++) list?.push(index)
    at[axis] += repeated
  }
  return sheets
}

const attribute = (tag: string, name: string): string | undefined =>
  new RegExp(`(?:^|\\s)${name}="([^"]{0,300})"`).exec(tag)?.[1]

/** Whether a cell may have one of the formats of shares: the two that are built in, or one with the sign. */
function showsShares(styles: string): boolean {
  const cells = styles.slice(styles.indexOf('<cellXfs'), styles.indexOf('</cellXfs>'))
  const own = [...styles.matchAll(/<numFmt [^>]{0,400}>/g)].flatMap(([tag]) =>
    /formatCode="[^"]*%/.test(tag.replace(/&quot;[^"&]*&quot;|[\\_*]./g, ''))
      ? (/numFmtId="(\d{1,5})"/.exec(tag)?.[1] ?? [])
      : [],
  )
  return ['9', '10', ...own].some((id) => cells.includes(`numFmtId="${id}"`))
}

/** The manifest of a protected one names how each part was encrypted. */
const isEncryptedOds = (packed: Uint8Array): boolean =>
  Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength).includes('manifest:encryption-data')

function rowOf(
  row: readonly unknown[],
  at: number,
  {
    cells,
    letters,
    colunas,
  }: { cells: Map<string, Cell> | undefined; letters: { count: number }; colunas: number },
): WorkbookCell[] {
  const made = row.slice(0, colunas + 1).map((value, column): WorkbookCell => {
    const cell = cellOf(value, cells?.get(`${at},${column}`))
    if (typeof cell === 'string') letters.count += cell.length
    return cell
  })
  // A shared text that a million cells name is small in its file alone.
  if (letters.count > MOST_LETTERS) throw new RefusedWorkbook('too_large')
  return trimmed(made)
}

function cellOf(value: unknown, cell: Cell | undefined): WorkbookCell {
  if (cell?.type === 'error') return { erro: String(value ?? cell.value ?? '#ERRO').slice(0, 40) }
  if (cell?.formula !== undefined && (value === null || value === undefined)) return { formula: true }
  // Not where the sign is only written behind: 0"%" shows 45 as '45%'.
  if (typeof value === 'number' && cell?.style?.numFmt?.replace(/"[^"]*"|[\\_*]./g, '').includes('%'))
    return `${String(Number((value * 100).toPrecision(12))).replace('.', ',')}%`
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (value instanceof Date) return dateOf(value)
  if (value === null || value === undefined) return null
  const text = textOf(String(value))
  // An open document and a text file hold errors as words.
  return text !== null && text.length <= 10 && ERROR.test(text) ? { erro: text } : text
}
const ERROR = /^(#(DIV\/0!|N\/[AD]|REF!|NAME\?|NOME\?|VALUE!|VALOR!|NUM!|N[ÚU]M!|NULL!|NULO!)|Err(o)?:\d{3})$/

const DAY_MS = 86_400_000
function dateOf(date: Date): WorkbookCell {
  if (Number.isNaN(date.getTime())) return null
  const iso = date.toISOString().slice(0, 10)
  return {
    data: iso,
    texto: iso.split('-').reverse().join('/'),
    serial: date.getTime() / DAY_MS + 25_569,
  }
}

/** Cut to what a cell holds; NUL and lone surrogates are nothing that anybody wrote. */
function textOf(given: string): string | null {
  const text = given
    .slice(0, LONGEST_CELL)
    .replace(/\0/g, '')
    .replace(/\p{Cs}/gu, '')
    .trim()
  return text === '' ? null : text
}

function trimmed(row: WorkbookCell[]): WorkbookCell[] {
  let length = row.length
  while (length > 0 && (row[length - 1] ?? null) === null) length -= 1
  return row.slice(0, length)
}

function extentOf(rows: readonly (readonly WorkbookCell[])[]): { linhas: number; colunas: number } {
  let linhas = 0
  let colunas = 0
  for (const [at, row] of rows.entries())
    if (row.length > 0) {
      linhas = at + 1
      colunas = Math.max(colunas, row.length)
    }
  return { linhas, colunas }
}

/** What is cut off would be lost without a word. */
function checkedSize(read: ReadWorkbook, mostColumns: number): ReadWorkbook {
  const filled = read.sheets.reduce((sum, rows) => sum + rows.filter((row) => row.length > 0).length, 0)
  if (filled === 0) throw new RefusedWorkbook('empty')
  if (
    filled > MOST_ROWS ||
    read.head.folhas.some(({ colunas, linhas }) => colunas > mostColumns || linhas > 1_048_576)
  )
    throw new RefusedWorkbook('too_large')
  return read
}

function textFile(
  bytes: Uint8Array,
  { texto, codificacao, separador, colunas = MOST_COLUMNS }: WorkbookOptions,
): ReadWorkbook {
  const { text, encoding } = decoded(bytes, codificacao ?? null)
  if (!looksLikeText(text)) throw new RefusedWorkbook('invalid')
  const [, declared] = /^sep=([;,\t|])\r?\n/.exec(text.slice(0, 10)) ?? []
  const separator =
    separador ??
    (declared as TextSeparator | undefined) ??
    (texto ? pastedSeparator(text) : separatorOf(text))
  const skipped = declared === undefined ? 0 : 1
  const body = skipped === 0 ? text : text.slice(text.indexOf('\n') + 1)
  const rows = csvRows(body, separator, skipped)
  const letters = { count: 0 }
  const sheet = [...Array.from({ length: skipped }, () => []), ...rows].map((row) =>
    rowOf(row.map(unquoted), 0, { cells: undefined, letters, colunas }),
  )
  return checkedSize(
    {
      head: {
        formato: texto ? 'texto' : 'csv',
        codificacao: encoding,
        separador: separator,
        folhas: [
          {
            nome: '',
            oculta: false,
            ...extentOf(sheet),
            mescladas: [],
            linhas_ocultas: [],
            colunas_ocultas: [],
          },
        ],
        avisos: [],
      },
      sheets: [sheet],
    },
    colunas,
  )
}

/** An apostrophe sets a text apart that begins like a formula. */
const unquoted = (cell: string): string => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** Rows of a text; a quote that never ends is told by its line, not by a file in one cell. */
function csvRows(body: string, delimiter: TextSeparator, skipped: number): string[][] {
  try {
    return parseCsv(body, {
      delimiter,
      // One file may have all of them: what was added to it by another program.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: false,
      to: MOST_ROWS + 1_000,
      max_record_size: 1_000_000,
    })
  } catch (error) {
    if (error instanceof CsvError) {
      if (error.code === 'CSV_QUOTE_NOT_CLOSED')
        throw new RefusedWorkbook('unclosed_quote', openingLine(body, delimiter) + skipped)
      if (error.code === 'CSV_MAX_RECORD_SIZE')
        throw new RefusedWorkbook('unclosed_quote', openingLine(body, delimiter) + skipped)
    }
    throw new RefusedWorkbook('invalid')
  }
}

/** The line, from 1, of the quote that is open at the end. */
function openingLine(body: string, delimiter: string): number {
  let line = 1
  let opened = 0
  let quoted = false
  let fresh = true
  for (let at = 0; at < body.length; at++) {
    const sign = body[at]
    if (sign === '\n' || (sign === '\r' && body[at + 1] !== '\n')) line += 1
    if (quoted) {
      if (sign !== '"') continue
      if (body[at + 1] === '"') at += 1
      else quoted = false
    } else if (sign === '"' && fresh) {
      quoted = true
      opened = line
    }
    fresh = sign === delimiter || sign === '\n' || sign === '\r'
  }
  return quoted ? opened : line
}

/** UTF-8 where it is valid, else what Windows wrote. */
function decoded(bytes: Uint8Array, chosen: TextEncoding | null): { text: string; encoding: TextEncoding } {
  const marked: TextEncoding | null =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null
  const encoding = chosen ?? marked ?? (isUtf16(bytes) || validUtf8(bytes))
  const text = new TextDecoder(encoding).decode(bytes).replace(/^\uFEFF/, '')
  return { text: text.replaceAll('\0', ''), encoding }
}

/** Every other byte of plain text is nothing. */
function isUtf16(bytes: Uint8Array): TextEncoding | false {
  const upper = bytes.subarray(0, 400)
  if (upper.length < 8) return false
  const zeros = [0, 0]
  for (const [at, byte] of upper.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const half = upper.length / 2
  if ((zeros[1] ?? 0) > half * 0.7 && zeros[0] === 0) return 'utf-16le'
  return (zeros[0] ?? 0) > half * 0.7 && zeros[1] === 0 ? 'utf-16be' : false
}

function validUtf8(bytes: Uint8Array): TextEncoding {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Pictures and programs are full of signs that no table has. */
function looksLikeText(text: string): boolean {
  const upper = text.slice(0, 4000)
  const strange = upper.replace(/\s/g, '').replace(/[^\p{Cc}\ufffd]/gu, '').length
  return strange * 50 <= upper.length
}

const pastedSeparator = (text: string): TextSeparator =>
  text.slice(0, 100_000).includes('\t') ? '\t' : separatorOf(text)

/** The sign that parts the first lines into the same number of columns, most of them. */
function separatorOf(text: string): TextSeparator {
  const lines = text
    .slice(0, 200_000)
    .split(/\r\n|\r|\n/, 100)
    .filter((line) => line.trim() !== '')
  const score = (sign: string) => {
    const counts = lines.map((line) => columnsIn(line, sign))
    const first = Math.max(...counts.slice(0, 5), 0)
    return first === 0 ? 0 : counts.filter((count) => count === first).length * 100 + first
  }
  return [';', '\t', ',', '|'].reduce(
    (best, sign) => (score(sign) > score(best) ? sign : best),
    ';',
  ) as TextSeparator
}

/** Signs outside quotes. */
function columnsIn(line: string, sign: string): number {
  let count = 0
  let quoted = false
  for (const letter of line.slice(0, 20_000)) {
    if (letter === '"') quoted = !quoted
    else if (letter === sign && !quoted) count += 1
  }
  return count
}
