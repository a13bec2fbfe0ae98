import { formatNumber } from '@ensaio/domain'
import { scaleOf } from './axes.ts'
import { type Draw, faded, tipOf } from './data.ts'
import type { Shape } from './scene.ts'

const TOP = 24
const RIGHT = 24
const LEFT = 8
const BELOW = 32
const DOT = 9
const WIDEST_COLUMN = 56

/** A line over ordered categories, with its points. */
export const line: Draw = (...of) => overOrder('line', ...of)
/** Upright bars over ordered categories. */
export const columns: Draw = (...of) => overOrder('columns', ...of)

function overOrder(kind: 'line' | 'columns', ...[data, axis, selected]: Parameters<Draw>): ReturnType<Draw> {
  return (palette, size, measured) => {
    const bottom = size.height - BELOW
    const scale = scaleOf([0, ...data.map(({ value }) => value)], {
      about: 4,
      decimals: axis.decimals,
      ends: [bottom, TOP],
    })
    const named = scale.marks.map((mark) => ({
      y: scale.place(mark),
      text: formatNumber(mark, axis.decimals),
    }))
    const left = LEFT + Math.max(...named.map(({ text }) => measured(text))) + 8
    const right = size.width - RIGHT
    // A line goes from edge to edge; what is upright, or a point alone, stands in the middle of its part.
    const inParts = kind === 'columns' || data.length < 3
    const step = (right - left) / Math.max(1, inParts ? data.length : data.length - 1)
    const placed = data.map((datum, index) => ({
      datum,
      x: left + step * (index + (inParts ? 0.5 : 0)),
      y: scale.place(datum.value),
    }))
    const zero = scale.place(0)
    const shapes: Shape[] = []
    for (const { y, text } of named) {
      shapes.push({ path: `M${left},${y}H${right}`, stroke: palette.line, width: 1 })
      shapes.push({ text, x: left - 8, y, fill: palette.muted, align: 'right' })
    }
    const widest = Math.max(0, ...data.map(({ label }) => measured(label)))
    const every = Math.max(1, Math.ceil((widest + 10) / step))
    for (const { datum, x } of placed.filter((_point, index) => index % every === 0))
      shapes.push({ text: datum.label, x, y: bottom + 18, fill: palette.muted, align: 'center' })
    if (kind === 'columns') {
      const wide = Math.min(WIDEST_COLUMN, step * 0.7)
      for (const { datum, x, y } of placed)
        shapes.push({
          path: `M${x - wide / 2},${zero}V${y}H${x + wide / 2}V${zero}Z`,
          fill: palette.accent,
          opacity: faded(datum, selected),
        })
    } else {
      const path = placed.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x},${y}`).join('')
      shapes.push({ path, stroke: palette.accent, width: 2 })
      for (const { datum, x, y } of placed) {
        // A point that steps back lets the line through no more than one that does not.
        shapes.push({ path: `M${x},${y}h.01`, stroke: palette.surface, width: DOT })
        shapes.push({
          path: `M${x},${y}h.01`,
          stroke: palette.accent,
          width: DOT,
          opacity: faded(datum, selected),
        })
      }
    }
    return {
      shapes,
      at: (x, y) => {
        const index = placed.findIndex((point) => Math.abs(point.x - x) <= step / 2)
        const point = placed[index]
        if (!point) return null
        if (kind === 'line') return Math.hypot(point.x - x, point.y - y) <= 14 ? index : null
        return y >= Math.min(point.y, zero) - 4 && y <= Math.max(point.y, zero) + 4 ? index : null
      },
      tip: (index) => tipOf(data[index] as (typeof data)[number], axis),
    }
  }
}
