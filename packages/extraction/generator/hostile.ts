import { deflateSync } from 'node:zlib'
import { FONT, PdfFile, simplePdf, textAt } from './pdf.ts'

const REPORT = [
  'Consultoria: Campo Firme Pesquisa',
  'Marca: Maximus',
  'Cultura: Soja',
  'Local: Sorriso - MT',
  'Safra: 2023',
]
const report = (extra = ''): Buffer =>
  Buffer.from(REPORT.map((line, i) => textAt(60, 780 - 20 * i, 11, line)).join('') + extra, 'latin1')

/** A readable report behind an owner's password only. */
export function ownerLocked(): Buffer {
  const file = new PdfFile()
  file.encrypt('', 'dono')
  return simplePdf([report()], [595, 842], file)
}

/** A report that opens only with its user password. */
export function userLocked(): Buffer {
  const file = new PdfFile()
  file.encrypt('segredo', 'dono')
  return simplePdf([report()], [595, 842], file)
}

/** A readable report with false values in white, off the page, tiny and invisible. */
export function hiddenText(): Buffer {
  const white = `1 g\n${textAt(60, 600, 11, 'Cultivar: INVENTADA 1')}0 g\n`
  const off = textAt(60, -40, 11, 'ROI: R$ 999,00')
  const tiny = textAt(60, 560, 1, 'Regional: Marte')
  const invisible = `3 Tr\n${textAt(60, 540, 11, 'BU: BU2')}0 Tr\n`
  return simplePdf([report(white + off + tiny + invisible)])
}

/** Files made to hurt: each must end in a result or an error with a name, within its limits. */
export function hostileFiles(): Record<string, Buffer> {
  const whole = simplePdf([report()])
  return {
    'wrong type': Buffer.from('PK\x03\x04 this is not a PDF at all'),
    empty: Buffer.alloc(0),
    truncated: whole.subarray(0, Math.floor(whole.length * 0.4)),
    'cyclic page tree': cyclicTree(),
    '1,500 pages': simplePdf(Array.from({ length: 1500 }, () => report())),
    'flate bomb': flateBomb(),
    'flate bomb in layers': layeredBomb(),
    'nested forms': nestedForms(),
    'huge page': simplePdf([report()], [200_000, 200_000]),
    'huge image': hugeImage(),
    'a million characters': simplePdf([Buffer.from(textAt(10, 400, 4, 'x'.repeat(1_000_000)), 'latin1')]),
    'many paths': simplePdf([manyPaths()]),
    garbage: Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from(Array.from({ length: 50_000 }, (_, i) => (i * 7919) & 255)),
    ]),
  }
}

function cyclicTree(): Buffer {
  const file = new PdfFile()
  const pages = file.reserve()
  const inner = file.reserve()
  file.set(pages, `<< /Type /Pages /Kids [${inner}] /Count 1000000 >>`)
  file.set(inner, `<< /Type /Pages /Parent ${pages} /Kids [${pages}] /Count 1000000 >>`)
  return file.build(file.add(`<< /Type /Catalog /Pages ${pages} >>`))
}

function page(file: PdfFile, contents: string, resources: string): Buffer {
  const pages = file.reserve()
  const kid = file.add(
    `<< /Type /Page /Parent ${pages} /MediaBox [0 0 595 842] /Resources << ${resources} >> /Contents ${contents} >>`,
  )
  file.set(pages, `<< /Type /Pages /Kids [${kid}] /Count 1 >>`)
  return file.build(file.add(`<< /Type /Catalog /Pages ${pages} >>`))
}

/** 400 MB of graphics operators in a few hundred kilobytes. */
function flateBomb(): Buffer {
  const file = new PdfFile()
  const bomb = deflateSync(Buffer.alloc(400 * 1024 * 1024, 'q 1 0 0 1 0 0 cm Q '), { level: 9 })
  return page(file, file.rawStream(bomb, '/Filter /FlateDecode'), '')
}

/** Deflated twice: kilobytes that become hundreds of megabytes. */
function layeredBomb(): Buffer {
  const file = new PdfFile()
  const inner = deflateSync(Buffer.alloc(900 * 1024 * 1024, 32), { level: 9 })
  const bomb = deflateSync(inner, { level: 9 })
  return page(file, file.rawStream(bomb, '/Filter [/FlateDecode /FlateDecode]'), '')
}

/** Twenty forms, each drawing the next ten times. */
function nestedForms(): Buffer {
  const file = new PdfFile()
  let next = file.stream(Buffer.from('0 0 1 1 re f'), '/Type /XObject /Subtype /Form /BBox [0 0 600 850]')
  for (let i = 0; i < 20; i++)
    next = file.stream(
      Buffer.from('/X Do '.repeat(10)),
      `/Type /XObject /Subtype /Form /BBox [0 0 600 850] /Resources << /XObject << /X ${next} >> >>`,
    )
  return page(file, file.stream(Buffer.from('/X Do')), `/XObject << /X ${next} >>`)
}

/** A white picture of 30,000 by 30,000 points over the whole page. */
function hugeImage(): Buffer {
  const file = new PdfFile()
  const data = deflateSync(Buffer.alloc((30_000 * 30_000) / 8, 255), { level: 9 })
  const image = file.rawStream(
    data,
    '/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /FlateDecode',
  )
  const font = file.add(FONT)
  return page(
    file,
    file.stream(Buffer.from('595 0 0 842 0 0 cm /I Do')),
    `/XObject << /I ${image} >> /Font << /F1 ${font} >>`,
  )
}

function manyPaths(): Buffer {
  let content = ''
  for (let i = 0; i < 200_000; i++) content += `${i % 590} ${i % 840} 3 3 re f\n`
  return Buffer.from(content)
}
