import type { Box } from '../read/geometry.ts'
import type { Pdfium } from '../read/pdfium.ts'
import { drawRegion, type Raster } from './raster.ts'

/** Tones by which neighbouring pixels differ on paper, and where ink begins. */
const EVEN = 3
const SHARP = 40
/** With less of it than this nothing is written in a picture. */
const LEAST_SHARP = 0.004
/** A picture of text is mostly paper; a photograph has hardly two pixels alike. */
const LEAST_EVEN = 0.3
/** In a photograph tones pass into one another: so many soft steps come on a sharp one. */
const SOFT = 5

/** Pixels a point: text is still dark on light, and a look takes a few milliseconds. */
const PIXELS_PER_POINT = 1

/** Whether a picture shows a scene and not text: it is looked at small before anything is recognised in it. */
export function isPhotograph(
  library: Pdfium,
  page: number,
  displayed: { width: number; height: number },
  picture: Box,
): boolean {
  return showsScene(drawRegion(library, page, displayed, picture, PIXELS_PER_POINT).raster)
}

function showsScene({ width, height, pixels }: Raster): boolean {
  let even = 0
  let sharp = 0
  const steps = Math.max(1, (width - 1) * (height - 1))
  for (let y = 0; y + 1 < height; y++)
    for (let x = 0, at = y * width; x + 1 < width; x++, at++) {
      const tone = pixels[at] ?? 0
      const step = Math.max(
        Math.abs(tone - (pixels[at + 1] ?? 0)),
        Math.abs(tone - (pixels[at + width] ?? 0)),
      )
      if (step <= EVEN) even++
      else if (step >= SHARP) sharp++
    }
  if (sharp < LEAST_SHARP * steps) return true
  return even < LEAST_EVEN * steps && steps - even - sharp > SOFT * sharp
}
