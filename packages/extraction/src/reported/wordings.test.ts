import { describe, expect, test } from 'vitest'
import { makeRun } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { elect } from './found.ts'
import type { Passage } from './passages.ts'
import { cvsInText, dmsInText, repetitionsInText, residualInText, testsInText } from './wordings.ts'

function passage(text: string): Passage[] {
  let at = 0
  const words = text.split(' ').map((word) => {
    const x0 = at
    at += 5 * word.length + 3
    return { text: word, x0, x1: x0 + 5 * word.length, y0: 0, y1: 9, base: 8, size: 10, page: 0 } as Word
  })
  const run = makeRun(words)
  return [{ run, text: run.folded }]
}

const cv = (text: string, alone = false) => elect(cvsInText(passage(text), alone))

describe('the CV', () => {
  test.each([
    ['Produtividade: CV (%) 6,70', 6.7, 2],
    ['Rendimento médio de 3.480 kg/ha; C.V. = 12,3%', 12.3, 1],
    ['A produtividade teve coeficiente de variação de 8,5 %.', 8.5, 1],
    ['O coeficiente de variação (CV) da produtividade foi de 7,25%.', 7.25, 2],
    ['CV da produtividade: 4,5%; da massa do cacho: 6,0%.', 4.5, 1],
    ['Média geral: 8.595,6 kg ha-1; CV = 2,29%.', 2.29, 2],
    ['A altura foi de 92 cm (CV = 3,1%) e a produtividade, de 3.480 kg/ha (CV = 6,7%).', 6.7, 1],
    ['CV(%) = 7.0 para a produtividade', 7, 1],
    ['coef. de variação experimental igual a 10% para produtividade', 10, 0],
  ])('%s', (text, value, casas) => {
    expect(cv(text)).toMatchObject({ value, casas })
    expect(cv(text)?.score).toBeGreaterThan(0.7)
  })

  test.each([
    'Altura de plantas: CV = 3,1%.',
    'cultivar CV 7870 de ciclo curto',
    'Cv.: BRS 5980 IPRO',
    'Na safra passada, a produtividade teve CV de 19%',
    'severidade com coeficiente de variação de 24,8%',
    'ADUBAÇÃO: CV 98Y12 a 5 %',
    'CV = 250% da produtividade',
    'os coeficientes de variação ficaram abaixo de 20%',
  ])('none in: %s', (text) => {
    expect(cv(text)).toBeNull()
  })

  test('of nobody says which variable is in doubt, and several are none', () => {
    expect(cv('Letras: Tukey a 5%. CV 4,4%.')?.score).toBe(0.5)
    expect(cv('Letras: Tukey a 5%. CV 4,4%.', true)?.score).toBeGreaterThan(0.8)
    expect(cv('CV = 4,4%. CV = 8,1%.')).toBeNull()
  })
})

test.each([
  ['delineamento de blocos casualizados (DBC) com quatro repetições', 4],
  ['em quatro blocos ao acaso', 4],
  ['DBC, 5 rep. Parcela 6 linhas', 5],
  ['blocos casualizados, com 6 (seis) tratamentos e 4 (quatro) repetições', 4],
  ['DBC, 7 tratamentos × 5 repetições; parcelas de 6 linhas', 5],
  ['inteiramente casualizado, cada tratamento repetido cinco vezes', 5],
  ['Médias de três repetições.', 3],
])('repetitions: %s', (text, value) => {
  expect(elect(repetitionsInText(passage(text)))).toMatchObject({ value })
})

test.each([
  'em todas as repetições',
  'Recomenda-se a repetição do estudo',
  'três repetições de leitura por folha',
  'No ensaio anterior, com três repetições, nada se viu',
  'Não precisou repetir.',
])('no repetitions: %s', (text) => {
  expect(elect(repetitionsInText(passage(text)))).toBeNull()
})

test.each([
  ['Médias seguidas pela mesma letra não diferem entre si pelo teste de Tukey a 5%.', 'Tukey'],
  ['não diferem entre si pelo teste de Scott-Knott (p<0,05)', 'Scott-Knott'],
  ['médias comparadas pelo teste de Duncan a 5%', 'Duncan'],
  ['Means followed by same letter do not significantly differ (P=.05, LSD).', 't'],
  ['pelo teste de Student-Newman-Keuls', 'SNK'],
  ['médias comparadas pelo teste t a 5%', 't'],
])('test of means: %s', (text, value) => {
  expect(elect(testsInText(passage(text)))).toMatchObject({ value })
})

test('two tests in one report leave both in doubt', () => {
  const both = testsInText(passage('Médias comparadas pelo teste de Duncan. Letras iguais: Tukey a 5%.'))
  expect(elect(both)?.score).toBeLessThan(0.6)
})

test.each([
  ['DMS (Tukey 5%) 358', 358],
  ['pelo teste de Tukey a 5% (DMS = 128 kg/ha)', 128],
  ['Produtividade: DMS: 1.247', 1247],
  ['LSD (P=.05) = 92 kg/ha', 92],
])('DMS: %s', (text, value) => {
  expect(elect(dmsInText(passage(text), true))).toMatchObject({ value })
})

test.each([
  ['graus de liberdade do resíduo: 15', 15],
  ['GL do resíduo = 12', 12],
  ['houve diferença (F = 4,87; gl = 3 e 15; p = 0,008)', 15],
  ['com 18 graus de liberdade do resíduo', 18],
])('residual: %s', (text, value) => {
  expect(elect(residualInText(passage(text)))).toMatchObject({ value })
})

test('hostile text takes no time', () => {
  const texts = [
    'cv ',
    'cv de ',
    'coef. de variacao ',
    'dms ( ',
    '4 ',
    'repetido ',
    'gl = 3 e ',
    'f ( 1 , ',
    'c.v.% ',
  ]
  const began = performance.now()
  for (const text of texts) {
    const long = passage(`${text.repeat(20_000 / text.length)} 5`)
    cvsInText(long, true)
    dmsInText(long, true)
    repetitionsInText(long)
    residualInText(long)
    testsInText(long)
  }
  expect(performance.now() - began).toBeLessThan(3000)
})
