import { expect, test } from 'vitest'
import { readEntry, shownValue } from './field-entry.ts'
import { clockSentence, maskedEmail, queueStatus, rightTime, whenSaid } from './field-words.ts'
import { TrialVariable } from './trial-variable.ts'

const variable = (given: object = {}) =>
  TrialVariable.parse({
    chave: 'altura',
    nome: 'Altura de plantas',
    unidade: 'cm',
    tipo: 'continua',
    ...given,
  })

test.each([
  ['nothing', {}, ' ', { kind: 'empty' }],
  ['a decimal comma', {}, '12,5', { kind: 'value', value: 12.5 }],
  ['zero', {}, '0', { kind: 'value', value: 0 }],
  [
    'more decimals than set',
    { casas: 1 },
    '12,55',
    { kind: 'wrong', message: 'Use no máximo 1 casa decimal' },
  ],
  ['half a count', { tipo: 'contagem' }, '1,5', { kind: 'wrong', message: 'Informe um número inteiro' }],
  [
    'beyond the hard limits',
    { minimo: 0, maximo: 300 },
    '301',
    { kind: 'wrong', message: 'O valor deve ficar entre 0 e 300.' },
  ],
  [
    'beyond what is expected',
    { minimo: 0, maximo: 300, esperado_min: 60, esperado_max: 120 },
    '150',
    { kind: 'unexpected', value: 150, message: 'Fora da faixa esperada (60 a 120 cm). Confirmar 150?' },
  ],
  ['within what is expected', { esperado_min: 60, esperado_max: 120 }, '60', { kind: 'value', value: 60 }],
  ['a text', { tipo: 'texto' }, ' acamada ', { kind: 'value', value: 'acamada' }],
  ['a day', { tipo: 'data' }, '2026-03-12', { kind: 'value', value: '2026-03-12' }],
  ['no day', { tipo: 'data' }, '12 de março', { kind: 'wrong', message: 'Informe a data' }],
])('%s is read as it is meant', (_, given, text, entered) => {
  expect(readEntry(variable(given), text)).toEqual(entered)
})

test('values are shown with the decimals of their variable, samples by their mean', () => {
  expect(shownValue(variable({ casas: 1 }), 12)).toBe('12,0')
  expect(shownValue(variable(), [80, 85])).toBe('82,5')
  expect(shownValue(variable({ tipo: 'data' }), '2026-03-12')).toBe('12/03/2026')
})

const STATE = { waiting: 3, online: true, sending: null, signedOut: false, revoked: false, full: false }
test.each([
  [{ waiting: 0 }, 'Tudo enviado'],
  [{}, '3 registros para enviar'],
  [{ waiting: 1 }, '1 registro para enviar'],
  [{ online: false }, 'Sem internet · 3 registros guardados neste aparelho'],
  [{ online: false, waiting: 1 }, 'Sem internet · 1 registro guardado neste aparelho'],
  [{ sending: { at: 3, of: 120 } }, 'Enviando 3 de 120'],
  [{ signedOut: true }, 'Entre de novo para enviar 3 registros'],
  [{ revoked: true }, 'Aparelho revogado'],
  [{ full: true }, 'Sem espaço neste aparelho'],
])('the queue is told in words: %o', (given, sentence) => {
  expect(queueStatus({ ...STATE, ...given })).toBe(sentence)
})

test('a clock that is off is told, and an address only in part', () => {
  expect(clockSentence(-2 * 3_600_000)).toBe('O relógio deste aparelho está 2 h adiantado.')
  expect(clockSentence(4 * 60_000)).toBeNull()
  expect(maskedEmail('ana.prado@campo.com.br')).toBe('a***@campo.com.br')
})

test('a time is set right by what its phone had measured, beyond five minutes alone, and both are said', () => {
  const quando = '2026-03-12T14:30:00.000-03:00'
  expect([null, 0, 300_000, -300_000, '-3600000'].map((skew) => rightTime(quando, skew))).toEqual(
    Array.from({ length: 5 }, () => null),
  )
  const right = rightTime(quando, -5 * 3_600_000)
  expect(right).toBe('2026-03-12T12:30:00.000Z')
  expect(whenSaid({ quando, hora_certa: right })).toBe(
    '12/03/2026, 09:30 (no relógio do aparelho: 12/03/2026, 14:30)',
  )
  expect(whenSaid({ quando })).toBe('12/03/2026, 14:30')
})
