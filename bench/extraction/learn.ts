/**
 * Learns how much each reason counts: learn.ts FOLDER... Every reading that is tried of a report is compared with the others of
 * it; which of two is better, its cells say. Weights stay near what they were where nothing speaks against it. Printed:
 * the cells of what would be chosen in families left out, before and after, and the weights of all.
 */
import { readFileSync } from 'node:fs'
import { f1, judge } from '../../packages/extraction/generator/score.ts'
import { assemble } from '../../packages/extraction/src/assemble.ts'
import { arrange } from '../../packages/extraction/src/document.ts'
import { withDocument } from '../../packages/extraction/src/read/pdfium.ts'
import { readPages } from '../../packages/extraction/src/read/read.ts'
import { type Reading, readDocument } from '../../packages/extraction/src/reading/choose.ts'
import { WEIGHTS } from '../../packages/extraction/src/reading/plausibility.ts'
import { settleGuessedYields } from '../../packages/extraction/src/treatments/plausible.ts'
import { reportsBelow } from './reports.ts'

const NAMES = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]
const PRIOR = NAMES.map((name) => WEIGHTS[name])
/** How strongly a weight is held to where it was. */
const HOLD = 0.02
const STEPS = 400
const RATE = 0.5

interface Tried {
  values: number[]
  cells: number
}
interface Group {
  family: string
  tried: Tried[]
}

const groups: Group[] = []
for (const report of process.argv.slice(2).flatMap(reportsBelow)) {
  if (report.scanned || report.truth.refuse) continue
  const tried: Tried[] = []
  await withDocument(readFileSync(report.file), async (library, document) => {
    const pages = readPages(library, document, {})
    const learnFrom = ({ drafts, why, score }: Reading) => {
      const own = drafts.map((draft) => ({
        ...draft,
        ...(draft.produtividade && { produtividade: { ...draft.produtividade } }),
      }))
      settleGuessedYields(own, report.truth.cultura)
      const { data } = assemble({
        tables: [],
        layout: [],
        learnt: false,
        reported: null,
        decision: {},
        drafts: own,
        pages,
        count: pages.length,
        score,
      })
      const cells = judge(report.truth, data).filter(({ kind }) => kind === 'cell')
      tried.push({
        values: NAMES.map((name) => why.find((feature) => feature.name === name)?.value ?? 0),
        cells: f1(cells),
      })
    }
    readDocument(arrange(pages), { tried: learnFrom })
  })
  if (tried.length > 0) groups.push({ family: report.family, tried })
}

const scoreOf = (weights: readonly number[], { values }: Tried): number =>
  values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0)
const chosen = (weights: readonly number[], { tried }: Group): number =>
  tried.reduce((a, b) => (scoreOf(weights, b) > scoreOf(weights, a) + 0.5 ? b : a)).cells

function learn(from: readonly Group[]): number[] {
  const weights = [...PRIOR]
  const squares = PRIOR.map(() => 1e-6)
  const pairs = from.flatMap(({ tried }) => {
    const best = tried.reduce((a, b) => (b.cells > a.cells ? b : a))
    return tried
      .filter(({ cells }) => cells < best.cells - 0.02)
      .map((worse) => ({
        gain: best.cells - worse.cells,
        values: best.values.map((value, i) => value - (worse.values[i] ?? 0)),
        of: 1 / tried.length,
      }))
  })
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, i) => HOLD * (weight - (PRIOR[i] ?? 0)))
    for (const { gain, values, of } of pairs) {
      const margin = values.reduce((sum, value, i) => sum + value * (weights[i] ?? 0), 0)
      const pull = (gain * of) / (1 + Math.exp(margin - 1))
      values.forEach((value, i) => {
        slope[i] = (slope[i] ?? 0) - pull * value
      })
    }
    weights.forEach((weight, i) => {
      const s = slope[i] ?? 0
      squares[i] = (squares[i] ?? 0) + s * s
      weights[i] = weight - (RATE * s) / Math.sqrt(squares[i] ?? 1)
    })
  }
  return weights
}

const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length)
const families = [...new Set(groups.map(({ family }) => family))]
const after = families.flatMap((family) => {
  const weights = learn(groups.filter((group) => group.family !== family))
  return groups.filter((group) => group.family === family).map((group) => chosen(weights, group))
})
console.log(
  `${groups.length} reports, ${families.length} families, ${groups.reduce((sum, { tried }) => sum + tried.length, 0)} readings`,
)
console.log(
  `cells, mean of reports: first reading ${(100 * mean(groups.map(({ tried }) => tried[0]?.cells ?? 0))).toFixed(1)}, weights as they are ${(100 * mean(groups.map((group) => chosen(PRIOR, group)))).toFixed(1)}, learned with the family left out ${(100 * mean(after)).toFixed(1)}, best of those tried ${(100 * mean(groups.map(({ tried }) => Math.max(...tried.map(({ cells }) => cells))))).toFixed(1)}`,
)
const all = learn(groups)
console.log(`learned from all: ${(100 * mean(groups.map((group) => chosen(all, group)))).toFixed(1)}`)
console.log(NAMES.map((name, i) => `  ${name}: ${(all[i] ?? 0).toFixed(2)},`).join('\n'))
