import { expect, test } from 'vitest'
import { scaleOf } from './axes.ts'
import { bars } from './bars.ts'
import type { Axis, Datum } from './data.ts'
import { fieldPicture } from './field.ts'
import { svgText } from './framed.ts'
import { heat } from './heat.ts'
import { columns, line } from './order.ts'
import type { Palette } from './palette.ts'
import { apart, pie, slicesOf } from './pie.ts'
import { scatter } from './scatter.ts'
import { type Scene, wrapped } from './scene.ts'

const palette: Palette = {
  text: 'black',
  muted: 'grey',
  line: 'silver',
  surface: 'white',
  accent: 'green',
  warn: 'brown',
  faint: 'gray',
}
const YIELD: Axis = { name: 'Produtividade', unit: 'kg/ha', decimals: 0 }
/** Ten pixels a letter. */
const measured = (text: string) => 10 * text.length
const SIZE = { width: 800, height: 300 }
const data = (...values: number[]): Datum[] =>
  values.map((value, index) => ({ key: `k${index}`, label: `L${index}`, value }))
const texts = ({ shapes }: Scene) => shapes.flatMap((shape) => ('text' in shape ? [shape.text] : []))

test('a layout as a picture has every plot in its place, with its value, and north where it was told', () => {
  const plots = [1, 2, 3, 4].map((numero) => ({
    ...{ numero, tratamento: ((numero - 1) % 2) + 1, bloco: numero < 3 ? 1 : 2 },
    ...{ linha: null, coluna: null },
  }))
  const of = (north: number | null, values = [10, 20, null, 14] as (number | null)[]) => {
    const { draw, size } = fieldPicture({ plots, values, middle: 14, decimals: 1, north })
    return { scene: draw(palette, size, measured), size }
  }
  const { scene, size } = of(90)
  expect(texts(scene)).toEqual([
    'N',
    'T1',
    '10',
    'T2',
    '20',
    'T1',
    '3',
    'T2',
    '14',
    'acima',
    'abaixo',
    'perdida: número da parcela',
  ])
  // The second block is the second line; nothing stands beyond the edge.
  const at = (text: string) => scene.shapes.find((shape) => 'text' in shape && shape.text === text)
  const [first, last] = [at('10'), at('14')]
  if (!first || !last || !('text' in first) || !('text' in last)) throw new Error('not drawn')
  expect(last.y).toBeGreaterThan(first.y)
  expect(last.x).toBeGreaterThan(first.x)
  for (const shape of scene.shapes) if ('text' in shape) expect(shape.y).toBeLessThan(size.height)
  const [north] = scene.shapes.filter((shape) => 'text' in shape)
  if (!north || !('text' in north)) throw new Error('no north')
  // East: the letter is right of the arrow's middle, at its height.
  expect([Math.round(north.x), Math.round(north.y)]).toEqual([39, 20])
  expect(texts(of(null).scene)).not.toContain('N')
  expect(texts(of(null, [null, null, null, null]).scene)).not.toContain('acima')
})

test('no two marks of a scale read the same, and all values lie between the first and the last', () => {
  for (const values of [[3, 3.4], [0], [], [-5, 12], [1e6, 1e6 + 3], [0, 1]]) {
    const { marks, place } = scaleOf(values, { about: 5, decimals: 0, ends: [0, 100] })
    expect(new Set(marks.map((mark) => mark.toFixed(0))).size, String(values)).toBe(marks.length)
    for (const value of values) {
      expect(place(value)).toBeGreaterThanOrEqual(0)
      expect(place(value)).toBeLessThanOrEqual(100)
    }
  }
})

test('a slice is found under the pointer, a quarter right of the top being the first of four', () => {
  const scene = pie(data(10, 10, 10, 10), YIELD, null)(palette, SIZE, measured)
  const ring = 0.47 * 150
  const at = (x: number, y: number) => scene.at(400 + x * ring, 150 + y * ring)
  expect([at(0.7, -0.7), at(0.7, 0.7), at(-0.7, 0.7), at(-0.7, -0.7)]).toEqual([0, 1, 2, 3])
  expect(scene.at(400, 150)).toBeNull()
  expect(scene.at(2, 2)).toBeNull()
  expect(scene.tip(1)).toEqual(['L1', '10 kg/ha · 25%'])
  expect(texts(scene)).toEqual(expect.arrayContaining(['L0', 'L1', 'L2', 'L3', '25%']))
})

test('a whole alone is a closed ring with its name inside', () => {
  const scene = pie(data(7), YIELD, null)(palette, SIZE, measured)
  expect(scene.at(400 + 0.5 * 150, 150)).toBe(0)
  expect(scene.at(400 - 0.5 * 150, 150)).toBe(0)
  const ring = scene.shapes.find((shape) => 'path' in shape)
  // Two half turns outside, two inside.
  expect(ring && 'path' in ring ? ring.path.match(/A/g) : null).toHaveLength(4)
  expect(texts(scene)).toEqual(['L0', '100%'])
})

test('past six slices the smallest are joined, and keep the whole', () => {
  const slices = slicesOf(data(1, 2, 3, 4, 5, 6, 7, 8))
  expect(slices.map(({ label, value }) => [label, value])).toEqual([
    ['L7', 8],
    ['L6', 7],
    ['L5', 6],
    ['L4', 5],
    ['L3', 4],
    ['Outras', 6],
  ])
  expect(slicesOf(data(1, 2, 3, 4, 5, 6))).toHaveLength(6)
})

