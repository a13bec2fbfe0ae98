import type { Box } from './geometry.ts'
import { type Pdfium, scratchAt } from './pdfium.ts'

export type Colour = readonly [r: number, g: number, b: number]

/** What is drawn on a page besides text, in the displayed frame, in drawing order. */
export interface Drawing {
  box: Box
  /** Order of drawing, shared with text objects. */
  order: number
  fill: Colour | null
  stroke: Colour | null
  kind: 'box' | 'line' | 'shape' | 'image'
}

export interface PageObjects {
  drawings: Drawing[]
  /** Drawing order of each text object, by pointer. */
  textOrder: Map<number, number>
}

type Matrix = readonly [number, number, number, number, number, number]
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]
const TEXT = 1
const PATH = 2
const IMAGE = 3
const FORM = 5
const MAX_DEPTH = 5
const MAX_OBJECTS = 60_000
const MAX_SEGMENTS = 400
const MAX_CLIPS = 4
/** A frame that cuts has four sides. */
const MAX_CLIP_SEGMENTS = 12

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[1] * n[2],
  m[0] * n[1] + m[1] * n[3],
  m[2] * n[0] + m[3] * n[2],
  m[2] * n[1] + m[3] * n[3],
  m[4] * n[0] + m[5] * n[2] + n[4],
  m[4] * n[1] + m[5] * n[3] + n[5],
]

/** Walks the page's objects, forms included, within caps that hostile files cannot exceed. */
export function readObjects(
  library: Pdfium,
  page: number,
  scratch: number,
  toDisplay: (x: number, y: number) => [number, number],
): PageObjects {
  const drawings: Drawing[] = []
  const textOrder = new Map<number, number>()
  let order = 0
  const floats = () => scratchAt(library, scratch).floats
  const ints = () => scratchAt(library, scratch).ints

  const displayBox = (points: readonly (readonly [number, number])[], m: Matrix): Box => {
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, y] of points) {
      const [dx, dy] = toDisplay(m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5])
      x0 = Math.min(x0, dx)
      x1 = Math.max(x1, dx)
      y0 = Math.min(y0, dy)
      y1 = Math.max(y1, dy)
    }
    return { x0, y0, x1, y1 }
  }

  const objectMatrix = (object: number): Matrix => {
    if (!library._FPDFPageObj_GetMatrix(object, scratch)) return IDENTITY
    const [a, b, c, d, e, f] = floats()
    return [a ?? 1, b ?? 0, c ?? 0, d ?? 1, e ?? 0, f ?? 0]
  }

  const colour = (ok: number): Colour | null => {
    if (!ok) return null
    const [r, g, b, a] = ints()
    return a === undefined || a < 200 ? null : [r ?? 0, g ?? 0, b ?? 0]
  }
  const at = (i: number) => scratch + 4 * i

  /** What of a box is seen: a bar may be drawn far beyond the frame of its chart. */
  const clipOf = (object: number, parent: Matrix): ((box: Box) => Box | null) => {
    const path = library._FPDFPageObj_GetClipPath(object)
    const paths = path ? Math.min(library._FPDFClipPath_CountPaths(path), MAX_CLIPS) : 0
    const frames: Box[] = []
    for (let p = 0; p < paths; p++) {
      const segments = library._FPDFClipPath_CountPathSegments(path, p)
      if (segments < 2 || segments > MAX_CLIP_SEGMENTS) continue
      const points: [number, number][] = []
      for (let i = 0; i < segments; i++) {
        library._FPDFPathSegment_GetPoint(library._FPDFClipPath_GetPathSegment(path, p, i), at(0), at(1))
        const [x, y] = floats()
        points.push([x ?? 0, y ?? 0])
      }
      frames.push(displayBox(points, parent))
    }
    return (box) => {
      const seen = frames.reduce(
        (a, b) => ({
          x0: Math.max(a.x0, b.x0),
          y0: Math.max(a.y0, b.y0),
          x1: Math.min(a.x1, b.x1),
          y1: Math.min(a.y1, b.y1),
        }),
        box,
      )
      return seen.x1 < seen.x0 || seen.y1 < seen.y0 ? null : seen
    }
  }

  const readPath = (object: number, parent: Matrix): void => {
    const segments = library._FPDFPath_CountSegments(object)
    if (segments < 2) return
    if (!library._FPDFPath_GetDrawMode(object, at(0), at(1))) return
    const modes = ints()
    const filled = modes[0] !== 0
    const stroked = modes[1] !== 0
    const fill = filled ? colour(library._FPDFPageObj_GetFillColor(object, at(0), at(1), at(2), at(3))) : null
    const stroke = stroked
      ? colour(library._FPDFPageObj_GetStrokeColor(object, at(0), at(1), at(2), at(3)))
      : null
    if (!fill && !stroke) return
    const matrix = multiply(objectMatrix(object), parent)
    if (segments > MAX_SEGMENTS) return
    const clip = clipOf(object, parent)
    let current: [number, number][] = []
    let curved = false
    const flush = (): void => {
      if (current.length >= 2) {
        const box = clip(displayBox(current, matrix))
        const thin = box ? Math.min(box.x1 - box.x0, box.y1 - box.y0) : 0
        const kind = curved && thin > 2 ? 'shape' : classify(current, thin)
        if (box) drawings.push({ box, order, fill, stroke, kind })
      }
      current = []
      curved = false
    }
    for (let i = 0; i < segments; i++) {
      const segment = library._FPDFPath_GetPathSegment(object, i)
      const type = library._FPDFPathSegment_GetType(segment)
      library._FPDFPathSegment_GetPoint(segment, at(0), at(1))
      const [x, y] = floats()
      if (type === 2) flush()
      if (type === 1) curved = true
      current.push([x ?? 0, y ?? 0])
    }
    flush()
  }

  const walk = (object: number, parent: Matrix, depth: number): void => {
    if (!object || order > MAX_OBJECTS) return
    order++
    const type = library._FPDFPageObj_GetType(object)
    if (type === TEXT) textOrder.set(object, order)
    else if (type === PATH) readPath(object, parent)
    else if (type === IMAGE) {
      const matrix = multiply(objectMatrix(object), parent)
      const box = displayBox(
        [
          [0, 0],
          [1, 0],
          [0, 1],
          [1, 1],
        ],
        matrix,
      )
      drawings.push({ box, order, fill: null, stroke: null, kind: 'image' })
    } else if (type === FORM && depth < MAX_DEPTH) {
      const matrix = multiply(objectMatrix(object), parent)
      const count = library._FPDFFormObj_CountObjects(object)
      for (let i = 0; i < count && order <= MAX_OBJECTS; i++)
        walk(library._FPDFFormObj_GetObject(object, i), matrix, depth + 1)
    }
  }

  const count = library._FPDFPage_CountObjects(page)
  for (let i = 0; i < count && order <= MAX_OBJECTS; i++)
    walk(library._FPDFPage_GetObject(page, i), IDENTITY, 0)
  return { drawings, textOrder }
}

function classify(points: readonly [number, number][], thin: number): Drawing['kind'] {
  if (thin <= 2.2) return 'line'
  if (points.length <= 2) return 'shape'
  const xs = new Set(points.map(([x]) => Math.round(x * 2)))
  const ys = new Set(points.map(([, y]) => Math.round(y * 2)))
  return points.length <= 6 && xs.size <= 3 && ys.size <= 3 ? 'box' : 'shape'
}
