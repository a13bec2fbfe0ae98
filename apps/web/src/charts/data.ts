import { formatFixed, unitBehind } from '@ensaio/domain'
import type { Palette } from './palette.ts'
import type { Measure, Scene, Size } from './scene.ts'

/** One bar, slice or point of a line. */
export type Datum = {
  key: string
  label: string
  value: number
  colour?: string
  /** Said on hover, after the value. */
  detail?: string
}
export type Axis = { name: string; unit: string; decimals: number }

/** Draws with the theme's colours into the room that there is. */
export type Drawn = (palette: Palette, size: Size, measured: Measure) => Scene

export type Draw = (data: readonly Datum[], axis: Axis, selected: string | null) => Drawn

export const withUnit = (value: number, { unit, decimals }: Axis) =>
  `${formatFixed(value, decimals)}${unitBehind(unit)}`

/** What is not chosen steps back. */
export const faded = (datum: Datum, selected: string | null) =>
  selected !== null && selected !== datum.key ? 0.35 : 1

export const tipOf = (datum: Datum, axis: Axis): [string, ...string[]] => [
  datum.label,
  withUnit(datum.value, axis),
  ...(datum.detail ? [datum.detail] : []),
]
