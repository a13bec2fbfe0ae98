import type { Raster } from './raster.ts'

interface Ink {
  x: Int32Array
  y: Int32Array
  count: number
  width: number
  height: number
}

const INK = 150
const MAX_ANGLE = 0.12

/** The dark pixels of a copy shrunk to about 900 pixels on the longer side. */
function inkPoints(raster: Raster): Ink {
  const step = Math.max(1, Math.floor(Math.max(raster.width, raster.height) / 900))
  const width = Math.floor(raster.width / step)
  const height = Math.floor(raster.height / step)
  const x: number[] = []
  const y: number[] = []
  for (let j = 0; j < height; j++)
    for (let i = 0; i < width; i++) {
      let dark = 255
      for (let k = 0; k < step; k++)
        dark = Math.min(dark, raster.pixels[(j * step + k) * raster.width + i * step + k] ?? 255)
      if (dark < INK) {
        x.push(i)
        y.push(j)
      }
    }
  return { x: Int32Array.from(x), y: Int32Array.from(y), count: x.length, width, height }
}

/** How sharply the ink falls into rows after a shear by `tangent`. */
function sharpness(ink: Ink, tangent: number): number {
  const rows = new Float64Array(ink.height + 2 * ink.width)
  for (let i = 0; i < ink.count; i++) {
    const row = Math.round((ink.y[i] ?? 0) - tangent * (ink.x[i] ?? 0)) + ink.width
    if (row >= 0 && row < rows.length) rows[row] = (rows[row] ?? 0) + 1
  }
  let sum = 0
  for (let i = 1; i < rows.length; i++) sum += ((rows[i] ?? 0) - (rows[i - 1] ?? 0)) ** 2
  return sum
}

/** Angle (radians) by which the lines of text climb (negative) or fall (positive) to the right. */
export function skewAngle(raster: Raster): number {
  const ink = inkPoints(raster)
  if (ink.count < 200) return 0
  let best = 0
  let score = sharpness(ink, 0)
  for (const step of [0.01, 0.0025, 0.0008]) {
    const centre = best
    const reach = step === 0.01 ? MAX_ANGLE : step * 5
    for (let t = centre - reach; t <= centre + reach + 1e-9; t += step) {
      const s = sharpness(ink, t)
      if (s > score) {
        score = s
        best = t
      }
    }
  }
  return Math.atan(best)
}

/** Whether the lines of text run up or down the page instead of across it. */
export function runsVertically(raster: Raster): boolean {
  const ink = inkPoints(raster)
  if (ink.count < 200) return false
  const turned: Ink = { x: ink.y, y: ink.x, count: ink.count, width: ink.height, height: ink.width }
  const best = (i: Ink): number =>
    Math.max(...[-0.03, -0.02, -0.01, 0, 0.01, 0.02, 0.03].map((t) => sharpness(i, t)))
  return best(turned) > 1.6 * best(ink)
}
