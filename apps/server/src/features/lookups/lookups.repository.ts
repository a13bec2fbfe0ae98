import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** Offered to everybody, or with `own` also what the acting organisation's own trials use. */
const offered = (column: string, own: boolean) =>
  own
    ? sql<boolean>`(n.ativo or exists (
        select from experimentos e
        where e.${sql.ref(column)} = n.id and e.organizacao_id = (select organizacao_atual()) and e.deleted_at is null
      ))`
    : sql<boolean>`n.ativo`

export async function offeredBrands(handle: Handle, own = false): Promise<string[]> {
  const rows = await handle
    .selectFrom('fabricantes as n')
    .select('nome')
    .where(offered('fabricante_id', own))
    .orderBy('id')
    .execute()
  return rows.map(({ nome }) => nome)
}

export async function offeredRegions(
  handle: Handle,
  own = false,
): Promise<{ nome: string; sigla: string }[]> {
  const rows = await handle
    .selectFrom('regioes as n')
    .select(['nome', 'sigla'])
    .where(offered('regiao_id', own))
    .orderBy('nome')
    .execute()
  return rows.map(({ nome, sigla }) => ({ nome, sigla: sigla ?? '' }))
}

export async function states(handle: Handle): Promise<{ sigla: string; nome: string }[]> {
  return handle.selectFrom('estados').select(['sigla', 'nome']).orderBy('sigla').execute()
}

export async function offeredCrops(handle: Handle, own = false): Promise<string[]> {
  const rows = await handle
    .selectFrom('culturas as n')
    .select('nome_cultura')
    .where(offered('cultura_id', own))
    .orderBy('id')
    .execute()
  return rows.map(({ nome_cultura }) => nome_cultura)
}

export async function offeredProducts(
  handle: Handle,
  own = false,
): Promise<{ marca: string; produtos: string[] }[]> {
  const { rows } = await sql<{ marca: string; produtos: string[] }>`
    select n.nome as marca, coalesce(array_agg(p.nome order by p.id) filter (where p.id is not null), '{}') as produtos
    from fabricantes n left join produtos p on p.fabricante_id = n.id and p.ativo
    where ${offered('fabricante_id', own)} group by n.id order by n.id
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
