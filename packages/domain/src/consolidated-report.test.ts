import { expect, test } from 'vitest'
import { soilFilters } from './consolidated-report.ts'

const keys = (filter: Parameters<typeof soilFilters>[0]) => soilFilters(filter).map(({ chave }) => chave)

test('a filter is asked about each class of soil that it lets through, and about no other', () => {
  expect(keys({})).toEqual(['arenoso', 'medio', 'argiloso', 'muito_argiloso'])
  expect(keys({ solo: ['medio', 'argiloso'] })).toEqual(['medio', 'argiloso'])
  expect(keys({ solo: 'medio', nao: ['solo', 'marca'], marca: 'A' })).toEqual([
    'arenoso',
    'argiloso',
    'muito_argiloso',
  ])
})

test('what else a filter asks is asked of each class', () => {
  const [first] = soilFilters({ cultura: 'Soja', solo: 'medio', nao: ['marca'], marca: 'A' })
  expect(first?.filtro).toEqual({ cultura: 'Soja', solo: 'medio', nao: ['marca'], marca: 'A' })
  expect(soilFilters({ solo: 'medio', nao: 'solo' })[0]?.filtro).toEqual({ solo: 'arenoso' })
})
