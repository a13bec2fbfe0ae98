import type { Box } from '../read/geometry.ts'
import { type Turn, toDisplayed, toUpright, union } from '../read/geometry.ts'
import type { Page, Ruling, Word } from '../read/page.ts'
import type { Pdfium } from '../read/pdfium.ts'
import type { ReadPage } from '../read/read.ts'
import { invertDarkBoxes } from './invert.ts'
import { readLeftovers } from './leftover.ts'
import { type RasterLine, takeLines } from './lines.ts'
import { crop, drawRegion, flatten, quarterTurns, type Raster, rotate } from './raster.ts'
import { repairCurrency, repairWord } from './repair.ts'
import { runsVertically, skewAngle } from './skew.ts'
import { type Recognised, recognise, SEGMENTATION } from './tesseract.ts'

const PIXELS_PER_POINT = 300 / 72
const CAP_HEIGHT = 0.72
/** Words of a picture that are read with less than this on average are not text. */
const WORST_PICTURE = 0.55
const DOUBTFUL = 0.72

interface Reading {
  words: Recognised[]
  lines: RasterLine[]
}

/** Reads a page whose text cannot be used: the words replace the page's own, in a deskewed frame. */
export async function readScannedPage(library: Pdfium, handle: number, page: ReadPage): Promise<Page> {
  const whole: Box = { x0: 0, y0: 0, x1: page.displayed.width, y1: page.displayed.height }
  const drawn = drawRegion(library, handle, page.displayed, whole, PIXELS_PER_POINT)
  const { scale } = drawn
  let sheet = drawn.raster
  let flat = flatten(sheet)
  let turns = 0
  if (runsVertically(flat)) {
    turns = 1
    sheet = quarterTurns(sheet, 1)
    flat = quarterTurns(flat, 1)
  }
  let angle = skewAngle(flat)
  let reading = await readRaster(prepare(rotate(sheet, angle)), scale)
  if (certainty(reading.words) < 0.6) {
    const flipped = quarterTurns(sheet, 2)
    const flippedAngle = skewAngle(quarterTurns(flat, 2))
    const second = await readRaster(prepare(rotate(flipped, flippedAngle)), scale)
    if (certainty(second.words) > certainty(reading.words) + 0.1) {
      reading = second
      angle = flippedAngle
      turns += 2
    }
  }
  const width = flat.width / scale
  const height = flat.height / scale
  return {
    ...page,
    width,
    height,
    words: toWords(reading.words, scale, page.index, { x: 0, y: 0 }),
    rulings: toRulings(reading.lines, scale, { x: 0, y: 0 }),
    checkBoxes: [],
    bullets: [],
    images: [],
    scanned: true,
    project: (box) =>
      toDisplayed(
        unrotate(box, angle, width, height),
        (turns % 4) as Turn,
        page.displayed.width,
        page.displayed.height,
      ),
  }
}

/** Adds to a digital page the words and lines of its pictures (pasted tables, scanned parts). */
export async function readPictures(library: Pdfium, handle: number, page: ReadPage): Promise<Page> {
  const words = [...page.words]
  const rulings = [...page.rulings]
  for (const picture of page.pictures) {
    const drawn = drawRegion(library, handle, page.displayed, picture, PIXELS_PER_POINT)
    const reading = await readRaster(prepare(drawn.raster), drawn.scale)
    if (reading.words.length < 4 || certainty(reading.words) < WORST_PICTURE) continue
    const { width, height } = page.displayed
    const place = <T extends Box>(item: T): T => ({ ...item, ...toUpright(item, page.turn, width, height) })
    const origin = { x: picture.x0, y: picture.y0 }
    for (const word of toWords(reading.words, drawn.scale, page.index, origin)) words.push(place(word))
    for (const ruling of toRulings(reading.lines, drawn.scale, origin)) rulings.push(place(ruling))
  }
  return { ...page, words, rulings }
}

const prepare = (raster: Raster): Raster => flatten(invertDarkBoxes(raster))

async function readRaster(raster: Raster, scale: number): Promise<Reading> {
  const lines = takeLines(raster, 58 * scale, 3.2 * scale)
  const dpi = scale * 72
  // Tables and cards are best read without assuming rows; a second reading helps where the first doubts.
  let words = (await recognise(raster, SEGMENTATION.sparse, { dpi })).filter(isText)
  if (certainty(words) < 0.86 || words.length < 8) {
    const block = (await recognise(raster, SEGMENTATION.block, { dpi })).filter(isText)
    words = weight(block) > weight(words) ? supplement(block, words) : supplement(words, block)
  }
  words = words.filter((word) => !(word.confidence < 0.3 && !/[\p{L}\d]{2}/u.test(word.text)))
  await rereadNumbers(raster, words, dpi)
  words.push(...(await readLeftovers(raster, words, dpi)))
  return { words, lines }
}

