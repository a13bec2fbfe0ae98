import { deflateSync } from 'node:zlib'
import { ExtractionError } from '../errors.ts'
import type { Box } from '../read/geometry.ts'
import type { Pdfium } from '../read/pdfium.ts'

/** Grey image, one byte a pixel, 0 black. */
export interface Raster {
  width: number
  height: number
  pixels: Uint8Array
}

const MAX_PIXELS = 24_000_000
const BGRX = 3
const WHITE = 0xffffffff
const DRAW_ANNOTATIONS = 1

/** Draws a part of a displayed page at `scale` pixels a point, never more than the pixel cap. */
export function drawRegion(
  library: Pdfium,
  page: number,
  displayed: { width: number; height: number },
  region: Box,
  scale: number,
): { raster: Raster; scale: number } {
  const wide = region.x1 - region.x0
  const high = region.y1 - region.y0
  const used = Math.min(scale, Math.sqrt(MAX_PIXELS / Math.max(1, wide * high)))
  const width = Math.max(1, Math.round(wide * used))
  const height = Math.max(1, Math.round(high * used))
  const bitmap = library._FPDFBitmap_CreateEx(width, height, BGRX, 0, 0)
  if (!bitmap) throw new ExtractionError('extraction.out_of_memory')
  try {
    library._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
    library._FPDF_RenderPageBitmap(
      bitmap,
      page,
      Math.round(-region.x0 * used),
      Math.round(-region.y0 * used),
      Math.round(displayed.width * used),
      Math.round(displayed.height * used),
      0,
      DRAW_ANNOTATIONS,
    )
    const stride = library._FPDFBitmap_GetStride(bitmap)
    const start = library._FPDFBitmap_GetBuffer(bitmap)
    const source = library.HEAPU8.subarray(start, start + stride * height)
    const pixels = new Uint8Array(width * height)
    for (let y = 0; y < height; y++) {
      for (let x = 0, s = y * stride, t = y * width; x < width; x++, s += 4, t++) {
        pixels[t] = ((source[s] ?? 0) * 29 + (source[s + 1] ?? 0) * 150 + (source[s + 2] ?? 0) * 77) >> 8
      }
    }
    return { raster: { width, height, pixels }, scale: used }
  } finally {
    library._FPDFBitmap_Destroy(bitmap)
  }
}

const CELL = 24

/** Evens out shade: each pixel against the paper of its neighbourhood. */
export function flatten(raster: Raster): Raster {
  const { width, height, pixels } = raster
  const columns = Math.ceil(width / CELL)
  const rows = Math.ceil(height / CELL)
  const ground = new Float32Array(columns * rows)
  const histogram = new Uint32Array(256)
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const count = tones(raster, histogram, c - 1, r - 1, c + 2, r + 2)
      // Paper is the bright part of a neighbourhood.
      ground[r * columns + c] = Math.max(level(histogram, count * 0.3), 60)
    }
  const out = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = Math.min(rows - 1, Math.floor(y / CELL)) * columns
    for (let x = 0; x < width; x++) {
      const paper = ground[row + Math.min(columns - 1, Math.floor(x / CELL))] ?? 255
      const value = ((pixels[y * width + x] ?? 255) / paper) * 255
      out[y * width + x] = value > 250 ? 255 : value
    }
  }
  return { width, height, pixels: out }
}

/** Fills the histogram of a block of cells; returns how many pixels it counted. */
function tones(
  raster: Raster,
  histogram: Uint32Array,
  c0: number,
  r0: number,
  c1: number,
  r1: number,
): number {
  histogram.fill(0)
  let count = 0
  const y1 = Math.min(raster.height, r1 * CELL)
  const x1 = Math.min(raster.width, c1 * CELL)
  for (let y = Math.max(0, r0 * CELL); y < y1; y += 3)
    for (let x = Math.max(0, c0 * CELL); x < x1; x += 3) {
      const value = raster.pixels[y * raster.width + x] ?? 255
      histogram[value] = (histogram[value] ?? 0) + 1
      count++
    }
  return count
}

/** The tone above which `share` pixels of the histogram lie. */
function level(histogram: Uint32Array, share: number): number {
  let seen = 0
  let tone = 255
  while (tone > 0 && seen < share) seen += histogram[tone--] ?? 0
  return tone
}

/** Rotates about the centre by a small angle (radians, clockwise positive), paper white outside. */
export function rotate(raster: Raster, angle: number): Raster {
  if (Math.abs(angle) < 0.0008) return raster
  const { width, height, pixels } = raster
  const out = new Uint8Array(width * height).fill(255)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [cx, cy] = [width / 2, height / 2]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sx = cos * (x - cx) - sin * (y - cy) + cx
      const sy = sin * (x - cx) + cos * (y - cy) + cy
      const ix = Math.floor(sx)
      const iy = Math.floor(sy)
      if (ix < 0 || iy < 0 || ix >= width - 1 || iy >= height - 1) continue
      const i = iy * width + ix
      const fx = sx - ix
      const fy = sy - iy
      const top = (pixels[i] ?? 255) * (1 - fx) + (pixels[i + 1] ?? 255) * fx
      const bottom = (pixels[i + width] ?? 255) * (1 - fx) + (pixels[i + width + 1] ?? 255) * fx
      out[y * width + x] = top * (1 - fy) + bottom * fy
    }
  }
  return { width, height, pixels: out }
}

/** Quarter turns clockwise. */
export function quarterTurns(raster: Raster, turns: number): Raster {
  let current = raster
  for (let k = 0; k < turns; k++) {
    const { width, height, pixels } = current
    const out = new Uint8Array(width * height)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) out[x * height + (height - 1 - y)] = pixels[y * width + x] ?? 255
    current = { width: height, height: width, pixels: out }
  }
  return current
}

export function crop(raster: Raster, x0: number, y0: number, x1: number, y1: number): Raster {
  const left = Math.max(0, Math.floor(x0))
  const top = Math.max(0, Math.floor(y0))
  const width = Math.max(1, Math.min(raster.width, Math.ceil(x1)) - left)
  const height = Math.max(1, Math.min(raster.height, Math.ceil(y1)) - top)
  const pixels = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const from = (top + y) * raster.width + left
    pixels.set(raster.pixels.subarray(from, from + width), y * width)
  }
  return { width, height, pixels }
}

/** Encodes as an 8-bit grey PNG. */
export function toPng(raster: Raster): Buffer {
  const { width, height, pixels } = raster
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const CRC = new Uint32Array(256).map((_, n) => {
  let c = n
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  let crc = 0xffffffff
  for (const byte of body) crc = (CRC[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return Buffer.concat([length, body, check])
}
