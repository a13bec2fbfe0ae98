import { type ExperimentFilter, MAP_CENTRE, type MapPlace, type MapPoint } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { countedCondition } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { GAIN_PERCENT } from './gains.repository.ts'
import { placeRows, type Sums } from './kept-rows.repository.ts'
import { COLUMNS, KEPT_ZOOM, PLACE, squareDegrees } from './place.repository.ts'

/** Of one trial, told beside its point. */
const MOST_PRODUCTS = 3

export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

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
      select distinct e.cidade_id from visto.contados e where ${countedCondition(filter)}
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
      select from visto.contados e where ${countedCondition(filter)} and ${inView(bounds)} limit ${enough + 1}
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
    select e.id, ${PLACE.latitude} as lat, ${PLACE.longitude} as lng, e.latitude is null as aproximada,
      ci.nome as cidade, ci.estado, k.nome as consultoria, f.nome as marca, c.nome_cultura as cultura,
      e.ano, e.produtividade_media, e.roi, 100 * (exp(e.razao) - 1) as ganho_percent, not e.ve_custos as oculto, r.nome as regional, b.n_tratamentos,
      array(select distinct p.nome from produtos_aplicados a join produtos p on p.id = a.produto_id
        where a.experimento_id = e.id and a.tratamento > 1 order by p.nome limit ${MOST_PRODUCTS}) as produtos,
      count(*) over (partition by round((${PLACE.latitude})::numeric, 4), round((${PLACE.longitude})::numeric, 4)) as no_local
    from visto.contados e
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

/** Experiments joined by squares of `degrees`, each named after the city of most of them. */
export function mapPlaces(
  handle: Handle,
  filter: ExperimentFilter,
  { bounds, degrees, limit }: { bounds: Bounds | null; degrees: number; limit: number },
): Promise<MapPlace[]> {
  return places(
    handle,
    sql`select floor((${PLACE.latitude} + 90) / ${degrees}::float8) as y,
        floor((${PLACE.longitude} + 180) / ${degrees}::float8) as x,
        e.cidade_id, count(*) as n, sum(${PLACE.latitude}) as lat, sum(${PLACE.longitude}) as lng,
        count(e.razao) as n_razao, sum(e.razao::numeric) as soma_razao
      from visto.contados e where ${countedCondition(filter)} and ${inView(bounds)} group by 1, 2, 3`,
    limit,
  )
}

/** The same by the kept squares, `shift` times doubled; a square at the edge counts whole. */
export function keptMapPlaces(
  handle: Handle,
  filter: ExperimentFilter,
  sums: Sums,
  { bounds, shift, limit }: { bounds: Bounds | null; shift: number; limit: number },
): Promise<MapPlace[]> {
  const square = (degrees: number) => Math.floor(degrees / squareDegrees(KEPT_ZOOM - shift))
  const y = sql`(k.lugar / ${sql.lit(COLUMNS)}) >> ${sql.lit(shift)}`
  const x = sql`(k.lugar % ${sql.lit(COLUMNS)}) >> ${sql.lit(shift)}`
  const seen = bounds
    ? sql`${y} between ${square(bounds.south + 90)} and ${square(bounds.north + 90)}
        and ${x} between ${square(bounds.west + 180)} and ${square(bounds.east + 180)}`
    : sql`true`
  return places(
    handle,
    sql`select ${y} as y, ${x} as x, k.cidade_id, sum(k.n) as n, sum(k.soma_latitude)::float8 as lat,
        sum(k.soma_longitude)::float8 as lng, sum(k.n_razao) as n_razao, sum(k.soma_razao) as soma_razao
      from ${placeRows(filter, sums)} and ${seen} group by 1, 2, 3`,
    limit,
  )
}

/** The places of squares (y, x), given by city. */
async function places(handle: Handle, squares: RawBuilder<unknown>, limit: number): Promise<MapPlace[]> {
  const { rows } = await sql<MapPlace>`
    select g.lat, g.lng, g.n, ci.nome as cidade, ci.estado, ${GAIN_PERCENT} as ganho_percent from (
      select sum(s.lat) / sum(s.n) as lat, sum(s.lng) / sum(s.n) as lng, sum(s.n) as n,
        sum(s.n_razao) as n_razao, sum(s.soma_razao) as soma_razao,
        (array_agg(s.cidade_id order by s.n desc, s.cidade_id))[1] as cidade_id
      from (${squares}) s group by s.y, s.x
    ) g join cidades ci on ci.id = g.cidade_id
    order by g.n desc limit ${limit}
  `.execute(handle)
  return rows
}
