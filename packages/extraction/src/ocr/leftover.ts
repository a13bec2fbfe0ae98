import type { Box } from '../read/geometry.ts'
import { crop, type Raster } from './raster.ts'
import { type Recognised, recognise, SEGMENTATION } from './tesseract.ts'

/** Of a blurred scan on paper that was made white: its thin figures are grey. */
const INK = 180
/** Marks that are looked at on one page at most. */
const MOST = 40
const LEAST_SURE = 0.5

/**
 * Single figures that the reading of the page passed over, such as the numbers of treatments in narrow cells, and letters
 * that count down a column.
 */
export async function readLeftovers(raster: Raster, words: Recognised[], dpi: number): Promise<Recognised[]> {
  const cap = usualHeight(words)
  if (cap < 8) return []
  const patches = patchesOf(raster, words, cap)
  const left = await mendTorn(raster, words, { patches, cap, dpi })
  const found: Recognised[] = []
  const signs: Recognised[] = []
  for (const mark of left.filter((patch) => !hasNeighbour(patch, words, cap)).slice(0, MOST)) {
    const margin = Math.round(0.7 * cap)
    const part = crop(raster, mark.x0 - margin, mark.y0 - margin, mark.x1 + margin, mark.y1 + margin)
    const [one, ...more] = await recognise(part, SEGMENTATION.character, { digits: true, dpi })
    if (!one || more.length > 0) continue
    const sign = { text: one.text, ...mark, baseline: mark.y1, confidence: one.confidence }
    signs.push(sign)
    if (/^\d{1,2}$/.test(one.text) && one.confidence >= LEAST_SURE) found.push(sign)
  }
  return [...lettersOf(signs, cap), ...found.filter((sign) => !/\D/.test(sign.text))]
}

/** 'B', 'C', 'D' below each other: most of them are read as what their place says; the first may have been read before. */
function lettersOf(signs: Recognised[], cap: number): Recognised[] {
  const middle = ({ x0, x1 }: Recognised): number => (x0 + x1) / 2
  for (const first of signs.filter(({ text }) => /^[A-F]$/.test(text))) {
    const column = signs
      .filter((sign) => Math.abs(middle(sign) - middle(first)) < cap)
      .sort((a, b) => a.y0 - b.y0)
    const from = first.text.charCodeAt(0) - column.indexOf(first)
    const letter = (i: number): string => String.fromCharCode(from + i)
    const right = column.filter(({ text }, i) => text === letter(i)).length
    if (column.length < LEAST_LETTERS || column.length > MOST_LETTERS || from < 65) continue
    if (right < 0.6 * column.length) continue
    for (const [i, sign] of column.entries()) sign.text = letter(i)
    return column
  }
  return []
}
const LEAST_LETTERS = 3
const MOST_LETTERS = 8

/** The usual height of figures and capitals. */
function usualHeight(words: readonly Recognised[]): number {
  const heights = words
    .filter((word) => /^[\dA-Z][\d.,A-Z]*$/.test(word.text) && word.confidence > 0.7)
    .map((word) => word.y1 - word.y0)
    .sort((a, b) => a - b)
  return heights[Math.floor(heights.length / 2)] ?? 0
}

/** One for each dark pixel; what is wider than a figure (pictures, borders) is left out. */
function inkOf({ width, height, pixels }: Raster, widest: number): Uint8Array {
  const ink = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    let start = -1
    for (let x = 0; x <= width; x++) {
      const dark = x < width && (pixels[y * width + x] ?? 255) < INK
      if (dark && start < 0) start = x
      if (dark || start < 0) continue
      if (x - start <= widest) ink.fill(1, y * width + start, y * width + x)
      start = -1
    }
  }
  return ink
}

const FIGURES = /^\d[\d.,]*$/
/** So far behind a thousand its hundreds stand, in heights of a figure: typewriters give a point the room of a figure. */
const APART = 1.6
/** A page with more unread marks than these is no text. */
const MOST_PATCHES = 4_000
/** Numbers that are read again on one page at most. */
const MOST_TORN = 30

