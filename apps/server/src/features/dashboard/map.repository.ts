import { type ExperimentFilter, MAP_CENTRE, type MapPlace, type MapPoint } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { countedCondition } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** An experiment lies where it says, else in its city, else at the map's centre. */
const LATITUDE = sql`coalesce(e.latitude, ${sql.lit(MAP_CENTRE.latitude)}::float8)`
const LONGITUDE = sql`coalesce(e.longitude, ${sql.lit(MAP_CENTRE.longitude)}::float8)`
const UNKNOWN = sql`e.latitude is null`

/** Written so that the index of places serves it; those without a place lie at the centre. */
function inView(bounds: Bounds | null): RawBuilder<unknown> {
  if (!bounds) return sql`true`
  const { west, south, east, north } = bounds
  const { latitude, longitude } = MAP_CENTRE
  const centre = south <= latitude && latitude <= north && west <= longitude && longitude <= east
  const placed = sql`(e.latitude between ${south} and ${north} and e.longitude between ${west} and ${east})`
  return centre ? sql`(${placed} or e.latitude is null)` : placed
}

/** Distinct cities and states of what the filter lets through. */
export async function mapExtent(
  handle: Handle,
  filter: ExperimentFilter,
): Promise<{ localizacoes: number; estados: number }> {
  const { rows } = await sql<{ localizacoes: number; estados: number }>`
    select count(*) as localizacoes, count(distinct ci.estado) as estados from (
      select distinct e.cidade_id from contados e where ${countedCondition(filter)}
    ) d join cidades ci on ci.id = d.cidade_id
  `.execute(handle)
  return rows[0] ?? { localizacoes: 0, estados: 0 }
}

/** How many experiments lie in view, counted up to one more than `enough`. */
export async function countInView(
  handle: Handle,
  filter: ExperimentFilter,
  { bounds, enough }: { bounds: Bounds | null; enough: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from contados e where ${countedCondition(filter)} and ${inView(bounds)} limit ${enough + 1}
    ) v
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Every experiment in view as a point of its own. */
export async function mapPoints(
  handle: Handle,
  filter: ExperimentFilter,
  { bounds, limit }: { bounds: Bounds | null; limit: number },
): Promise<MapPoint[]> {
  const { rows } = await sql<MapPoint>`
    select e.id, ${LATITUDE} as lat, ${LONGITUDE} as lng, ${UNKNOWN} as aproximada,
      ci.nome as cidade, ci.estado, k.nome as consultoria, f.nome as marca, c.nome_cultura as cultura,
      e.ano, e.produtividade_media, e.roi, r.nome as regional, b.n_tratamentos,
      count(*) over (partition by round((${LATITUDE})::numeric, 4), round((${LONGITUDE})::numeric, 4)) as no_local
    from contados e
    join experimentos b on b.id = e.id
    join cidades ci on ci.id = e.cidade_id
    join consultorias k on k.id = e.consultoria_id
    join fabricantes f on f.id = e.fabricante_id
    join culturas c on c.id = e.cultura_id
    join regioes r on r.id = e.regiao_id
    where ${countedCondition(filter)} and ${inView(bounds)}
    order by b.created_at, e.id limit ${limit}
  `.execute(handle)
  return rows
}

/** Experiments joined by cells of `cell` degrees, each named after the city and brand of most of them together. */
export async function mapPlaces(
  handle: Handle,
  filter: ExperimentFilter,
  { bounds, cell, limit }: { bounds: Bounds | null; cell: number; limit: number },
): Promise<MapPlace[]> {
  const { rows } = await sql<MapPlace>`
    select g.lat, g.lng, g.n, ci.nome as cidade, ci.estado, f.nome as marca from (
      select sum(s.lat) / sum(s.n) as lat, sum(s.lng) / sum(s.n) as lng, sum(s.n) as n,
        (array_agg(s.cidade_id order by s.n desc, s.cidade_id))[1] as cidade_id,
        (array_agg(s.fabricante_id order by s.n desc, s.fabricante_id))[1] as fabricante_id
      from (
        select floor(${LATITUDE} / ${cell}::float8) as y, floor(${LONGITUDE} / ${cell}::float8) as x,
          e.cidade_id, e.fabricante_id, count(*) as n, sum(${LATITUDE}) as lat, sum(${LONGITUDE}) as lng
        from contados e where ${countedCondition(filter)} and ${inView(bounds)} group by 1, 2, 3, 4
      ) s group by s.y, s.x
    ) g
    join cidades ci on ci.id = g.cidade_id
    join fabricantes f on f.id = g.fabricante_id
    order by g.n desc limit ${limit}
  `.execute(handle)
  return rows
}
