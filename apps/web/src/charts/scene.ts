/**
 * A picture as a list of what it consists of, in pixels from the upper left corner: the same list is painted on the
 * page, on paper and into a file. Paths are written as in SVG.
 */
export type Shape =
  | (Path & { fill: string })
  | (Path & { stroke: string; width: number; dash?: number[] })
  | Words
/** `strong`: a title's letters. */
export type Words = {
  text: string
  x: number
  y: number
  fill: string
  align?: 'left' | 'center' | 'right'
  upright?: true
  strong?: true
}
type Point = { x: number; y: number }
/** A path, and where its own origin lies. */
type Path = { path: string; from?: Point; opacity?: number }

export type Scene = {
  shapes: readonly Shape[]
  /** The place in the data of what stands at a point of the picture; null: nothing. */
  at: (x: number, y: number) => number | null
  /** What is said of one of the data: its name, then its values. */
  tip: (index: number) => readonly [name: string, ...values: string[]]
}

export type Size = { width: number; height: number }

/** Of a line of text, in pixels, as pictures write it. */
export type Measure = (text: string) => number

export const LETTERS = 13
export const TITLE_LETTERS = 16
export const FONT_FAMILY = '"Inter Variable", system-ui, sans-serif'
const FONT = `${LETTERS}px ${FONT_FAMILY}`
const TITLE_FONT = `600 ${TITLE_LETTERS}px ${FONT_FAMILY}`
export const LINE_HEIGHT = 17

/** Paints a scene of such a size; the canvas takes `ratio` pixels for each of the scene's. */
export function paint(
  canvas: HTMLCanvasElement,
  { shapes }: Pick<Scene, 'shapes'>,
  { width, height }: Size,
  ratio: number,
) {
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(ratio, ratio)
  context.font = FONT
  context.textBaseline = 'middle'
  context.lineCap = 'round'
  context.lineJoin = 'round'
  for (const shape of shapes) {
    context.save()
    if ('text' in shape) {
      context.fillStyle = shape.fill
      context.textAlign = shape.align ?? 'left'
      context.translate(shape.x, shape.y)
      if (shape.strong) context.font = TITLE_FONT
      if (shape.upright) context.rotate(-Math.PI / 2)
      context.fillText(shape.text, 0, 0)
    } else {
      context.globalAlpha = shape.opacity ?? 1
      if (shape.from) context.translate(shape.from.x, shape.from.y)
      if ('fill' in shape) {
        context.fillStyle = shape.fill
        context.fill(new Path2D(shape.path))
      } else {
        context.strokeStyle = shape.stroke
        context.lineWidth = shape.width
        context.setLineDash(shape.dash ?? [])
        context.stroke(new Path2D(shape.path))
      }
    }
    context.restore()
  }
}

let ruler: CanvasRenderingContext2D | null | undefined

/** Measures as the pictures of this page are written. */
export const measure: Measure = (text) => {
  ruler ??= document.createElement('canvas').getContext('2d')
  if (!ruler) return text.length * 0.6 * LETTERS
  ruler.font = FONT
  return ruler.measureText(text).width
}

/** The text in as many lines as it takes in such a width; a word that is longer alone is cut. */
export function wrapped(text: string, width: number, measured: Measure): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.length > 0 && measured(longer) <= width) lines[lines.length - 1] = longer
    else lines.push(cut(word, width, measured))
  }
  return lines
}

/** The text, or as much of it as has room, with an ellipsis. */
export function cut(text: string, width: number, measured: Measure): string {
  if (measured(text) <= width) return text
  let shown = text
  while (shown.length > 1 && measured(`${shown}…`) > width) shown = shown.slice(0, -1).trimEnd()
  return `${shown}…`
}
