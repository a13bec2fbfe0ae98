import type { WorkbookHead } from '@ensaio/domain'
import type { ImportPlan } from '@ensaio/domain/imports'
import { expect, test } from 'vitest'
import { merger } from './looking.ts'

const plan = { colunas: [{ folha: 0, index: 0, campo: 'consultoria' }] } as unknown as Pick<
  ImportPlan,
  'colunas'
>
const head = (mescladas: WorkbookHead['folhas'][number]['mescladas']) =>
  ({ folhas: [{ nome: 'Ensaios', linhas: 10, colunas: 2, mescladas }] }) as unknown as WorkbookHead
const rows = [
  ['Campo Certo', 1],
  [null, 2],
  [null, 3],
  ['Outra', 4],
  [null, 5],
]
const whole = (merges: WorkbookHead['folhas'][number]['mescladas']) => {
  const merged = merger(head(merges), plan)
  return rows.map((celulas, at) => merged({ folha: 0, linha: at + 1, celulas }).celulas[0])
}

test('a merged cell holds its value in each of its rows, and in no other', () => {
  const two = [
    { linha: 3, coluna: 0, linhas: 2, colunas: 1 },
    { linha: 0, coluna: 0, linhas: 2, colunas: 1 },
  ]
  expect(whole(two)).toEqual(['Campo Certo', 'Campo Certo', null, 'Outra', 'Outra'])
  expect(whole([])).toEqual(['Campo Certo', null, null, 'Outra', null])
})

test('of merges that lie on one another, as many as a file may name, each row has one value', () => {
  const column = { linha: 0, coluna: 0, linhas: 1_048_576, colunas: 1 }
  const merged = whole(Array.from({ length: 20_000 }, () => column))
  expect(merged).toEqual(['Campo Certo', 'Campo Certo', 'Campo Certo', 'Outra', 'Campo Certo'])
})
