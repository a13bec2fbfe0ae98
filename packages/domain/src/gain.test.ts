import { expect, test } from 'vitest'
import type { StoredTreatment } from './experiment.ts'
import { gainOf, gainPercent, gainsOf } from './gain.ts'

const treatment = (produtividade: number, modalidade = 'Foliar'): StoredTreatment => ({
  nome: 'T',
  modalidade,
  produtividade,
  custo: null,
  produtos_aplicados: [],
  analises_adicionais: [],
})
const trial = (...yields: number[]) => ({
  tratamentos: yields.map((produtividade) => treatment(produtividade)),
})

test('the gain of a trial is the mean of its treatments over the control', () => {
  expect(gainOf(trial(3000, 3150, 3450))).toEqual({ ganho: 300, razao: 0.09531018 })
  const half = { tratamentos: [treatment(3000), treatment(3150), treatment(3450, 'Solo')] }
  expect(gainOf(half, ({ modalidade }) => modalidade === 'Solo')?.ganho).toBe(450)
})

test('nothing is compared without a control that yields, or without treatments', () => {
  expect(gainOf(trial(3000))).toBeNull()
  expect(gainOf(trial(0, 3000))).toBeNull()
  expect(gainOf({ tratamentos: [] })).toBeNull()
  expect(gainOf(trial(3000, 0))).toEqual({ ganho: -3000, razao: null })
  expect(gainsOf([null])).toBeNull()
})

test('gains of trials are averaged as they are, % by the mean ratio, and ties are no wins', () => {
  const gain = gainsOf([gainOf(trial(100, 110)), gainOf(trial(200, 180)), gainOf(trial(50, 50)), null])
  expect(gain).toMatchObject({ n: 3, media: -10 / 3, vitorias: 1, diferentes: 2, n_razao: 3 })
  // (1.1 x 0.9 x 1)^(1/3)
  expect(gainPercent(gain?.razao)).toBeCloseTo(-0.3344506, 6)
  expect(gain?.desvio).toBeCloseTo(15.2752523, 6)
  expect(gainsOf([gainOf(trial(100, 110))])).toMatchObject({ desvio: null, desvio_razao: null })
})
