import type { Raster } from './raster.ts'

/** A straight line found in the picture, in pixels. */
export interface RasterLine {
  vertical: boolean
  /** Position across and extent along the line. */
  at: number
  from: number
  to: number
  thickness: number
}

const INK = 170

/**
 * Finds long thin dark runs (table borders) and wipes them out of the picture, so that they are not read as
 * letters. `shortest` is in pixels.
 */
export function takeLines(raster: Raster, shortest: number, thickest: number): RasterLine[] {
  const lines = [
    ...findRuns(raster, shortest, thickest, false),
    ...findRuns(raster, Math.max(shortest * 0.6, 24), thickest, true),
  ]
  for (const line of lines) wipe(raster, line)
  return lines
}

function findRuns(raster: Raster, shortest: number, thickest: number, vertical: boolean): RasterLine[] {
  const across = vertical ? raster.width : raster.height
  const along = vertical ? raster.height : raster.width
  const pixel = (a: number, l: number): number =>
    (vertical ? raster.pixels[l * raster.width + a] : raster.pixels[a * raster.width + l]) ?? 255
  const runs: RasterLine[] = []
  for (let a = 0; a < across; a++) {
    let start = -1
    let gap = 0
    for (let l = 0; l <= along; l++) {
      // A line may step by one pixel where it is slightly slanted.
      const dark = l < along && Math.min(pixel(a, l), a > 0 ? pixel(a - 1, l) : 255) < INK
      if (dark) {
        if (start < 0) start = l
        gap = 0
      } else if (start >= 0 && (++gap > 3 || l === along)) {
        const end = l - gap
        if (end - start >= shortest) runs.push({ vertical, at: a, from: start, to: end, thickness: 1 })
        start = -1
        gap = 0
      }
    }
  }
  const merged: RasterLine[] = []
  for (const run of runs) {
    const host = merged.find(
      (m) => run.at - (m.at + m.thickness) <= 2 && run.from <= m.to + 6 && run.to >= m.from - 6,
    )
    if (host) {
      host.thickness = Math.max(host.thickness, run.at - host.at + 1)
      host.from = Math.min(host.from, run.from)
      host.to = Math.max(host.to, run.to)
    } else merged.push({ ...run })
  }
  return merged.filter((line) => line.thickness <= thickest)
}

function wipe(raster: Raster, line: RasterLine): void {
  for (let a = Math.max(0, line.at - 2); a <= line.at + line.thickness; a++)
    for (let l = Math.max(0, line.from - 2); l <= line.to + 2; l++) {
      const index = line.vertical ? l * raster.width + a : a * raster.width + l
      if (index < raster.pixels.length) raster.pixels[index] = 255
    }
}
