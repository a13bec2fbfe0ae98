import { formatNumber } from '@ensaio/domain'
import type { Picture } from './framed.ts'
import type { Shape } from './scene.ts'

export type MapPlot = {
  numero: number
  tratamento: number
  bloco: number | null
  linha: number | null
  coluna: number | null
}
/** Of the plot that is furthest from the middle, %. */
export const MOST_COLOUR = 45

/** How far a value is from the middle, from -1 to 1 of the furthest; of a lost one nothing. */
export function deviation(values: readonly (number | null)[], middle: number) {
  const most = Math.max(1e-9, ...values.map((value) => (value === null ? 0 : Math.abs(value - middle))))
  return (value: number | null): number => (value === null ? 0 : (value - middle) / most)
}

/** Whether anything says where the plots lie. */
export const canMap = (plots: readonly MapPlot[]): boolean => placesOf(plots).length > 0

/** By row and column where they are known; else a block is a line, in the order of the plots' numbers. */
export function placesOf(plots: readonly MapPlot[]): { at: number; row: number; column: number }[] {
  if (plots.length > 0 && plots.every(({ linha, coluna }) => linha !== null && coluna !== null))
    return plots.map(({ linha, coluna }, at) => ({ at, row: linha ?? 1, column: coluna ?? 1 }))
  const blocks = [...new Set(plots.map(({ bloco }) => bloco))].sort((a, b) => (a ?? 0) - (b ?? 0))
  if (blocks.length < 2) return []
  return blocks.flatMap((block, line) =>
    plots
      .map((plot, at) => ({ plot, at }))
      .filter(({ plot }) => plot.bloco === block)
      .sort((a, b) => a.plot.numero - b.plot.numero)
      .map(({ at }, across) => ({ at, row: line + 1, column: across + 1 })),
  )
}

const CELL = { width: 76, height: 52, gap: 4 }
const ARROW = 44
const LEGEND = 26

/** The layout as a picture that is taken away: plots with their treatment and value, north, and what the colours say. */
export function fieldPicture({
  plots,
  values,
  middle,
  decimals,
  north,
}: {
  plots: readonly MapPlot[]
  /** Aligned with the plots; null: lost. */
  values: readonly (number | null)[]
  middle: number
  decimals: number
  /** Degrees from up, clockwise; null: not told. */
  north: number | null
}): Picture {
  const placed = placesOf(plots)
  const off = deviation(values, middle)
  const columns = Math.max(0, ...placed.map(({ column }) => column))
  const rows = Math.max(0, ...placed.map(({ row }) => row))
  const top = north === null ? 0 : ARROW
  const grid = rows * (CELL.height + CELL.gap)
  const empty = values.every((value) => value === null)
  const lost = values.some((value) => value === null)
  return {
    size: {
      width: Math.max(420, columns * (CELL.width + CELL.gap)),
      height: top + grid + (empty ? 0 : LEGEND),
    },
    draw: (palette, _size, measured) => {
      const shapes: Shape[] = north === null ? [] : arrow(north, palette.text)
      for (const { at, row, column } of placed) {
        const plot = plots[at]
        const value = values[at] ?? null
        if (!plot) continue
        const from = {
          x: (column - 1) * (CELL.width + CELL.gap),
          y: top + (row - 1) * (CELL.height + CELL.gap),
        }
        const path = box(CELL.width, CELL.height)
        const share = off(value)
        if (value !== null)
          shapes.push({
            ...{ path, from, fill: share >= 0 ? palette.accent : palette.warn },
            opacity: (MOST_COLOUR / 100) * Math.abs(share),
          })
        shapes.push({
          ...{
            path,
            from,
            width: 1,
            stroke: plot.bloco !== null && plot.bloco % 2 === 0 ? palette.faint : palette.line,
          },
          ...(value === null && !empty && { dash: [3, 3] }),
        })
        const middleOf = { x: from.x + CELL.width / 2, align: 'center' } as const
        shapes.push(
          { ...middleOf, text: `T${plot.tratamento}`, y: from.y + 17, fill: palette.text },
          {
            ...{ ...middleOf, y: from.y + 36, fill: value === null ? palette.muted : palette.text },
            text: value === null ? String(plot.numero) : formatNumber(value, decimals),
          },
        )
      }
      if (empty) return { shapes, at: () => null, tip: () => [''] }
      let x = 0
      const y = top + grid + LEGEND / 2
      const side = 12
      for (const [text, fill] of [
        ['acima', palette.accent],
        ['abaixo', palette.warn],
        ...(lost ? [['perdida: número da parcela', null] as const] : []),
      ] as const) {
        const from = { x, y: y - side / 2 }
        const path = box(side, side)
        shapes.push(
          fill === null
            ? { path, from, stroke: palette.line, width: 1, dash: [3, 3] }
            : { path, from, fill, opacity: MOST_COLOUR / 100 },
          { text, x: x + side + 6, y, fill: palette.muted },
        )
        x += side + 6 + measured(text) + 18
      }
      return { shapes, at: () => null, tip: () => [''] }
    },
  }
}

const box = (width: number, height: number) => `M0 0H${width}V${height}H0Z`

/** Half of it filled, its letter upright wherever it points. */
function arrow(degrees: number, fill: string): Shape[] {
  const turn = (degrees * Math.PI) / 180
  const middle = { x: ARROW / 2, y: ARROW / 2 - 2 }
  const turned = (points: readonly (readonly [number, number])[]) =>
    `${points
      .map(([x, y], at) => {
        const [right, down] = [
          x * Math.cos(turn) - y * Math.sin(turn),
          x * Math.sin(turn) + y * Math.cos(turn),
        ]
        return `${at === 0 ? 'M' : 'L'}${right.toFixed(2)} ${down.toFixed(2)}`
      })
      .join('')}Z`
  const halves = [1, -1].map((side) =>
    turned([
      [0, -9],
      [6 * side, 9],
      [0, 5],
    ]),
  )
  return [
    { path: halves[0] ?? '', from: middle, stroke: fill, width: 1.2 },
    { path: halves[1] ?? '', from: middle, fill },
    {
      ...{ text: 'N', fill, align: 'center' },
      ...{ x: middle.x + 17 * Math.sin(turn), y: middle.y - 17 * Math.cos(turn) },
    },
  ]
}
