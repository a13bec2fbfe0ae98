import { type Block, joinedBlock } from './lines.ts'

/** Lines of a paragraph that goes on elsewhere. */
const LEAST_LINES = 3
/** Between its parts may stand a caption, notes and a heading of another column. */
const FARTHEST = 6

/**
 * Paragraphs that break off at the end of a column or a page, put together with where they go on: in small letters, in
 * the same type. Regions follow one another as they are read, page by page.
 */
export function mendParagraphs(regions: readonly (readonly Block[])[]): Block[][] {
  const mended = regions.map((blocks) => [...blocks])
  for (const [r, blocks] of mended.entries()) {
    const open = blocks.findLastIndex((block) => block.segments.length >= LEAST_LINES)
    const host = blocks[open]
    if (!host || open < blocks.length - 1 || !breaksOff(host)) continue
    let passed = 0
    for (const later of mended.slice(r + 1)) {
      const at = later.findIndex((block) => goesOn(host, block))
      passed += at < 0 ? later.length : at
      if (passed > FARTHEST) break
      const [rest] = at < 0 ? [] : later.splice(at, 1)
      if (!rest) continue
      const whole = joinedBlock([...host.segments, ...rest.segments])
      // It stands where it begins: a box over two columns or pages holds others.
      blocks[open] = { ...host, segments: whole.segments, text: whole.text }
      break
    }
  }
  return mended
}

const breaksOff = ({ text }: Block): boolean => /[\p{L}\d,-]$/u.test(text)

function goesOn(host: Block, block: Block): boolean {
  const [a, b] = [host.segments[0], block.segments[0]]
  // It may begin in the middle of a line.
  const width = Math.max(...host.segments.map(({ x0, x1 }) => x1 - x0))
  return (
    a !== undefined &&
    b !== undefined &&
    Math.abs(a.size - b.size) < 0.04 * a.size &&
    a.bold === b.bold &&
    !/^(?:testemunha|controle)\b/.test(block.text) &&
    /^(?:\p{Ll}[\p{L},;.-]|\+\s|\d[\d.,]*\s\p{Ll})/u.test(block.text) &&
    Math.abs(b.x1 - b.x0 - width) < 0.2 * width
  )
}
