import { strToU8, zipSync } from 'fflate'
import type { DataValidation } from 'hucre/xlsx'
import { xmlText } from '../../xml-text.ts'

/** A sheet of an OpenDocument workbook: what of it the library that writes the others leaves out, too. */
export interface OpenSheet {
  name: string
  hidden?: boolean
  rows: readonly (readonly (string | number | null)[])[]
  /** Letters of each column. */
  widths?: readonly number[]
  /** The first row is a heading that stays in sight, and so many below it are greyed. */
  headed?: { greyed: number }
  /** As a workbook of the other kind has them: of ranges of one column. */
  validations?: readonly DataValidation[]
}

const NAMESPACES = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  of: 'urn:oasis:names:tc:opendocument:xmlns:of:1.2',
  config: 'urn:oasis:names:tc:opendocument:xmlns:config:1.0',
  ooo: 'http://openoffice.org/2004/office',
  manifest: 'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0',
})
  .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
  .join('')
const part = (name: string, body: string) =>
  strToU8(
    `<?xml version="1.0" encoding="UTF-8"?><office:${name}${NAMESPACES} office:version="1.2">${body}</office:${name}>`,
  )
const TYPE = 'application/vnd.oasis.opendocument.spreadsheet'
const CM_PER_LETTER = 0.21
/** The oldest day that an archive can tell. */
const NO_DAY = new Date('1980-01-01T00:00:00')

/** An OpenDocument workbook (ODF 1.2): widths, hidden sheets, headings that stay, drop-downs and checks. */
export function openDocument(sheets: readonly OpenSheet[]): Uint8Array {
  const checks = sheets.flatMap(({ name, validations = [] }) =>
    validations.map((one, at) => checkOf(one, { name: checkName(name, at), sheet: name })),
  )
  const widths = [...new Set(sheets.flatMap(({ widths: own = [] }) => own))]
  const content = `<office:automatic-styles>${widths
    .map(
      (width) =>
        `<style:style style:name="${columnStyle(width)}" style:family="table-column"><style:table-column-properties style:column-width="${(width * CM_PER_LETTER).toFixed(2)}cm"/></style:style>`,
    )
    .join(
      '',
    )}<style:style style:name="oculta" style:family="table"><style:table-properties table:display="false"/></style:style><style:style style:name="titulo" style:family="table-cell"><style:table-cell-properties fo:background-color="#e7efe3" fo:wrap-option="wrap" style:vertical-align="top"/><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="exemplo" style:family="table-cell"><style:text-properties fo:color="#8a8a8a" fo:font-style="italic"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${
    checks.length === 0 ? '' : `<table:content-validations>${checks.join('')}</table:content-validations>`
  }${sheets.map(sheetOf).join('')}</office:spreadsheet></office:body>`
  const files: Record<string, Uint8Array> = {
    'META-INF/manifest.xml': strToU8(
      `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:version="1.2" manifest:media-type="${TYPE}"/>${['content', 'styles', 'settings'].map((name) => `<manifest:file-entry manifest:full-path="${name}.xml" manifest:media-type="text/xml"/>`).join('')}</manifest:manifest>`,
    ),
    'content.xml': part('document-content', content),
    'styles.xml': part('document-styles', '<office:styles/>'),
    'settings.xml': part('document-settings', settingsOf(sheets)),
  }
  // Its kind is read from the first bytes: before all else, and not packed.
  return zipSync({ mimetype: [strToU8(TYPE), { level: 0 }], ...files }, { mtime: NO_DAY })
}

