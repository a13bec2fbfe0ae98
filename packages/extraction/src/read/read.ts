import { ExtractionError } from '../errors.ts'
import { isPhotograph } from '../ocr/photograph.ts'
import { drawRegion } from '../ocr/raster.ts'
import type { ExtractOptions } from '../result.ts'
import { findCharts } from './charts.ts'
import type { Box, Turn } from './geometry.ts'
import { area, toDisplayed, toUpright } from './geometry.ts'
import { readGlyphs } from './glyphs.ts'
import { readObjects } from './objects.ts'
import type { Page, Word } from './page.ts'
import type { Pdfium } from './pdfium.ts'
import { findBullets, findCheckBoxes, findPanels, findRulings, isWhite } from './rulings.ts'
import { joinScripts, joinWords } from './words.ts'

export const MAX_BYTES = 10 * 1024 * 1024
export const MAX_PAGES = 300

/** Regions of a page that hold text only as pixels. */
export interface ReadPage extends Page {
  /** Parts of the displayed page to be recognised by OCR; the whole page when its text cannot be used. */
  pictures: Box[]
}

const FLATTEN_FOR_DISPLAY = 0
const SCRATCH_BYTES = 512

export function checkBytes(bytes: Uint8Array): void {
  if (bytes.length > MAX_BYTES) throw new ExtractionError('extraction.too_large')
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  if (!head.includes('%PDF-')) throw new ExtractionError('extraction.not_pdf')
}

/** Reads every page's visible words, rulings, check boxes and pictures. */
export function readPages(library: Pdfium, document: number, options: ExtractOptions): ReadPage[] {
  const count = library._FPDF_GetPageCount(document)
  if (count < 1) throw new ExtractionError('extraction.damaged')
  if (count > MAX_PAGES) throw new ExtractionError('extraction.too_many_pages', String(count))
  const scratch = library.wasmExports.malloc(SCRATCH_BYTES)
  try {
    const pages: ReadPage[] = []
    for (let index = 0; index < count; index++) {
      options.signal?.throwIfAborted()
      options.onProgress?.({ stage: 'read', page: index + 1, pages: count })
      const page = openPage(library, document, index)
      if (!page) continue
      try {
        pages.push(readPage(library, page, index, scratch))
      } finally {
        library._FPDF_ClosePage(page)
      }
    }
    return pages
  } finally {
    library.wasmExports.free(scratch)
  }
}

/** Loads a page with its form fields and annotations drawn into it. */
export function openPage(library: Pdfium, document: number, index: number): number {
  const page = library._FPDF_LoadPage(document, index)
  if (!page || library._FPDFPage_GetAnnotCount(page) <= 0) return page
  if (library._FPDFPage_Flatten(page, FLATTEN_FOR_DISPLAY) !== 1) return page
  library._FPDF_ClosePage(page)
  return library._FPDF_LoadPage(document, index)
}

