import outlines from './estados.topo.json' with { type: 'json' }

export interface Point {
  latitude: number
  longitude: number
}

const KM_PER_DEGREE = 111.2
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in km. */
export function distanceKm(a: Point, b: Point): number {
  const [p, q] = [radians(a.latitude), radians(b.latitude)]
  const half =
    Math.sin((q - p) / 2) ** 2 +
    Math.cos(p) * Math.cos(q) * Math.sin(radians(b.longitude - a.longitude) / 2) ** 2
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(half)))
}

type Ring = readonly (readonly [longitude: number, latitude: number])[]
interface Outline {
  rings: Ring[]
  /** west, south, east, north */
  box: [number, number, number, number]
}

/** The states' outlines out of the topology, made once. */
let known: Map<string, Outline> | undefined
function statesByCode(): Map<string, Outline> {
  known ??= new Map(
    outlines.objects.states.geometries.map((state) => {
      const parts = (state.type === 'Polygon' ? [state.arcs] : state.arcs) as number[][][]
      const rings = parts.flatMap((rings) => rings.map(ringOf))
      const [xs, ys] = [
        rings.flatMap((ring) => ring.map(([x]) => x)),
        rings.flatMap((ring) => ring.map(([, y]) => y)),
      ]
      return [state.id, { rings, box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] }]
    }),
  )
  return known
}

let arcs: [number, number][][] | undefined
function ringOf(indexes: readonly number[]): Ring {
  const { scale, translate } = outlines.transform
  arcs ??= outlines.arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx = 0, dy = 0]): [number, number] => {
      x += dx
      y += dy
      return [x * (scale[0] ?? 1) + (translate[0] ?? 0), y * (scale[1] ?? 1) + (translate[1] ?? 0)]
    })
  })
  return indexes.flatMap((index) =>
    index < 0 ? [...(arcs?.[~index] ?? [])].reverse() : (arcs?.[index] ?? []),
  )
}

/** Whether a point lies in the state, or not farther than so many km beyond its outline. */
export function inState(state: string, point: Point, beyondKm: number): boolean {
  const outline = statesByCode().get(state)
  if (!outline) return false
  const { latitude: y, longitude: x } = point
  const [west, south, east, north] = outline.box
  const margin = beyondKm / KM_PER_DEGREE + 0.1
  if (x < west - margin || x > east + margin || y < south - margin || y > north + margin) return false
  let inside = false
  const [perX, perY] = [KM_PER_DEGREE * Math.cos(radians(y)), KM_PER_DEGREE]
  let nearest = Number.POSITIVE_INFINITY
  for (const ring of outline.rings) {
    for (let at = 1; at < ring.length; at++) {
      const [[ax, ay], [bx, by]] = [ring[at - 1] ?? [0, 0], ring[at] ?? [0, 0]]
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside
      const [px, py, vx, vy] = [(x - ax) * perX, (y - ay) * perY, (bx - ax) * perX, (by - ay) * perY]
      const along = Math.max(0, Math.min(1, (px * vx + py * vy) / (vx * vx + vy * vy || 1)))
      nearest = Math.min(nearest, (px - along * vx) ** 2 + (py - along * vy) ** 2)
    }
  }
  return inside || nearest <= beyondKm ** 2
}

/** The state whose outline holds the point, or null: the sea, or another country. */
export function stateAt(point: Point, beyondKm: number): string | null {
  for (const state of statesByCode().keys()) if (inState(state, point, 0)) return state
  for (const state of statesByCode().keys()) if (inState(state, point, beyondKm)) return state
  return null
}
