// Measures the engine on generated reports: run.ts FOLDER [--split dev] [--families a,b] [--show] [--json FILE]
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { f1, type Judged, judge, type Truth } from '../../packages/extraction/generator/score.ts'
import { withoutCurves } from '../../packages/extraction/src/confidence/calibrate.ts'
import { extract, stopRecogniser } from '../../packages/extraction/src/index.ts'

export interface Measured {
  family: string
  name: string
  judged: Judged[]
  expectedTreatments: number
  foundTreatments: number
  confidences: { path: string; confidence: number; right: boolean; method: string }[]
  pages: number
  milliseconds: number
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    split: { type: 'string', default: 'dev' },
    families: { type: 'string' },
    show: { type: 'boolean' },
    json: { type: 'string' },
    raw: { type: 'boolean' },
  },
})
if (values.raw) withoutCurves()
const root = join(positionals[0] ?? 'reports', values.split)
const families = values.families?.split(',') ?? readdirSync(root)
const measured: Measured[] = []
for (const family of families) {
  const folder = join(root, family)
  const names = readdirSync(folder).filter((file) => file.endsWith('.pdf'))
  for (const file of names) {
    const truth: Truth = JSON.parse(readFileSync(join(folder, file.replace('.pdf', '.json')), 'utf8'))
    const started = performance.now()
    const result = await extract(readFileSync(join(folder, file)))
    const milliseconds = performance.now() - started
    const judged = judge(truth, result.data)
    const wrong = new Set(
      judged.filter((j) => j.outcome === 'wrong' || j.outcome === 'invented').map((j) => j.path),
    )
    measured.push({
      family,
      name: file,
      judged,
      expectedTreatments: truth.tratamentos.length,
      foundTreatments: result.data.tratamentos.length,
      confidences: Object.entries(result.metadata.fields).map(([path, field]) => ({
        path,
        confidence: field.confidence,
        method: field.method,
        right: !wrong.has(path),
      })),
      pages: result.metadata.pages,
      milliseconds,
    })
    if (values.show)
      for (const j of judged.filter((x) => x.outcome !== 'right'))
        console.log(
          `${family}/${file} ${j.outcome} ${j.path}: ${JSON.stringify(j.expected)} -> ${JSON.stringify(j.got)}`,
        )
  }
}
await stopRecogniser()

const percent = (value: number): string => (100 * value).toFixed(1).padStart(6)
console.log(`${'family'.padEnd(13)} n  fields  cells  count  P>=.8   ECE  ms/page`)
for (const family of [...families, 'all']) {
  const own = measured.filter((m) => family === 'all' || m.family === family)
  const judged = own.flatMap((m) => m.judged)
  const count = own.filter((m) => m.expectedTreatments === m.foundTreatments).length / Math.max(1, own.length)
  const sure = own.flatMap((m) => m.confidences).filter((c) => c.confidence >= 0.8)
  const precision = sure.filter((c) => c.right).length / Math.max(1, sure.length)
  const pages = own.reduce((sum, m) => sum + m.pages, 0)
  const time = own.reduce((sum, m) => sum + m.milliseconds, 0) / Math.max(1, pages)
  console.log(
    `${family.padEnd(13)}${String(own.length).padStart(2)} ${percent(f1(judged.filter((j) => j.kind === 'field')))} ${percent(f1(judged.filter((j) => j.kind === 'cell')))} ${percent(count)} ${percent(precision)} ${percent(calibrationError(own))} ${time.toFixed(0).padStart(7)}`,
  )
}
// This process is the one that reads, the recogniser's threads included.
console.log(`peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`)
if (values.json) writeFileSync(values.json, JSON.stringify(measured))

function calibrationError(own: readonly Measured[]): number {
  const all = own.flatMap((m) => m.confidences)
  let error = 0
  for (let bin = 0; bin < 10; bin++) {
    const inside = all.filter((c) => Math.min(9, Math.floor(c.confidence * 10)) === bin)
    if (inside.length === 0) continue
    const mean = inside.reduce((sum, c) => sum + c.confidence, 0) / inside.length
    const right = inside.filter((c) => c.right).length / inside.length
    error += (inside.length / all.length) * Math.abs(mean - right)
  }
  return error
}