function readPage(library: Pdfium, page: number, index: number, scratch: number): ReadPage {
  const frame = pageFrame(library, page, scratch)
  const { width, height, toDisplay, toDisplayVector } = frame
  const objects = readObjects(library, page, scratch, toDisplay)
  const text = library._FPDFText_LoadPage(page)
  const read = text
    ? readGlyphs({
        ...{ library, text, scratch, objects, width, height, toDisplay, toDisplayVector },
        look: () => drawRegion(library, page, { width, height }, { x0: 0, y0: 0, x1: width, y1: height }, 1),
      })
    : { glyphs: [], hidden: 0, unmapped: 0 }
  if (text) library._FPDFText_ClosePage(text)

  const displayed = { width, height }
  const counts = [0, 0, 0, 0]
  for (const glyph of read.glyphs) counts[glyph.turn] = (counts[glyph.turn] ?? 0) + 1
  const turn = counts.indexOf(Math.max(...counts)) as Turn
  const words: Word[] = []
  for (const t of [0, 1, 2, 3] as const) {
    if (counts[t] === 0) continue
    const joined = joinScripts(joinWords(read.glyphs, t, displayed, index))
    if (t === turn) words.push(...joined)
    else words.push(...joined.map((word) => turnWord(word, t, turn, displayed)))
  }
  const upright = (box: Box): Box => toUpright(box, turn, width, height)
  const odd = turn % 2 === 1
  const images = objects.drawings.filter((d) => d.kind === 'image').map((d) => clip(d.box, displayed))
  const lastText = Math.max(0, ...objects.textOrder.values())
  const cover = objects.drawings.find(
    (d) => d.kind === 'image' && area(clip(d.box, displayed)) > 0.7 * width * height && d.order > lastText,
  )
  const readable = read.glyphs.length > 0 && read.unmapped < 0.25 * (read.glyphs.length + read.unmapped)
  const whole: Box = { x0: 0, y0: 0, x1: width, y1: height }
  const unusable = !readable || (cover !== undefined && read.glyphs.length > 0)
  return {
    index,
    width: odd ? height : width,
    height: odd ? width : height,
    turn,
    displayed,
    words: unusable ? [] : words,
    rulings: findRulings(objects.drawings, displayed).map((r) => ({
      ...r,
      ...upright(r),
      vertical: odd ? !r.vertical : r.vertical,
    })),
    checkBoxes: findCheckBoxes(objects.drawings).map((c) => ({ ...c, ...upright(c) })),
    bullets: findBullets(objects.drawings).map(upright),
    panels: findPanels(objects.drawings, displayed).map(upright),
    charts: findCharts(
      objects.drawings.flatMap(({ box, kind, fill }) =>
        fill && !isWhite(fill) && (kind === 'box' || kind === 'shape') ? [upright(box)] : [],
      ),
    ),
    images: images.map(upright),
    scanned: false,
    project: (box) => toDisplayed(box, turn, width, height),
    pictures: unusable
      ? images.length > 0 || read.unmapped > 0 || read.hidden > 0
        ? [whole]
        : []
      : images
          .filter((image) => worthReading(image, words, displayed, turn))
          .filter(
            (image, i) =>
              i >= MOST_LOOKED_AT ||
              area(image) > 0.5 * width * height ||
              !isPhotograph(library, page, displayed, image),
          ),
  }
}

/** So many pictures of a page are looked at; a report has few. */
const MOST_LOOKED_AT = 12

/** A picture big enough for text and without digital text over it: a pasted table, a scanned part. */
function worthReading(
  image: Box,
  words: readonly Word[],
  displayed: { width: number; height: number },
  turn: Turn,
): boolean {
  const w = image.x1 - image.x0
  const h = image.y1 - image.y0
  if (w < 130 || h < 40) return false
  const box = toUpright(image, turn, displayed.width, displayed.height)
  const over = words.filter(
    (word) => word.x0 >= box.x0 && word.x1 <= box.x1 && word.y0 >= box.y0 && word.y1 <= box.y1,
  ).length
  return over < 6
}

function clip(box: Box, page: { width: number; height: number }): Box {
  return {
    x0: Math.max(0, box.x0),
    y0: Math.max(0, box.y0),
    x1: Math.min(page.width, box.x1),
    y1: Math.min(page.height, box.y1),
  }
}

/** A word of another direction keeps its text and takes its place in the page's frame. */
function turnWord(word: Word, from: Turn, to: Turn, displayed: { width: number; height: number }): Word {
  const box = toUpright(
    toDisplayed(word, from, displayed.width, displayed.height),
    to,
    displayed.width,
    displayed.height,
  )
  return { ...word, ...box, base: box.y1 }
}

interface Frame {
  width: number
  height: number
  toDisplay(x: number, y: number): [number, number]
  toDisplayVector(x: number, y: number): [number, number]
}

/** How page space maps to the page as displayed: crop box, /Rotate, origin at the top left. */
export function pageFrame(library: Pdfium, page: number, scratch: number): Frame {
  library._FPDF_GetPageBoundingBox(page, scratch)
  const rect = new Float32Array(library.HEAPU8.buffer, scratch, 4)
  const left = rect[0] ?? 0
  const top = rect[1] ?? 842
  const right = rect[2] ?? 595
  const bottom = rect[3] ?? 0
  const w = right - left
  const h = top - bottom
  switch (library._FPDFPage_GetRotation(page)) {
    case 1:
      return {
        width: h,
        height: w,
        toDisplay: (x, y) => [y - bottom, x - left],
        toDisplayVector: (x, y) => [y, x],
      }
    case 2:
      return {
        width: w,
        height: h,
        toDisplay: (x, y) => [right - x, y - bottom],
        toDisplayVector: (x, y) => [-x, y],
      }
    case 3:
      return {
        width: h,
        height: w,
        toDisplay: (x, y) => [top - y, right - x],
        toDisplayVector: (x, y) => [-y, -x],
      }
    default:
      return {
        width: w,
        height: h,
        toDisplay: (x, y) => [x - left, top - y],
        toDisplayVector: (x, y) => [x, -y],
      }
  }
}
