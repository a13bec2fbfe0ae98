import type { Raster } from '../ocr/raster.ts'
import type { Box, Turn } from './geometry.ts'
import type { Colour, Drawing, PageObjects } from './objects.ts'
import type { Glyph } from './page.ts'
import { type Pdfium, scratchAt } from './pdfium.ts'

interface Face {
  bold: boolean
  italic: boolean
}
interface TextStyle extends Face {
  invisible: boolean
  colour: Colour
  order: number
}

export interface ReadGlyphs {
  glyphs: Glyph[]
  /** Characters that a reader of the page does not see. */
  hidden: number
  /** Visible characters that have no meaning in Unicode. */
  unmapped: number
}

const MAX_CHARS = 60_000
const SMALLEST_READABLE = 2.6
/** The part of its height by which a leaning letter is drawn aside. */
const LEANING = 0.15
const INVISIBLE_MODES = new Set([3, 7])

/** Reads the characters that can be seen, in the displayed frame. */
export function readGlyphs(input: {
  library: Pdfium
  text: number
  scratch: number
  objects: PageObjects
  width: number
  height: number
  toDisplay: (x: number, y: number) => [number, number]
  toDisplayVector: (x: number, y: number) => [number, number]
  /** The page as it looks, and how many pixels a point has. */
  look: () => Look
}): ReadGlyphs {
  const { library, text, scratch, objects, width, height, toDisplay, toDisplayVector } = input
  const styles = new Map<number, TextStyle>()
  const fonts = new Map<number, Face>()
  const backgrounds = objects.drawings.filter(
    (d) => (d.fill !== null && (d.kind === 'box' || d.kind === 'shape')) || d.kind === 'image',
  )
  const result: ReadGlyphs = { glyphs: [], hidden: 0, unmapped: 0 }
  const count = Math.min(library._FPDFText_CountChars(text), MAX_CHARS)
  const doubtful = new Map<Glyph, Colour>()

  for (let i = 0; i < count; i++) {
    if (library._FPDFText_IsGenerated(text, i) === 1) {
      const last = result.glyphs.at(-1)
      if (last) last.spaced = true
      continue
    }
    const unit = library._FPDFText_GetUnicode(text, i)
    // A character beyond the first 65,536 may come in two halves.
    if (isLow(unit)) continue
    const code = isHigh(unit) ? joined(unit, library._FPDFText_GetUnicode(text, i + 1)) : unit
    if (code === 0 || code === 0xfffe || code === 0xffff || code === 2) {
      if (code !== 2) result.unmapped++
      if (code !== 2) continue
    }
    if (code === 13 || code === 10) continue
    const object = library._FPDFText_GetTextObject(text, i)
    let style = styles.get(object)
    if (!style) {
      style = readStyle(library, object, scratch, fonts, objects.textOrder.get(object) ?? 0)
      styles.set(object, style)
    }
    if (style.invisible) {
      if (code !== 32) result.hidden++
      continue
    }
    library._FPDFText_GetMatrix(text, i, scratch)
    const { floats } = scratchAt(library, scratch)
    const [a, b, c, d] = [floats[0] ?? 1, floats[1] ?? 0, floats[2] ?? 0, floats[3] ?? 1]
    library._FPDFText_GetCharOrigin(text, i, scratch, scratch + 8)
    const { doubles } = scratchAt(library, scratch)
    const [originX, originY] = toDisplay(doubles[0] ?? 0, doubles[1] ?? 0)
    const scale = Math.hypot(c, d) || 1
    const size = library._FPDFText_GetFontSize(text, i) * scale
    const [vx, vy] = toDisplayVector(a, b)
    const turn: Turn = Math.abs(vx) >= Math.abs(vy) ? (vx >= 0 ? 0 : 2) : vy < 0 ? 1 : 3
    const box = glyphBox(library, text, i, scratch, toDisplay, Math.abs(a) < 1e-4 || Math.abs(b) < 1e-4)
    const centreX = (box.x0 + box.x1) / 2
    const centreY = (box.y0 + box.y1) / 2
    const seen = code === 32 ? 'seen' : contrasts(style, backgrounds, centreX, centreY)
    if (
      size < SMALLEST_READABLE ||
      centreX < 0 ||
      centreY < 0 ||
      centreX > width ||
      centreY > height ||
      seen === 'covered'
    ) {
      if (code !== 32) result.hidden++
      continue
    }
    if (code >= 0xe000 && code <= 0xf8ff) result.unmapped++
    const glyph: Glyph = {
      char: charOf(code),
      ...box,
      base: turn === 0 || turn === 2 ? originY : originX,
      size,
      bold: style.bold,
      // A face that has no italics is leant over.
      italic: style.italic || (Math.abs(b) < 0.05 * Math.abs(a) && Math.abs(c) > LEANING * Math.abs(d)),
      turn,
      ...(isLigature(result.glyphs.at(-1), box) && { ligature: true }),
    }
    if (seen === 'lost') doubtful.set(glyph, style.colour)
    result.glyphs.push(glyph)
  }
  if (doubtful.size > 0) {
    const lost = notSeen(result.glyphs, doubtful, input.look())
    result.hidden += lost.size
    result.glyphs = result.glyphs.filter((glyph) => !lost.has(glyph))
  }
  return result
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff
/** A half alone is no character. */
const joined = (high: number, low: number): number =>
  isLow(low) ? 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00) : 0

