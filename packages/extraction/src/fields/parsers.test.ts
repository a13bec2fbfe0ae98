import { expect, test } from 'vitest'
import { matchLabel } from './labels.ts'
import { parseCode, parseDesign, parseFor } from './parsers.ts'

test.each([
  ['delineamento: dbc', 'DBC'],
  ['delineamento: d.b.c., 4 repeticoes', 'DBC'],
  ['delineamento em dbc (blocos ao acaso)', 'DBC'],
  ['blocos casualizados com quatro repeticoes', 'Blocos Casualizados'],
  ['delineamento de blocos ao acaso (dbc)', 'Blocos Casualizados'],
  ['dic, cinco repeticoes', 'Inteiramente Casualizado'],
  ['quadrado latino 5 x 5', 'Quadrado Latino'],
  ['analise de variancia', 'ANOVA'],
])('%s is read as the option that its words name', (text, option) => {
  expect(parseDesign(text)?.value).toBe(option)
})

test.each([
  ['Código do ensaio', 'SOJA-2024/017', 'SOJA-2024/017'],
  ['Ensaio nº', '0042', '0042'],
  ['Cód. do experimento', 'AG 12.3_b | revisão 2', 'AG 12.3_b'],
  ['Protocolo nº:', '2023-MT-08', '2023-MT-08'],
])('%s %s is the code %s', (label, text, code) => {
  expect(matchLabel(label)[0]?.target).toBe('codigo')
  expect(parseCode(text)?.value).toBe(code)
})

test.each(['12/03/2024', 'em andamento', 'Rua das Flores, 12', ''])('%j is no code', (text) => {
  expect(parseCode(text)?.value ?? null).toBeNull()
})

test.each(['Código do produto', 'Código postal', 'Relatório nº', 'Ensaios anteriores', 'Nº de repetições'])(
  '%s announces no code of a trial',
  (label) => {
    expect(matchLabel(label).some(({ target }) => target === 'codigo')).toBe(false)
  },
)

test.each([
  ['Fabricante', 'Nutrivale Fertilizantes Especiais', 'Nutrivale Fertilizantes Especiais'],
  ['Empresa requerente', 'Protektra Defensivos S.A.', 'Protektra Defensivos S.A.'],
  ['Patrocinador', 'Maximus Crop, unidade Proteção', 'Maximus'],
])('%s %s is the maker %s', (label, text, maker) => {
  expect(parseFor('marca', text, label, false).marca?.value).toBe(maker)
})

test.each([
  ['Produto', 'Fosfatec Sulco'],
  ['Linha', 'Nutrição Foliar'],
  ['Marca do pulverizador', 'Jacto Costal'],
  ['Contratante', 'Fazenda Três Marcos'],
  ['Fabricante', '-'],
])('%s %s names no maker', (label, text) => {
  expect(parseFor('marca', text, label, false).marca).toBeUndefined()
})

test.each(['610,7% (arroz a R$ 62,00 o saco)', '412% (soja a R$ 118,00 a saca)', '3,4:1'])(
  'a return of %j is no money: the price of a sack is none of a hectare',
  (text) => {
    expect(parseFor('roi', text, 'ROI', false).roi ?? null).toBeNull()
  },
)

test.each(['Argissolo Vermelho-Amarelo', 'Latossolo Vermelho distrófico'])(
  '%s is a soil, no cultivar',
  (text) => {
    expect(parseFor('cultivar', text, 'Material', false).cultivar ?? null).toBeNull()
  },
)
