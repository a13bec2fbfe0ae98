import type { ReportBlock, TrialReport } from '@ensaio/domain'
import {
  AlignmentType,
  Bookmark,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  InternalHyperlink,
  LineRuleType,
  convertMillimetersToTwip as mm,
  Packer,
  PageBreak,
  PageNumber,
  type PageNumberEstimator,
  PageOrientation,
  PageReference,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableOfContents,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { estimatePageNumbersWith } from 'docx/layout'
import { strToU8, unzipSync, zipSync } from 'fflate'

/** A picture of a figure, with its size in pixels. */
export interface Picture {
  png: Uint8Array
  width: number
  height: number
}

const FONT = 'Arial'
const HALF_POINTS = { text: 24, table: 20, note: 18, narrow: 16, cover: 32 }
const PAGE_PIXELS = 600
const PAGE_HEIGHT = 820
const PAGE = {
  size: { width: mm(210), height: mm(297) },
  margin: { top: mm(30), left: mm(30), right: mm(20), bottom: mm(20) },
}
/** The library turns it. */
const TURNED = { ...PAGE, size: { ...PAGE.size, orientation: PageOrientation.LANDSCAPE } }
/** Millimetres between the margins. */
const TEXT_WIDTH = { upright: 160, turned: 247 }
/** The oldest day that an archive can tell. */
const NO_DAY = new Date('1980-01-01T00:00:00')
const NONE = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const RULE = { style: BorderStyle.SINGLE, size: 6, color: '000000' }

/**
 * A report as a Word file: styles, captions, header rows, alternative texts, language and contents of its own. The
 * same report gives the same bytes.
 * @param pictures of the report's figures, in their order; of a high one in parts
 */
export async function wordFile(
  report: TrialReport,
  { pictures, logo }: { pictures: readonly (readonly Picture[])[]; logo: Uint8Array | null },
): Promise<Uint8Array> {
  const left = [...pictures]
  let [section, part] = [0, 0]
  const body: Stretch[] = [{ turned: false, children: [] }]
  /** Titles that nothing has followed yet: they stand on the page of what they are the title of. */
  let titles: Paragraph[] = []
  for (const block of report.blocos) {
    if (block.tipo === 'titulo') {
      if (block.nivel === 1) [section, part] = [section + 1, 0]
      else part += 1
      titles.push(headingOf(block, `${block.nivel === 1 ? section : `${section}.${part}`} ${block.texto}`))
      continue
    }
    const turned = block.tipo === 'tabela' && setOf(block).turned
    if (body.at(-1)?.turned !== turned) body.push({ turned, children: [] })
    body.at(-1)?.children.push(...titles, ...blockOf(block, left))
    titles = []
  }
  body.at(-1)?.children.push(...titles)
  const file = new Document({
    title: report.titulo,
    creator: report.organizacao,
    lastModifiedBy: report.organizacao,
    // Word asks, and fills in its own page numbers.
    features: { updateFields: true },
    ...(rowsOf(report) <= MOST_ROWS && { pageNumbers }),
    styles: {
      default: {
        document: {
          run: { font: FONT, size: HALF_POINTS.text, language: { value: 'pt-BR' } },
          paragraph: { spacing: { line: 360, lineRule: LineRuleType.AUTO, after: 120 } },
        },
        heading1: {
          run: { font: FONT, size: HALF_POINTS.text, bold: true, color: '000000' },
          paragraph: { spacing: { before: 360, after: 200 }, keepNext: true },
        },
        heading2: {
          run: { font: FONT, size: HALF_POINTS.text, bold: false, color: '000000' },
          paragraph: { spacing: { before: 300, after: 160 }, keepNext: true },
        },
      },
      paragraphStyles: [
        {
          ...{ id: 'Caption', name: 'caption', basedOn: 'Normal', next: 'Normal', quickFormat: true },
          run: { size: HALF_POINTS.table },
          paragraph: {
            spacing: { before: 240, after: 80, line: 240, lineRule: LineRuleType.AUTO },
            keepNext: true,
          },
        },
        {
          ...{ id: 'Fonte', name: 'Fonte', basedOn: 'Normal', next: 'Normal' },
          run: { size: HALF_POINTS.note },
          paragraph: { spacing: { before: 60, after: 240, line: 240, lineRule: LineRuleType.AUTO } },
        },
        {
          ...{ id: 'Tabela', name: 'Tabela', basedOn: 'Normal' },
          run: { size: HALF_POINTS.table },
          paragraph: { spacing: { before: 0, after: 0, line: 240, lineRule: LineRuleType.AUTO } },
        },
        {
          ...{ id: 'TabelaEstreita', name: 'Tabela estreita', basedOn: 'Tabela' },
          run: { size: HALF_POINTS.narrow },
          paragraph: { spacing: { before: 0, after: 0, line: 240, lineRule: LineRuleType.AUTO } },
        },
      ],
    },
    sections: [
      // Pages are counted from the cover, and numbered from the first of text.
      ...(report.capa || report.sumario
        ? [
            {
              properties: { page: PAGE },
              headers: { default: new Header({ children: [new Paragraph({})] }) },
              footers: { default: new Footer({ children: [new Paragraph({})] }) },
              children: [
                ...(report.capa ? coverOf(report.capa, logo, report.sumario) : []),
                ...(report.sumario ? contents() : []),
              ],
            },
          ]
        : []),
      ...body
        .filter(({ children }) => children.length > 0)
        .map(({ turned, children }) => ({
          properties: { page: turned ? TURNED : PAGE },
          headers: {
            default: new Header({
              children: [
                new Paragraph({
                  alignment: AlignmentType.RIGHT,
                  children: [new TextRun({ children: [PageNumber.CURRENT] })],
                }),
              ],
            }),
          },
          footers: {
            default: new Footer({ children: [paragraph(report.rodape, 'Fonte')] }),
          },
          children,
        })),
    ],
  })
  return still(await Packer.toBuffer(file), report.data)
}

/** Of its tables: the pages of a longer report take too long to be worked out. */
const MOST_ROWS = 1_000
const rowsOf = ({ blocos }: TrialReport) =>
  blocos.reduce((sum, block) => sum + (block.tipo === 'tabela' ? block.linhas.length : 0), 0)
const estimated = estimatePageNumbersWith({ guess: true })
/** Pages of the contents, for readers that do not work them out; a report without them is better than none. */
const pageNumbers: PageNumberEstimator = (body, context) => {
  try {
    return estimated(body, context)
  } catch {
    return { bookmarks: new Map() }
  }
}

/** What stands on pages of one direction. */
interface Stretch {
  turned: boolean
  children: (Paragraph | Table)[]
}

function headingOf(
  { nivel, nova_pagina, endereco, ancora }: Extract<ReportBlock, { tipo: 'titulo' }>,
  text: string,
) {
  const run = endereco ? linked(text, endereco, {}) : new TextRun(text)
  return new Paragraph({
    heading: nivel === 1 ? HeadingLevel.HEADING_1 : HeadingLevel.HEADING_2,
    pageBreakBefore: nova_pagina === true,
    children: [ancora ? new Bookmark({ id: ancora, children: [run] }) : run],
  })
}
/** Where it begins with a cross, to a title of this report. */
const linked = (text: string, where: string, look: { style?: string } = { style: 'Hyperlink' }) => {
  const children = [new TextRun({ text, ...look })]
  return where.startsWith('#')
    ? new InternalHyperlink({ anchor: where.slice(1), children })
    : new ExternalHyperlink({ link: where, children })
}

const paragraph = (text: string, style?: string) =>
  new Paragraph({ ...(style && { style }), children: [new TextRun(text)] })
const centred = (text: string, size: number, bold = false) =>
  new Paragraph({ alignment: AlignmentType.CENTER, children: [new TextRun({ text, size, bold })] })

const coverOf = (capa: NonNullable<TrialReport['capa']>, logo: Uint8Array | null, more: boolean) => [
  ...(logo ? [logoOf(logo)] : []),
  centred(capa.organizacao, HALF_POINTS.text),
  new Paragraph({ spacing: { before: 3600 }, children: [] }),
  centred(capa.documento, HALF_POINTS.text),
  centred(capa.nome, HALF_POINTS.cover, true),
  ...capa.linhas.map((line) => centred(line, HALF_POINTS.text)),
  new Paragraph({ spacing: { before: 3600 }, children: [] }),
  ...capa.rodape.map((line) => centred(line, HALF_POINTS.text)),
  ...(more ? [new Paragraph({ children: [new PageBreak()] })] : []),
]
const LOGO_PIXELS = 240
/** Of a PNG, which is ours: its size stands in its head. */
function logoOf(png: Uint8Array) {
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [view.readUInt32BE(16), view.readUInt32BE(20)]
  const scale = Math.min(1, LOGO_PIXELS / width, LOGO_PIXELS / 3 / height)
  return new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [
      new ImageRun({
        type: 'png',
        data: view,
        transformation: { width: width * scale, height: height * scale },
        altText: { name: 'Logotipo', title: 'Logotipo', description: 'Logotipo da organização' },
      }),
    ],
  })
}
const contents = () => [
  new Paragraph({ children: [new TextRun({ text: 'Sumário', bold: true })] }),
  new TableOfContents('Sumário', { hyperlink: true, headingStyleRange: '1-1' }),
]

