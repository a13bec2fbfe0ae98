import {
  documentHtml,
  esc,
  headerItems,
  type Item,
  type ResultTable,
  resultTable,
  tableHtml,
} from '../pieces.ts'
import type { Random } from '../random.ts'
import { makeWorld } from '../world.ts'
import { caption, type Family, footer, note, title } from './report.ts'
import { economics, paragraphs } from './running.ts'

/** Labels and values as people set them in a text processor. */
function written(items: readonly Item[], random: Random): string {
  const cell = ({ label, value }: Item): [string, string] => [esc(label), esc(value)]
  switch (random.int(0, 2)) {
    case 0:
      return items.map((i) => `<p><b>${cell(i)[0]}:</b> ${cell(i)[1]}</p>`).join('')
    case 1:
      return `<table border="1" cellpadding="3">${items.map((i) => `<tr><td><b>${cell(i)[0]}</b></td><td>${cell(i)[1]}</td></tr>`).join('')}</table>`
    default:
      return `<table cellpadding="3">${items.map((i) => `<tr><td>${cell(i)[0]}</td><td>${cell(i)[1]}</td></tr>`).join('')}</table>`
  }
}

const bordered = (html: string): string =>
  html.replaceAll('<table class="data ', '<table border="1" cellpadding="3" class="data ')

/** A report from a text processor: a cover sheet or running text, and a table with borders. */
export const writer: Family = (random) => {
  const world = makeWorld(random)
  const table = bordered(tableHtml(resultTable(world, random), '', caption(random)))
  const text = random.chance(0.4)
    ? `${paragraphs(world, random)
        .map((p) => `<p>${esc(p)}</p>`)
        .join('')}${table}<p>${esc(economics(world, random))}</p>`
    : `${written(headerItems(world, random), random)}<br>${table}`
  const body = `${title(random, world)}${text}${note(random, world)}${footer(world, random)}`
  return { html: documentHtml(random, body), truth: world.truth, office: 'writer' }
}

/** A sheet as the spreadsheet prints it: labels and values above, the treatments below, columns over pages. */
export const calc: Family = (random) => {
  const world = makeWorld(random, random.int(2, 7))
  const head = headerItems(world, random).map(({ label, value }) => [label, value])
  const { head: columns, rows, foot }: ResultTable = resultTable(world, random, { code: true })
  return {
    html: flatSheet([...head, [], columns, ...rows, ...foot], random.chance(0.6)),
    truth: world.truth,
    office: 'calc',
  }
}

/** A flat OpenDocument sheet whose cells are texts, as they were typed. */
function flatSheet(rows: readonly (readonly string[])[], gridded: boolean): string {
  const border = gridded ? ' fo:border="0.5pt solid #888888"' : ''
  const cell = (text: string): string =>
    text === ''
      ? '<table:table-cell table:style-name="c"/>'
      : `<table:table-cell table:style-name="c" office:value-type="string"><text:p>${esc(text).replace(/>/g, '&gt;')}</text:p></table:table-cell>`
  const width = Math.max(...rows.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, c) => {
    const longest = Math.max(...rows.map((row) => (row[c] ?? '').length))
    return {
      style: `<style:style style:name="w${c}" style:family="table-column"><style:table-column-properties style:column-width="${Math.max(1.8, Math.min(9, 0.21 * longest + 0.4)).toFixed(2)}cm"/></style:style>`,
      use: `<table:table-column table:style-name="w${c}"/>`,
    }
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${columns.map((c) => c.style).join('')}<style:style style:name="c" style:family="table-cell"><style:table-cell-properties${border}/></style:style></office:automatic-styles><office:body><office:spreadsheet><table:table table:name="Ensaio">${columns.map((c) => c.use).join('')}${rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table></office:spreadsheet></office:body></office:document>`
}