/** Adds the sure words of a second reading that stand where the first has none. */
function supplement(first: readonly Recognised[], second: readonly Recognised[]): Recognised[] {
  const missing = second.filter(
    (word) =>
      word.confidence > 0.8 &&
      !first.some(
        (known) => word.x0 < known.x1 && known.x0 < word.x1 && word.y0 < known.y1 && known.y0 < word.y1,
      ),
  )
  return [...first, ...missing]
}

const weight = (words: readonly Recognised[]): number =>
  words.reduce((sum, word) => sum + Math.max(0, word.confidence - 0.4) * Math.min(word.text.length, 8), 0)

function isText(word: Recognised): boolean {
  return /[\p{L}\d%]/u.test(word.text) || (/^[-–—+]$/.test(word.text) && word.confidence > 0.3)
}

function certainty(words: readonly Recognised[]): number {
  let sum = 0
  let count = 0
  for (const word of words) {
    const letters = word.text.length
    sum += word.confidence * letters
    count += letters
  }
  return count === 0 ? 0 : sum / count
}

/** A doubtful word that looks like a number is read again, by itself and as digits only. */
async function rereadNumbers(raster: Raster, words: Recognised[], dpi: number): Promise<void> {
  let budget = 24
  for (const word of words) {
    const digits = (word.text.match(/[\dOolISB]/g) ?? []).length
    if (word.confidence >= DOUBTFUL || digits * 2 < word.text.length || budget-- <= 0) continue
    const margin = Math.round(dpi / 24)
    const part = crop(raster, word.x0 - margin, word.y0 - margin, word.x1 + margin, word.y1 + margin)
    const again = (await recognise(part, SEGMENTATION.line, { digits: true, dpi })).filter(isText)
    if (again.length !== 1 || !again[0]) continue
    if (again[0].confidence > word.confidence) {
      word.text = again[0].text
      word.confidence = again[0].confidence
    }
  }
}

function toWords(
  recognised: readonly Recognised[],
  scale: number,
  page: number,
  origin: { x: number; y: number },
): Word[] {
  const byLine = new Map<number, number[]>()
  for (const word of recognised) {
    const heights = byLine.get(word.baseline) ?? []
    if (/[\dA-ZÀ-Úbdfhklt]/.test(word.text)) heights.push(word.baseline - word.y0)
    byLine.set(word.baseline, heights)
  }
  const all = [...byLine.values()].flat().sort((a, b) => a - b)
  const typical = (all[Math.floor(all.length / 2)] ?? 24) / CAP_HEIGHT / scale
  return recognised.map((word, at) => {
    const next = recognised[at + 1]
    const beside = next && next.baseline === word.baseline ? next.text : undefined
    const heights = (byLine.get(word.baseline) ?? []).sort((a, b) => a - b)
    const cap = heights[Math.floor(heights.length / 2)]
    const own = cap ? cap / CAP_HEIGHT / scale : typical
    const size = Math.min(Math.max(own, 0.75 * typical), 3 * typical)
    const base = Math.min(word.baseline, word.y1 + 2) / scale + origin.y
    return {
      text: repairCurrency(repairWord(word.text.normalize('NFC')), beside),
      x0: word.x0 / scale + origin.x,
      x1: word.x1 / scale + origin.x,
      y0: Math.min(word.y0 / scale + origin.y, base - 0.7 * size),
      y1: Math.max(word.y1 / scale + origin.y, base + 0.1 * size),
      base,
      size,
      bold: false,
      page,
      ocr: word.confidence,
    }
  })
}

function toRulings(lines: readonly RasterLine[], scale: number, origin: { x: number; y: number }): Ruling[] {
  return lines.map((line) => {
    const at = (line.at + line.thickness / 2) / scale
    const from = line.from / scale
    const to = line.to / scale
    return line.vertical
      ? {
          vertical: true,
          edge: false,
          x0: at + origin.x,
          x1: at + origin.x,
          y0: from + origin.y,
          y1: to + origin.y,
        }
      : {
          vertical: false,
          edge: false,
          x0: from + origin.x,
          x1: to + origin.x,
          y0: at + origin.y,
          y1: at + origin.y,
        }
  })
}

/** A box of the deskewed frame, in the frame before. */
function unrotate(box: Box, angle: number, width: number, height: number): Box {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [cx, cy] = [width / 2, height / 2]
  const corner = (x: number, y: number): Box => {
    const px = cos * (x - cx) - sin * (y - cy) + cx
    const py = sin * (x - cx) + cos * (y - cy) + cy
    return { x0: px, y0: py, x1: px, y1: py }
  }
  return union([
    corner(box.x0, box.y0),
    corner(box.x1, box.y0),
    corner(box.x0, box.y1),
    corner(box.x1, box.y1),
  ])
}
