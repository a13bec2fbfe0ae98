/**
 * The report of generated trials, read back by our own reader: round-trip.ts [COUNT] [FIRST SEED] [--word] [--show]
 * Prints how many came back whole, every value right and at 0.8 or more, and what of the others did not. With --word
 * the report is the Word file, printed by LibreOffice.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { trialReport } from '@ensaio/domain'
import { extract, stopRecogniser } from '@ensaio/extraction'
import { FIGURE, OUTLINES, printed, UNSIGNED } from '../../apps/server/src/features/reports/templates.ts'
import {
  differences,
  storedTrial,
  trialOfSeed,
} from '../../apps/server/src/features/reports/test-report-trials.ts'
import { setAs, typeset } from '../../apps/server/src/jobs/typeset.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean' }, word: { type: 'boolean' }, keep: { type: 'boolean' } },
})
const count = Number(positionals[0] ?? 1000)
const first = Number(positionals[1] ?? 1)
const AT_ONCE = 20
const folder = mkdtempSync(join(tmpdir(), 'ensaio-round-trip-'))
const kinds = new Map<string, number>()
let whole = 0
for (let seed = first; seed < first + count; seed += AT_ONCE) {
  const seeds = Array.from({ length: Math.min(AT_ONCE, first + count - seed) }, (_, at) => seed + at)
  const files = values.word ? await printedWord(seeds) : await Promise.all(seeds.map(pdfOf))
  for (const [at, file] of files.entries()) tell(seed + at, await extract(file))
}
await stopRecogniser()
if (!values.keep) rmSync(folder, { recursive: true })
console.log(`${whole} of ${count} trials came back whole`)
for (const [kind, n] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 30)) console.log(`${n}  ${kind}`)

function reportOf(seed: number) {
  const experiment = storedTrial(seed)
  return trialReport({
    ...{ experiment, recorded: null, economics: null, history: [], documents: [], author: 'Ana Souza' },
  })
}

function pdfOf(seed: number): Promise<Buffer> {
  return typeset(printed(reportOf(seed), UNSIGNED), `bench ${seed}`)
}

async function printedWord(seeds: readonly number[]): Promise<Buffer[]> {
  const names = []
  for (const seed of seeds) {
    const report = reportOf(seed)
    const figures = report.blocos
      .filter((block) => block.tipo === 'barras' || block.tipo === 'mapa')
      .map((figure) => ({ ...figure, titulo: '', linhas: [], contornos: OUTLINES }))
    const name = join(folder, `${seed}`)
    writeFileSync(
      `${name}.docx`,
      await setAs({ as: 'docx', report, template: FIGURE, figures, logo: null }, 'bench'),
    )
    names.push(name)
  }
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const { status, stderr } = spawnSync(
    'soffice',
    [
      profile,
      '--headless',
      '--convert-to',
      'pdf',
      '--outdir',
      folder,
      ...names.map((name) => `${name}.docx`),
    ],
    { encoding: 'utf8', timeout: 120_000 },
  )
  if (status !== 0) throw new Error(`LibreOffice did not print: ${stderr}`)
  return names.map((name) => readFileSync(`${name}.pdf`))
}

function tell(seed: number, result: Awaited<ReturnType<typeof extract>>): void {
  const found = differences(trialOfSeed(seed), result)
  if (found.length === 0) whole++
  for (const line of found) {
    const kind = line.split(':')[0]?.replace(/\d+/g, 'n') ?? line
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  if (values.show && found.length > 0)
    console.log(`${seed}: ${found.slice(0, 6).join(' | ')} (${found.length})`)
}