/** Heavy arrows and pointing hands do what plain ones do; the marks of menus say nothing. */
function charOf(code: number): string {
  if (code === 2) return '-'
  const char = String.fromCodePoint(code)
  if (/[➔➙➛➜➝➞➡⟶⇒⮕]/u.test(char)) return '→'
  if (/[☚☛☜☞]/u.test(char)) return '•'
  return /[▾▿]|\ufe0f/u.test(char) ? ' ' : char
}

interface Look {
  raster: Raster
  scale: number
}

/** By so much, of 255, ink stands out of what is around it. */
const STANDS_OUT = 48
/** Of a letter so many pixels are looked at along a side: one over the whole page costs no more than another. */
const MOST_LOOKED_AT = 64
/** Side of the squares in which glyphs at one place are looked for, in points. */
const SQUARE = 8
const MOST_IN_SQUARE = 40

/**
 * Letters that have the colour which is said to be under them. A gradient or a pattern says a colour that nobody sees:
 * what the page looks like there decides, unless other letters stand at the same place.
 */
function notSeen(glyphs: readonly Glyph[], doubtful: ReadonlyMap<Glyph, Colour>, page: Look): Set<Glyph> {
  const places = new Map<string, Glyph[]>()
  const squareOf = (x: number, y: number): string => `${Math.floor(x / SQUARE)},${Math.floor(y / SQUARE)}`
  for (const glyph of glyphs) {
    if (doubtful.has(glyph) || glyph.char.trim() === '') continue
    const key = squareOf((glyph.x0 + glyph.x1) / 2, (glyph.y0 + glyph.y1) / 2)
    const there = places.get(key) ?? []
    // More than that stand on each other: who hides letters among them hides them.
    if (there.length < MOST_IN_SQUARE) there.push(glyph)
    places.set(key, there)
  }
  const lost = new Set<Glyph>()
  for (const [glyph, colour] of doubtful) {
    const [x, y] = [(glyph.x0 + glyph.x1) / 2, (glyph.y0 + glyph.y1) / 2]
    const under = [-1, 0, 1].flatMap((dx) =>
      [-1, 0, 1].flatMap((dy) => places.get(squareOf(x + dx * SQUARE, y + dy * SQUARE)) ?? []),
    )
    const over = under.some((o) => o.x0 < glyph.x1 && o.x1 > glyph.x0 && o.y0 < glyph.y1 && o.y1 > glyph.y0)
    if (over || !standsOut(glyph, colour, page)) lost.add(glyph)
  }
  return lost
}

function standsOut(box: Box, [r, g, b]: Colour, { raster, scale }: Look): boolean {
  const { width, height, pixels } = raster
  const tone = 0.299 * r + 0.587 * g + 0.114 * b
  // What stands right above or below it is not under it.
  const inset = 0.2 * (box.y1 - box.y0)
  const [left, right] = [Math.max(0, Math.floor(scale * box.x0)), Math.min(width, Math.ceil(scale * box.x1))]
  const top = Math.max(0, Math.floor(scale * (box.y0 + inset)))
  const bottom = Math.min(height, Math.ceil(scale * (box.y1 - inset)))
  const across = Math.ceil(Math.max(1, right - left) / MOST_LOOKED_AT)
  const down = Math.ceil(Math.max(1, bottom - top) / MOST_LOOKED_AT)
  let [least, most] = [255, 0]
  for (let y = top; y < bottom; y += down)
    for (let x = left; x < right; x += across) {
      const own = pixels[y * width + x] ?? 255
      least = Math.min(least, own)
      most = Math.max(most, own)
    }
  return most - least > STANDS_OUT && Math.min(Math.abs(most - tone), Math.abs(least - tone)) < 2 * STANDS_OUT
}

