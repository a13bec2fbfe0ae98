import { expect, test } from 'vitest'
import type { WeighedField } from '../values/choice.ts'
import { foldInPlace } from '../values/text.ts'
import { FINDERS } from './finders.ts'

const found = (field: WeighedField, text: string): [string, string | number][] =>
  FINDERS[field]({ text, folded: foldInPlace(text) }).map(({ value, form }) => [form, value])

test('a year is found however it is written; of a season it is that of the harvest', () => {
  expect(found('ano', 'Safra 2022/23, semeado em 12/10/2022, colhido em fev/23')).toEqual([
    ['season', 2023],
    ['date', 2022],
    ['month', 2023],
  ])
  expect(found('ano', 'safra 22/23 · 2023/2024 · 2021-22')).toEqual([
    ['short', 2023],
    ['season', 2024],
    ['season', 2022],
  ])
  expect(found('ano', 'em outubro de 2023, 2024-03-07, 05/2024 e 2019')).toEqual([
    ['month', 2023],
    ['date', 2024],
    ['month', 2024],
    ['plain', 2019],
  ])
  expect(found('ano', 'dados de 2019-2022')).toEqual([
    ['plain', 2019],
    ['plain', 2022],
  ])
})

test('a year is found whatever stands behind or before it', () => {
  for (const text of ['2023/1', '2023/2', 'RT 2023/045', 'Safra 2023-A', 'ENSAIO-2023', '2023/05', '2023.'])
    expect(found('ano', text), text).toEqual([['plain', 2023]])
  expect(found('ano', 'Safra: 2022/2023/Verão')).toEqual([['season', 2023]])
  expect(found('ano', '2022/10/15 e 10-2023, jan.2023')).toEqual([
    ['date', 2022],
    ['month', 2023],
    ['month', 2023],
  ])
  const months = 'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'
  months.split(' ').forEach((month, i) => {
    for (const text of [`15 de ${month} de 2023`, `${month}/23.`, `${month.slice(0, 3)}/23`])
      expect(FINDERS.ano({ text, folded: foldInPlace(text) }), text).toMatchObject([
        { value: 2023, month: i + 1 },
      ])
  })
})

test('a word is no state', () => {
  expect(found('estado', 'conduzido em Sorriso para avaliar o produto para a soja')).toEqual([])
})

test('figures that are no year are none', () => {
  for (const text of [
    '2.023 kg/ha',
    '2023,5',
    'R$ 12.020,00',
    '20230',
    'parcelas 12/15',
    'lei 1/2',
    '1.2.10 Título',
    'v. 3.2.21',
    '3/12 e',
  ])
    expect(found('ano', text), text).toEqual([])
})

test('a design has one name, and shows the one that is printed', () => {
  const [dbc, dic, latin] = FINDERS.tipo_estatistica({
    text: '',
    folded: 'dbc com 4 repeticoes; inteiramente casualizado; quadrado latino',
  })
  expect(dbc).toMatchObject({ value: 'Blocos Casualizados', shown: 'DBC' })
  expect(dic).toMatchObject({ value: 'Inteiramente Casualizado' })
  expect(latin).toMatchObject({ value: 'Quadrado Latino' })
})

test('states are found by code and by name, and beside their town', () => {
  expect(found('estado', 'Sorriso/MT, norte de Mato Grosso')).toEqual([
    ['of a town', 'MT'],
    ['name', 'MT'],
  ])
  expect(found('cidade', 'Sorriso/MT')).toEqual([['in its state', 'Sorriso']])
})

test('names that may be a cultivar stand without what says so, and whole as well', () => {
  const names = (text: string) => new Set(found('cultivar', text).map(([, name]) => name))
  expect(names('Lavoura de Catuaí Vermelho IAC 144, plantada em 2012')).toContain('Catuaí Vermelho IAC 144')
  expect(names('Feijão-carioca BRS Estilo, plantado em maio')).toContain('BRS Estilo')
  expect(names('Cana-de-açúcar RB867515, 3º corte')).toContain('RB867515')
  expect(names('Cultivar: LOTUS 58 i2X – plantio 28/10/2022')).toContain('LOTUS 58 i2X')
  expect(names('Usou-se a Guri INTA CL em todo o campo')).toContain('Guri INTA CL')
  // In capitals and of no crop, they are anybody's.
  expect(names('Conduzido por Marina Tavolaro')).toEqual(new Set())
  expect(names('dose de 2 L/ha e 45 kg em 12/03/2024')).toEqual(new Set())
})
