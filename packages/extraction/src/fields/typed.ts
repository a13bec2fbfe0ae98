import type { Document } from '../document.ts'
import type { Segment } from '../layout/lines.ts'
import { makeRun, wordsIn } from '../layout/run.ts'
import { findBrands, findCrops } from '../values/lexicon.ts'
import { findPlaces } from '../values/places.ts'
import { foldInPlace } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import { parseCultivar } from './parsers.ts'

/** Candidates that need no label: the brand of the title. */
export function findTyped(document: Document): Candidate[] {
  const candidates: Candidate[] = []
  document.pages.slice(0, 2).forEach((layout, p) => {
    const { height } = layout.page
    const top = layout.lines
      .filter((line) => line.y1 < (layout.page.width > height ? 0.5 : 0.25) * height)
      .flatMap((line) => line.segments)
    if (p === 0) for (const segment of top) titlePieces(segment, candidates)
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

/** 'Soja | M 6410 IPRO': what stands behind the crop of a title, and is no place and no year. */
function titlePieces(segment: Segment, candidates: Candidate[]): void {
  const run = makeRun(segment.words)
  const parts = [...run.text.matchAll(/[^|•·]+/g)].map((m) => ({ text: m[0].trim(), at: m.index }))
  parts.forEach((part, i) => {
    const folded = foldInPlace(part.text)
    if (findCrops(foldInPlace(parts[i - 1]?.text ?? '')).length === 0 || !/\d/.test(part.text)) return
    if (findPlaces(part.text, folded).some((place) => place.state) || /20\d\d/.test(part.text)) return
    const parsed = parseCultivar(part.text, folded)
    const words = wordsIn(run, part.at, part.at + part.text.length)
    if (parsed)
      candidates.push({ field: 'cultivar', value: parsed.value, score: 0.55, words, method: 'typed' })
  })
}