test('labels beside each other never overlap and stay in the picture while there is room', () => {
  const tall = 36
  const places = apart(
    [290, 291, 292, 295].map((wanted) => ({ wanted, tall })),
    300,
  )
  for (const [index, place] of places.entries()) {
    expect(place + tall / 2).toBeLessThanOrEqual(300)
    expect(place - (places[index - 1] ?? -tall)).toBeGreaterThanOrEqual(tall)
  }
})

test('a long name goes over lines, and one long word is cut', () => {
  expect(wrapped('Agro Cerrado Consultoria', 120, measured)).toEqual(['Agro Cerrado', 'Consultoria'])
  expect(wrapped('Inconstitucionalissimamente', 100, measured)).toEqual(['Inconstit…'])
})

test('columns stand on zero, negative ones below it, and are found by their height', () => {
  const scene = columns(data(100, -50), YIELD, null)(palette, SIZE, measured)
  expect(texts(scene)).toContain('0')
  const left = 8 + 10 * '-50'.length + 8
  const step = (SIZE.width - 24 - left) / 2
  const zero = 24 + (SIZE.height - 32 - 24) * (100 / 150)
  expect(scene.at(left + step / 2, zero - 20)).toBe(0)
  expect(scene.at(left + step / 2, zero + 20)).toBeNull()
  expect(scene.at(left + 1.5 * step, zero + 20)).toBe(1)
})

test('names that would overlap below a line are left out by turns', () => {
  const many = Array.from({ length: 40 }, (_none, index) => ({
    key: `${index}`,
    label: `safra ${index}`,
    value: 1,
  }))
  const shown = texts(line(many, YIELD, null)(palette, SIZE, measured)).filter((text) =>
    text.startsWith('safra'),
  )
  expect(shown.length).toBeGreaterThan(3)
  expect(shown.length * (measured('safra 10') + 10)).toBeLessThanOrEqual(SIZE.width + 100)
})

test('a point is found where it stands, says both its values, and a year is not grouped', () => {
  const points = [
    { key: 'a', x: 2020, y: 3000, label: 'Um', colour: 'red' },
    { key: 'b', x: 2024, y: 5000, label: 'Dois', colour: 'blue' },
    { key: 'c', x: 2022, y: 4000, label: 'Três', colour: 'blue' },
  ]
  const year: Axis = { name: 'Ano', unit: '', decimals: 0 }
  const scene = scatter(points, year, YIELD, { trend: true })(palette, SIZE, measured)
  expect(texts(scene)).toEqual(
    expect.arrayContaining(['2020', '2024', '5.000', 'Ano', 'Produtividade (kg/ha)']),
  )
  expect(scene.tip(2)).toEqual(['Três', 'Ano: 2022', 'Produtividade: 4.000 kg/ha'])
  // The three lie on one line, which goes through them.
  const trend = scene.shapes.find((shape) => 'dash' in shape && shape.dash)
  const ends = trend && 'path' in trend ? (trend.path.match(/[\d.]+/g) ?? []).map(Number) : []
  expect(scene.at(ends[0] ?? 0, ends[1] ?? 0)).toBe(0)
  expect(scene.at(ends[2] ?? 0, ends[3] ?? 0)).toBe(1)
  expect(scene.at(0, 0)).toBeNull()
  expect(texts(scatter([], year, YIELD)(palette, SIZE, measured))).toContain('Ano')
})

test('bars of no value or below zero have no length, never a negative one', () => {
  const scene = bars(data(10, 0, -3), YIELD, null)(palette, SIZE, measured)
  const lengths = scene.shapes.flatMap((shape) =>
    'path' in shape ? [Number(/h(-?[\d.]+)/.exec(shape.path)?.[1])] : [],
  )
  expect(lengths.every((length) => length >= 0)).toBe(true)
  expect(lengths[0]).toBeGreaterThan(500)
})

test('an SVG says what was drawn, and no name of a product breaks out of it', () => {
  const named = '<script>"Zeta" & Cia'
  const { shapes } = bars([{ key: 'z', label: named, value: 3 }], YIELD, null)(palette, SIZE, () => 10)
  const svg = svgText(shapes, SIZE, named)
  expect(svg).toContain('&#60;script&#62;&#34;Zeta&#34; &#38; Cia</text>')
  expect(svg).not.toContain('<script')
  expect(svg.match(/<path /g)).toHaveLength(1)
  expect(svg).toContain('text-anchor="end"')
  const outlined = svgText(shapes, SIZE, named, () => 'M0 0H1')
  expect(outlined).not.toContain('<text')
  expect(outlined).toContain('d="M0 0H1"><title>&#60;script&#62;&#34;Zeta&#34; &#38; Cia</title></path>')
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="800" height="300"/)
})

test('cells of a heat table are coloured by how far they are from zero, and one is framed', () => {
  const cells = [-200, 0, 100].map((value) => ({ value, text: String(value), here: value === 0 }))
  const { shapes } = heat({ corner: '', columns: ['a', 'b', 'c'], rows: [{ name: 'r', cells }] })(
    ...([palette, SIZE, measured] as const),
  )
  expect(
    shapes.flatMap((shape) => ('fill' in shape && 'path' in shape ? [[shape.fill, shape.opacity]] : [])),
  ).toEqual([
    ['brown', 0.34],
    ['brown', 0],
    ['green', 0.17],
  ])
  expect(shapes.filter((shape) => 'stroke' in shape)).toHaveLength(1)
})
