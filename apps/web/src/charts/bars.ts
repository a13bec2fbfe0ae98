import { formatFixed } from '@ensaio/domain'
import { type Draw, faded, tipOf } from './data.ts'
import { cut, type Shape } from './scene.ts'

/** Of one bar with its gap, in pixels. */
export const BAR_HEIGHT = 38
const THICK = 22
const ROUND = 4
const WIDEST_NAME = 130
/** For the value behind the longest bar. */
const VALUE_ROOM = 72

/** Horizontal bars from zero, in the order of the data, the value at the end of each. */
export const bars: Draw = (data, axis, selected) => (palette, size, measured) => {
  const names = data.map(({ label }) => cut(label, WIDEST_NAME, measured))
  const left = 16 + Math.max(0, ...names.map(measured))
  const longest = Math.max(...data.map(({ value }) => value), 0)
  const shapes = data.flatMap((datum, index): Shape[] => {
    const y = 8 + BAR_HEIGHT * (index + 0.5)
    const long = longest > 0 ? (Math.max(0, datum.value) / longest) * (size.width - left - VALUE_ROOM) : 0
    const round = Math.min(ROUND, long)
    const path = [
      `M${left},${y - THICK / 2}h${long - round}`,
      `a${round},${round},0,0,1,${round},${round}v${THICK - 2 * round}`,
      `a${round},${round},0,0,1,${-round},${round}H${left}Z`,
    ].join('')
    return [
      { text: names[index] ?? '', x: left - 8, y, fill: palette.text, align: 'right' },
      { path, fill: datum.colour ?? palette.accent, opacity: faded(datum, selected) },
      { text: formatFixed(datum.value, axis.decimals), x: left + long + 6, y, fill: palette.muted },
    ]
  })
  return {
    shapes,
    at: (_x, y) => {
      const index = Math.floor((y - 8) / BAR_HEIGHT)
      return data[index] ? index : null
    },
    tip: (index) => tipOf(data[index] as (typeof data)[number], axis),
  }
}
