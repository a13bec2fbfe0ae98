/** A logo is drawn into a box of so many pixels. */
const BOX = { width: 900, height: 360 }
/** Of a picture that is drawn anew. */
const MOST_PIXELS = 25_000_000
const MOST_ELEMENTS = 5_000
const DEEPEST = 60

/**
 * An SVG with the logo in it, ready to be drawn: a picture as it is, a drawing with its shapes alone. Null for what is
 * neither a PNG, a JPEG nor an SVG, or is too large to be drawn.
 */
export function logoDrawing(bytes: Uint8Array): string | null {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const picture = pngSize(view) ?? jpegSize(view)
  if (picture) {
    const { width, height, type } = picture
    if (width * height > MOST_PIXELS || width === 0 || height === 0) return null
    const scale = Math.min(1, BOX.width / width, BOX.height / height)
    const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))]
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}"><image width="${w}" height="${h}" href="data:image/${type};base64,${view.toString('base64')}"/></svg>`
  }
  return shapesOf(view.toString('utf8'))
}

function pngSize(view: Buffer) {
  if (view.length < 33 || view.readUInt32BE(0) !== 0x89504e47 || view.readUInt32BE(4) !== 0x0d0a1a0a)
    return null
  return { width: view.readUInt32BE(16), height: view.readUInt32BE(20), type: 'png' }
}

function jpegSize(view: Buffer) {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null
  for (let at = 2; at + 9 < view.length && view[at] === 0xff; at += 2 + view.readUInt16BE(at + 2)) {
    const mark = view[at + 1] ?? 0
    const isFrame = mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)
    if (isFrame) return { height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7), type: 'jpeg' }
  }
  return null
}

const SHAPES = new Set([
  ...['svg', 'g', 'path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon'],
  ...['defs', 'clipPath', 'linearGradient', 'radialGradient', 'stop'],
])
const PLAIN = new Set([
  ...[
    'd',
    'x',
    'y',
    'x1',
    'x2',
    'y1',
    'y2',
    'cx',
    'cy',
    'r',
    'rx',
    'ry',
    'fx',
    'fy',
    'width',
    'height',
    'points',
  ],
  ...[
    'viewBox',
    'transform',
    'id',
    'offset',
    'gradientUnits',
    'gradientTransform',
    'spreadMethod',
    'clipPathUnits',
  ],
  ...['fill', 'fill-rule', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-linecap', 'stroke-linejoin'],
  ...['stroke-miterlimit', 'stroke-dasharray', 'stroke-opacity', 'opacity', 'clip-path', 'clip-rule'],
  ...['stop-color', 'stop-opacity', 'style', 'preserveAspectRatio'],
])
/** Of the drawing itself; never of another file, and no code. */
const isOwn = (value: string): boolean =>
  !/[<&\\@]|javascript|expression|import/i.test(value) &&
  [...value.matchAll(/url\s*\(([^)]*)\)/gi)].every(([, target = '']) =>
    /^\s*["']?#[\w-]+["']?\s*$/.test(target),
  )

/** The shapes of a drawing, written anew; what else stands in it is left out with all that it holds. */
function shapesOf(text: string): string | null {
  if (!/<svg[\s>]/i.test(text.slice(0, 10_000)) || /<!(?:DOCTYPE[^>]*\[|ENTITY)/i.test(text)) return null
  const out: string[] = []
  const open: string[] = []
  let skipped = 0
  let elements = 0
  for (const [, closing, name = '', rest = ''] of text.matchAll(/<(\/?)([A-Za-z][\w:-]*)([^<>]*)>/g)) {
    const whole = rest.endsWith('/')
    if (closing) {
      if (skipped > 0) skipped--
      else if (open.pop() !== name) return null
      else out.push(`</${name}>`)
      continue
    }
    if (skipped > 0 || !SHAPES.has(name)) {
      if (!whole) skipped++
      continue
    }
    if (++elements > MOST_ELEMENTS || open.length > DEEPEST) return null
    const attributes = [...rest.matchAll(/([\w:-]+)\s*=\s*("[^"]*"|'[^']*')/g)].flatMap(
      ([, key = '', quoted = '']) => {
        const value = quoted.slice(1, -1).replaceAll('"', "'")
        return PLAIN.has(key) && isOwn(value) ? [` ${key}="${value}"`] : []
      },
    )
    const root = elements === 1 ? ' xmlns="http://www.w3.org/2000/svg"' : ''
    out.push(`<${name}${root}${attributes.join('')}${whole ? '/' : ''}>`)
    if (!whole) open.push(name)
  }
  return open.length === 0 && elements > 1 ? out.join('') : null
}

export const LOGO_BOX = BOX
