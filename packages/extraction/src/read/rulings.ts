import type { Box } from './geometry.ts'
import { area, contains } from './geometry.ts'
import type { Colour, Drawing } from './objects.ts'
import type { CheckBox, Ruling } from './page.ts'

const THIN = 2.2
const SHORTEST = 6

export const isWhite = ([r, g, b]: Colour): boolean => r + g + b > 750

/** Straight lines and box edges that may separate cells, in the displayed frame. */
export function findRulings(drawings: readonly Drawing[], page: { width: number; height: number }): Ruling[] {
  const rulings: Ruling[] = []
  const push = (box: Box, vertical: boolean, edge: boolean): void => {
    const length = vertical ? box.y1 - box.y0 : box.x1 - box.x0
    if (length >= SHORTEST) rulings.push({ ...box, vertical, edge })
  }
  for (const { box, kind, fill, stroke } of drawings) {
    const w = box.x1 - box.x0
    const h = box.y1 - box.y0
    if (kind === 'image') continue
    if (!stroke && fill && isWhite(fill)) continue
    if (kind === 'line' || h <= THIN || w <= THIN) {
      if (h <= THIN && w > h) push(box, false, false)
      else if (w <= THIN) push(box, true, false)
      continue
    }
    if (kind !== 'box' || w * h > 0.85 * page.width * page.height) continue
    const edge = !stroke
    push({ ...box, y1: box.y0 }, false, edge)
    push({ ...box, y0: box.y1 }, false, edge)
    push({ ...box, x1: box.x0 }, true, edge)
    push({ ...box, x0: box.x1 }, true, edge)
  }
  return mergeCollinear(rulings)
}

/** A panel holds several lines, and is not the page. */
const LEAST_PANEL = { width: 60, height: 40 }
const MOST_PANEL = 0.6

/** More of them are a picture. */
const MOST_PANELS = 60

/** Boxes with round corners that may hold what belongs together, in the displayed frame. */
export function findPanels(drawings: readonly Drawing[], page: { width: number; height: number }): Box[] {
  const panels = drawings.flatMap(({ box, kind }) =>
    kind === 'shape' &&
    box.x1 - box.x0 >= LEAST_PANEL.width &&
    box.y1 - box.y0 >= LEAST_PANEL.height &&
    area(box) <= MOST_PANEL * page.width * page.height
      ? [box]
      : [],
  )
  return panels.length > MOST_PANELS ? [] : panels
}

/** Joins rulings that continue each other (dashes, cell borders drawn one by one). */
export function mergeCollinear(rulings: readonly Ruling[]): Ruling[] {
  const merged: Ruling[] = []
  for (const vertical of [false, true]) {
    const across = (r: Ruling): number => (vertical ? (r.x0 + r.x1) / 2 : (r.y0 + r.y1) / 2)
    const start = (r: Ruling): number => (vertical ? r.y0 : r.x0)
    const end = (r: Ruling): number => (vertical ? r.y1 : r.x1)
    const sorted = rulings
      .filter((r) => r.vertical === vertical)
      .sort((a, b) => Math.round(across(a)) - Math.round(across(b)) || start(a) - start(b))
    const open: Ruling[] = []
    for (const ruling of sorted) {
      const host = open.findLast(
        (o) =>
          Math.abs(across(o) - across(ruling)) < 1.6 &&
          start(ruling) <= end(o) + 3.5 &&
          end(ruling) >= start(o) - 3.5,
      )
      if (!host) {
        open.push({ ...ruling })
        continue
      }
      if (vertical) {
        host.y0 = Math.min(host.y0, ruling.y0)
        host.y1 = Math.max(host.y1, ruling.y1)
      } else {
        host.x0 = Math.min(host.x0, ruling.x0)
        host.x1 = Math.max(host.x1, ruling.x1)
      }
      host.edge &&= ruling.edge
    }
    merged.push(...open)
  }
  return merged
}

/** Small filled shapes as wide as high: drawn bullets. */
export function findBullets(drawings: readonly Drawing[]): Box[] {
  return drawings
    .filter(({ box, kind, fill }) => {
      const w = box.x1 - box.x0
      const h = box.y1 - box.y0
      return fill !== null && kind !== 'image' && w > 1.4 && w < 7 && h > 1.4 && h < 7 && Math.abs(w - h) < 1
    })
    .map((drawing) => drawing.box)
}

/** Small squares; one is checked when something is drawn inside it, or when it is filled with colour. */
export function findCheckBoxes(drawings: readonly Drawing[]): CheckBox[] {
  const squares = drawings.filter(({ box, kind }) => {
    const w = box.x1 - box.x0
    const h = box.y1 - box.y0
    return (
      kind !== 'image' && kind !== 'line' && w >= 5 && w <= 16 && h >= 5 && h <= 16 && Math.abs(w - h) < 2
    )
  })
  const boxes: CheckBox[] = []
  for (const square of squares) {
    const known = boxes.find((b) => contains(square.box, (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2, 1))
    const inside = drawings.some(
      (d) =>
        d !== square &&
        d.order >= square.order &&
        d.kind !== 'image' &&
        area(d.box) >= 0 &&
        d.box.x0 >= square.box.x0 - 0.5 &&
        d.box.x1 <= square.box.x1 + 0.5 &&
        d.box.y0 >= square.box.y0 - 0.5 &&
        d.box.y1 <= square.box.y1 + 0.5 &&
        Math.max(d.box.x1 - d.box.x0, d.box.y1 - d.box.y0) < 0.92 * (square.box.x1 - square.box.x0) &&
        Math.max(d.box.x1 - d.box.x0, d.box.y1 - d.box.y0) > 0.3 * (square.box.x1 - square.box.x0) &&
        !((d.fill?.[0] ?? 0) > 235 && (d.fill?.[1] ?? 0) > 235 && !d.stroke),
    )
    const inked = square.fill !== null && square.fill[0] + square.fill[1] + square.fill[2] < 560
    const checked = inside || inked
    if (known) known.checked ||= checked
    else boxes.push({ ...square.box, checked })
  }
  // Bars, bullets and legend keys are filled squares too: where every box is filled, none is an answer.
  return boxes.some((box) => !box.checked) ? boxes : []
}
