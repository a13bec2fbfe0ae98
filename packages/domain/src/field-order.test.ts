import { describe, expect, test } from 'vitest'
import { FIRST_WALK, nextEmpty, stepsOf, turnAt, type Walk, walkPlots } from './field-order.ts'

/** Two lines of three: 101 102 103 above 201 202 203. */
const PLOTS = [1, 2].flatMap((linha) =>
  [1, 2, 3].map((coluna) => ({ numero: linha * 100 + coluna, linha, coluna })),
)
const walked = (walk: Partial<Walk>, plots = PLOTS) =>
  walkPlots(plots, { ...FIRST_WALK, ...walk }).map((at) => plots[at]?.numero)

describe('plots are walked', () => {
  test.each([
    ['every second line back', {}, [101, 102, 103, 203, 202, 201]],
    ['each line from the left', { modo: 'fileira' }, [101, 102, 103, 201, 202, 203]],
    ['by number', { modo: 'numero', canto: 'baixo-direita' }, [101, 102, 103, 201, 202, 203]],
    ['from the right', { canto: 'cima-direita' }, [103, 102, 101, 201, 202, 203]],
    ['from below', { canto: 'baixo-esquerda' }, [201, 202, 203, 103, 102, 101]],
    ['along the columns', { direcao: 'colunas' }, [101, 201, 202, 102, 103, 203]],
    [
      'along the columns from the last corner',
      { direcao: 'colunas', canto: 'baixo-direita' },
      [203, 103, 102, 202, 201, 101],
    ],
  ] satisfies [string, Partial<Walk>, number[]][])('%s', (_, walk, numbers) => {
    expect(walked(walk)).toEqual(numbers)
  })

  test('by number where a plot has no place', () => {
    const plots = [...PLOTS, { numero: 99, linha: null, coluna: null }]
    expect(walked({}, plots as never)).toEqual([99, 101, 102, 103, 201, 202, 203])
  })
})

test('a turn of the path is told where the next file begins', () => {
  const order = walkPlots(PLOTS, FIRST_WALK)
  expect(order.map((_, at) => turnAt(PLOTS, order, at, FIRST_WALK))).toEqual([
    ...[null, null, null],
    ...['Vire: fileira 2', null, null],
  ])
})

test('variables come plot by plot, or plots variable by variable', () => {
  expect(stepsOf([1, 0], 2, 'parcela')).toEqual([
    { plot: 1, variable: 0 },
    { plot: 1, variable: 1 },
    { plot: 0, variable: 0 },
    { plot: 0, variable: 1 },
  ])
  expect(stepsOf([1, 0], 2, 'variavel').map(({ plot, variable }) => [plot, variable])).toEqual([
    ...[
      [1, 0],
      [0, 0],
    ],
    ...[
      [1, 1],
      [0, 1],
    ],
  ])
})

test('the next one without a value is looked for behind the place, then from the beginning', () => {
  const steps = stepsOf([0, 1, 2, 3], 1, 'parcela')
  const filled =
    (...plots: number[]) =>
    (step: { plot: number }) =>
      plots.includes(step.plot)
  expect(nextEmpty(steps, 1, filled(1, 2))).toBe(3)
  expect(nextEmpty(steps, 3, filled(0, 3))).toBe(1)
  expect(nextEmpty(steps, 0, filled(0, 1, 2, 3))).toBeNull()
})
