import { expect, test } from 'vitest'
import { filterOptionsOf, overviewOf } from './aggregates.ts'
import { BRANDS, BUSINESS_UNITS, CROPS, REGIONS } from './constants.ts'
import { DEMO_INPUTS, demoExperiments, demoPlots } from './demo.ts'
import { DEMO_DESIGNS } from './demo-plots.ts'
import { ExperimentInput } from './experiment.ts'
import { TRIAL_DESIGNS, TrialSheetInput } from './trial-sheet.ts'
import { yieldMeans } from './trial-values.ts'

test('every demo experiment passes the schema that real ones pass', () => {
  for (const input of DEMO_INPUTS) expect(ExperimentInput.safeParse(input).error).toBeUndefined()
})

test('the demo set has every brand, business unit, crop and regional, and gaps as in life', () => {
  const all = demoExperiments()
  expect(all.length).toBeGreaterThanOrEqual(60)
  expect(new Set(all.map(({ marca }) => marca))).toEqual(new Set(BRANDS))
  expect(new Set(all.map(({ bu }) => bu))).toEqual(new Set(BUSINESS_UNITS))
  expect(new Set(all.map(({ cultura }) => cultura))).toEqual(new Set(CROPS))
  expect(new Set(all.map(({ regional }) => regional))).toEqual(new Set(REGIONS.map(({ nome }) => nome)))
  expect(all.some(({ roi }) => roi === null)).toBe(true)
  expect(all.some(({ teor_argila }) => teor_argila === null)).toBe(true)
  expect(all.some(({ latitude }) => latitude === null)).toBe(true)
  expect(all.filter(({ pdf_filename }) => pdf_filename).length).toBeGreaterThan(5)
})

test('groups add up to the whole, and a filter to its group', () => {
  const all = demoExperiments()
  const whole = overviewOf(all, {})
  expect(whole.por_cultura.reduce((sum, { n }) => sum + n, 0)).toBe(all.length)
  const soy = overviewOf(all, { cultura: 'Soja' })
  expect(soy.total).toBe(whole.por_cultura.find(({ chave }) => chave === 'Soja')?.n)
})

test('the options of a filter are counted under the other filters only', () => {
  const options = filterOptionsOf(demoExperiments(), { cultura: 'Café' })
  expect(options.cultura.length).toBe(CROPS.length)
  expect(options.regional.reduce((sum, { n }) => sum + n, 0)).toBe(
    options.cultura.find(({ valor }) => valor === 'Café')?.n,
  )
})

test('six demo experiments carry plots, one of each design, whose means are their yields', () => {
  expect(Object.values(DEMO_DESIGNS).sort()).toEqual([...TRIAL_DESIGNS].sort())
  for (const { id, dados, tratamentos } of demoExperiments()) {
    const sheet = demoPlots(id)
    expect(sheet !== null).toBe(dados === 'parcelas')
    if (!sheet) continue
    expect(TrialSheetInput.safeParse(sheet).error).toBeUndefined()
    for (const { numero, produtividade } of yieldMeans(sheet) ?? [])
      expect(produtividade).toBeCloseTo(tratamentos[numero - 1]?.produtividade ?? 0, 3)
  }
})