/**
 * '7' and a point that were passed over in front of '315': the number is read again as one. What is left of the patches
 * is told.
 */
async function mendTorn(
  raster: Raster,
  words: Recognised[],
  { patches, cap, dpi }: { patches: readonly Box[]; cap: number; dpi: number },
): Promise<readonly Box[]> {
  let budget = MOST_TORN
  let left = patches
  for (const word of words.filter(({ text }) => FIGURES.test(text))) {
    if (budget <= 0) break
    // It may have become a part of another one.
    if (!words.includes(word)) continue
    const level = ({ y0, y1 }: Box): boolean => y0 < word.y1 && y1 > word.y0
    const before = ({ x0, x1 }: Box): boolean => x0 < word.x0 && word.x0 - x1 < APART * cap
    const ink = left.filter((patch) => level(patch) && before(patch))
    const read = words.filter((one) => /^\d{1,3}$/.test(one.text) && level(one) && before(one))
    if (ink.length === 0 && (read.length === 0 || !/^\d{3}$/.test(word.text))) continue
    budget--
    const margin = Math.round(dpi / 24)
    const x0 = Math.min(...[...ink, ...read].map((box) => box.x0))
    const part = crop(raster, x0 - margin, word.y0 - margin, word.x1 + margin, word.y1 + margin)
    const again = await recognise(part, SEGMENTATION.line, { digits: true, dpi })
    const text = again.map((one) => one.text).join('')
    const sure = Math.min(...again.map(({ confidence }) => confidence))
    if (!WHOLE.test(text) || !text.endsWith(word.text) || text === word.text || sure < LEAST_SURE) continue
    Object.assign(word, { text, x0, confidence: Math.min(word.confidence, sure) })
    left = left.filter((patch) => !ink.includes(patch))
    for (const one of read) words.splice(words.indexOf(one), 1)
  }
  return left
}
/** '7.315', '1.000,5', '24,6' */
const WHOLE = /^\d{1,3}(?:\.\d{3})*(?:,\d{1,2})?$/

/** Patches of ink of the size of one or two figures, with nothing read on them. */
function patchesOf(raster: Raster, words: readonly Recognised[], cap: number): Box[] {
  const { width, height } = raster
  const ink = inkOf(raster, 1.2 * cap)
  for (const word of words)
    for (let y = Math.max(0, word.y0 - 3); y < Math.min(height, word.y1 + 3); y++)
      ink.fill(0, y * width + Math.max(0, word.x0 - 4), y * width + Math.min(width, word.x1 + 4))
  const patches: Box[] = []
  const stack: number[] = []
  for (let start = 0; start < ink.length; start++) {
    if (ink[start] !== 1) continue
    const box = { x0: width, y0: height, x1: 0, y1: 0 }
    ink[start] = 0
    stack.push(start)
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      box.x0 = Math.min(box.x0, x)
      box.x1 = Math.max(box.x1, x + 1)
      box.y0 = Math.min(box.y0, y)
      box.y1 = Math.max(box.y1, y + 1)
      for (const next of [at - 1, at + 1, at - width, at + width])
        if (ink[next] === 1) {
          ink[next] = 0
          stack.push(next)
        }
    }
    const [w, h] = [box.x1 - box.x0, box.y1 - box.y0]
    if (h > 0.75 * cap && h < 1.35 * cap && w > 0.2 * cap && w < 1.1 * cap) patches.push(box)
    if (patches.length >= MOST_PATCHES) break
  }
  return patches
}

/** Ink right beside a word is a piece of it. */
function hasNeighbour(patch: Box, words: readonly Recognised[], cap: number): boolean {
  return words.some(
    (word) =>
      word.y0 < patch.y1 &&
      word.y1 > patch.y0 &&
      word.x0 - patch.x1 < 0.6 * cap &&
      patch.x0 - word.x1 < 0.6 * cap,
  )
}
