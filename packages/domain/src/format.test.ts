import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCurrency,
  formatFixed,
  formatNumber,
  formatPercent,
  formatSacks,
  parseNumber,
  searchable,
  truncate,
  withoutFormula,
} from './format.ts'

test.each([
  ['3.250,5', 3250.5],
  ['3250,5', 3250.5],
  ['3250.5', 3250.5],
  ['1.234', 1234],
  ['1.234.567', 1234567],
  ['1.234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['0.750', 0.75],
  ['R$ 1.234,50', 1234.5],
  ['−15,5', -15.5],
  ['38 %', 38],
  ['0', 0],
])('%s is read as %d', (text, value) => {
  expect(parseNumber(text)).toBe(value)
})

test.each(['abc', '1.2.3', '12,34,5', '1.23,4', '--2', '.', '1e5'])('%s is no number', (text) => {
  expect(parseNumber(text)).toBeUndefined()
})

test('an empty text is no value, not zero', () => {
  expect(parseNumber('  ')).toBeNull()
})

test('a coordinate never groups thousands', () => {
  expect(parseNumber('-15.546', { grouping: false })).toBe(-15.546)
})

test('numbers are written as Brazilians write them', () => {
  expect(formatNumber(3250.456)).toBe('3.250,46')
  expect(formatCurrency(214.8)).toBe('R$\u00a0214,80')
  expect(formatNumber(null)).toBe('–')
  expect(formatNumber(-0.25)).toBe('\u22120,25')
  expect(formatPercent(38)).toBe('38,0%')
})

test('sacks stand beside kg/ha for grain crops only', () => {
  expect(formatSacks(3480, 'Soja')).toBe('58,0 sc/ha')
  expect(formatSacks(80000, 'Cana-de-açúcar')).toBeNull()
})

test('accents and case do not matter to a search', () => {
  expect(searchable('  São  João d’Aliança ')).toBe('sao joao d’alianca')
})

test('a long name is cut with three dots', () => {
  expect(truncate('Lavoura Clara Consultores', 12)).toBe('Lavoura Clar...')
  expect(truncate('Curta', 12)).toBe('Curta')
})

test.each([
  [0, '1 kB'],
  [999_400, '999 kB'],
  [1_540_000, '1,5 MB'],
  [10_737_418_240, '10,7 GB'],
])('%d bytes are %s', (bytes, size) => {
  expect(formatBytes(bytes)).toBe(size)
})

test('what is rounded to nothing has no sign', () => {
  expect([formatNumber(-0.004), formatFixed(-0.04, 1), formatFixed(-0, 0)]).toEqual(['0', '0,0', '0'])
  expect(formatFixed(-0.06, 1)).toBe('\u22120,1')
})

test.each([
  ['=1+1', "'=1+1"],
  ['-2+3+cmd', "'-2+3+cmd"],
  ['\uff1d1+1', "'\uff1d1+1"],
  [' @x', "' @x"],
  ['-12,5', '-12,5'],
  ['-12.5', '-12.5'],
  ['Soja', 'Soja'],
])('%j leaves as %j', (text, safe) => {
  expect(withoutFormula(text)).toBe(safe)
})
