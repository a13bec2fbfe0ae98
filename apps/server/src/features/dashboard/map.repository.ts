import { type ExperimentFilter, MAP_CENTRE, type MapPlace, type MapPoint, type MapView } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { filterCondition } from '../../database/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

/** An experiment lies where it says, else in its city, else at the map's centre. */
const LATITUDE = sql`case when e.latitude is not null and e.longitude is not null then e.latitude
  else coalesce(ci.latitude, ${MAP_CENTRE.latitude}) end`
const LONGITUDE = sql`case when e.latitude is not null and e.longitude is not null then e.longitude
  else coalesce(ci.longitude, ${MAP_CENTRE.longitude}) end`
const UNKNOWN = sql`(e.latitude is null or e.longitude is null) and ci.latitude is null`

const inView = (bounds: Bounds | null): RawBuilder<unknown> =>
  bounds
    ? sql`${LATITUDE} between ${bounds.south} and ${bounds.north} and ${LONGITUDE} between ${bounds.west} and ${bounds.east}`
    : sql`true`

export async function mapTotals(
  handle: Handle,
  filter: ExperimentFilter,
): Promise<Pick<MapView, 'localizacoes' | 'total' | 'produtividade_media' | 'estados' | 'marcas'>> {
  const { rows } = await sql<{
    localizacoes: number
    total: number
    produtividade_media: number | null
    estados: number
  }>`
    select count(distinct e.cidade_id) as localizacoes, count(*) as total,
      avg(e.produtividade_media) as produtividade_media, count(distinct ci.estado) as estados
    from experimentos e join cidades ci on ci.id = e.cidade_id where ${filterCondition(filter)}
  `.execute(handle)
  const { rows: marcas } = await sql<{ valor: string; n: number }>`
    select f.nome as valor, g.n from (
      select e.fabricante_id, count(*) as n from experimentos e where ${filterCondition(filter)} group by 1
    ) g join fabricantes f on f.id = g.fabricante_id order by g.n desc, 1
  `.execute(handle)
  const totals = rows[0] ?? { localizacoes: 0, total: 0, produtividade_media: null, estados: 0 }
  return { ...totals, marcas }
}

export async function countInView(
  handle: Handle,
  filter: ExperimentFilter,
  bounds: Bounds | null,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from experimentos e join cidades ci on ci.id = e.cidade_id
    where ${filterCondition(filter)} and ${inView(bounds)}
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
      e.ano, e.produtividade_media, e.roi, r.nome as regional, e.n_tratamentos,
      count(*) over (partition by round((${LATITUDE})::numeric, 4), round((${LONGITUDE})::numeric, 4)) as no_local
    from experimentos e
    join cidades ci on ci.id = e.cidade_id
    join consultorias k on k.id = e.consultoria_id
    join fabricantes f on f.id = e.fabricante_id
    join culturas c on c.id = e.cultura_id
    join regioes r on r.id = e.regiao_id
    where ${filterCondition(filter)} and ${inView(bounds)}
    order by e.created_at, e.id limit ${limit}
  `.execute(handle)
  return rows
}

/** Experiments joined by cells of `cell` degrees, each named after its most frequent city and brand. */
export async function mapPlaces(
  handle: Handle,
  filter: ExperimentFilter,
  { bounds, cell, limit }: { bounds: Bounds | null; cell: number; limit: number },
): Promise<MapPlace[]> {
  const { rows } = await sql<MapPlace>`
    select g.lat, g.lng, g.n, ci.nome as cidade, ci.estado, f.nome as marca from (
      select avg(${LATITUDE}) as lat, avg(${LONGITUDE}) as lng, count(*) as n,
        mode() within group (order by e.cidade_id) as cidade_id,
        mode() within group (order by e.fabricante_id) as fabricante_id
      from experimentos e join cidades ci on ci.id = e.cidade_id
      where ${filterCondition(filter)} and ${inView(bounds)}
      group by floor((${LATITUDE}) / ${cell}::float8), floor((${LONGITUDE}) / ${cell}::float8)
    ) g
    join cidades ci on ci.id = g.cidade_id
    join fabricantes f on f.id = g.fabricante_id
    order by g.n desc limit ${limit}
  `.execute(handle)
  return rows
}
