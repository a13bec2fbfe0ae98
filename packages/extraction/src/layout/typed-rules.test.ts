import { expect, test } from 'vitest'
import { arrange } from '../document.ts'
import { decideFields } from '../fields/decide.ts'
import { findPairs } from '../fields/pairs.ts'
import { readCommonMode } from '../treatments/common-mode.ts'
import { treatmentsOf, typed } from './test-typed.ts'

const tablesOf = (text: string) =>
  arrange([typed(text)]).pages.flatMap(({ tables }) =>
    tables.map(({ rows }) => rows.map((row) => row.map((cell) => cell?.text ?? ''))),
  )

test('a frame of bars and corners is one that is drawn', () => {
  const text = `
+-----+----------------------+-----------+----------+
| TR. | PRODUTO              | DOSE      | KG/HA    |
+-----+----------------------+-----------+----------+
| T1  | Testemunha           | -         | 3.210 b  |
| T2  | Mangaforte           | 1,0 L/ha  | 3.402 a  |
| T3  | Zincomax             | 0,5 L/ha  | 3.355 ab |
| T4  | Mangaforte + Zincomax| 1,0 + 0,5 | 3.488 a  |
+-----+----------------------+-----------+----------+`
  expect(tablesOf(text)).toEqual([
    [
      ['TR.', 'PRODUTO', 'DOSE', 'KG/HA'],
      ['T1', 'Testemunha', '-', '3.210 b'],
      ['T2', 'Mangaforte', '1,0 L/ha', '3.402 a'],
      ['T3', 'Zincomax', '0,5 L/ha', '3.355 ab'],
      ['T4', 'Mangaforte + Zincomax', '1,0 + 0,5', '3.488 a'],
    ],
  ])
  // A product has the unit that it has in the other treatments.
  expect(treatmentsOf(text)?.at(-1)).toEqual([
    ...['Mangaforte + Zincomax', 3488, 'Mangaforte 1 L/ha', 'Zincomax 0.5 L/ha'],
  ])
})

test('bars between columns alone make a frame without edges', () => {
  expect(
    tablesOf(`
 TRAT | DESCRICAO     | DOSE mL/ha | REND kg/ha
 -----|---------------|------------|-----------
   1  | TESTEMUNHA    |     -      |  2.890 c
   2  | FUNGIX 250    |    500     |  3.755 b
   3  | PADRAO OURO   |    600     |  3.702 b`),
  ).toEqual([
    [
      ['TRAT', 'DESCRICAO', 'DOSE mL/ha', 'REND kg/ha'],
      ['1', 'TESTEMUNHA', '-', '2.890 c'],
      ['2', 'FUNGIX 250', '500', '3.755 b'],
      ['3', 'PADRAO OURO', '600', '3.702 b'],
    ],
  ])
})

test('tables below each other are apart where a title stands behind a space, and rules are no rows', () => {
  const tables = tablesOf(`
Nr Produto comercial            p.c./ha
-- ----------------------       ---------
 1 Testemunha sem fungicida     -
 2 Brusol 750                   250 g
 3 Trifex SC                    400 mL

RENDIMENTO DE GRAOS (kg/ha)
Trat     Rep I    Rep II    MEDIA
====    ======    ======   ======
  1      7.412     7.188    7.300
  2      8.266     8.040    8.153
  3      8.310     8.477    8.394`)
  expect(tables.map((rows) => rows.length)).toEqual([4, 4])
  expect(tables[1]?.[1]).toEqual(['1', '7.412', '7.188', '7.300'])
})

test('letters in their order before names are codes', () => {
  expect(
    treatmentsOf(`
Tratamento               Dose (kg/ha)   Rendimento (kg/ha)
A  Testemunha                 0               4.120
B  Superfosfato            200,0              5.236
C  Gesso agrícola          150,0              4.985`),
  ).toEqual([
    ['Testemunha', 4120],
    ['Superfosfato', 5236, 'Superfosfato 200 kg/ha'],
    ['Gesso agrícola', 4985, 'Gesso agrícola 150 kg/ha'],
  ])
})

test('lime and manure are told in tonnes a hectare', () => {
  expect(
    treatmentsOf(`
Tratamento               Dose (t/ha)    Rendimento (kg/ha)
Testemunha                    0               4.120
Calcário dolomítico         2,0               5.236
Calcário + gesso            2,0+1,5           6.018`),
  ).toEqual([
    ['Testemunha', 4120],
    ['Calcário dolomítico', 5236, 'Calcário dolomítico 2000 kg/ha'],
    ['Calcário + gesso', 6018, 'Calcário 2000 kg/ha', 'gesso 1500 kg/ha'],
  ])
})

