import { formatNumber } from '@ensaio/domain'
import { type Datum, type Draw, faded, tipOf } from './data.ts'
import { LINE_HEIGHT, type Shape, wrapped } from './scene.ts'

const MOST_SLICES = 6
/** Narrower pictures give their room to the labels. */
const NARROW = 400
/** A slice below it has no label, as a share of the whole. */
const LEAST_LABELLED = 4 / 360
const EDGE = 4

/** The slices as shown: past six, the smallest are joined as 'Outras', which stands for no single one. */
export function slicesOf(data: readonly Datum[]): Datum[] {
  const sorted = [...data].sort((a, b) => b.value - a.value)
  if (sorted.length <= MOST_SLICES) return sorted
  const rest = sorted.slice(MOST_SLICES - 1)
  const value = rest.reduce((sum, slice) => sum + slice.value, 0)
  return [...sorted.slice(0, MOST_SLICES - 1), { key: '', label: 'Outras', value }]
}

/** Parts of a whole, labelled directly, the largest first from the top. */
export const pie: Draw = (data, axis, selected) => (palette, size, measured) => {
  const slices = slicesOf(data)
  const alone = slices.length === 1
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  const share = (value: number) => `${formatNumber((100 * value) / total, 1)}%`
  const narrow = size.width <= NARROW && !alone
  const half = Math.min(size.width, size.height) / 2
  const inner = half * (alone ? 0.44 : narrow ? 0.22 : 0.36)
  const outer = half * (narrow ? 0.38 : 0.58)
  const centre = { x: size.width / 2, y: size.height / 2 }
  let turned = 0
  const parts = slices.map((slice) => {
    const start = turned
    turned += total > 0 ? slice.value / total : 0
    return { slice, start, end: turned, middle: 2 * Math.PI * ((start + turned) / 2) }
  })
  const shapes: Shape[] = []
  for (const part of parts) {
    const path = sector(inner, outer, part)
    const colour = part.slice.key === '' && !alone ? palette.faint : (part.slice.colour ?? palette.accent)
    shapes.push({ path, from: centre, fill: colour, opacity: faded(part.slice, selected) })
    if (!alone) shapes.push({ path, from: centre, stroke: palette.surface, width: 2 })
  }
  if (alone && slices[0]) {
    const lines = [...wrapped(slices[0].label, 2 * inner - 16, measured), share(slices[0].value)]
    for (const [place, text] of lines.entries())
      shapes.push({
        text,
        x: centre.x,
        y: centre.y + (place - (lines.length - 1) / 2) * LINE_HEIGHT,
        fill: palette.text,
        align: 'center',
      })
    return { shapes, at, tip }
  }
  const [reach, flat] = narrow ? [8, 6] : [14, 10]
  for (const side of [1, -1]) {
    const edge = centre.x + side * (outer + reach + flat)
    const room = side > 0 ? size.width - edge - 2 * EDGE : edge - 2 * EDGE
    const labels = parts
      .filter(({ start, end, middle }) => end - start >= LEAST_LABELLED && Math.sin(middle) >= 0 === side > 0)
      .map((part) => {
        const lines = [...wrapped(part.slice.label, room, measured), share(part.slice.value)]
        return {
          part,
          lines,
          wanted: centre.y - Math.cos(part.middle) * (outer + reach),
          tall: lines.length * LINE_HEIGHT + 2,
        }
      })
      .sort((a, b) => a.wanted - b.wanted)
    for (const [index, y] of apart(labels, size.height).entries()) {
      const { part, lines } = labels[index] as (typeof labels)[number]
      const from = {
        x: centre.x + Math.sin(part.middle) * outer,
        y: centre.y - Math.cos(part.middle) * outer,
      }
      const bend = { x: centre.x + Math.sin(part.middle) * (outer + reach), y }
      shapes.push({
        path: `M${from.x},${from.y}L${bend.x},${bend.y}L${edge},${y}`,
        stroke: palette.faint,
        width: 1,
      })
      for (const [place, text] of lines.entries())
        shapes.push({
          text,
          x: edge + side * EDGE,
          y: y + (place - (lines.length - 1) / 2) * LINE_HEIGHT,
          fill: palette.text,
          align: side > 0 ? 'left' : 'right',
        })
    }
  }
  return { shapes, at, tip }

  function at(x: number, y: number): number | null {
    const distance = Math.hypot(x - centre.x, y - centre.y)
    if (distance < inner || distance > outer) return null
    const turn = (Math.atan2(x - centre.x, centre.y - y) / (2 * Math.PI) + 1) % 1
    const index = parts.findIndex(({ start, end }) => turn >= start && turn < end)
    return index < 0 ? null : index
  }

  function tip(index: number) {
    const slice = slices[index] as Datum
    const [name, value, ...more] = tipOf(slice, axis)
    return [name, ...(value ? [`${value} · ${share(slice.value)}`] : []), ...more] as const
  }
}

/** Heights for labels in their order, none over another, as near to where they are wanted as the room allows. */
export function apart(labels: readonly { wanted: number; tall: number }[], height: number): number[] {
  const places: number[] = []
  let floor = 0
  for (const { wanted, tall } of labels) {
    const place = Math.max(wanted, floor + tall / 2)
    places.push(place)
    floor = place + tall / 2
  }
  let ceiling = height
  for (let index = labels.length - 1; index >= 0; index -= 1) {
    const tall = labels[index]?.tall ?? 0
    const place = Math.min(places[index] ?? 0, ceiling - tall / 2)
    places[index] = place
    ceiling = place - tall / 2
  }
  return places
}

/** A part of a ring around the origin, between two shares of a turn from the top. */
function sector(inner: number, outer: number, { start, end }: { start: number; end: number }): string {
  if (end <= start) return ''
  // A whole turn ends where it begins, and would be none: it goes by way of its middle.
  const stops = end - start > 0.999 ? [start, (start + end) / 2, end] : [start, end]
  const at = (radius: number, turn: number) =>
    `${radius * Math.sin(2 * Math.PI * turn)},${-radius * Math.cos(2 * Math.PI * turn)}`
  const along = (radius: number, way: 0 | 1, turns: readonly number[]) =>
    turns
      .slice(1)
      .map((turn, i) => {
        const long = Math.abs(turn - (turns[i] ?? 0)) > 0.5 ? 1 : 0
        return `A${radius},${radius},0,${long},${way},${at(radius, turn)}`
      })
      .join('')
  const back = [...stops].reverse()
  return `M${at(outer, start)}${along(outer, 1, stops)}L${at(inner, end)}${along(inner, 0, back)}Z`
}
