import { readPalette } from './palette.ts'

const FONT = '"Inter Variable", system-ui, sans-serif'
/** Pictures are drawn at twice their size on the page. */
const RATIO = 2
const EDGE = 16 * RATIO

/** A chart's picture under its title and subtitle: away from its page it says by itself what it shows. */
export async function framed(
  url: string,
  { title, lines }: { title: string; lines: string[] },
): Promise<string> {
  const image = new Image()
  image.src = url
  await image.decode()
  const palette = readPalette()
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) return url
  canvas.width = image.width + 2 * EDGE
  const small = `${13 * RATIO}px ${FONT}`
  context.font = small
  const said = lines.flatMap((line) => wrapped(context, line, image.width))
  const step = 19 * RATIO
  const head = EDGE + 22 * RATIO + said.length * step + 8 * RATIO
  canvas.height = head + image.height + EDGE
  context.fillStyle = palette.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  context.fillStyle = palette.text
  context.font = `600 ${16 * RATIO}px ${FONT}`
  context.fillText(title, EDGE, EDGE, image.width)
  context.font = small
  context.fillStyle = palette.muted
  for (const [place, line] of said.entries()) context.fillText(line, EDGE, EDGE + 24 * RATIO + place * step)
  context.drawImage(image, EDGE, head)
  return canvas.toDataURL('image/png')
}

function wrapped(context: CanvasRenderingContext2D, text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ')
    if (lines.length > 0 && context.measureText(longer).width <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