test('a text with a bar in it is no frame', () => {
  const text = 'Contato: agro@exemplo.com.br | (64) 3333-0000\nRua A | Centro'
  expect(tablesOf(text)).toEqual([])
  expect(
    arrange([typed(text)]).pages[0]?.lines.map(({ words }) => words.map((w) => w.text).join(' ')),
  ).toContain('Rua A | Centro')
})

test('labels that bars part line by line are no frame', () => {
  const text = `
Instituto de pesquisa: Agrolab Planalto | Marca: Aminoagro | BU: Nutrição
Regional: Planalto Médio | Cidade: Passo Fundo – RS | Safra: 2020/2021
Cultura: soja | Argila: 55 % | Matéria orgânica: 3,1 %`
  expect(tablesOf(text)).toEqual([])
  const document = arrange([typed(text)])
  const { cidade, teor_argila, teor_materia_organica } = decideFields(document, findPairs(document, []))
  expect([cidade?.value, teor_argila?.value, teor_materia_organica?.value]).toEqual(['Passo Fundo', 55, 3.1])
})

test('typed labels end in dots; the company beside a station that conducted the trial is who asked for it', () => {
  const document = arrange([
    typed(`
ESTACAO EXPERIMENTAL BANHADO NOVO
SETOR DE FITOPATOLOGIA                 Camaquã - RS
===================================================

CULTIVAR..: BN 118 CL
SOLO......: Planossolo, 17 % argila, 1,9 % M.O.
EMPRESA...: Quimarroz S.A.
APLICACAO.: foliar, CO2, 150 L/ha`),
  ])
  const { marca, cultivar, teor_argila, teor_materia_organica } = decideFields(
    document,
    findPairs(document, []),
  )
  expect([marca?.value, cultivar?.value]).toEqual(['Quimarroz', 'BN 118 CL'])
  expect([teor_argila?.value, teor_materia_organica?.value]).toEqual([17, 1.9])
  expect(readCommonMode(document)?.value).toBe('Foliar')
})

test('names of letters are explained in brackets, also two of them together', () => {
  expect(
    treatmentsOf(
      `
Os tratamentos foram: controle sem inoculação e sem nitrogênio (C);
80 kg/ha de N na forma de ureia em cobertura (N80); inoculação das
sementes com Rizofeijão na dose de 200 mL por 100 kg de sementes (R);
e coinoculação com Rizofeijão (200 mL por 100 kg de sementes) e
Azototal (100 mL por 100 kg de sementes) (R+A).

Trat.        Nódulos      Produtividade (kg/ha)
C             12,4              1.684
N80            6,1              2.241
R             31,7              2.012
R+A           43,9              2.298`,
      'likely',
    ),
  ).toEqual([
    ['C', 1684],
    ['N80', 2241, 'ureia 80 kg/ha'],
    ['R', 2012, 'Rizofeijão 200 mL/100 kg sementes'],
    ['R+A', 2298, 'Rizofeijão 200 mL/100 kg sementes', 'Azototal 100 mL/100 kg sementes'],
  ])
})

test('a name goes on below where its line has no room, and not where it has', () => {
  const cultivarOf = (text: string) => {
    const document = arrange([typed(text)])
    return decideFields(document, findPairs(document, [])).cultivar?.value
  }
  expect(
    cultivarOf(`
Relatório do ensaio de soja em Cruz Alta, RS

O experimento foi instalado com a cultivar de soja BMX Torque
I2X, semeada em novembro de 2022 em solo argiloso, sob palha
de trigo e com quatro repetições em blocos casualizados.`),
  ).toBe('BMX Torque I2X')
  expect(
    cultivarOf(`
Relatório do ensaio de soja em Cruz Alta, RS

Cultivar: BMX Torque
Palha: trigo, cerca de quatro toneladas por hectare
Parcelas: 3 m por 8 m`),
  ).toBe('BMX Torque')
})

test('rows that statistics list by their means are known by their numbers, and means in two languages are none', () => {
  expect(
    treatmentsOf(`
Nº   Tratamento       O que foi aplicado
---------------------------------------------
1    Testemunha       nada
2    Ureia 100        Ureia comum, 100 kg/ha
3    Ureia 200        Ureia comum, 200 kg/ha
4    Nitrofix 100     Nitrofix N44, 100 kg/ha
---------------------------------------------

Rendimento (kg/ha)
---------------------------------------------
Tratamentos                 Médias
---------------------------------------------
1 Testemunha                3166,5
2 Ureia 100                 3777,0
4 Nitrofix 100              4011,0
3 Ureia 200                 4248,8
Média / Mean                3800,8
---------------------------------------------`),
  ).toEqual([
    ['Testemunha', 3166.5],
    ['Ureia 100', 3777, 'Ureia comum 100 kg/ha'],
    ['Ureia 200', 4248.8, 'Ureia comum 200 kg/ha'],
    ['Nitrofix 100', 4011, 'Nitrofix N44 100 kg/ha'],
  ])
})
