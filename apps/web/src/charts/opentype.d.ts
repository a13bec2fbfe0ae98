/** What is used of the package, which comes without types. */
declare module 'opentype.js' {
  export interface Font {
    /** 0 where the font has no such letter. */
    charToGlyphIndex(letter: string): number
    charToGlyph(letter: string): Glyph
    unitsPerEm: number
  }
  interface Glyph {
    advanceWidth: number
    /** In pixels, of letters of so many. */
    getPath(x: number, y: number, size: number): { toPathData(decimals: number): string }
  }
  export function parse(bytes: ArrayBuffer): Font
}
