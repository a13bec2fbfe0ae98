/**
 * How well the engine reads layouts that it has not learned from: judge.ts FOLDER... [--only NAME,...] [--show] [--json FILE] [--left-out FILE] [--without STAGE,...]
 * With --left-out (of fit-choices.ts) houses and ways are told by weights learned without the source that is read.
 * With --without (names of src/stages.ts) those stages are left out: what is lost is what they are worth.
 * Whatever is fitted (the curves of confidence) is fitted anew for each family, on the reports of all others.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { f1, type Judged, judge } from '../../packages/extraction/generator/score.ts'
import { fitCurves, kindOf } from '../../packages/extraction/scripts/curves.ts'
import { along, withoutCurves } from '../../packages/extraction/src/confidence/calibrate.ts'
import { extract, stopRecogniser } from '../../packages/extraction/src/index.ts'
import { leaveOut, STAGES, type Stage } from '../../packages/extraction/src/stages.ts'
import { type Weights, withWeights } from '../../packages/extraction/src/values/choice.ts'
import { type Report, reportsBelow } from './reports.ts'

interface Read extends Report {
  judged: Judged[]
  treatments: number
  /** Strength of each value, before any curve, and whether it was right. */
  values: { path: string; strength: number; right: boolean }[]
  /** Strength of the document's reading, before any curve. */
  strength: number
  cpuMs: number
  pages: number
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ only: { type: 'string' }, show: { type: 'boolean' }, json: { type: 'string' } },
    ...{ 'left-out': { type: 'string' }, shipped: { type: 'boolean' }, without: { type: 'string' } },
  },
})
withoutCurves()
if (options.without) leaveOut(options.without.split(',').filter((name): name is Stage => name in STAGES))
const without: Record<string, Weights> | null = options['left-out']
  ? JSON.parse(readFileSync(options['left-out'], 'utf8'))
  : null
const only = options.only?.split(',')
const reports = positionals.flatMap(reportsBelow).filter(({ name }) => !only || only.includes(name))
const read: Read[] = []
for (const report of reports) {
  if (without) withWeights(without[report.source])
  const bytes = readFileSync(report.file)
  const before = process.cpuUsage()
  const { data, metadata } = await extract(bytes)
  const { user, system } = process.cpuUsage(before)
  const judged = judge(report.truth, data)
  const wrong = new Set(
    judged.filter(({ outcome }) => outcome === 'wrong' || outcome === 'invented').map(({ path }) => path),
  )
  read.push({
    ...report,
    judged,
    treatments: data.tratamentos.length,
    // The answers tell no statistics: nobody has judged what was read of them, and unjudged is not right.
    values: Object.entries(metadata.fields)
      .filter(([path]) => !path.startsWith('estatistica_informada'))
      .map(([path, { confidence }]) => ({ path, strength: confidence, right: !wrong.has(path) })),
    strength: metadata.confidence,
    cpuMs: (user + system) / 1000,
    pages: metadata.pages,
  })
  if (options.show)
    for (const { outcome, path, expected, got } of judged.filter(({ outcome: o }) => o !== 'right'))
      console.log(
        `${report.name} (${report.family}) ${outcome} ${path}: ${JSON.stringify(expected)} -> ${JSON.stringify(got)}`,
      )
}
await stopRecogniser()

const families = [...new Set(read.map(({ family }) => family))]
/** What each report's values would be trusted with, had its family never been seen. */
const mean = (list: readonly number[]): number =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length)
const shareRight = (one: Read): number => mean(one.judged.map(({ outcome }) => Number(outcome === 'right')))
/** All that the curves are fitted on. */
const observed = (one: Read) => [
  ...one.values,
  ...(one.truth.refuse ? [] : [{ path: 'documento', strength: one.strength, right: shareRight(one) }]),
]
/** Of reports that the product's own curves have not seen: what they say. */
const shipped: ReturnType<typeof fitCurves> | null = options.shipped
  ? JSON.parse(
      readFileSync(new URL('../../packages/extraction/src/data/calibration.json', import.meta.url), 'utf8'),
    )
  : null
const documents = new Map<Read, number>()
const trusted = new Map<Read, { confidence: number; right: boolean }[]>()
for (const family of families) {
  const curves = shipped ?? fitCurves(read.filter((one) => one.family !== family).flatMap(observed))
  for (const one of read.filter((r) => r.family === family)) {
    documents.set(one, along(curves['documento'] ?? [], one.strength))
    trusted.set(
      one,
      one.values.map(({ path, strength, right }) => ({
        confidence: along(curves[kindOf(path)] ?? [], strength),
        right,
      })),
    )
  }
}

