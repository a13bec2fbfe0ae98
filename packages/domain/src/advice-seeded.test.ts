import { expect, test } from 'vitest'
import { adviseOn, openCounts } from './advice.ts'
import type { AdviceCode, AdviceFacts } from './advice-facts.ts'
import { DEMO_INPUTS, demoSheet } from './demo.ts'
import { cleanTrial, source } from './test-advice.ts'

const ERRORS = 200
const CLEAN = 2000

const codesOf = (facts: AdviceFacts) => new Set(adviseOn(facts).map(({ codigo }) => codigo))

test('clean trials are left alone: units, soil and places under 1 %, single plots under 5 %', () => {
  const random = source(20261125)
  const fired = new Map<AdviceCode, number>()
  for (let at = 0; at < CLEAN; at++)
    for (const code of codesOf(cleanTrial(random))) fired.set(code, (fired.get(code) ?? 0) + 1)
  const share = (code: AdviceCode) => (100 * (fired.get(code) ?? 0)) / CLEAN
  for (const code of ['rendimento.unidade', 'rendimento.faixa', 'solo.classe', 'local.municipio'] as const)
    expect(share(code), code).toBeLessThan(1)
  for (const code of ['parcela.vizinha', 'parcela.digito'] as const) expect(share(code), code).toBeLessThan(5)
})

const yieldsTimes = (facts: AdviceFacts, times: (value: number) => number): AdviceFacts => ({
  ...facts,
  tratamentos: (facts.tratamentos ?? []).map((one) => ({
    ...one,
    produtividade: times(one.produtividade ?? 0),
  })),
})

test('every yield in sc/ha typed as kg/ha is found, and converted to what it was', () => {
  const random = source(7)
  for (let at = 0; at < ERRORS; at++) {
    const clean = cleanTrial(random)
    const found = adviseOn(yieldsTimes(clean, (value) => value / 60)).filter(
      ({ codigo }) => codigo === 'rendimento.unidade',
    )
    expect(found).toHaveLength(clean.tratamentos?.length ?? 0)
    found.forEach(({ texto, correcao }, treatment) => {
      expect(texto).toMatch(/^Parece sc\/ha: .* sc\/ha seriam .* kg\/ha\. Converter\?$/)
      expect(correcao?.valores[0]?.valor).toBeCloseTo(clean.tratamentos?.[treatment]?.produtividade ?? 0, 3)
    })
  }
})

test('every clay in g/kg typed as % is found, and converted to what it was', () => {
  const random = source(8)
  for (let at = 0; at < ERRORS; at++) {
    const clean = cleanTrial(random)
    const [found] = adviseOn({ ...clean, teor_argila: (clean.teor_argila ?? 0) * 10 }).filter(
      ({ codigo }) => codigo === 'solo.classe',
    )
    expect(found?.texto).toMatch(/^Parece g\/kg: .* g\/kg são .* %\. Converter\?$/)
    expect(found?.correcao?.valores).toEqual([
      { campo: 'teor_argila', valor: expect.closeTo(clean.teor_argila ?? 0, 5) },
    ])
  }
})

test('every pair of exchanged coordinates is found, and put back', () => {
  const random = source(9)
  for (let at = 0; at < ERRORS; at++) {
    const clean = cleanTrial(random)
    const { latitude, longitude } = clean
    for (const municipio of [clean.municipio, null]) {
      const [found] = adviseOn({ ...clean, municipio, latitude: longitude, longitude: latitude }).filter(
        ({ codigo }) => codigo === 'local.municipio',
      )
      expect(found?.peso).toBe('problema')
      expect(found?.texto).toContain('Parecem trocadas. Trocar?')
      expect(found?.correcao?.valores).toEqual([
        { campo: 'latitude', valor: latitude },
        { campo: 'longitude', valor: longitude },
      ])
    }
  }
})

test('the demo set has findings on fewer than 15 % of its trials', () => {
  const found = DEMO_INPUTS.filter((input, at) => {
    const facts = { ...input, estatistica_informada: null, ficha: demoSheet(at, input) }
    const { problemas, conferir } = openCounts(adviseOn(facts))
    return problemas + conferir > 0
  })
  expect(found.length / DEMO_INPUTS.length).toBeLessThan(0.15)
})
