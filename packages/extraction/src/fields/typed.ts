import type { Document } from '../document.ts'
import { makeRun } from '../layout/run.ts'
import { findBrands } from '../values/lexicon.ts'
import type { Candidate } from './candidate.ts'

/** Candidates that need no label: the brand of the title. */
export function findTyped(document: Document): Candidate[] {
  const candidates: Candidate[] = []
  document.pages.slice(0, 2).forEach((layout, p) => {
    const { height } = layout.page
    const top = layout.lines
      .filter((line) => line.y1 < (layout.page.width > height ? 0.5 : 0.25) * height)
      .flatMap((line) => line.segments)
    const largest = Math.max(0, ...top.map((s) => s.size))
    for (const segment of top) {
      const title = segment.size > 0.92 * largest && p === 0
      const folded = makeRun(segment.words).folded
      for (const brand of findBrands(folded))
        if (brand.value !== 'Concorrente')
          candidates.push({
            field: 'marca',
            value: brand.value,
            score: title ? 0.72 : 0.58,
            words: segment.words,
            method: 'typed',
          })
    }
  })
  return candidates
}