function blockOf(block: Exclude<ReportBlock, { tipo: 'titulo' }>, pictures: (readonly Picture[])[]) {
  switch (block.tipo) {
    case 'texto':
      return [paragraph(block.texto)]
    case 'ficha':
      return block.linhas.map(([label, value]) => paragraph(`${label}: ${value}`))
    case 'mapa':
    case 'floresta':
    case 'barras': {
      const parts = pictures.shift() ?? []
      if (parts.length === 0) return []
      return [
        paragraph(block.titulo, 'Caption'),
        ...parts.map((picture, at) => {
          const scale = Math.min(1, PAGE_PIXELS / picture.width, PAGE_HEIGHT / picture.height)
          const more = at === 0 ? '' : ' (continuação)'
          return new Paragraph({
            keepNext: true,
            children: [
              new ImageRun({
                type: 'png',
                data: Buffer.from(picture.png),
                transformation: { width: picture.width * scale, height: picture.height * scale },
                altText: {
                  ...{ name: `${block.titulo}${more}`, title: `${block.titulo}${more}` },
                  description: at === 0 ? block.alternativa : 'A figura continua.',
                },
              }),
            ],
          })
        }),
        paragraph(block.fonte, 'Fonte'),
      ]
    }
    case 'tabela':
      return [
        paragraph(block.titulo, 'Caption'),
        tableOf(block),
        paragraph([block.fonte, ...block.notas].join(' '), 'Fonte'),
      ]
  }
}

