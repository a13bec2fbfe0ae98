import { z } from 'zod'

const MOST_CORNERS = 10_000
/** As near as two hundred metres is the same place: places are typed with three decimals and more. */
const NEAR_M = 200
const METRES_PER_DEGREE = 111_320

const Position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number())
const Ring = z.array(Position).min(4).max(MOST_CORNERS)
const Geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Point'), coordinates: Position }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(Ring).min(1).max(100) }),
])
const Feature = z.object({ geometry: Geometry })

/** A place or an area of GeoJSON that records are looked for in. */
export type Area = z.infer<typeof Geometry>

/** The geometry, alone or of a feature; null where it is neither. */
export function readArea(given: unknown): Area | null {
  const feature = Feature.safeParse(given)
  if (feature.success) return feature.data.geometry
  return Geometry.safeParse(given).data ?? null
}

/** Whether a record's point, as GeoJSON, lies there; one without a place is nowhere. */
export function isIn(area: Area, place: unknown): boolean {
  const point = readArea(place)
  if (point?.type !== 'Point') return false
  const [x, y] = point.coordinates
  if (area.type === 'Polygon')
    // A point within a hole is inside of two rings.
    return area.coordinates.filter((ring) => isInside(ring, x, y)).length % 2 === 1
  const [lng, lat] = area.coordinates
  const east = (x - lng) * Math.cos((lat * Math.PI) / 180)
  return Math.hypot(east, y - lat) * METRES_PER_DEGREE <= NEAR_M
}

/** Whether a ray to the east crosses the ring an odd number of times. */
function isInside(ring: z.infer<typeof Ring>, x: number, y: number): boolean {
  let inside = false
  for (const [at, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring.at(at - 1) ?? [x1, y1]
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}
