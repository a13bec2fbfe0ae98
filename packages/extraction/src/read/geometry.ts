/** [x0, y0, x1, y1], points, origin at the top left. */
export interface Box {
  x0: number
  y0: number
  x1: number
  y1: number
}

export function union(boxes: readonly Box[]): Box {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    x0 = Math.min(x0, box.x0)
    y0 = Math.min(y0, box.y0)
    x1 = Math.max(x1, box.x1)
    y1 = Math.max(y1, box.y1)
  }
  return { x0, y0, x1, y1 }
}

export function overlap(a0: number, a1: number, b0: number, b1: number): number {
  return Math.max(0, Math.min(a1, b1) - Math.max(a0, b0))
}

export function contains(outer: Box, x: number, y: number, slack = 0): boolean {
  return x >= outer.x0 - slack && x <= outer.x1 + slack && y >= outer.y0 - slack && y <= outer.y1 + slack
}

export const area = (box: Box): number => Math.max(0, box.x1 - box.x0) * Math.max(0, box.y1 - box.y0)

/** Quarter turns that bring the text upright: how the upright frame maps to the page as displayed. */
export type Turn = 0 | 1 | 2 | 3

/** Displayed page -> upright frame. Turn 1: text reads upwards; 3: downwards; 2: upside down. */
export function toUpright(box: Box, turn: Turn, width: number, height: number): Box {
  if (turn === 1) return { x0: height - box.y1, y0: box.x0, x1: height - box.y0, y1: box.x1 }
  if (turn === 2) return { x0: width - box.x1, y0: height - box.y1, x1: width - box.x0, y1: height - box.y0 }
  if (turn === 3) return { x0: box.y0, y0: width - box.x1, x1: box.y1, y1: width - box.x0 }
  return box
}

/** Upright frame -> displayed page; width and height are the displayed page's. */
export function toDisplayed(box: Box, turn: Turn, width: number, height: number): Box {
  if (turn === 1) return { x0: box.y0, y0: height - box.x1, x1: box.y1, y1: height - box.x0 }
  if (turn === 2) return { x0: width - box.x1, y0: height - box.y1, x1: width - box.x0, y1: height - box.y0 }
  if (turn === 3) return { x0: width - box.y1, y0: box.x0, x1: width - box.y0, y1: box.x1 }
  return box
}
