import { deflateSync } from 'node:zlib'
import { drawRegion, type Raster, rotate } from '../src/ocr/raster.ts'
import { withDocument } from '../src/read/pdfium.ts'
import { openPage, readPages } from '../src/read/read.ts'
import { PdfFile, textAt } from './pdf.ts'
import type { Random } from './random.ts'

/** Draws every page of a PDF, as a scanner would see it. */
export async function pictures(pdf: Buffer, dpi: number): Promise<Raster[]> {
  return await withDocument(pdf, async (library, document) =>
    readPages(library, document, {}).map((page) => {
      const handle = openPage(library, document, page.index)
      const { width, height } = page.displayed
      const { raster } = drawRegion(
        library,
        handle,
        page.displayed,
        { x0: 0, y0: 0, x1: width, y1: height },
        dpi / 72,
      )
      library._FPDF_ClosePage(handle)
      return raster
    }),
  )
}

/** Tilt, shade and grain of a scanner of middling quality. */
export function wear(raster: Raster, random: Random): Raster {
  const tilted = rotate(raster, (random.next() - 0.5) * 0.045)
  const grain = random.int(4, 18)
  const shade = random.int(0, 34)
  const { width, height, pixels } = tilted
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const dark = shade * (x / width) * (y / height)
      const value = (pixels[i] ?? 255) * 0.93 + 12 - dark + (random.next() - 0.5) * 2 * grain
      pixels[i] = Math.max(0, Math.min(255, value))
    }
  return tilted
}

export function cropWhite(raster: Raster): Raster {
  let [top, bottom, right] = [raster.height, 0, 0]
  for (let y = 0; y < raster.height; y++)
    for (let x = 0; x < raster.width; x++)
      if ((raster.pixels[y * raster.width + x] ?? 255) < 200) {
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
        right = Math.max(right, x)
      }
  const height = Math.max(1, bottom - top + 21)
  const width = Math.min(raster.width, right + 21)
  const pixels = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const sy = y + top - 10
      if (sy >= 0 && sy < raster.height) pixels[y * width + x] = raster.pixels[sy * raster.width + x] ?? 255
    }
  return { width, height, pixels }
}

/** A PDF of page pictures; `layer` gives the lines of an invisible text under each. */
export function picturePdf(pages: readonly Raster[], layer: readonly string[] = []): Buffer {
  const file = new PdfFile()
  const font = file.add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
  const root = file.reserve()
  const kids = pages.map((raster) => {
    const [w, h] = raster.width > raster.height ? [842, 595] : [595, 842]
    const image = file.rawStream(
      deflateSync(raster.pixels),
      `/Type /XObject /Subtype /Image /Width ${raster.width} /Height ${raster.height} /BitsPerComponent 8 /ColorSpace /DeviceGray /Filter /FlateDecode`,
    )
    const hidden = layer.map((line, i) => textAt(50, h - 60 - 14 * i, 10, line)).join('')
    const content = file.stream(Buffer.from(`q ${w} 0 0 ${h} 0 0 cm /I Do Q\n3 Tr\n${hidden}`, 'latin1'))
    return file.add(
      `<< /Type /Page /Parent ${root} /MediaBox [0 0 ${w} ${h}] /Resources << /XObject << /I ${image} >> /Font << /F1 ${font} >> >> /Contents ${content} >>`,
    )
  })
  file.set(root, `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`)
  return file.build(file.add(`<< /Type /Catalog /Pages ${root} >>`))
}
