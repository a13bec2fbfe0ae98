import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export async function offeredBrands(handle: Handle): Promise<string[]> {
  const rows = await handle
    .selectFrom('fabricantes')
    .select('nome')
    .where('ativo', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ nome }) => nome)
}

export async function offeredRegions(handle: Handle): Promise<{ nome: string; sigla: string }[]> {
  const rows = await handle
    .selectFrom('regioes')
    .select(['nome', 'sigla'])
    .where('ativo', '=', true)
    .orderBy('nome')
    .execute()
  return rows.map(({ nome, sigla }) => ({ nome, sigla: sigla ?? '' }))
}

export async function states(handle: Handle): Promise<{ sigla: string; nome: string }[]> {
  return handle.selectFrom('estados').select(['sigla', 'nome']).orderBy('sigla').execute()
}

export async function offeredCrops(handle: Handle): Promise<string[]> {
  const rows = await handle
    .selectFrom('culturas')
    .select('nome_cultura')
    .where('ativo', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ nome_cultura }) => nome_cultura)
}

export async function offeredProducts(handle: Handle): Promise<{ marca: string; produtos: string[] }[]> {
  const { rows } = await sql<{ marca: string; produtos: string[] }>`
    select f.nome as marca, coalesce(array_agg(p.nome order by p.id) filter (where p.id is not null), '{}') as produtos
    from fabricantes f left join produtos p on p.fabricante_id = f.id and p.ativo
    where f.ativo group by f.id order by f.id
  `.execute(handle)
  return rows
}

export interface City {
  nome: string
  estado: string
  regional: string
  latitude: number
  longitude: number
}

/** Municipalities whose name contains the text; those that begin with it come first. */
export async function findCities(
  handle: Handle,
  { busca, estado, limit }: { busca: string; estado: string | undefined; limit: number },
): Promise<City[]> {
  const literal = busca.replace(/[\\%_]/g, '\\$&')
  const { rows } = await sql<City>`
    select c.nome, c.estado, e.regional, c.latitude, c.longitude
    from cidades c join estados e on e.sigla = c.estado
    where c.latitude is not null and c.busca like ${`%${literal}%`}
      and (${estado ?? null}::text is null or c.estado = ${estado ?? null})
    order by c.busca = ${busca} desc, c.busca like ${`${literal}%`} desc, c.busca, c.estado
    limit ${limit}
  `.execute(handle)
  return rows
}