/** PDFium gives the letters of a ligature the same left edge. */
function isLigature(previous: Glyph | undefined, box: Box): boolean {
  return (
    previous !== undefined &&
    /[fF]/.test(previous.char) &&
    Math.abs(previous.x0 - box.x0) < 0.01 &&
    Math.abs(previous.y1 - box.y1) < 0.01
  )
}

function glyphBox(
  library: Pdfium,
  text: number,
  index: number,
  scratch: number,
  toDisplay: (x: number, y: number) => [number, number],
  level: boolean,
): Box {
  let [left, top, right, bottom] = [0, 0, 0, 0]
  if (level && library._FPDFText_GetLooseCharBox(text, index, scratch)) {
    const rect = scratchAt(library, scratch).floats
    left = rect[0] ?? 0
    top = rect[1] ?? 0
    right = rect[2] ?? 0
    bottom = rect[3] ?? 0
  } else {
    library._FPDFText_GetCharBox(text, index, scratch, scratch + 8, scratch + 16, scratch + 24)
    const rect = scratchAt(library, scratch).doubles
    left = rect[0] ?? 0
    right = rect[1] ?? 0
    bottom = rect[2] ?? 0
    top = rect[3] ?? 0
  }
  const [ax, ay] = toDisplay(left, bottom)
  const [bx, by] = toDisplay(right, top)
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) }
}

function readStyle(
  library: Pdfium,
  object: number,
  scratch: number,
  fonts: Map<number, Face>,
  order: number,
): TextStyle {
  if (!object) return { invisible: false, colour: [0, 0, 0], bold: false, italic: false, order }
  const mode = library._FPDFTextObj_GetTextRenderMode(object)
  let colour: Colour = [0, 0, 0]
  let transparent = false
  const get = mode === 1 ? library._FPDFPageObj_GetStrokeColor : library._FPDFPageObj_GetFillColor
  if (get.call(library, object, scratch, scratch + 4, scratch + 8, scratch + 12)) {
    const [r, g, b, a] = scratchAt(library, scratch).ints
    colour = [r ?? 0, g ?? 0, b ?? 0]
    transparent = (a ?? 255) < 13
  }
  const font = library._FPDFTextObj_GetFont(object)
  let face = fonts.get(font)
  if (face === undefined) {
    const length = font ? library._FPDFFont_GetBaseFontName(font, scratch, 120) : 0
    const name = Buffer.from(library.HEAPU8.buffer, scratch, Math.max(0, Math.min(length, 120))).toString(
      'latin1',
    )
    face = { bold: /bold|black|heavy|semib|demi|-bd/i.test(name), italic: /italic|oblique/i.test(name) }
    fonts.set(font, face)
  }
  return { invisible: INVISIBLE_MODES.has(mode) || transparent, colour, ...face, order }
}

/** Whether ink of this colour stands out from what is said to lie under it, and nothing opaque was drawn over it. */
function contrasts(
  style: TextStyle,
  backgrounds: readonly Drawing[],
  x: number,
  y: number,
): 'seen' | 'lost' | 'covered' {
  const ground = beneath(backgrounds, x, y, style.order)
  if (ground === 'covered') return 'covered'
  if (ground === 'image') return 'seen'
  const [r, g, b] = style.colour
  return Math.abs(r - ground[0]) + Math.abs(g - ground[1]) + Math.abs(b - ground[2]) > 42 ? 'seen' : 'lost'
}

function beneath(
  backgrounds: readonly Drawing[],
  x: number,
  y: number,
  order: number,
): Colour | 'image' | 'covered' {
  let ground: Colour | 'image' = [255, 255, 255]
  for (const drawing of backgrounds) {
    const { box } = drawing
    if (x < box.x0 || x > box.x1 || y < box.y0 || y > box.y1) continue
    if (drawing.order > order && order > 0) {
      if (drawing.kind === 'box') return 'covered'
      continue
    }
    ground = drawing.kind === 'image' ? 'image' : (drawing.fill ?? ground)
  }
  return ground
}
