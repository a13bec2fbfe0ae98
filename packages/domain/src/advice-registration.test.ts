import { expect, test } from 'vitest'
import { registrationList } from './advice-registration.ts'
import { REGISTRATION_KINDS, type RegistrationKind } from './registration-kinds.ts'
import { sheetOf } from './test-advice.ts'
import { registry } from './test-advice-parts.ts'

const stateOf = (kind: RegistrationKind, facts: Parameters<typeof registrationList>[1], rule: RegExp) =>
  registrationList(kind, facts).find(({ regra }) => rule.test(regra))?.estado
const withDegrees = (gl_residuo: number | null) => ({
  estatistica_informada: { repeticoes: null, cv: null, gl_residuo },
})

test('fifteen residual degrees of freedom meet IN 53/2013, fourteen do not, and none is no datum', () => {
  const rule = /Graus de liberdade do resíduo.*pelo menos 15/
  expect(stateOf('fertilizante', withDegrees(15), rule)).toBe('Atende')
  expect(stateOf('fertilizante', withDegrees(14), rule)).toBe('Não atende')
  expect(stateOf('fertilizante', withDegrees(null), rule)).toBe('Sem dado')
})

test('what could not be read is to be checked with the norm, and never said to be met', () => {
  expect(stateOf('fertilizante', {}, /^Itens a a j/)).toBe('Conferir com a norma')
  expect(stateOf('agrotoxico', {}, /Delineamento, repetições e número de locais/)).toBe(
    'Conferir com a norma',
  )
  expect(new Set(registrationList('inoculante', {}).map(({ estado }) => estado))).toEqual(
    new Set(['Conferir com a norma']),
  )
})

test('a plant protection product is asked for its RET and for the spray volume', () => {
  const ficha = sheetOf([[1, 2]], {
    registro: {
      ...registry('2024-10-10', null),
      ret_numero: 'RET 123/24',
      aplicacoes: [{ data: '2024-11-12', estadio: 'V6', modo: null, volume: 150, equipamento: null }],
    },
  })
  expect(stateOf('agrotoxico', { ficha }, /Número do RET/)).toBe('Atende')
  expect(stateOf('agrotoxico', { ficha }, /Volume de calda/)).toBe('Atende')
  expect(stateOf('agrotoxico', { ficha }, /Data do RET/)).toBe('Sem dado')
  expect(stateOf('agrotoxico', {}, /Volume de calda/)).toBe('Sem dado')
})

test('each line says where it was read and when', () => {
  for (const kind of Object.keys(REGISTRATION_KINDS) as RegistrationKind[])
    for (const { fonte } of registrationList(kind, {})) {
      expect(fonte.titulo).toMatch(/^(IN|Decreto)/)
      expect(fonte.lido_em).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
})
