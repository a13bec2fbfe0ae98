import {
  type ConsolidatedMaterial,
  formatDate,
  formatFixed,
  formatNumber,
  type Group,
  gainPercent,
  HOW,
  toldOf,
} from '@ensaio/domain'
import { strToU8, unzipSync, zipSync } from 'fflate'
import pptx from 'pptxgenjs'
import { xmlText } from '../xml-text.ts'
import type { Brand } from './typeset.ts'
import type { Picture } from './word-file.ts'

const GREEN = '166534'
const GREY = '57534E'
const INK = '1C1917'
const FONT = 'Arial'
/** Inches, of a page of 13.33 by 7.5. */
const PAGE = { left: 0.6, width: 12.1, top: 1.75, height: 5 }
const MOST_BARS = 12
const MOST_ROWS = 10

/** Slides on many trials: one message each, charts that can be edited. */
export async function slidesFile(
  material: ConsolidatedMaterial,
  { map, brand }: { map: Picture | null; brand: Brand },
): Promise<Uint8Array> {
  const accent = isDark(brand.cor) ? brand.cor.slice(1) : GREEN
  const { overview, organizacao, pergunta, quando, ensaios, sinteses } = material
  // The package's type is of its older module system.
  const deck = new (pptx as unknown as { new (): pptx.default })()
  deck.layout = 'LAYOUT_WIDE'
  deck.title = `Relatório consolidado: ${pergunta}`
  // The only one of them that is written as it is given.
  deck.company = xmlText(organizacao)
  deck.author = organizacao
  const counted = (count: number): string =>
    `n = ${formatNumber(count, 0)} ${count === 1 ? 'ensaio' : 'ensaios'}`
  const n = counted(overview.total)
  /** Those of them that could be compared with their control. */
  const comparable = counted(overview.ganho?.n ?? 0)

  // Titles are the slides' own: what lists slides by their titles, or reads them aloud, finds them.
  const face = { fontFace: FONT, bold: true, color: INK, align: 'left', valign: 'middle' } as const
  const masters = {
    capa: { x: 0.9, y: 2.3, w: 11.5, h: 1.6, fontSize: 34, ...face },
    folha: { x: PAGE.left, y: 0.45, w: PAGE.width, h: 0.75, fontSize: 26, ...face },
  }
  for (const [title, options] of Object.entries(masters))
    deck.defineSlideMaster({
      title,
      objects: [{ placeholder: { options: { ...options, name: 'titulo', type: 'title' }, text: '' } }],
    })
  const titled = (master: keyof typeof masters, title: string) => {
    const made = deck.addSlide({ masterName: master })
    made.addText(title, { placeholder: 'titulo', fit: 'shrink', objectName: 'Título' })
    return made
  }

  const slide = (title: string, subtitle = n) => {
    const made = titled('folha', title)
    made.addText(subtitle, {
      ...{ x: PAGE.left, y: 1.15, w: PAGE.width, h: 0.4, fontFace: FONT, fontSize: 14, color: GREY },
    })
    return made
  }
  const box = { x: PAGE.left, y: PAGE.top, w: PAGE.width, h: PAGE.height }
  const share = gainPercent(overview.ganho?.razao)

  const first = titled('capa', pergunta)
  if (brand.logo)
    first.addImage({
      data: `image/png;base64,${Buffer.from(brand.logo).toString('base64')}`,
      ...{ x: 0.9, y: 0.7, ...fitted(brand.logo, 3.2, 1.1) },
      altText: `Logotipo de ${organizacao}`,
    })
  first.addText(`${organizacao} · ${formatDate(quando)} · ${n}`, {
    ...{ x: 0.9, y: 4, w: 11.5, h: 0.5, fontFace: FONT, fontSize: 16, color: GREY },
  })

  slide('A pergunta').addText(
    [
      { text: 'Estes ensaios passam pelo filtro:', options: { breakLine: true } },
      ...pergunta.split('; ').map((text) => ({ text, options: { bullet: true, breakLine: true } })),
    ],
    { ...box, h: 3, fontFace: FONT, fontSize: 20, color: INK, valign: 'top' },
  )

  const keys = slide(
    share === null
      ? 'Não há comparação com a Testemunha'
      : `Os tratamentos ${share < 0 ? 'perderam' : 'ganharam'} em média ${formatFixed(Math.abs(share), 1)} % sobre a Testemunha`,
  )
  const figures: [string, string][] = [
    ['Ensaios', formatNumber(overview.total, 0)],
    ['Ganho médio', share === null ? '–' : `${share > 0 ? '+' : ''}${formatFixed(share, 1)} %`],
    [
      'Vitórias sobre a Testemunha',
      overview.ganho && overview.ganho.diferentes > 0
        ? `${overview.ganho.vitorias} de ${overview.ganho.diferentes}`
        : '–',
    ],
  ]
  for (const [at, [name, value]] of figures.entries()) {
    const x = PAGE.left + at * 4.1
    keys.addText(value, { x, y: 2.6, w: 3.8, h: 1, fontFace: FONT, fontSize: 40, bold: true, color: accent })
    keys.addText(name, { x, y: 3.6, w: 3.8, h: 0.5, fontFace: FONT, fontSize: 16, color: GREY })
  }

  const gains = (groups: readonly Group[]) =>
    groups
      .flatMap(({ chave, ganho }) => {
        const value = gainPercent(ganho?.razao)
        return value === null ? [] : [{ name: `${chave} (${ganho?.n})`, value: Math.round(value * 10) / 10 }]
      })
      .sort((a, b) => b.value - a.value)
      .slice(0, MOST_BARS)
  const barSlide = (of: string, groups: readonly Group[]) => {
    const bars = gains(groups)
    const [best] = bars
    if (!best) return
    const name = best.name.replace(/ \(\d+\)$/, '')
    slide(
      bars.length === 1 ? `Por ${of}: só há ensaios de ${name}` : `Por ${of}: o maior ganho é de ${name}`,
      `Ganho médio sobre a Testemunha, em %; entre parênteses, ensaios. ${comparable}`,
    ).addChart(
      deck.ChartType.bar,
      [
        {
          name: 'Ganho (%)',
          labels: bars.map(({ name }) => name).reverse(),
          values: bars.map(({ value }) => value).reverse(),
        },
      ],
      {
        ...box,
        ...{
          barDir: 'bar',
          chartColors: [accent],
          showValue: true,
          dataLabelFormatCode: '0.0',
          catAxisLabelFontFace: FONT,
        },
        // From zero: bars that are cut off would lie about how far they are apart.
        valAxisMinVal: Math.min(0, ...bars.map(({ value }) => value)),
        ...{ valGridLine: { style: 'none' }, valAxisHidden: true, showLegend: false },
        altText: `Ganho médio por ${of}, em %: ${bars.map(({ name, value }) => `${name} ${formatFixed(value, 1)}`).join(', ')}`,
      },
    )
  }
  barSlide('cultura', overview.por_cultura)
  barSlide('marca', overview.por_marca)

  const years = [...overview.por_ano]
    .sort((a, b) => (a.chave < b.chave ? -1 : 1))
    .flatMap(({ chave, ganho }) => {
      const value = gainPercent(ganho?.razao)
      return value === null ? [] : [{ chave, value: Math.round(value * 10) / 10 }]
    })
  if (years.length > 1)
    slide('O ganho de ano a ano', `Ganho médio sobre a Testemunha, em %. ${comparable}`).addChart(
      deck.ChartType.line,
      [
        {
          name: 'Ganho (%)',
          labels: years.map(({ chave }) => chave),
          values: years.map(({ value }) => value),
        },
      ],
      {
        ...box,
        ...{ chartColors: [accent], showValue: true, dataLabelFormatCode: '0.0', showLegend: false },
        altText: `Ganho médio por ano, em %: ${years.map(({ chave, value }) => `${chave} ${formatFixed(value, 1)}`).join(', ')}`,
      },
    )

  const points = overview.argila.pontos.slice(0, 300)
  const told = sinteses.find(({ de }) => de === 'produto')?.resposta
  // Twelve at most.
  if (!told || years.length < 2 || points.length < 3) barSlide('regional', overview.por_regional)
  if (points.length > 2)
    slide('Argila e produtividade', `Um ponto para cada ensaio; amostra de até 300. ${n}`).addChart(
      deck.ChartType.scatter,
      [
        { name: 'Argila (%)', values: points.map(({ x }) => x) },
        { name: 'Produtividade (kg/ha)', values: points.map(({ y }) => y) },
      ],
      {
        ...box,
        ...{ chartColors: [accent], lineSize: 0, lineDataSymbolSize: 7, showLegend: false },
        ...{ showCatAxisTitle: true, catAxisTitle: 'Teor de argila (%)', showValAxisTitle: true },
        valAxisTitle: 'Produtividade (kg/ha)',
        altText: `Teor de argila contra produtividade de ${points.length} ensaios`,
      },
    )

  if (map)
    slide('Onde os ensaios foram feitos').addImage({
      data: `image/png;base64,${Buffer.from(map.png).toString('base64')}`,
      ...{ x: 3.2, y: PAGE.top, w: (PAGE.height * map.width) / map.height, h: PAGE.height },
      altText: `Mapa do Brasil com os locais de ${formatNumber(overview.total, 0)} ensaios`,
    })

  const products = overview.produtos_ganho.slice(0, MOST_ROWS)
  if (products.length > 0)
    slide(
      'Produtos de maior ganho sobre a Testemunha',
      `Os de menos de três ensaios vêm por último. ${n}`,
    ).addTable(
      [
        ['Produto', 'Marca', 'Ensaios', 'Ganho médio (%)', 'Vitórias'].map((text) => ({
          text,
          options: { bold: true, border: RULES },
        })),
        ...products.map(({ produto, marca, experimentos, ganho }) => {
          const value = gainPercent(ganho?.razao)
          return [
            ...[produto, marca, formatNumber(experimentos, 0)],
            value === null ? '–' : `${value > 0 ? '+' : ''}${formatFixed(value, 1)}`,
            ganho && ganho.diferentes > 0 ? `${ganho.vitorias} de ${ganho.diferentes}` : '–',
          ].map((text) => ({ text, options: { border: RULES } }))
        }),
      ],
      {
        ...{ x: box.x, y: box.y, w: box.w, rowH: 0.4, colW: [4.3, 2.6, 1.4, 2.1, 1.7] },
        ...{ fontFace: FONT, fontSize: 14, color: INK },
      },
    )
  if (told)
    slide(
      `O que a síntese diz de ${told.produto}`,
      counted(new Set(told.ensaios.map(({ experimento_id }) => experimento_id)).size),
    ).addText(
      toldOf(told).map((text) => ({ text, options: { bullet: true, breakLine: true } })),
      { ...box, h: 4, fontFace: FONT, fontSize: 18, color: INK, valign: 'top', fit: 'shrink' },
    )

  slide('Como ler estes números', '').addText(
    HOW.map((text) => ({ text, options: { bullet: true, breakLine: true } })),
    { ...box, fontFace: FONT, fontSize: 16, color: INK, valign: 'top', fit: 'shrink' },
  )
  slide('Fontes', '').addText(
    [
      `Ensaios cadastrados no Ensaio, lidos em ${formatDate(quando)} com o direito de quem pediu.`,
      `Filtro: ${pergunta}.`,
      ...(ensaios.length > 0 ? [`Lista de ensaios: ${material.site}/dashboard.`] : []),
      'Contornos dos estados: Natural Earth.',
    ].map((text) => ({ text, options: { bullet: true, breakLine: true } })),
    { ...box, h: 3, fontFace: FONT, fontSize: 16, color: INK, valign: 'top' },
  )
  return headed((await deck.write({ outputType: 'nodebuffer' })) as Uint8Array)
}

