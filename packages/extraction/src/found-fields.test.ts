import { expect, test } from 'vitest'
import { changedFields } from './found-fields.ts'

const evidence = (confidence: number) => ({
  confidence,
  page: 1,
  bbox: [1, 2, 3, 4] as [number, number, number, number],
})

test('only what is new or different is told, and what is gone is taken back', () => {
  const before = {
    data: { cidade: 'Ijuí', estado: 'RS', tratamentos: [{ nome: 'Testemunha' }] },
    metadata: {
      fields: { cidade: evidence(0.9), estado: evidence(0.9), 'tratamentos[0].nome': evidence(0.8) },
    },
  }
  const after = {
    data: { cidade: 'Ijuí', estado: 'SC', cultura: 'Trigo', tratamentos: [] },
    metadata: { fields: { cidade: evidence(0.9), estado: evidence(0.9), cultura: evidence(0.7) } },
  }
  expect(changedFields(before, after)).toEqual([
    { path: 'estado', value: 'SC', ...evidence(0.9) },
    { path: 'cultura', value: 'Trigo', ...evidence(0.7) },
    { path: 'tratamentos[0].nome', value: null, ...evidence(0) },
  ])
  expect(changedFields(after, after)).toEqual([])
})
