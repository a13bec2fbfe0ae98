import type { Drawn } from './data.ts'
import { readPalette } from './palette.ts'
import { FONT_FAMILY, measure, paint, type Size, wrapped } from './scene.ts'

/** Pictures are drawn at twice their size on the page. */
const PICTURE_RATIO = 2
const EDGE = 16 * PICTURE_RATIO

/** A chart to take away, in the theme's colours. */
export function pictureOf(draw: Drawn, size: Size): HTMLCanvasElement {
  const picture = document.createElement('canvas')
  paint(picture, draw(readPalette(), size, measure), size, PICTURE_RATIO)
  return picture
}

/** A chart's picture under its title and subtitle: away from its page it says by itself what it shows. */
export function framed(
  picture: HTMLCanvasElement,
  { title, lines }: { title: string; lines: string[] },
): string {
  const palette = readPalette()
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return picture.toDataURL('image/png')
  canvas.width = picture.width + 2 * EDGE
  const small = `${13 * PICTURE_RATIO}px ${FONT_FAMILY}`
  context.font = small
  const said = lines.flatMap((line) =>
    wrapped(line, picture.width, (text) => context.measureText(text).width),
  )
  const step = 19 * PICTURE_RATIO
  const head = EDGE + 22 * PICTURE_RATIO + said.length * step + 8 * PICTURE_RATIO
  canvas.height = head + picture.height + EDGE
  context.fillStyle = palette.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  context.fillStyle = palette.text
  context.font = `600 ${16 * PICTURE_RATIO}px ${FONT_FAMILY}`
  context.fillText(title, EDGE, EDGE, picture.width)
  context.font = small
  context.fillStyle = palette.muted
  for (const [place, line] of said.entries())
    context.fillText(line, EDGE, EDGE + 24 * PICTURE_RATIO + place * step)
  context.drawImage(picture, EDGE, head)
  return canvas.toDataURL('image/png')
}