const columnStyle = (width: number) => `coluna${String(width).replace('.', '_')}`
const checkName = (sheet: string, at: number) => `${sheet}${at + 1}`
const quoted = (text: string) => xmlText(text).replaceAll('"', '&quot;')
const lettersOf = (range: string) => /^[A-Z]+/.exec(range)?.[0] ?? 'A'
/** Where its letters begin to count: A is 0. */
const placeOf = (letters: string) =>
  [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1
const lastRowOf = (range: string) => Number(/(\d+)$/.exec(range)?.[1] ?? 1)

function sheetOf({ name, hidden, rows, widths = [], headed, validations = [] }: OpenSheet): string {
  const columns = Math.max(...rows.map((row) => row.length), 1)
  const checks = new Map(validations.map(({ range }, at) => [placeOf(lettersOf(range)), checkName(name, at)]))
  const check = (column: number) => {
    const own = checks.get(column)
    return own ? ` table:content-validation-name="${quoted(own)}"` : ''
  }
  const cell = (value: string | number | null, look: string, valid: string) => {
    const start = `<table:table-cell${look === '' ? '' : ` table:style-name="${look}"`}${valid}`
    if (value === null) return `${start}/>`
    if (typeof value === 'number')
      return `${start} office:value-type="float" office:value="${value}"><text:p>${value}</text:p></table:table-cell>`
    return `${start} office:value-type="string"><text:p>${xmlText(value)}</text:p></table:table-cell>`
  }
  const look = (row: number) => (!headed ? '' : row === 0 ? 'titulo' : row <= headed.greyed ? 'exemplo' : '')
  const row = (values: readonly (string | number | null)[], at: number) =>
    `<table:table-row>${Array.from({ length: columns }, (_, column) => cell(values[column] ?? null, look(at), at === 0 ? '' : check(column))).join('')}</table:table-row>`
  const last = Math.max(0, ...validations.map(({ range }) => lastRowOf(range)))
  const empty = Array.from({ length: columns }, (_, column) => cell(null, '', check(column))).join('')
  const more = last - rows.length
  const blank =
    more <= 0 ? '' : `<table:table-row table:number-rows-repeated="${more}">${empty}</table:table-row>`
  return `<table:table table:name="${quoted(name)}"${hidden ? ' table:style-name="oculta"' : ''}>${Array.from(
    { length: columns },
    (_, at) => {
      const width = widths[at]
      return `<table:table-column${width === undefined ? '' : ` table:style-name="${columnStyle(width)}"`}/>`
    },
  ).join('')}${rows.map(row).join('')}${blank}</table:table>`
}

/** 'Listas!$A$2:$A$9' as OpenDocument writes it. */
const rangeOf = (formula: string) => {
  const [, sheet = '', from = '', to = ''] = /^(.+)!([^:]+):(.+)$/.exec(formula) ?? []
  return `[$${sheet}.${from}:.${to}]`
}

function checkOf(check: DataValidation, { name, sheet }: { name: string; sheet: string }): string {
  const { type, formula1 = '', formula2 = '' } = check
  const condition =
    type === 'list'
      ? `of:cell-content-is-in-list(${rangeOf(String(formula1))})`
      : type === 'decimal'
        ? `of:cell-content-is-decimal-number() and cell-content-is-between(${formula1},${formula2})`
        : null
  const message = (kind: string, title: string | undefined, text: string | undefined, more = '') =>
    `<table:${kind}-message table:title="${quoted(title ?? '')}" table:display="true"${more}><text:p>${xmlText(text ?? '')}</text:p></table:${kind}-message>`
  return `<table:content-validation table:name="${quoted(name)}"${condition === null ? '' : ` table:condition="${quoted(condition)}"`} table:allow-empty-cell="true"${type === 'list' ? ' table:display-list="unsorted"' : ''} table:base-cell-address="$${quoted(sheet)}.${lettersOf(check.range)}2">${
    check.showInputMessage ? message('help', check.inputTitle, check.inputMessage) : ''
  }${
    check.showErrorMessage
      ? message('error', check.errorTitle, check.errorMessage, ` table:message-type="${check.errorStyle}"`)
      : ''
  }</table:content-validation>`
}

const item = (name: string, type: string, value: string | number) =>
  `<config:config-item config:name="${name}" config:type="${type}">${value}</config:config-item>`

/** The heading rows that stay, and which sheet is shown. */
function settingsOf(sheets: readonly OpenSheet[]): string {
  const tables = sheets
    .filter(({ headed }) => headed)
    .map(
      ({ name }) =>
        `<config:config-item-map-entry config:name="${quoted(name)}">${item('CursorPositionX', 'int', 0)}${item('CursorPositionY', 'int', 1)}${item('HorizontalSplitMode', 'short', 0)}${item('VerticalSplitMode', 'short', 2)}${item('HorizontalSplitPosition', 'int', 0)}${item('VerticalSplitPosition', 'int', 1)}${item('ActiveSplitRange', 'short', 2)}${item('PositionLeft', 'int', 0)}${item('PositionRight', 'int', 0)}${item('PositionTop', 'int', 0)}${item('PositionBottom', 'int', 1)}</config:config-item-map-entry>`,
    )
  return `<office:settings><config:config-item-set config:name="ooo:view-settings"><config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>${item('ViewId', 'string', 'view1')}<config:config-item-map-named config:name="Tables">${tables.join('')}</config:config-item-map-named>${item('ActiveTable', 'string', xmlText(sheets[0]?.name ?? ''))}</config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set></office:settings>`
}
