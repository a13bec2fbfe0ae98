import {
  businessUnitName,
  type Experiment,
  type ExperimentField,
  type ExperimentSummary,
  FIELD_KEYS,
  type FieldKey,
  fieldOf,
  isLikeFormula,
  lightText,
  problem,
  withoutNoise,
} from '@ensaio/domain'
import { columnLetter, FULL_COLUMNS, longRows } from '@ensaio/domain/imports'
import { strToU8, Zip, ZipDeflate, type ZipInputFile, ZipPassThrough } from 'fflate'
import { brasiliaTime, csvCell, type CellValue as Value } from '../../spreadsheet-cells.ts'
import { xmlText } from '../../xml-text.ts'

type Column = { name: string; width: number; value: (experiment: ExperimentSummary) => Value }

const COMPUTED: Partial<Record<FieldKey, readonly Column[]>> = {
  tipo_estatistica: [
    { name: 'Tratamentos', width: 12, value: (experiment) => experiment.n_tratamentos },
    { name: 'Produtividade média (kg/ha)', width: 16, value: (experiment) => experiment.produtividade_media },
  ],
  custo_protocolo: [
    {
      name: 'Custo total (R$/ha)',
      width: 16,
      // A sum of amounts has no more decimals than they.
      value: (experiment) => {
        const cost = seen(experiment, 'custo_total')
        return typeof cost === 'number' ? withoutNoise(cost) : cost
      },
    },
  ],
}
const COLUMNS: readonly Column[] = [
  ...FIELD_KEYS.flatMap((key) => [columnOf(key, fieldOf(key)), ...(COMPUTED[key] ?? [])]),
  {
    name: 'apontamentos',
    width: 16,
    value: ({ apontamentos: kept }) => (kept === null ? null : lightText(kept)),
  },
  { name: 'Documento', width: 30, value: (experiment) => experiment.pdf_filename },
  { name: 'Cadastrado em', width: 18, value: (experiment) => new Date(experiment.created_at) },
  { name: 'ID', width: 38, value: (experiment) => experiment.id },
]

function columnOf(key: FieldKey, field: ExperimentField): Column {
  const [title, width] = field.column
  return {
    name: field.type === 'number' && field.unit ? `${title} (${field.unit})` : title,
    width,
    value: (experiment) => (key === 'bu' ? businessUnitName(experiment.bu) : seen(experiment, key)),
  }
}

/** What is there and not shown is told apart from what is not there. */
const seen = (experiment: ExperimentSummary, key: FieldKey | 'custo_total'): Value =>
  experiment.ocultos.includes(key) ? 'Oculto' : experiment[key]

/** A sheet on its way out: its columns, and rows page by page. */
export interface Sheet {
  columns: readonly { name: string; width: number }[]
  pages: AsyncIterable<readonly (readonly Value[])[]>
}

/** One row a trial. */
export const shortSheet = (pages: AsyncIterable<readonly ExperimentSummary[]>): Sheet => ({
  columns: COLUMNS,
  pages: mapped(pages, (page) => page.map((experiment) => COLUMNS.map(({ value }) => value(experiment)))),
})

/** Everything that a trial says, a row for each treatment, product and analysis: what the import takes back. */
export const fullSheet = (pages: AsyncIterable<readonly Experiment[]>): Sheet => ({
  columns: FULL_COLUMNS.map(({ title, width }) => ({ name: title, width })),
  pages: mapped(pages, (page) => page.flatMap((experiment) => longRows(experiment))),
})

async function* mapped<A, B>(pages: AsyncIterable<A>, of: (page: A) => B): AsyncGenerator<B> {
  for await (const page of pages) yield of(page)
}

/** For Brazilian spreadsheets: a byte order mark in front, `;` between cells, the decimal comma. */
export async function* csv({ columns, pages }: Sheet): AsyncGenerator<string> {
  yield `\ufeff${columns.map(({ name }) => csvCell(name)).join(';')}\r\n`
  for await (const page of pages) {
    const lines = page.map((row) => row.map(csvCell).join(';'))
    if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
  }
}

/** What a sheet holds, but for its head. */
const MOST_ROWS = 1_048_575

/** Rows of a trial in the long form, at most where nothing is known of them. */
const ROWS_OF_A_TRIAL = 50

/** @throws export.too_many_rows when the format cannot hold so many trials */
export function checkRows(format: 'csv' | 'xlsx', total: number, { full = false } = {}): void {
  if (format === 'xlsx' && total * (full ? ROWS_OF_A_TRIAL : 1) > MOST_ROWS)
    throw problem('export.too_many_rows')
}

const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet's calendar, 1899-12-30. */
const EPOCH_MS = Date.UTC(1899, 11, 30)

/** A workbook (ECMA-376) of one sheet with native numbers and dates, made while it is being sent. */
export async function* xlsx({ columns, pages }: Sheet): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else ready.push(chunk)
  })
  for (const [path, text] of Object.entries(PARTS)) push(zip, new ZipPassThrough(path), text)
  const sheet = new ZipDeflate('xl/worksheets/sheet1.xml', { level: 6 })
  zip.add(sheet)
  sheet.push(strToU8(sheetHead(columns)))
  let row = 2
  for await (const page of pages) {
    let text = ''
    // Some may have come since the rows were counted.
    for (const cells of page.slice(0, MOST_ROWS + 2 - row)) text += sheetRow(row++, cells)
    sheet.push(strToU8(text))
    if (failure) throw failure
    yield* ready.splice(0)
  }
  sheet.push(strToU8('</sheetData></worksheet>'), true)
  zip.end()
  yield* ready.splice(0)
}

function push(
  zip: Zip,
  file: ZipInputFile & { push(chunk: Uint8Array, final?: boolean): void },
  text: string,
) {
  zip.add(file)
  file.push(strToU8(text), true)
}

const DATE_STYLE = 1
const HEAD_STYLE = 2
const PLAIN_TEXT_STYLE = 3

function sheetRow(row: number, values: readonly Value[], style?: number): string {
  const cells = values.map((value, index) => {
    const at = `r="${columnLetter(index)}${row}"`
    if (value === null) return ''
    if (typeof value === 'number') return `<c ${at}><v>${value}</v></c>`
    if (value instanceof Date)
      return `<c ${at} s="${DATE_STYLE}"><v>${(brasiliaTime(value).getTime() - EPOCH_MS) / DAY_MS}</v></c>`
    const look = style ?? (isLikeFormula(value) ? PLAIN_TEXT_STYLE : undefined)
    return `<c ${at} t="inlineStr"${look ? ` s="${look}"` : ''}><is><t xml:space="preserve">${xmlText(value)}</t></is></c>`
  })
  return `<row r="${row}">${cells.join('')}</row>`
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
  '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Experimentos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/><xf quotePrefix="1"/></cellXfs></styleSheet>`,
}

const sheetHead = (columns: Sheet['columns']): string =>
  [
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>`,
    ...columns.map(
      ({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
    ),
    '</cols><sheetData>',
    sheetRow(
      1,
      columns.map(({ name }) => name),
      HEAD_STYLE,
    ),
  ].join('')