/** The mark within the report that an address leads to. */
const anchorIn = (where: string | null | undefined) => (where?.startsWith('#') ? where.slice(1) : undefined)

type TableBlock = Extract<ReportBlock, { tipo: 'tabela' }>

function tableOf(block: TableBlock) {
  const { colunas, linhas, rodape, enderecos = [], paginas = false } = block
  // Of many columns the last is too narrow for '459,21 (< 0,001) **'.
  const valueSpan = colunas.length > 4 ? 2 : 1
  const { style, widths } = setOf(block)
  const cell = (
    text: string,
    {
      numeric,
      borders,
      span = 1,
      where,
      pageOf,
    }: {
      numeric: boolean
      borders: object
      span?: number
      where?: string | null | undefined
      pageOf?: string | undefined
    },
  ) =>
    new TableCell({
      columnSpan: span,
      borders: { top: NONE, bottom: NONE, left: NONE, right: NONE, ...borders },
      margins: { left: 60, right: 60, top: 40, bottom: 40 },
      children: [
        new Paragraph({
          style,
          alignment: numeric ? AlignmentType.RIGHT : AlignmentType.LEFT,
          children: [
            pageOf
              ? new PageReference(pageOf, { hyperlink: true })
              : where
                ? linked(text, where)
                : new TextRun(text),
          ],
        }),
      ],
    })
  const last = linhas.length - 1
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: widths,
    layout: TableLayoutType.FIXED,
    rows: [
      new TableRow({
        tableHeader: true,
        cantSplit: true,
        children: colunas.map(({ nome, numerica }) =>
          cell(nome, { numeric: numerica, borders: { top: RULE, bottom: RULE } }),
        ),
      }),
      ...linhas.map(
        (row, at) =>
          new TableRow({
            cantSplit: true,
            children: row.map((text, place) =>
              cell(text, {
                ...{
                  numeric: colunas[place]?.numerica === true,
                  borders: at === last ? { bottom: RULE } : {},
                },
                where: place === 0 ? enderecos[at] : null,
                pageOf: paginas && place === row.length - 1 ? anchorIn(enderecos[at]) : undefined,
              }),
            ),
          }),
      ),
      ...rodape.map(
        ([name, value], at) =>
          new TableRow({
            children: [
              cell(name, {
                numeric: false,
                borders: at === rodape.length - 1 ? { bottom: RULE } : {},
                span: Math.max(1, colunas.length - valueSpan),
              }),
              cell(value, {
                numeric: true,
                borders: at === rodape.length - 1 ? { bottom: RULE } : {},
                span: valueSpan,
              }),
            ],
          }),
      ),
    ],
  })
}

