// Writes src/data/calibration.json from the values that judge.ts measured (--json).
import { readFileSync, writeFileSync } from 'node:fs'
import { fitCurves, type Observation } from './curves.ts'

const measured: { values: Observation[] }[] = JSON.parse(
  readFileSync(process.argv[2] ?? 'measured.json', 'utf8'),
)
const curves = fitCurves(measured.flatMap(({ values }) => values))
writeFileSync(new URL('../src/data/calibration.json', import.meta.url), `${JSON.stringify(curves)}\n`)
