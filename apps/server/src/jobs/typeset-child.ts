// Sets one document, and ends.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { LOGO_BOX, logoDrawing } from './logo.ts'
import type { Setting, Typesetting } from './typeset.ts'

/** Dots to a centimetre at which a picture is printed. */
const PRINT_ZOOM = 4

/** The same letters on every machine; those of other scripts it takes from what the machine has. */
const fonts = ['400Regular', '700Bold'].map((face) =>
  readFileSync(createRequire(import.meta.url).resolve(`@expo-google-fonts/arimo/${face}/Arimo_${face}.ttf`)),
)
/** A folder that is not there: a template reads nothing but what it is handed. */
const compiler = NodeCompiler.create({ workspace: '/nothing-here', fontArgs: [{ fontBlobs: fonts }] })
const source = ({ template, data }: { template: string; data: unknown }) => ({
  mainFileContent: template,
  inputs: { data: JSON.stringify(data) },
})

function pdf(work: Typesetting): Uint8Array {
  if (work.logo) compiler.mapShadow('/nothing-here/logo.png', Buffer.from(work.logo))
  try {
    return compiler.pdf(source(work), { pdfStandard: 'ua-1' })
  } catch (error) {
    // A letter that no font here has: the standard forbids a box in its place, a reader is better off with it.
    if (!String((error as { code?: unknown }).code).includes('could not be displayed')) throw error
    return compiler.pdf(source(work))
  }
}

/** Its letters are outlines: no font is asked of who opens it. */
const svg = (work: { template: string; data: unknown }) => compiler.plainSvg(source(work))

async function png(work: { template: string; data: unknown }) {
  const { Resvg } = await import('@resvg/resvg-js')
  const drawn = new Resvg(svg(work), {
    fitTo: { mode: 'zoom', value: PRINT_ZOOM },
    font: { loadSystemFonts: false },
    background: 'white',
  }).render()
  return { png: drawn.asPng(), width: drawn.width / PRINT_ZOOM, height: drawn.height / PRINT_ZOOM }
}

/** Nothing where it cannot be drawn. */
async function logo(drawing: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js')
  try {
    const options = { font: { loadSystemFonts: false } }
    const { width, height } = new Resvg(drawing, options)
    const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height)
    const fit = { mode: 'zoom' as const, value: Math.min(scale, 20) }
    return new Resvg(drawing, { ...options, fitTo: fit }).render().asPng()
  } catch {
    return new Uint8Array()
  }
}

/** As many bars as a page has room for. */
const MOST_BARS = 34

/** A figure with more bars than a page has room for, in parts of one scale. */
function partsOf(figure: unknown): unknown[] {
  const bars: unknown =
    typeof figure === 'object' && figure !== null && 'barras' in figure ? figure.barras : null
  if (!Array.isArray(bars) || bars.length <= MOST_BARS) return [figure]
  const values = bars.flatMap(({ valor, erro = 0 }: { valor: number; erro?: number }) => [
    valor + erro,
    valor - erro,
  ])
  const scale = { maior: Math.max(0, ...values), menor: Math.min(0, ...values) }
  return Array.from({ length: Math.ceil(bars.length / MOST_BARS) }, (_, part) => ({
    ...(figure as object),
    ...scale,
    barras: bars.slice(part * MOST_BARS, (part + 1) * MOST_BARS),
  }))
}

async function set(work: Setting): Promise<Uint8Array> {
  switch (work.as) {
    case 'pdf':
      return pdf(work)
    case 'svg':
      return Buffer.from(svg(work))
    case 'png':
      return (await png(work)).png
    case 'pptx': {
      const { slidesFile } = await import('./slides-file.ts')
      const map = work.map ? await png({ template: work.template, data: work.map }) : null
      return slidesFile(work.material, { map, brand: work.brand })
    }
    case 'docx': {
      const { wordFile } = await import('./word-file.ts')
      const pictures = []
      for (const figure of work.figures) {
        const parts = []
        for (const data of partsOf(figure)) parts.push(await png({ template: work.template, data }))
        pictures.push(parts)
      }
      return wordFile(work.report, { pictures, logo: work.logo })
    }
    case 'logo': {
      const drawing = logoDrawing(work.bytes)
      return drawing === null ? new Uint8Array() : logo(drawing)
    }
  }
}

process.once('disconnect', () => process.exit(0))
process.once('message', async (work: Setting) => {
  const made = await set(work)
  process.send?.(made, () => process.exit(0))
})
