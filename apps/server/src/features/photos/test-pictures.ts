import { Resvg } from '@resvg/resvg-js'

/** A picture of that size with a dark corner above, on the left; a PNG. */
export const pngOf = (width: number, height: number): Buffer =>
  Buffer.from(
    new Resvg(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="100%" height="100%" fill="#9ab973"/><rect width="50%" height="50%" fill="#302010"/></svg>`,
    )
      .render()
      .asPng(),
  )
