import { expect, test } from 'vitest'
import type { Schema } from '../../api/api-document.ts'
import { exampleOf, kindOf, membersOf } from './schema-example.ts'

const schema: Schema = {
  type: 'object',
  required: ['nome'],
  properties: {
    nome: { type: 'string' },
    ordem: { enum: ['asc', 'desc'] },
    doses: {
      type: 'array',
      items: { type: 'object', required: ['valor'], properties: { valor: { type: 'number' } } },
    },
    roi: { anyOf: [{ type: 'number' }, { type: 'null' }] },
  },
}

test('an example has every member in its form', () => {
  expect(exampleOf(schema)).toEqual({ nome: 'texto', ordem: 'asc', doses: [{ valor: 0 }], roi: 0 })
})

test('members are listed from the outside in, with what must be there', () => {
  expect(membersOf(schema)).toEqual([
    { name: 'nome', kind: 'texto', required: true },
    { name: 'ordem', kind: "'asc' ou 'desc'", required: false },
    { name: 'doses', kind: 'lista de objeto', required: false },
    { name: 'doses[].valor', kind: 'número', required: true },
    { name: 'roi', kind: 'número ou nulo', required: false },
  ])
})

test('a schema that says nothing is text', () => {
  expect(kindOf({})).toBe('texto')
  expect(exampleOf({})).toBe('texto')
})
