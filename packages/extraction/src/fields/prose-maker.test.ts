import { expect, test } from 'vitest'
import { makeRun } from '../layout/run.ts'
import { foldInPlace } from '../values/text.ts'
import { readMaker } from './prose-maker.ts'

function makersOf(text: string, place = 0.3): string[] {
  const found: string[] = []
  readMaker(
    { run: makeRun([]), start: 0, text, folded: foldInPlace(text), place },
    (field, value, _, from, to) => {
      expect([field, text.slice(from, to)]).toEqual(['marca', value])
      found.push(String(value))
    },
  )
  return [...new Set(found)]
}

test.each([
  ['A Estação conduziu um ensaio em parceria com a Fertisul, fabricante do NitroGuard.', 'Fertisul'],
  ['Parceria: Terraviva Organominerais (fabricante)', 'Terraviva Organominerais'],
  ['O fornecedor Dulcis Nutrição ofereceu um pacote foliar.', 'Dulcis Nutrição'],
  ['Os três produtos são da Biovalis.', 'Biovalis'],
  ['À firma Minasfolha Ltda., de Araxá, que cedeu os fertilizantes.', 'Minasfolha Ltda'],
  ['Fundação Cerrado, com apoio da Biocampo Inoculantes Fazenda Novo Paraná', 'Biocampo Inoculantes'],
  ['Agradecemos à Biovalis, pelo fornecimento dos produtos.', 'Biovalis'],
  ['Os bioestimulantes foram cedidos pela empresa Simbionte Biotecnologia.', 'Simbionte Biotecnologia'],
  [
    'Na faixa 2 entrou o manejo Florada, da Cerestar Nutrição Vegetal: Florada CaB a 1,5 L/ha.',
    'Cerestar Nutrição Vegetal',
  ],
])('the maker is told by %s', (text, maker) => {
  expect(makersOf(text)).toEqual([maker])
})

test('a house at the head is the maker by what it is called', () => {
  expect(makersOf('Biovalor Bioinsumos · Desenvolvimento de Mercado', 0)).toEqual(['Biovalor Bioinsumos'])
  expect(makersOf('Biovalor Bioinsumos · Desenvolvimento de Mercado', 0.5)).toEqual([])
  expect(makersOf('Universidade Estadual do Planalto', 0)).toEqual([])
})

test.each([
  'Foi usado um produto da Rivalis como padrão de referência.',
  'O ensaio foi financiado pela Capes.',
  'Produtos da Universidade Estadual do Planalto.',
  'A soja foi colhida em março.',
])('no maker is made of %s', (text) => {
  expect(makersOf(text)).toEqual([])
})
