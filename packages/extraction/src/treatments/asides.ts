import { groupLines } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Word } from '../read/page.ts'
import { makeCell } from '../tables/lattice.ts'
import type { Cell } from '../tables/table.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE } from '../values/units.ts'
import { readCode } from './draft.ts'
import type { Row } from './orient.ts'

/** So much smaller than the name before it. */
const SMALLER = 0.9

/** 'FosfoBac' and below it, in italics or smaller, 'B. megaterium': what is said of a product is no part of its name. */
export function withoutAsides(rows: readonly Row[]): readonly Row[] {
  const known = new Map<Cell, Cell | null>()
  const width = Math.max(0, ...rows.map((row) => row.length))
  for (let c = 0; c < width; c += 1) {
    const cells = [...new Set(rows.flatMap((row) => row[c] ?? []))].filter(
      ({ text }) => /\p{L}{3}/u.test(text) && readCell(text) === null,
    )
    const plain = cells.filter(({ words }) => words[0] && !words[0].italic).length
    // A column that is all in italics says names in them.
    if (plain < 0.4 * cells.length) continue
    for (const cell of cells) {
      const kept = namingWords(cell.words)
      if (kept.length < cell.words.length)
        known.set(cell, kept.length === 0 ? null : makeCell([...kept], union(kept), cell.page))
    }
  }
  if (known.size < LEAST_ASIDES) return rows
  return rows.map((row, r) => {
    const [first] = row
    const coded = first != null && readCode(first.text) !== null && first.text !== rows[r - 1]?.[0]?.text
    return row.map((cell) => {
      const kept = cell && known.get(cell)
      if (kept !== null) return kept === undefined ? cell : kept
      // 'T5 | Isaria fumosorosea | 0,75 L/ha': beside a code it is the name, and what else names no row, as 'Média', too.
      const others = row.filter((other) => other && other !== cell)
      const names = others.some((other) => /\p{L}{3}/u.test(other?.text ?? ''))
      const figures = others.some((other) => readCell(other?.text ?? '') !== null)
      return coded || (figures && !names) ? cell : null
    })
  })
}
const DOSED = new RegExp(`\\d\\s*(?:${DOSE_UNIT_SOURCE})`)
/** One alone is a name that somebody set otherwise. */
const LEAST_ASIDES = 2

function namingWords(words: readonly Word[]): readonly Word[] {
  const lines = groupLines(words)
  const size = Math.max(0, ...(lines[0] ?? []).map((word) => word.size))
  const aside = (line: readonly Word[]): boolean =>
    line.every((word) => word.italic) ||
    line.every((word) => word.ocr === undefined && word.size < SMALLER * size)
  const at = lines.findIndex(aside)
  const said = at < 0 ? [] : lines.slice(at)
  const text = said.map((line) => line.map((word) => word.text).join(' ')).join(' ')
  // Further products and doses may stand below a name, too.
  const more = DOSED.test(fold(text)) || (/[+&]/.test(text) && !said.flat().every((word) => word.italic))
  return at < 0 || !said.every(aside) || more ? words : lines.slice(0, at).flat()
}
