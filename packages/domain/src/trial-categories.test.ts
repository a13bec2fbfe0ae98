import { describe, expect, test } from 'vitest'
import { readEntry } from './field-entry.ts'
import { readSeveral, severalOf, severalText, toggled } from './trial-categories.ts'
import { holdsText, TrialVariable } from './trial-variable.ts'

const PESTS = TrialVariable.parse({
  ...{ chave: 'pragas', nome: 'Pragas', tipo: 'nota', varias: true, escala: [1, 10] },
  categorias: [
    { valor: 1, rotulo: 'Lagarta' },
    { valor: 2, rotulo: 'Percevejo' },
    { valor: 1.5, rotulo: 'Ácaro' },
    { valor: 10, rotulo: 'Mosca-branca' },
  ],
})

describe('several categories of a plot', () => {
  test('are words, and of one category a number', () => {
    expect(holdsText(PESTS)).toBe(true)
    expect(holdsText({ ...PESTS, varias: false })).toBe(false)
    expect(holdsText({ ...PESTS, tipo: 'continua' })).toBe(false)
  })

  test('are kept from the least on, each once, whatever came first', () => {
    expect(severalText([10, 1, 2, 1])).toBe('1; 2; 10')
    expect(toggled(toggled(toggled('', 10), 1.5), 1)).toBe('1; 1,5; 10')
    expect(toggled('1; 1,5; 10', 1.5)).toBe('1; 10')
    expect(toggled('1', 1)).toBe('')
  })

  test.each([
    ['numbers', '10; 1', '1; 10'],
    ['words, in whatever letters', 'percevejo;  MOSCA-branca', '2; 10'],
    ['both, and a decimal comma', 'Lagarta; 1,5', '1; 1,5'],
    ['as other applications part them', '2:1', '1; 2'],
  ])('are read of %s', (_, text, kept) => {
    expect(readSeveral(PESTS, text)).toEqual({ text: kept })
    expect(readEntry(PESTS, text)).toEqual({ kind: 'value', value: kept })
  })

  test.each(['1; 3', 'Formiga', '1; x'])('that are none are refused: %s', (text) => {
    expect(readEntry(PESTS, text)).toEqual({ kind: 'wrong', message: 'Esta categoria não existe' })
  })

  test('are numbers, or they are none', () => {
    expect(severalOf('1; 3')).toEqual([1, 3])
    expect(severalOf('1; acamada')).toBeNull()
  })
})
