import type { Drawn } from './data.ts'
import type { Outline } from './outlines.ts'
import { readPalette } from './palette.ts'
import {
  FONT_FAMILY,
  LETTERS,
  LINE_HEIGHT,
  measure,
  paint,
  type Scene,
  type Shape,
  type Size,
  TITLE_LETTERS,
  wrapped,
} from './scene.ts'

/** Pictures are drawn at twice their size on the page. */
const PICTURE_RATIO = 2
/** 300 dots to an inch of paper, of 72 points. */
const PRINT_RATIO = 300 / 72
const EDGE = 16
/** Of the width: an SVG is shown in wider letters where the page's own are not. */
const SAFE = 0.88

/** A chart as it is drawn, and the room that it has on the page. */
export type Picture = { draw: Drawn; size: Size }
/** What a picture says of itself away from its page. */
type Caption = { title: string; lines: readonly string[] }

/** The chart under its title and subtitle, as a PNG in a data URL; for paper, where a dot of the page is more of them. */
export function pngOf(picture: Picture, caption: Caption, { print = false } = {}): string {
  const { shapes, size } = framed(picture, caption)
  const canvas = document.createElement('canvas')
  paint(canvas, { shapes }, size, print ? PRINT_RATIO : PICTURE_RATIO)
  return canvas.toDataURL('image/png')
}

/** The same as text of an SVG file, its letters as outlines. */
export async function svgOf(picture: Picture, caption: Caption): Promise<string> {
  const { shapes, size } = framed(picture, caption)
  // With their fonts: nobody who takes no picture away loads them.
  const { outlines } = await import('./outlines.ts')
  return svgText(shapes, size, caption.title, outlines())
}

function framed({ draw, size }: Picture, { title, lines }: Caption): Pick<Scene, 'shapes'> & { size: Size } {
  const palette = readPalette()
  const said = lines.flatMap((line) => wrapped(line, size.width * SAFE, measure))
  const head = EDGE + 26 + said.length * LINE_HEIGHT + 8
  const whole = { width: size.width + 2 * EDGE, height: head + size.height + EDGE }
  const words = { x: EDGE, align: 'left' } as const
  return {
    size: whole,
    shapes: [
      { path: `M0 0H${whole.width}V${whole.height}H0Z`, fill: palette.surface },
      { ...words, text: title, y: EDGE + TITLE_LETTERS / 2, fill: palette.text, strong: true },
      ...said.map(
        (text, at): Shape => ({
          ...words,
          ...{ text, y: EDGE + 26 + LINE_HEIGHT * (at + 0.5), fill: palette.muted },
        }),
      ),
      ...draw(palette, size, measure).shapes.map((shape) => moved(shape, EDGE, head)),
    ],
  }
}

const moved = (shape: Shape, right: number, down: number): Shape =>
  'text' in shape
    ? { ...shape, x: shape.x + right, y: shape.y + down }
    : { ...shape, from: { x: (shape.from?.x ?? 0) + right, y: (shape.from?.y ?? 0) + down } }

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
const ANCHOR = { left: 'start', center: 'middle', right: 'end' } as const

/** Shapes as an SVG document of such a size, in pixels; each word is an outline that says it, where there is one. */
export function svgText(
  shapes: readonly Shape[],
  { width, height }: Size,
  title: string,
  outline: Outline = () => null,
): string {
  const drawn = shapes.map((shape) => {
    if ('text' in shape) {
      const turned = shape.upright ? ' rotate(-90)' : ''
      const drawn = outline(shape.text, { strong: shape.strong === true, align: shape.align ?? 'left' })
      if (drawn !== null)
        return `<path transform="translate(${shape.x} ${shape.y})${turned}" fill="${escaped(shape.fill)}" d="${drawn}"><title>${escaped(shape.text)}</title></path>`
      return [
        `<text transform="translate(${shape.x} ${shape.y})${turned}" dy="0.35em" fill="${escaped(shape.fill)}"`,
        ` text-anchor="${ANCHOR[shape.align ?? 'left']}"`,
        shape.strong ? ` font-size="${TITLE_LETTERS}" font-weight="600"` : '',
        `>${escaped(shape.text)}</text>`,
      ].join('')
    }
    const colours =
      'fill' in shape
        ? `fill="${escaped(shape.fill)}"`
        : `fill="none" stroke="${escaped(shape.stroke)}" stroke-width="${shape.width}"${shape.dash ? ` stroke-dasharray="${shape.dash.join(' ')}"` : ''}`
    const from = shape.from ? ` transform="translate(${shape.from.x} ${shape.from.y})"` : ''
    const faint = shape.opacity === undefined ? '' : ` opacity="${shape.opacity}"`
    return `<path d="${shape.path}" ${colours}${from}${faint}/>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    ` font-family="${escaped(FONT_FAMILY)}" font-size="${LETTERS}" stroke-linecap="round" stroke-linejoin="round">`,
    `<title>${escaped(title)}</title>`,
    ...drawn,
    '</svg>\n',
  ].join('')
}