const cells = (one: Read): Judged[] => one.judged.filter(({ kind }) => kind === 'cell')
const fields = (one: Read): Judged[] => one.judged.filter(({ kind }) => kind === 'field')
const percent = (value: number): string => (100 * value).toFixed(1)
const documentConfidence = (one: Read): number => documents.get(one) ?? 0

function row(name: string, own: readonly Read[]): string[] {
  const trials = own.filter(({ truth }) => !truth.refuse)
  const digital = trials.filter(({ scanned }) => !scanned)
  const scans = trials.filter(({ scanned }) => scanned)
  const sure = trials.flatMap((one) => trusted.get(one) ?? []).filter(({ confidence }) => confidence >= 0.9)
  const poor = trials.filter((one) => f1(cells(one)) < 0.7)
  const f = (list: readonly Read[]): string =>
    list.length === 0 ? '–' : `${percent(f1(list.flatMap(fields)))} / ${percent(f1(list.flatMap(cells)))}`
  return [
    `${name} (${own.length})`,
    f(digital),
    f(scans),
    `${trials.filter((one) => one.treatments === one.truth.tratamentos.length).length}/${trials.length}`,
    String(trials.filter((one) => f1(cells(one)) < 0.6).length),
    sure.length === 0 ? '–' : percent(mean(sure.map(({ right }) => Number(right)))),
    `${mean(trials.map((one) => Math.abs(documentConfidence(one) - shareRight(one)))).toFixed(2)} (${mean(trials.map((one) => documentConfidence(one) - shareRight(one))).toFixed(2)})`,
    `${poor.filter((one) => documentConfidence(one) >= 0.8).length}/${poor.length}`,
  ]
}
const print = (line: readonly string[]): void => console.log(`| ${line.join(' | ')} |`)
const HEAD = [
  '',
  'digital: fields / cells F1',
  'scans',
  'count',
  '< 60 cells',
  'right at >= 0.9',
  'conf. off (mean)',
  '>= 0.8 below 70',
]
print(HEAD)
print(HEAD.map(() => '---'))
const sources = new Set(read.map((one) => one.source))
for (const source of sources)
  print(
    row(
      `**${source}**`,
      read.filter((one) => one.source === source),
    ),
  )
if (sources.size > 1) print(row('**all**', read))
if (families.length < 60)
  for (const family of families)
    print(
      row(
        family,
        read.filter((one) => one.family === family),
      ),
    )
const refused = read.filter(({ truth }) => truth.refuse)
if (refused.length > 0) {
  const made = refused.filter(({ treatments }) => treatments > 0).length
  const sureWrong = refused
    .flatMap((one) => trusted.get(one) ?? [])
    .filter(({ confidence, right }) => confidence >= 0.8 && !right)
  console.log(
    `\nto be refused: ${refused.length}; treatments made up in ${made}; wrong at >= 0.8: ${sureWrong.length}`,
  )
}
const digital = read
  .filter(({ scanned }) => !scanned)
  .map(({ cpuMs, pages }) => cpuMs / pages)
  .sort((a, b) => a - b)
console.log(
  `\nCPU a digital page: median ${digital[digital.length >> 1]?.toFixed(0)} ms, nine of ten below ${digital[Math.floor(0.9 * digital.length)]?.toFixed(0)} ms`,
)
console.log('\nrisk and coverage (values in order of confidence, families left out):')
const all = [...trusted.values()].flat().sort((a, b) => b.confidence - a.confidence)
for (const share of [0.25, 0.5, 0.75, 0.9, 1]) {
  const part = all.slice(0, Math.round(share * all.length))
  console.log(
    `  the surest ${percent(share)} %: ${percent(1 - mean(part.map(({ right }) => Number(right))))} % wrong, down to ${part.at(-1)?.confidence.toFixed(2)}`,
  )
}
if (options.json)
  writeFileSync(
    options.json,
    JSON.stringify(
      read.map((one) => ({
        name: one.name,
        family: one.family,
        source: one.source,
        fields: f1(fields(one)),
        cells: f1(cells(one)),
        treatments: one.treatments,
        expected: one.truth.tratamentos.length,
        values: observed(one),
        confidence: documentConfidence(one),
      })),
      null,
      1,
    ),
  )
