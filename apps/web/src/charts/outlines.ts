import plainFont from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf?inline'
import strongFont from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf?inline'
import { parse } from 'opentype.js'
import { LETTERS, TITLE_LETTERS } from './scene.ts'

/** The outline of a word around its place; null where the font has not all of its letters. */
export type Outline = (
  text: string,
  how: { strong: boolean; align: 'left' | 'center' | 'right' },
) => string | null

const SHARE_BEFORE = { left: 0, center: 0.5, right: 1 } as const
/** From the middle of a line to where its letters stand, in parts of their size. */
const BASELINE = 0.35

/** Of a data URL. */
const bytesOf = (url: string): ArrayBuffer =>
  Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (letter) => letter.charCodeAt(0)).buffer

/** The page's letters as outlines: a picture that is taken away asks no font of who opens it. */
export function outlines(): Outline {
  const [plain, bold] = [parse(bytesOf(plainFont)), parse(bytesOf(strongFont))]
  return (text, { strong, align }) => {
    const font = strong ? bold : plain
    const size = strong ? TITLE_LETTERS : LETTERS
    // Letter by letter: the package knows not all of the font's rules for letters that join, which ours do not need.
    const letters = [...text.normalize('NFC')]
    if (letters.some((letter) => font.charToGlyphIndex(letter) === 0)) return null
    const glyphs = letters.map((letter) => font.charToGlyph(letter))
    const widths = glyphs.map(({ advanceWidth }) => (advanceWidth * size) / font.unitsPerEm)
    let x = -SHARE_BEFORE[align] * widths.reduce((sum, width) => sum + width, 0)
    return glyphs
      .map((glyph, at) => {
        const path = glyph.getPath(x, BASELINE * size, size).toPathData(2)
        x += widths[at] ?? 0
        return path
      })
      .join('')
  }
}
