import { expect, test } from 'vitest'
import { NORTH_CHOICES, northSaid } from './north.ts'

test('north is said by the nearest of eight ways', () => {
  expect(NORTH_CHOICES.map(({ degrees }) => degrees)).toEqual([0, 45, 90, 135, 180, 225, 270, 315])
  expect([0, 22, 23, 100, 337, 338, 359].map(northSaid)).toEqual([
    'Norte: para cima',
    'Norte: para cima',
    'Norte: para cima, à direita',
    'Norte: à direita',
    'Norte: para cima, à esquerda',
    'Norte: para cima',
    'Norte: para cima',
  ])
})