const TWIPS_PER_EM = { Tabela: 200, TabelaEstreita: 160 } as const
type TableStyle = keyof typeof TWIPS_PER_EM
const CELL_PADDING = 130
/** Ems of a text, as wide as in the widest font that may stand in for Arial. */
const ems = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (WIDTHS.find(([kind]) => kind.test(letter))?.[1] ?? 0.66), 0)
const WIDTHS = [
  [/[iljtfrI.,:;'|()]/, 0.41],
  [/[mwMWÇ%@]/, 0.98],
  [/[A-Z]/, 0.76],
] as const

/**
 * Of each column, in twentieths of a point: its longest word has room, and what is left goes to those whose texts are
 * longer; in smaller letters where the words alone ask for more than there is, and on a turned page where these do, too.
 */
function setOf({ colunas: columns, linhas: rows }: TableBlock): {
  style: TableStyle
  widths: number[]
  turned: boolean
} {
  const needs = columns.map(({ nome }, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    const words = [nome, ...cells].flatMap((text) => text.split(' '))
    return {
      least: Math.min(
        14,
        words.reduce((most, word) => Math.max(most, ems(word)), 0),
      ),
      wanted: Math.min(
        20,
        cells.reduce((most, text) => Math.max(most, ems(text)), 0),
      ),
    }
  })
  const least = (em: number) => needs.reduce((sum, need) => sum + need.least * em + CELL_PADDING, 0)
  const turned = least(TWIPS_PER_EM.TabelaEstreita) > mm(TEXT_WIDTH.upright)
  const room = mm(turned ? TEXT_WIDTH.turned : TEXT_WIDTH.upright)
  const style = least(TWIPS_PER_EM.Tabela) <= room ? 'Tabela' : 'TabelaEstreita'
  const em = TWIPS_PER_EM[style]
  const more = needs.map((need) => Math.max(0, need.wanted - need.least) + 0.01)
  const left = Math.max(0, room - least(em)) / more.reduce((sum, one) => sum + one, 0)
  const widths = needs.map((need, at) => Math.round(need.least * em + CELL_PADDING + left * (more[at] ?? 0)))
  return { style, widths, turned }
}

/** The archive without the moment at which it was made. */
function still(file: Uint8Array, date: string): Uint8Array {
  const parts = unzipSync(file)
  const core = new TextDecoder().decode(parts['docProps/core.xml'])
  parts['docProps/core.xml'] = strToU8(
    core.replace(
      /(<dcterms:(?:created|modified)[^>]*>)[^<]*/g,
      (_, tag: string) => `${tag}${date.slice(0, 19)}Z`,
    ),
  )
  return zipSync(
    Object.fromEntries(
      Object.entries(parts)
        .filter(([name]) => !name.endsWith('/'))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    { mtime: NO_DAY, level: 6 },
  )
}
