import { formatNumber } from '@ensaio/domain'
import { scaleOf } from './axes.ts'
import { type Axis, type Drawn, withUnit } from './data.ts'
import type { Shape } from './scene.ts'

export type ScatterDatum = { key: string; x: number; y: number; label: string; colour: string }

const NARROW = 400
const MANY = 400
/** How near a pointer must come to the middle of a point, in pixels: a finger is no needle. */
const NEAR = 12

/** A year is a name, not a quantity: never grouped. */
const isYear = ({ name }: Axis) => name === 'Ano'
const formatMark = (axis: Axis, value: number) =>
  isYear(axis) ? String(value) : formatNumber(value, axis.decimals)
const said = (axis: Axis, value: number) => `${axis.name}: ${isYear(axis) ? value : withUnit(value, axis)}`

/** Points of two quantities; `trend` adds the least-squares line through them. */
export function scatter(
  data: readonly ScatterDatum[],
  x: Axis,
  y: Axis,
  { trend = false }: { trend?: boolean } = {},
): Drawn {
  return (palette, size, measured) => {
    // On a phone the name of the upright axis stands above it.
    const narrow = size.width <= NARROW
    const top = narrow ? 36 : 16
    const bottom = size.height - 56
    const right = size.width - 20
    const up = scaleOf(
      data.map((point) => point.y),
      { about: 5, decimals: y.decimals, ends: [bottom, top] },
    )
    const marks = up.marks.map((mark) => ({ at: up.place(mark), text: formatMark(y, mark) }))
    const left = (narrow ? 4 : 32) + Math.max(...marks.map(({ text }) => measured(text))) + 8
    const along = scaleOf(
      data.map((point) => point.x),
      { about: 5, decimals: x.decimals, ends: [left, right] },
    )
    const named = ({ name, unit }: Axis) => (unit ? `${name} (${unit})` : name)
    const muted = { fill: palette.muted }
    const shapes: Shape[] = [
      ...marks.map(({ at }): Shape => ({ path: `M${left},${at}H${right}`, stroke: palette.line, width: 1 })),
      ...marks.map(({ at, text }): Shape => ({ ...muted, text, x: left - 8, y: at, align: 'right' })),
      ...along.marks.flatMap((mark): Shape[] => {
        const at = along.place(mark)
        return [
          { path: `M${at},${top}V${bottom}`, stroke: palette.line, width: 1 },
          { ...muted, text: formatMark(x, mark), x: at, y: bottom + 16, align: 'center' },
        ]
      }),
      { ...muted, text: named(x), x: (left + right) / 2, y: bottom + 40, align: 'center' },
      narrow
        ? { ...muted, text: named(y), x: 0, y: 14 }
        : { ...muted, text: named(y), x: 14, y: (top + bottom) / 2, align: 'center', upright: true },
    ]
    const places = data.map((point) => ({ x: along.place(point.x), y: up.place(point.y) }))
    const dot = data.length > MANY ? 6 : 9
    // One path for each colour: points of their own take many times as long.
    for (const [colour, indexes] of Map.groupBy(
      data.keys(),
      (index) => data[index]?.colour ?? palette.accent,
    )) {
      const path = indexes
        .map((index) => `M${tenth(places[index]?.x)},${tenth(places[index]?.y)}h.01`)
        .join('')
      shapes.push({ path, stroke: colour, width: dot, opacity: 0.7 })
    }
    const through = trend ? leastSquares(data) : null
    if (through) {
      const xs = data.map((point) => point.x)
      const [from, to] = [Math.min(...xs), Math.max(...xs)].map(
        (value) => `${along.place(value)},${up.place(through(value))}`,
      )
      shapes.push({ path: `M${from}L${to}`, stroke: palette.text, width: 2, dash: [6, 5], opacity: 0.8 })
    }
    return {
      shapes,
      at: (px, py) => {
        let nearest: number | null = null
        let least = NEAR
        for (const [index, place] of places.entries()) {
          const distance = Math.hypot(place.x - px, place.y - py)
          // What is painted last lies on top.
          if (distance <= least) [nearest, least] = [index, distance]
        }
        return nearest
      },
      tip: (index) => {
        const point = data[index] as ScatterDatum
        return [point.label, said(x, point.x), said(y, point.y)]
      },
    }
  }
}

const tenth = (value = 0) => Math.round(value * 10) / 10

/** The line of least squares through the points; null where there is none. */
function leastSquares(data: readonly ScatterDatum[]): ((x: number) => number) | null {
  const n = data.length
  const meanX = data.reduce((sum, { x }) => sum + x, 0) / n
  const meanY = data.reduce((sum, { y }) => sum + y, 0) / n
  const spread = data.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (n < 3 || spread === 0) return null
  const slope = data.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  return (x) => meanY + slope * (x - meanX)
}
