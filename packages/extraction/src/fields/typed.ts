import type { Document } from '../layout/document.ts'
import type { Segment } from '../layout/lines.ts'
import { makeRun } from '../layout/run.ts'
import { findBrands, findCrops } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './candidate.ts'
import { parseOrganisation } from './parsers.ts'

/** Candidates that need no label: the letterhead's organisation, the brand and the crop of the title. */
export function findTyped(document: Document): Candidate[] {
  const candidates: Candidate[] = []
  document.pages.slice(0, 2).forEach((layout, p) => {
    const { height } = layout.page
    const top = layout.lines.filter((line) => line.y1 < 0.25 * height).flatMap((line) => line.segments)
    const letterhead = [...top.slice(0, 6), ...layout.furniture.flatMap((line) => line.segments)]
    for (const segment of letterhead) organisation(segment, p, candidates)
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
      if (!title) continue
      for (const crop of findCrops(folded))
        candidates.push({
          field: 'cultura',
          value: crop.value,
          score: 0.66,
          words: segment.words,
          method: 'typed',
        })
    }
  })
  return candidates
}

const NAMED =
  /\b(?:consultori\w*|consultores|agro\w*|pesquisas? agr\w+|assessoria|planejamento|experimenta\w+|solucoes agr\w+|estacao experimental|fundacao|instituto|agricola|pesquisa)\b/

function organisation(segment: Segment, page: number, candidates: Candidate[]): void {
  const first = segment.text.split(/\s+[|•·–—-]\s+|\s*[|•·]\s*/)[0] ?? ''
  if (
    /^(?:relat|ensaio|experimento|efeito|avalia|resultad|boletim|protocolo|ficha|memor|laudo|teste|desempenho|resposta|eficien|eficac|informe|campo|dados|painel|resumo)/i.test(
      fold(first),
    )
  )
    return
  if (!NAMED.test(fold(first)) || first.split(' ').length > 7 || /[:]/.test(first)) return
  const parsed = parseOrganisation(first)
  if (!parsed || parsed.fit < 0.8) return
  const words = segment.words.slice(0, first.split(/\s+/).length)
  candidates.push({
    field: 'consultoria',
    value: parsed.value,
    score: page === 0 ? 0.56 : 0.5,
    words,
    method: 'typed',
  })
}
