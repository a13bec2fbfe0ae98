import { expect, test } from 'vitest'
import { beyondExact, exactAsked, exactMarks, namelessText, namesAsked, viewQuestion } from './view-rules.ts'

test('a question is parted into fields with one exact value and what must be asked of the trials', () => {
  const question = viewQuestion({
    ...{ cultura: 'Algodão', ano: '2024', estado: ['GO', 'MT'], marca: 'Aminoagro' },
    ...{ produto: 'Boro', nao: ['marca'], busca: 'rio' },
  })
  expect(exactMarks(question)).toEqual(['cultura:algodao', 'ano:2024'])
  expect(exactAsked(question)).toEqual([
    ['cultura', 'Algodão'],
    ['ano', '2024'],
  ])
  expect(beyondExact(question)).toEqual({
    filter: { estado: ['GO', 'MT'], marca: 'Aminoagro', produto: 'Boro', nao: 'marca' },
    search: 'rio',
  })
})

test('names are what is chosen from a list: what may be one of several, and what is left out', () => {
  const origem = '0190b3a0-0000-7000-8000-000000000000'
  const names = namesAsked(
    viewQuestion({
      ...{ marca: 'A', nao: ['marca'], cultivar: ['B', 'C'], modalidade: 'D', produto: 'E', origem },
      ...{ ano: '2024', estado: 'GO', solo: 'medio', busca: 'rio' },
    }),
  )
  expect(names.map(({ tipo, nome }) => `${tipo} ${nome}`).sort()).toEqual(
    ['marca A', 'modalidade D', `origem ${origem}`].sort(),
  )
  expect(namesAsked(viewQuestion({ origem: 'recebidos' }))).toEqual([])
  expect(names.map(namelessText)).toContain('O filtro usa “A”, que não existe mais.')
  expect(namelessText({ tipo: 'origem', nome: origem })).toBe(
    'O filtro usa uma organização que não existe mais.',
  )
})
