import { expect, test } from 'vitest'
import { registrationList } from './advice-registration.ts'
import { STATISTICS_TYPES } from './constants.ts'
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

test('a design is met where one is named; an analysis is none', () => {
  const rule = /^Delineamento adequado e nomeado/
  const named = (tipo_estatistica: string) => stateOf('fertilizante', { tipo_estatistica }, rule)
  expect(STATISTICS_TYPES.map((type) => [type, named(type)])).toEqual([
    ['DBC', 'Atende'],
    ['Blocos Casualizados', 'Atende'],
    ['Inteiramente Casualizado', 'Atende'],
    ['ANOVA', 'Sem dado'],
  ])
  const told = { repeticoes: null, cv: null, gl_residuo: null }
  const reported = (delineamento: string | null) => ({
    ...{ tipo_estatistica: 'ANOVA', estatistica_informada: { ...told, delineamento } },
  })
  expect(stateOf('fertilizante', reported('DQL'), rule)).toBe('Atende')
  expect(stateOf('fertilizante', reported(null), rule)).toBe('Sem dado')
  expect(stateOf('fertilizante', { tipo_estatistica: 'ANOVA', ficha: sheetOf([[1, 2]]) }, rule)).toBe(
    'Atende',
  )
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

test('applications meet the norm only where each says when, how and at which stage', () => {
  const rule = /aplicações.*item l|^Número, época, modo e datas/
  const given = { data: '2024-11-12', estadio: 'V6', modo: 'Foliar', volume: 150, equipamento: null }
  const said = (aplicacoes: (typeof given | { [name in keyof typeof given]: unknown })[]) =>
    (['fertilizante', 'agrotoxico'] as const).map((kind) =>
      stateOf(
        kind,
        { ficha: sheetOf([[1, 2]], { registro: { ...registry('2024-10-10', null), aplicacoes } as never }) },
        rule,
      ),
    )
  expect(said([given])).toEqual(['Atende', 'Atende'])
  expect(said([given, { ...given, estadio: null }])).toEqual(['Sem dado', 'Sem dado'])
  expect(said([given, { ...given, modo: null }])).toEqual(['Sem dado', 'Sem dado'])
  expect(said([{ ...given, data: null }])).toEqual(['Não atende', 'Não atende'])
  expect(said([])).toEqual(['Sem dado', 'Sem dado'])
})

test('a sheet without values shows no analysis, and spacing is not density', () => {
  const rule = /com análise estatística/
  const empty = sheetOf([
    [null, null],
    [null, null],
  ] as never)
  expect(stateOf('fertilizante', { ficha: empty }, rule)).toBe('Sem dado')
  expect(
    stateOf(
      'fertilizante',
      {
        ficha: sheetOf([
          [3000, 3100, 3200],
          [3300, 3400, 3600],
        ]),
      },
      rule,
    ),
  ).toBe('Atende')
  const spaced = sheetOf([[1, 2]], { registro: { ...registry('2024-10-10', null), espacamento: '0,45 m' } })
  expect(stateOf('agrotoxico', { ficha: spaced }, /^Espaçamento/)).toBe('Atende')
  expect(stateOf('agrotoxico', { ficha: spaced }, /^Densidade/)).toBe('Sem dado')
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

test('an inoculant is asked for places and seasons of the trials that are handed in together', () => {
  const trial = (cidade: string, ano: number, teor_argila: number | null, cultura = 'Soja') => ({
    ...{ cultura, cidade, estado: 'PR', ano, teor_argila },
  })
  const line = (...together: ReturnType<typeof trial>[]) => {
    const found = registrationList('inoculante', {}, together).find(({ regra }) => /^No campo/.test(regra))
    return [found?.estado, found?.dado]
  }
  expect(line(trial('Londrina', 2023, 60))[0]).toBe('Conferir com a norma')
  // Four places in one season, whatever their soils.
  const season = ['Londrina', 'Cascavel', 'Maringá', 'Castro'].map((city) => trial(city, 2024, null))
  expect(line(...season)[0]).toBe('Atende')
  expect(line(...season.slice(1))).toEqual([
    'Não atende',
    '3 ensaios de Soja: 3 locais, 1 safra; 0 locais repetidos em duas safras ou mais; no máximo 3 locais em uma safra',
  ])
  // The same place spelt in two ways is one; another crop does not count.
  expect(line(...season.slice(1), trial('CASTRO', 2024, null))[0]).toBe('Não atende')
  const [state, told] = line(...season.slice(1), trial('Londrina', 2024, 60, 'Milho'))
  expect([state, told?.includes('1 de outra cultura não conta')]).toEqual(['Não atende', true])
  // Two places in two seasons each, of different soil.
  const two = (clay: number | null) => [
    ...[trial('Londrina', 2023, 65), trial('Londrina', 2024, 65)],
    ...[trial('Paranavaí', 2023, clay), trial('Paranavaí', 2024, clay)],
  ]
  expect(line(...two(12))[0]).toBe('Atende')
  expect(line(...two(70))[0]).toBe('Conferir com a norma')
  expect(line(...two(null))[0]).toBe('Conferir com a norma')
  // Two places and two seasons, none of them twice.
  expect(line(trial('Londrina', 2023, 65), trial('Paranavaí', 2024, 12))[0]).toBe('Não atende')
})
