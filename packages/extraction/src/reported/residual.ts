import { groupLines } from '../layout/lines.ts'
import type { Page, Word } from '../read/page.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './found.ts'

const DEGREES = /^\(?(?:g\.?l\.?|gl1?|graus)\)?$/
/** How far above the row of the residual the heading of an analysis of variance stands, in lines. */
const HEADING = 14

/** The degrees of freedom of the residual in a table of the analysis of variance, by place. */
export function residualInTables(pages: readonly Page[]): Candidate<number>[] {
  return pages.flatMap((page) => {
    if (!page.words.some(({ text }) => /^(?:res[ií]duo|erro)$/i.test(text))) return []
    const lines = groupLines(page.words)
    return lines.flatMap((line, at) => residualOn(line, lines.slice(Math.max(0, at - HEADING), at)))
  })
}

function residualOn(line: readonly Word[], above: readonly Word[][]): Candidate<number>[] {
  const at = line.findIndex(({ text }) => /^(?:residuo|erro)$/.test(fold(text)))
  // A label of its own, at the beginning of a row.
  if (at < 0 || at > 1) return []
  const heading = above.findLast((words) => words.some(({ text }) => DEGREES.test(fold(text))))
  const label = heading?.find(({ text }) => DEGREES.test(fold(text)))
  if (!label) return []
  // 'Resíduo (a)' is one of two.
  if (/^\(?[a-c]\)?$/.test(fold(line[at + 1]?.text ?? ''))) return []
  const middle = (label.x0 + label.x1) / 2
  const [nearest] = line
    .slice(at + 1)
    .map((word) => ({ word, off: Math.abs((word.x0 + word.x1) / 2 - middle) }))
    .sort((a, b) => a.off - b.off)
  const value = /^\d{1,4}$/.test(nearest?.word.text ?? '') ? Number(nearest?.word.text) : 0
  if (!nearest || value < 1 || nearest.off > 4 * label.size) return []
  return [{ value, score: 0.92, words: [nearest.word], method: 'table' }]
}
