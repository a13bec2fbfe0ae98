import { deflateSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { PdfFile, textAt } from '../../generator/pdf.ts'
import { cropWhite, pictures } from '../../generator/picture.ts'
import { extract, stopRecogniser } from '../index.ts'
import { withDocument } from '../read/pdfium.ts'
import { readPages } from '../read/read.ts'
import type { Raster } from './raster.ts'

afterAll(stopRecogniser)

const TEXT = [
  'Ensaio de adubação foliar em soja, safra 2023/24',
  'Conduzido em Sorriso, MT, em blocos casualizados com quatro repetições.',
]
const ROWS = [
  ['Tratamento', 'Dose (L/ha)', 'Produtividade (kg/ha)'],
  ['Testemunha', '-', '3412'],
  ['Vigora', '0,5', '3788'],
  ['Foliax', '1,0', '3601'],
]

/** A page of these lines, and of a picture below them. */
function pageOf(lines: readonly (readonly [x: number, y: number, text: string])[], picture?: Raster): Buffer {
  const file = new PdfFile()
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const root = file.reserve()
  const image =
    picture &&
    file.rawStream(
      deflateSync(picture.pixels),
      `/Type /XObject /Subtype /Image /Width ${picture.width} /Height ${picture.height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
    )
  const drawn = picture
    ? `q 400 0 0 ${Math.round((400 * picture.height) / picture.width)} 90 420 cm /I Do Q\n`
    : ''
  const text = lines.map(([x, y, line]) => textAt(x, y, 11, line)).join('')
  const content = file.stream(Buffer.from(`${drawn}${text}`, 'latin1'))
  const objects = image ? `/XObject << /I ${image} >> ` : ''
  const page = file.add(
    `<< /Type /Page /Parent ${root} /MediaBox [0 0 595 842] /Resources << ${objects}/Font << /F1 ${font} >> >> /Contents ${content} >>`,
  )
  file.set(root, `<< /Type /Pages /Kids [${page}] /Count 1 >>`)
  return file.build(file.add(`<< /Type /Catalog /Pages ${root} >>`))
}

const report = (picture: Raster): Buffer =>
  pageOf(
    TEXT.map((line, i) => [60, 780 - 16 * i, line] as const),
    picture,
  )

/** Tones that pass into one another, with the grain of leaves: what a camera sees of a field. */
function scene(): Raster {
  const [width, height] = [600, 360]
  let seed = 7
  const next = (): number => {
    seed = (seed * 16_807) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const pixels = Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)]
    const rows = 28 * Math.sin(x / 11 + y / 60) + 22 * Math.sin(y / 37)
    return 120 + rows + 26 * (next() - 0.5) - y / 9
  })
  return { width, height, pixels }
}

async function tableShot(): Promise<Raster> {
  const page = pageOf(
    ROWS.flatMap((row, r) => row.map((cell, c) => [60 + 130 * c, 700 - 22 * r, cell] as const)),
  )
  const [raster] = await pictures(page, 150)
  if (!raster) throw new Error('no page')
  return cropWhite(raster)
}

const picturesOf = async (bytes: Buffer): Promise<number> =>
  await withDocument(
    bytes,
    async (library, document) => readPages(library, document, {})[0]?.pictures.length ?? 0,
  )

test('a photograph in a report is left unread', async () => {
  const bytes = report(scene())
  expect(await picturesOf(bytes)).toBe(0)
  const { lines = [] } = await extract(bytes, { lines: true, digitalOnly: true })
  expect(lines.map(({ text }) => text)).toEqual(TEXT)
})

test('a table pasted as a picture is read', { timeout: 60_000 }, async () => {
  const bytes = report(await tableShot())
  expect(await picturesOf(bytes)).toBe(1)
  const { data } = await extract(bytes)
  expect(data.tratamentos.map(({ nome, produtividade }) => [nome, produtividade])).toEqual([
    ['Testemunha', 3412],
    ['Vigora', 3788],
    ['Foliax', 3601],
  ])
})