/** Inches of a PNG, which is ours, within a box. */
function fitted(png: Uint8Array, most: number, high: number): { w: number; h: number } {
  const view = Buffer.from(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [view.readUInt32BE(16), view.readUInt32BE(20)]
  const scale = Math.min(most / width, high / height)
  return { w: width * scale, h: height * scale }
}

/** Whether a colour, as text on white, has the contrast of 4.5 to 1 (WCAG). */
function isDark(colour: string | null): colour is string {
  if (!colour) return false
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) >= 4.5
}

const NO_RULE = { type: 'none' as const }
const RULES: [
  pptx.default.BorderProps,
  pptx.default.BorderProps,
  pptx.default.BorderProps,
  pptx.default.BorderProps,
] = [NO_RULE, NO_RULE, { type: 'solid', pt: 0.75, color: 'A8A29E' }, NO_RULE]

/** Tables with their first row marked as the head, which the library leaves out; and the language of the texts. */
function headed(file: Uint8Array): Uint8Array {
  const parts = unzipSync(file)
  for (const [name, bytes] of Object.entries(parts))
    if (/^ppt\/slides\/slide\d+\.xml$/.test(name))
      parts[name] = strToU8(
        new TextDecoder()
          .decode(bytes)
          .replaceAll('<a:tblPr/>', '<a:tblPr firstRow="1"/>')
          .replaceAll(/lang="en-US"/g, 'lang="pt-BR"'),
      )
  return zipSync(Object.fromEntries(Object.entries(parts).filter(([name]) => !name.endsWith('/'))))
}
