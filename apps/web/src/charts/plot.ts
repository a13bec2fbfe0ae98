import { formatNumber } from '@ensaio/domain'
import { scaleOf } from './axes.ts'
import type { Axis, Drawn } from './data.ts'
import type { Shape } from './scene.ts'

export type PlotPoint = {
  key: string
  x: number
  y: number
  label: string
  tip: readonly string[]
  strong?: boolean
  /** Radius, pixels. */
  size?: number
  /** Written beside it. */
  name?: string
}
/** A line through points in the order of x; `band` fills between two of them. */
export type PlotLine = { points: readonly (readonly [number, number])[]; dash?: boolean; strong?: boolean }
export type PlotBand = { points: readonly (readonly [x: number, low: number, high: number])[] }
export type PlotParts = {
  points: readonly PlotPoint[]
  lines?: readonly PlotLine[]
  band?: PlotBand
  /** Upright ranges, such as intervals: from where to where, at x. */
  bars?: readonly { x: number; low: number; high: number }[]
  /** Values of y are below zero so that the small ones stand above; they are told without their sign. */
  mirrored?: boolean
}

const NEAR = 14
const DOT = 4

/** Points with lines, bands and intervals over two quantities. */
export function plot(
  { points, lines = [], band, bars = [], mirrored = false }: PlotParts,
  x: Axis,
  y: Axis,
): Drawn {
  return (palette, size, measured) => {
    const top = 28
    const bottom = size.height - 46
    const right = size.width - 16
    const ys = [
      ...points.map((one) => one.y),
      ...lines.flatMap((line) => line.points.map(([, value]) => value)),
      ...bars.flatMap(({ low, high }) => [low, high]),
      ...(band?.points.flatMap(([, low, high]) => [low, high]) ?? []),
    ]
    const xs = [
      ...points.map((one) => one.x),
      ...lines.flatMap((line) => line.points.map(([value]) => value)),
    ]
    const up = scaleOf(ys, { about: 5, decimals: y.decimals, ends: [bottom, top] })
    const told = (mark: number) => formatNumber(mirrored ? Math.abs(mark) : mark, y.decimals)
    const left = 14 + Math.max(...up.marks.map((mark) => measured(told(mark))))
    const across = scaleOf(xs, {
      about: Math.max(3, Math.floor((right - left) / 80)),
      decimals: x.decimals,
      ends: [left, right],
    })
    const title = ({ name, unit }: Axis) => (unit ? `${name} (${unit})` : name)
    const path = (line: readonly (readonly [number, number])[]) =>
      line
        .map(([px, py], at) => `${at === 0 ? 'M' : 'L'}${tenth(across.place(px))} ${tenth(up.place(py))}`)
        .join('')
    const shapes: Shape[] = [
      ...up.marks.flatMap((mark): Shape[] => [
        { path: `M${left} ${tenth(up.place(mark))}H${right}`, stroke: palette.line, width: 1 },
        {
          text: told(mark),
          x: left - 6,
          y: up.place(mark),
          fill: palette.muted,
          align: 'right',
        },
      ]),
      ...across.marks.map(
        (mark): Shape => ({
          text: formatNumber(mark, x.decimals),
          x: across.place(mark),
          y: bottom + 14,
          fill: palette.muted,
          align: 'center',
        }),
      ),
      { text: title(y), x: 0, y: 10, fill: palette.muted },
      { text: title(x), x: right, y: size.height - 10, fill: palette.muted, align: 'right' },
    ]
    if (band && band.points.length > 1) {
      const forth = band.points.map(([px, low]) => [px, low] as const)
      const back = band.points.map(([px, , high]) => [px, high] as const).reverse()
      shapes.push({ path: `${path(forth)}L${path(back).slice(1)}Z`, fill: palette.accent, opacity: 0.12 })
    }
    for (const line of lines)
      shapes.push({
        path: path(line.points),
        stroke: line.strong ? palette.accent : palette.faint,
        width: line.strong ? 2 : 1.2,
        ...(line.dash ? { dash: [5, 4] } : {}),
      })
    for (const { x: at, low, high } of bars)
      shapes.push({
        path: `M${tenth(across.place(at))} ${tenth(up.place(low))}V${tenth(up.place(high))}`,
        stroke: palette.text,
        width: 1.5,
      })
    const places = points.map((one) => ({ x: across.place(one.x), y: up.place(one.y) }))
    for (const [at, place] of places.entries()) {
      const r = points[at]?.size ?? DOT
      shapes.push({
        path: `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
        from: place,
        fill: points[at]?.strong ? palette.text : palette.accent,
        opacity: points[at]?.size === undefined ? 0.85 : 0.6,
      })
    }
    for (const [at, place] of places.entries()) {
      const name = points[at]?.name
      // Names of points near the right edge stand on their other side.
      const turned = name !== undefined && place.x + 10 + measured(name) > size.width
      if (name !== undefined)
        shapes.push({
          ...{ text: name, x: place.x + (turned ? -10 : 10), y: place.y + (turned ? 0 : 12) },
          ...{ fill: palette.muted, align: turned ? 'right' : 'left' },
        })
    }
    return {
      shapes,
      at: (px, py) => nearest(places, px, py),
      tip: (index) => [points[index]?.label ?? '', ...(points[index]?.tip ?? [])],
    }
  }
}

function nearest(places: readonly { x: number; y: number }[], px: number, py: number): number | null {
  let found: number | null = null
  let least = NEAR
  for (const [index, place] of places.entries()) {
    const distance = Math.hypot(place.x - px, place.y - py)
    if (distance <= least) [found, least] = [index, distance]
  }
  return found
}

export type IntervalRow = {
  key: string
  label: string
  value: number
  low: number | null
  high: number | null
  /** Stands behind the name: a letter. */
  mark?: string
  control?: boolean
  tip: readonly string[]
}

export const INTERVAL_ROW = 30

/** Dots with intervals, a row each, beside their names; an upright line at a value such as the control's or zero. */
export function intervals(
  rows: readonly IntervalRow[],
  axis: Axis,
  line: number | null,
  /** `within`: values that the scale takes in besides, so that several figures share one. */
  {
    hollow = false,
    within = [],
    bars = false,
  }: {
    hollow?: boolean
    within?: readonly number[]
    /** Whether each row also has a bar from the line. */
    bars?: boolean
  } = {},
): Drawn {
  return (palette, size, measured) => {
    const names = rows.map(({ label, mark }) => (mark ? `${label}  ${mark}` : label))
    const left = Math.min(size.width * 0.45, 16 + Math.max(...names.map(measured)))
    const right = size.width - 24
    const bottom = 8 + rows.length * INTERVAL_ROW
    const scale = scaleOf(
      [
        ...rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
        ...(line === null ? [] : [line]),
        ...within,
      ],
      { about: Math.max(3, Math.floor((right - left) / 90)), decimals: axis.decimals, ends: [left, right] },
    )
    const shapes: Shape[] = scale.marks.flatMap((mark): Shape[] => [
      { path: `M${tenth(scale.place(mark))} 4V${bottom}`, stroke: palette.line, width: 1 },
      {
        text: formatNumber(mark, axis.decimals),
        x: scale.place(mark),
        y: bottom + 14,
        fill: palette.muted,
        align: 'center',
      },
    ])
    shapes.push({
      text: axis.unit ? `${axis.name} (${axis.unit})` : axis.name,
      x: right,
      y: bottom + 34,
      fill: palette.muted,
      align: 'right',
    })
    if (line !== null)
      shapes.push({
        path: `M${tenth(scale.place(line))} 4V${bottom}`,
        stroke: palette.text,
        width: 1.2,
        dash: [4, 4],
      })
    const places = rows.map(({ value }, at) => ({ x: scale.place(value), y: 8 + INTERVAL_ROW * (at + 0.5) }))
    for (const [at, row] of rows.entries()) {
      const place = places[at]
      if (!place) continue
      shapes.push({ text: names[at] ?? '', x: left - 10, y: place.y, fill: palette.text, align: 'right' })
      if (bars && line !== null)
        shapes.push({
          path: `M${tenth(scale.place(line))} ${place.y - 8}H${tenth(place.x)}v16H${tenth(scale.place(line))}Z`,
          fill: palette.accent,
          opacity: 0.25,
        })
      if (row.low !== null && row.high !== null)
        shapes.push({
          path: `M${tenth(scale.place(row.low))} ${place.y}H${tenth(scale.place(row.high))}`,
          stroke: row.control ? palette.muted : palette.accent,
          width: 2,
          ...(hollow ? { dash: [3, 3] } : {}),
        })
      shapes.push({
        path: `M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
        from: place,
        fill: row.control ? palette.muted : palette.accent,
      })
    }
    return {
      shapes,
      at: (px, py) => {
        const at = Math.floor((py - 8) / INTERVAL_ROW)
        return px >= 0 && at >= 0 && at < rows.length ? at : null
      },
      tip: (index) => [rows[index]?.label ?? '', ...(rows[index]?.tip ?? [])],
    }
  }
}
export const intervalsHeight = (rows: number): number => 8 + rows * INTERVAL_ROW + 48

const tenth = (value: number) => Math.round(value * 10) / 10
