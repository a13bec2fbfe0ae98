import type { ReportedStatistics } from '@ensaio/domain'
import type { Word } from '../read/page.ts'
import type { Found } from '../treatments/draft.ts'

/** What the report tells of its own statistics, part by part; null what does not stand in it. */
export interface ReportedDraft {
  delineamento: Told<NonNullable<ReportedStatistics['delineamento']>> | null
  repeticoes: Told<number> | null
  cv: (Told<number> & { casas: number }) | null
  /** In kg/ha. */
  dms: Told<number> | null
  dms_teste: Told<NonNullable<ReportedStatistics['dms_teste']>> | null
  gl_residuo: Told<number> | null
  teste: Told<string> | null
  /** In the order of the treatments. */
  letras: (Told<string> | null)[]
}

/** The one that was chosen, and by how much it leads the best other value. */
export type Told<T> = Found<T> & { margin: number }

export interface Candidate<T> {
  value: T
  score: number
  words: Word[]
  method: Found<T>['method']
}

/** Below it a value is not told at all. */
const LEAST = 0.35
/** Where the report says two different things, neither is surer than this. */
const CONTESTED = 0.55

/** The value that most speaks for; those of one value support each other. */
export function elect<T, C extends Candidate<T>>(candidates: readonly C[]): (C & { margin: number }) | null {
  const groups = [...Map.groupBy(candidates, ({ value }) => value).values()]
    .flatMap((group) => {
      const sorted = [...group].sort((a, b) => b.score - a.score)
      const [top] = sorted
      const support = sorted.slice(1, 5).reduce((sum, { score }) => sum + 0.05 * score, 0)
      return top ? [{ top, score: Math.min(0.99, top.score + support) }] : []
    })
    .sort((a, b) => b.score - a.score)
  const [best, next] = groups
  if (!best || best.score < LEAST) return null
  const contested = next !== undefined && next.score > 0.75 * best.score
  return {
    ...best.top,
    score: contested ? Math.min(CONTESTED, best.score) : best.score,
    margin: 1,
  }
}
