import { MAP_CENTRE } from '@ensaio/domain'
import { sql } from 'kysely'

/** 80 px, room for a marker and its neighbours, in degrees at zoom 0 on a 256 px world; halves with every zoom. */
const DEGREES_AT_ZOOM_0 = 112.5
/** The zoom whose squares are kept; those of lower zooms are unions of them. */
export const KEPT_ZOOM = 8
/** Rows and columns of squares stand in one number. */
export const COLUMNS = 4096

/** The width of the squares that a zoom joins experiments by, in degrees. */
export const squareDegrees = (zoom: number): number => DEGREES_AT_ZOOM_0 / 2 ** zoom

/** Where a row `e` of `contados` lies: its own place, else its city's, else the map's centre. */
const latitude = sql`coalesce(e.latitude, ${sql.lit(MAP_CENTRE.latitude)}::float8)`
const longitude = sql`coalesce(e.longitude, ${sql.lit(MAP_CENTRE.longitude)}::float8)`
const row = sql`floor((${latitude} + 90) / ${sql.lit(squareDegrees(KEPT_ZOOM))})::integer`
const column = sql`floor((${longitude} + 180) / ${sql.lit(squareDegrees(KEPT_ZOOM))})::integer`

export const PLACE = { latitude, longitude, square: sql`(${row} * ${sql.lit(COLUMNS)} + ${column})` }
