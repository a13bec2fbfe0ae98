import type { Drawn } from './data.ts'
import type { Shape } from './scene.ts'

/** Of the cell that is furthest from zero, %: as much colour as the text over it bears. */
export const MOST_COLOUR = 34
const ROW = 30
const HEAD = 26
const GAP = 2

export type HeatParts = {
  corner: string
  columns: readonly string[]
  rows: readonly { name: string; cells: readonly { value: number; text: string; here?: boolean }[] }[]
}

export const heatHeight = ({ rows }: HeatParts): number => HEAD + ROW * rows.length

/** Numbers in a grid, coloured by how far they are above and below zero; where one stands now has a frame. */
export function heat({ corner, columns, rows }: HeatParts): Drawn {
  return (palette, size, measured) => {
    const most = Math.max(1, ...rows.flatMap(({ cells }) => cells.map(({ value }) => Math.abs(value))))
    const left = 12 + Math.max(...[corner, ...rows.map(({ name }) => name)].map(measured))
    const wide = (size.width - left) / Math.max(1, columns.length)
    const shapes: Shape[] = [
      { text: corner, x: 0, y: HEAD / 2, fill: palette.muted },
      ...columns.map(
        (text, at): Shape => ({
          ...{ text, x: left + wide * (at + 1) - 8, y: HEAD / 2 },
          ...{ fill: palette.muted, align: 'right' },
        }),
      ),
    ]
    for (const [down, { name, cells }] of rows.entries()) {
      const y = HEAD + ROW * down
      shapes.push({ text: name, x: 0, y: y + ROW / 2, fill: palette.muted })
      for (const [across, { value, text, here }] of cells.entries()) {
        const from = { x: left + wide * across + GAP / 2, y: y + GAP / 2 }
        const path = `M0 0H${wide - GAP}V${ROW - GAP}H0Z`
        const opacity = (MOST_COLOUR / 100) * (Math.abs(value) / most)
        shapes.push({ path, from, fill: value > 0 ? palette.accent : palette.warn, opacity })
        if (here) shapes.push({ path, from, stroke: palette.text, width: 2 })
        shapes.push({
          ...{ text, x: left + wide * (across + 1) - 8, y: y + ROW / 2 },
          ...{ fill: palette.text, align: 'right' },
        })
      }
    }
    return { shapes, at: () => null, tip: () => [''] }
  }
}
