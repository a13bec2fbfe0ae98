import { expect, test } from 'vitest'
import { beyondExact, exactAsked, exactMarks, viewQuestion } from './view-rules.ts'

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
