import { fold } from '../values/text.ts'
import type { Line } from './lines.ts'

/**
 * Running headers and footers: lines near the edges that return on other pages (digits aside), page numbers,
 * and small print at the very bottom. Returned are the lines, page by page.
 */
export function findFurniture(
  pages: readonly { lines: readonly Line[]; height: number; body: number }[],
): Set<Line> {
  const seen = new Map<string, { line: Line; page: number }[]>()
  const found = new Set<Line>()
  pages.forEach(({ lines, height, body }, page) => {
    for (const line of contentsIn(lines)) found.add(line)
    for (const line of lines) {
      const top = line.y1 < 0.09 * height
      const bottom = line.y0 > 0.91 * height
      if (!top && !bottom) continue
      const text = line.segments.map((s) => s.text).join(' ')
      if (bottom && (line.size < 0.87 * body || PAGE_NUMBER.test(fold(text)))) found.add(line)
      const key = fold(text).replace(/\d+/g, '#')
      if (key.length < 3) continue
      const list = seen.get(key) ?? []
      list.push({ line, page })
      seen.set(key, list)
    }
  })
  for (const list of seen.values()) {
    const on = new Set(list.map((entry) => entry.page))
    if (on.size < 2) continue
    // The first appearance of a heading in the page is content; its returns are furniture.
    for (const { line } of list) found.add(line)
  }
  return found
}

const CONTENTS =
  /^(?:sumario|indice(?: geral)?|conteudo|contents|lista de (?:tabelas|quadros|figuras|ilustracoes))$/
const LEAST_ENTRIES = 3

/** A table of contents: lines under its title that end in the number of a page, none lower than the one before. */
function contentsIn(lines: readonly Line[]): Line[] {
  const title = lines.findIndex((line) => CONTENTS.test(fold(line.segments.map((s) => s.text).join(' '))))
  if (title < 0) return []
  const entries: Line[] = []
  let last = 0
  for (const line of lines.slice(title + 1)) {
    const end = line.words.at(-1)?.text ?? ''
    const number = line.words.length > 1 && /^\d{1,3}$/.test(end) ? Number(end) : null
    if (number === null || number < last) break
    last = number
    entries.push(line)
  }
  return entries.length >= LEAST_ENTRIES ? lines.slice(title, title + 1 + entries.length) : []
}

const PAGE_NUMBER = /^(pag(ina)?\.? ?)?\d{1,3}( ?(\/|de) ?\d{1,3})?$/
