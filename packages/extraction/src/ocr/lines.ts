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
/** How low a box may be, and how near its sides come to the lines across, in shortest lines across. */
const LOW = 0.27
const NEAR = 0.06

/**
 * Finds long thin dark runs (table borders) and wipes them out of the picture, so that they are not read as
 * letters. `shortest` is in pixels.
 */
export function takeLines(raster: Raster, shortest: number, thickest: number): RasterLine[] {
  const across = findRuns(raster, shortest, thickest, false)
  const long = Math.max(shortest * 0.6, 24)
  const near = shortest * NEAR
  const meets = (line: RasterLine, at: number): boolean =>
    across.some(
      (other) =>
        Math.abs(other.at - at) <= near && line.at >= other.from - near && line.at <= other.to + near,
    )
  // The sides of a box as low as one line of type: from one line across to the next, as no letter stands.
  const down = findRuns(raster, Math.max(shortest * LOW, 24), thickest, true).filter(
    (line) => line.to - line.from >= long || (meets(line, line.from) && meets(line, line.to)),
  )
  const lines = [...across, ...down]
  for (const line of lines) wipe(raster, line)
  return lines
}

/** A pixel of a thin line is darker than what lies a little to both of its sides. */
const CONTRAST = 16

function findRuns(raster: Raster, shortest: number, thickest: number, vertical: boolean): RasterLine[] {
  const { pixels, width } = raster
  const across = vertical ? raster.width : raster.height
  const along = vertical ? raster.height : raster.width
  const stepAcross = vertical ? 1 : width
  const stepAlong = vertical ? width : 1
  const reach = Math.ceil(thickest / 2) + 2
  const runs: RasterLine[] = []
  for (let a = reach; a < across - reach; a++) {
    let start = -1
    let gap = 0
    let hits = 0
    const base = a * stepAcross
    for (let l = 1; l < along; l++) {
      const i = base + l * stepAlong
      const value = ((pixels[i] ?? 255) + (pixels[i - stepAlong] ?? 255) + (pixels[i + stepAlong] ?? 255)) / 3
      const dark =
        value < 238 &&
        (value < INK ||
          ((pixels[i - reach * stepAcross] ?? 255) - value > CONTRAST &&
            (pixels[i + reach * stepAcross] ?? 255) - value > CONTRAST))
      if (dark) {
        if (start < 0) {
          start = l
          hits = 0
        }
        hits++
        gap = 0
      }
      if (start >= 0 && ((!dark && ++gap > 4) || l === along - 1)) {
        const end = l - gap
        if (end - start >= shortest && hits > 0.92 * (end - start))
          runs.push({ vertical, at: a, from: start, to: end, thickness: 1 })
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
