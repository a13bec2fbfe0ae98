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
