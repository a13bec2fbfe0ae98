import { jpegSize, pngSize } from './picture-head.ts'

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

/** What a logo shows and shapes alone cannot: words set in a font, copies of a part. Left out, it would be another logo. */
const SHOWN = new Set(['text', 'use'])
export function losesParts(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (pngSize(view) ?? jpegSize(view)) return false
  for (const { name, closing } of tagsOf(without(view.toString('utf8'), '<!--', '-->')))
    if (!closing && SHOWN.has(name)) return true
  return false
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
/** What one class says, and the classes of one element: what is written is not much longer than what came. */
const LONGEST_STYLE = 400
const MOST_CLASSES = 4
/** A value that may name a part of the drawing is not longer. */
const LONGEST_NAMING = 2_000
/** Of the drawing itself; never of another file, and no code. */
function isOwn(value: string): boolean {
  if (/[<&\\@]/.test(value)) return false
  if (value.length > LONGEST_NAMING) return !/url|script/i.test(value)
  return (
    !/javascript|expression|import/i.test(value) &&
    [...value.matchAll(/url\s*\(([^)]*)\)?/gi)].every(([, target = '']) =>
      /^\s*["']?#[\w-]+["']?\s*$/.test(target),
    )
  )
}

/** Everything between two signs taken out; what has no end goes to the end. */
function without(text: string, from: string, to: string): string {
  const kept: string[] = []
  let at = 0
  for (;;) {
    const begin = text.indexOf(from, at)
    if (begin < 0) return kept.join('') + text.slice(at)
    kept.push(text.slice(at, begin))
    const end = text.indexOf(to, begin + from.length)
    if (end < 0) return kept.join('')
    at = end + to.length
  }
}

/** Tags in their order, by one walk over the text. */
function* tagsOf(text: string): Generator<{ name: string; rest: string; closing: boolean; after: number }> {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const closing = text[at + 1] === '/'
    const name = /^[A-Za-z][\w:-]{0,63}/.exec(text.slice(at + (closing ? 2 : 1), at + 66))?.[0]
    if (name === undefined) continue
    const end = text.indexOf('>', at)
    if (end < 0) return
    yield { name, rest: text.slice(at + 1 + name.length, end), closing, after: end + 1 }
    at = end
  }
}

/** Names and values, by one walk: a name stands right before its sign, a value in quotes behind it. */
function attributesOf(rest: string): [name: string, value: string][] {
  const found: [string, string][] = []
  let at = 0
  for (;;) {
    const sign = rest.indexOf('=', at)
    if (sign < 0) return found
    const name = /[\w:-]{1,64}$/.exec(rest.slice(Math.max(at, sign - 80), sign).trimEnd())?.[0] ?? ''
    const lead = rest.slice(sign + 1, sign + 20)
    const open = sign + 1 + (lead.length - lead.trimStart().length)
    const quote = rest[open]
    const close = quote === '"' || quote === "'" ? rest.indexOf(quote, open + 1) : -1
    if (close < 0) return found
    found.push([name, rest.slice(open + 1, close).replaceAll('"', "'")])
    at = close + 1
  }
}

/** What rules of the form '.name{…}' say of the elements of a class. */
function classRules(text: string): Map<string, string> {
  const rules = new Map<string, string>()
  let past = 0
  for (const { name, closing, after } of tagsOf(text)) {
    // What stands within rules that were read opens no others.
    if (name !== 'style' || closing || after < past) continue
    const end = text.indexOf('</style', after)
    past = end < 0 ? text.length : end
    for (const block of text.slice(after, end < 0 ? after : end).split('}')) {
      const [of = '', said = ''] = block.split('{')
      for (const one of of.split(',').map((selector) => selector.trim()))
        if (/^\.[\w-]{1,64}$/.test(one) && said.length <= LONGEST_STYLE && isOwn(said)) {
          const all = `${rules.get(one.slice(1)) ?? ''}${said.trim()};`
          if (all.length <= LONGEST_STYLE) rules.set(one.slice(1), all)
        }
    }
  }
  return rules
}

/** The shapes of a drawing, written anew; what else stands in it is left out with all that it holds. */
function shapesOf(given: string): string | null {
  const text = without(given, '<!--', '-->').replaceAll('<![CDATA[', '').replaceAll(']]>', '')
  const kind = text.indexOf('<!DOCTYPE')
  if (text.includes('<!ENTITY') || (kind >= 0 && text.slice(kind, text.indexOf('>', kind)).includes('[')))
    return null
  const rules = classRules(text)
  const out: string[] = []
  const open: string[] = []
  let skipped = 0
  let elements = 0
  for (const { name, rest, closing } of tagsOf(text)) {
    if (closing) {
      if (skipped > 0) skipped--
      else if (open.pop() !== name) return null
      else out.push(`</${name}>`)
      continue
    }
    const whole = rest.endsWith('/')
    if (skipped > 0 || !SHAPES.has(name)) {
      if (!whole) skipped++
      continue
    }
    if (++elements > MOST_ELEMENTS || open.length > DEEPEST) return null
    const attributes = new Map(attributesOf(rest))
    const classes = (attributes.get('class') ?? '').slice(0, LONGEST_NAMING).split(/\s+/)
    const ruled = classes.slice(0, MOST_CLASSES).map((one) => rules.get(one) ?? '')
    const styled = ruled.join('') + (attributes.get('style') ?? '').slice(0, LONGEST_NAMING)
    if (styled) attributes.set('style', styled)
    const written = [...attributes].flatMap(([key, value]) =>
      PLAIN.has(key) && isOwn(value) ? [` ${key}="${value}"`] : [],
    )
    const root = elements === 1 ? ' xmlns="http://www.w3.org/2000/svg"' : ''
    out.push(`<${name}${root}${written.join('')}${whole ? '/' : ''}>`)
    if (!whole) open.push(name)
  }
  return open.length === 0 && elements > 1 && out[0]?.startsWith('<svg') ? out.join('') : null
}

export const LOGO_BOX = BOX
