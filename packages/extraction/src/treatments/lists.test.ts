import { expect, test } from 'vitest'
import { treatmentsOf } from '../layout/test-typed.ts'

test('a sentence that names a product again takes its dose from the one before', () => {
  expect(
    treatmentsOf(
      `
Comparamos quatro manejos em blocos ao acaso com cinco repetições. A testemunha, sem foliar, rendeu
58,2 sacas por hectare. O Aminofol a 0,8 L/ha em V5 rendeu 61,0 sc/ha. O mesmo Aminofol a 0,8 L/ha em V5
mais o Fertimang a 1,2 L/ha em R1 chegou a 64,3 sc/ha. Só o Fertimang, na mesma dose, ficou em 60,1 sc/ha.`,
      'likely',
    ),
  ).toEqual([
    ['A testemunha, sem foliar', 3492],
    ['Aminofol', 3660, 'Aminofol 0.8 L/ha'],
    ['Aminofol + Fertimang', 3858, 'Aminofol 0.8 L/ha', 'Fertimang 1.2 L/ha'],
    ['Fertimang', 3606, 'Fertimang 1.2 L/ha'],
  ])
})

test('treatments without codes are parted by semicolons behind what announces them', () => {
  expect(
    treatmentsOf(
      `
O delineamento foi em blocos. Os tratamentos foram: testemunha (somente NPK); Tuberon Ca, 3 litros por
hectare aos 35 dias; Tuberon Ca, 6 litros por hectare aos 35 dias; e Potamax, 4 kg por hectare.

Tratamento      Produtividade (t/ha)
1               25,84 d
2               28,37 c
3               29,92 b
4               30,18 b`,
      'likely',
    )?.map(([, ...told]) => told),
  ).toEqual([
    [25_840],
    [28_370, 'Tuberon Ca 3 L/ha'],
    [29_920, 'Tuberon Ca 6 L/ha'],
    [30_180, 'Potamax 4 kg/ha'],
  ])
})

test('sentences that tell of each treatment by its code give its products their doses', () => {
  expect(
    treatmentsOf(
      `
Compararam-se seis tratamentos (T1 a T6), em blocos casualizados. O T1 foi a testemunha absoluta, que não
recebeu produto algum. No T2 aplicou-se no sulco de semeadura o Azonord, inoculante à base de Azospirillum,
na dose de 100 mL/ha. O T3 recebeu, também no sulco, o Rizonord, na dose de 200 mL/ha. O T4 foi a combinação
Azonord + Rizonord no sulco, mantidas as doses de 100 mL/ha do primeiro e 200 mL/ha do segundo. No T5 não
houve inoculante no plantio: pulverizou-se sobre as folhas, em V4, o Nordfol, na dose de 500 mL/ha. Por fim, o
T6 correspondeu à inoculação das sementes, com o Nordturfa a 60 g/50 kg de sementes.

Trat.     Produtividade (kg/ha)
T1        3.128
T2        3.296
T3        3.411
T4        3.574
T5        3.260
T6        3.365`,
      'likely',
    )?.slice(1),
  ).toEqual([
    ['Azonord', 3296, 'Azonord 100 mL/ha'],
    ['Rizonord', 3411, 'Rizonord 200 mL/ha'],
    ['Azonord + Rizonord', 3574, 'Azonord 100 mL/ha', 'Rizonord 200 mL/ha'],
    ['Nordfol', 3260, 'Nordfol 500 mL/ha'],
    ['Nordturfa', 3365, 'Nordturfa 120 g/100 kg sementes'],
  ])
})

test('figures behind a name are its own or those of its dose, and one dose may be of several', () => {
  expect(
    treatmentsOf(
      `
O T1 foi a testemunha. No T2 aplicou-se o Azonord 100 mL/ha. O T3 recebeu Azonord 0,5 L/ha e Rizonord
200 mL/ha. O T4 recebeu Vextra 200 SC na dose de 0,3 L/ha. O T5 recebeu Azonord e Rizonord, ambos na dose de
150 mL/ha. O T6 recebeu Azonord, 100 mL/ha; Rizonord, 200 mL/ha.

Trat.     Produtividade (kg/ha)
T1        3.128
T2        3.296
T3        3.411
T4        3.574
T5        3.260
T6        3.365`,
      'likely',
    )?.slice(1),
  ).toEqual([
    ['Azonord', 3296, 'Azonord 100 mL/ha'],
    ['Azonord + Rizonord', 3411, 'Azonord 0.5 L/ha', 'Rizonord 200 mL/ha'],
    ['Vextra 200 SC', 3574, 'Vextra 200 SC 0.3 L/ha'],
    ['Azonord + Rizonord', 3260, 'Azonord 150 mL/ha', 'Rizonord 150 mL/ha'],
    ['Azonord + Rizonord', 3365, 'Azonord 100 mL/ha', 'Rizonord 200 mL/ha'],
  ])
})

test('a name before a colon is the treatment, and a sentence of its yield goes on with it', () => {
  expect(
    treatmentsOf(
      `
Segue o resumo por tratamento:

• Controle. Produziu 3.360 kg/ha; altura de plantas: 96,6 cm.
• Manejo Referência: Aminovigor 2,5 kg/ha; aplicação: no sulco de plantio. Produziu 3.812 kg/ha; altura de plantas: 95,4 cm.
• Manejo Premium: Stimulus X 2,0 L/ha, Greenmax 0,5 L/ha; aplicação: foliar. Produziu 3.549 kg/ha; altura de plantas: 70,3 cm.`,
      'likely',
    ),
  ).toEqual([
    ['Controle.', 3360],
    ['Manejo Referência', 3812, 'Aminovigor 2.5 kg/ha'],
    ['Manejo Premium', 3549, 'Stimulus X 2 L/ha', 'Greenmax 0.5 L/ha'],
  ])
})
