import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createWorker, OEM, type PSM, type Worker } from 'tesseract.js'
import type { Raster } from './raster.ts'
import { toPng } from './raster.ts'

/** A word as recognised, in pixels of the picture. */
export interface Recognised {
  text: string
  x0: number
  y0: number
  x1: number
  y1: number
  baseline: number
  confidence: number
}

let starting: Promise<Worker> | undefined

/** One recogniser a process, with the Portuguese data of the package; no network. */
function recogniser(): Promise<Worker> {
  starting ??= (async () => {
    const data = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/por/package.json'))
    return await createWorker('por', OEM.LSTM_ONLY, {
      langPath: join(data, '4.0.0_best_int'),
      gzip: true,
      cacheMethod: 'none',
    })
  })()
  return starting
}

/** Frees the recogniser; the next call starts another. */
export async function stopRecogniser(): Promise<void> {
  const worker = await starting?.catch(() => undefined)
  starting = undefined
  await worker?.terminate()
}

/** Page segmentation modes of Tesseract that are used here. */
export const SEGMENTATION = { block: '6', line: '7', character: '10', sparse: '11', auto: '3' } as const

export async function recognise(
  raster: Raster,
  mode: (typeof SEGMENTATION)[keyof typeof SEGMENTATION],
  options: { digits?: boolean; dpi?: number } = {},
): Promise<Recognised[]> {
  const worker = await recogniser()
  await worker.setParameters({
    // The enum of the library has these very values.
    tessedit_pageseg_mode: mode as PSM,
    tessedit_char_whitelist: options.digits ? '0123456789.,-–%R$ /abcdeABCDEFGH' : '',
    user_defined_dpi: String(options.dpi ?? 200),
  })
  const { data } = await worker.recognize(toPng(raster), {}, { blocks: true, text: false })
  const words: Recognised[] = []
  for (const block of data.blocks ?? [])
    for (const paragraph of block.paragraphs)
      for (const line of paragraph.lines)
        for (const word of line.words) {
          const { bbox } = word
          words.push({
            text: word.text,
            x0: bbox.x0,
            y0: bbox.y0,
            x1: bbox.x1,
            y1: bbox.y1,
            baseline: (line.baseline.y0 + line.baseline.y1) / 2,
            confidence: word.confidence / 100,
          })
        }
  return words
}
