import { formatNumber } from '@ensaio/domain'
import { scaleOf } from './axes.ts'
import type { Axis, Drawn } from './data.ts'
import type { Shape } from './scene.ts'

/** A trial, or several folded into one row. */
export type ForestRow = {
  key: string
  label: string
  value: number
  low: number | null
  high: number | null
  /** 0..1 of the heaviest; null: it takes no part in the estimate, and is hollow. */
  weight: number | null
  /** Its error is rebuilt or supposed: its line is broken. */
  broken?: boolean
  folded?: boolean
  tip: readonly string[]
}
export type Diamond = { label: string; value: number; low: number; high: number; light?: boolean }
export type ForestParts = {
  rows: readonly ForestRow[]
  diamonds: readonly Diamond[]
  /** Where the next trial should fall. */
  next: { low: number; high: number } | null
  /** A value that pays the cost, with its words. */
  line: { value: number; label: string } | null
}

const ROW = 26
const TOP = 26
/** Below it names stand above their rows. */
const NARROW = 520

const NEXT = 'Próximo ensaio'
const shownName = ({ label, folded }: ForestRow) => (folded ? `▸ ${label}` : label)
const rowHeight = (narrow: boolean) => (narrow ? ROW * 1.6 : ROW)
const lines = ({ rows, diamonds, next }: ForestParts) => rows.length + diamonds.length + (next ? 1 : 0)
/** Room for it on a page of the width, in pixels. */
export const forestHeight = (parts: ForestParts, narrow: boolean): number =>
  TOP + lines(parts) * rowHeight(narrow) + 58

/** Effects with their intervals, a square for each as large as its weight, and what they come to together. */
export function forest(parts: ForestParts, axis: Axis): Drawn {
  const { rows, diamonds, next, line } = parts
  return (palette, size, measured) => {
    const narrow = size.width < NARROW
    const step = (size.height - TOP - 58) / Math.max(1, lines(parts))
    const names = [...rows.map(shownName), ...diamonds.map(({ label }) => label), NEXT]
    const left = narrow ? 12 : Math.min(size.width * 0.42, 22 + Math.max(...names.map(measured)))
    const right = size.width - 18
    const bottom = TOP + lines(parts) * step
    const scale = scaleOf(
      [
        0,
        ...rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]),
        ...diamonds.flatMap(({ low, high }) => [low, high]),
        ...(next ? [next.low, next.high] : []),
        ...(line ? [line.value] : []),
      ],
      { about: Math.max(3, Math.floor((right - left) / 90)), decimals: axis.decimals, ends: [left, right] },
    )
    const x = (value: number) => tenth(scale.place(value))
    const shapes: Shape[] = scale.marks.flatMap((mark): Shape[] => [
      { path: `M${x(mark)} ${TOP}V${bottom}`, stroke: palette.line, width: 1 },
      {
        ...{ text: formatNumber(mark, axis.decimals), x: x(mark), y: bottom + 14 },
        ...{ fill: palette.muted, align: 'center' },
      },
    ])
    shapes.push(
      { path: `M${x(0)} ${TOP}V${bottom}`, stroke: palette.text, width: 1.4 },
      { text: `${axis.name} (${axis.unit})`, x: right, y: bottom + 36, fill: palette.muted, align: 'right' },
    )
    if (line) {
      const turned = x(line.value) + 8 + measured(line.label) > size.width
      shapes.push(
        { path: `M${x(line.value)} ${TOP}V${bottom}`, stroke: palette.muted, width: 1.4, dash: [6, 4] },
        {
          ...{ text: line.label, x: x(line.value) + (turned ? -5 : 5), y: 12 },
          ...{ fill: palette.muted, align: turned ? 'right' : 'left' },
        },
      )
    }
    const middle = (at: number) => TOP + step * (at + (narrow ? 0.72 : 0.5))
    const name = (label: string, at: number, strong = false) => {
      const room = narrow ? size.width - 24 : left - 16
      shapes.push({
        ...{ text: cut(label, room, measured), y: narrow ? middle(at) - step * 0.4 : middle(at) },
        ...{ x: narrow ? 12 : left - 10, align: narrow ? 'left' : 'right' },
        fill: strong ? palette.text : palette.muted,
      })
    }
    rows.forEach((row, at) => {
      const y = tenth(middle(at))
      name(shownName(row), at)
      if (row.low !== null && row.high !== null)
        shapes.push({
          path: `M${x(row.low)} ${y}H${x(row.high)}`,
          ...{ stroke: palette.accent, width: row.folded ? 4 : 1.6, opacity: row.folded ? 0.45 : 0.9 },
          ...(row.broken ? { dash: [4, 3] } : {}),
        })
      const half = row.weight === null ? 4 : 3 + 5 * Math.sqrt(row.weight)
      const square = `M${-half} ${-half}h${2 * half}v${2 * half}h${-2 * half}z`
      const from = { x: x(row.value), y }
      if (row.weight === null) {
        shapes.push({ path: square, from, fill: palette.surface })
        shapes.push({ path: square, from, stroke: palette.accent, width: 1.5 })
      } else shapes.push({ path: square, from, fill: palette.accent })
    })
    diamonds.forEach(({ label, value, low, high, light }, n) => {
      const at = rows.length + n
      const y = tenth(middle(at))
      name(label, at, true)
      const path = `M${x(low)} ${y}L${x(value)} ${y - 7}L${x(high)} ${y}L${x(value)} ${y + 7}Z`
      if (light) shapes.push({ path, stroke: palette.text, width: 1.4, dash: [4, 3] })
      else shapes.push({ path, fill: palette.text })
    })
    if (next) {
      const at = lines(parts) - 1
      name(NEXT, at, true)
      shapes.push({
        path: `M${x(next.low)} ${tenth(middle(at))}H${x(next.high)}`,
        ...{ stroke: palette.muted, width: 5, opacity: 0.7 },
      })
    }
    return {
      shapes,
      at: (_, py) => {
        const at = Math.floor((py - TOP) / step)
        return at >= 0 && at < rows.length ? at : null
      },
      tip: (index) => [rows[index]?.label ?? '', ...(rows[index]?.tip ?? [])],
    }
  }
}

const tenth = (value: number) => Math.round(value * 10) / 10

function cut(text: string, room: number, measured: (text: string) => number): string {
  if (measured(text) <= room) return text
  let kept = text
  while (kept.length > 3 && measured(`${kept}…`) > room) kept = kept.slice(0, -1)
  return `${kept.trimEnd()}…`
}
