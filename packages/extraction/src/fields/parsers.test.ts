import { expect, test } from 'vitest'
import { parseDesign } from './parsers.ts'

test.each([
  ['delineamento: dbc', 'DBC'],
  ['delineamento: d.b.c., 4 repeticoes', 'DBC'],
  ['delineamento em dbc (blocos ao acaso)', 'DBC'],
  ['blocos casualizados com quatro repeticoes', 'Blocos Casualizados'],
  ['delineamento de blocos ao acaso (dbc)', 'Blocos Casualizados'],
  ['dic, cinco repeticoes', 'Inteiramente Casualizado'],
  ['analise de variancia', 'ANOVA'],
])('%s is read as the option that its words name', (text, option) => {
  expect(parseDesign(text)?.value).toBe(option)
})
