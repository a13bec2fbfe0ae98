import { type LookupItem, type LookupKind, searchable } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSIONS, type Names, PRODUCTS } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'

interface Kind extends Names {
  /** Experiments that use the row `t`. */
  uses: RawBuilder<unknown>
}

const kindOf = ({ column, names }: { column: string; names: Names }): Kind => ({
  ...names,
  uses: sql`select count(*) from experimentos where ${sql.ref(column)} = t.id and deleted_at is null`,
})
const KINDS: Record<LookupKind, Kind> = {
  marcas: kindOf(DIMENSIONS.marca),
  regionais: kindOf(DIMENSIONS.regional),
  culturas: kindOf(DIMENSIONS.cultura),
  produtos: {
    ...PRODUCTS,
    uses: sql`select count(distinct experimento_id) from produtos_aplicados where produto_id = t.id`,
  },
}
const MOST_ITEMS = 2000

/**
 * Those not yet offered first: they wait for a decision. Where there are several organisations, what one of them
 * typed is its own until it proposes it, and how much a name is used is nobody else's.
 */
export async function lookupItems(
  handle: Handle,
  kind: LookupKind,
  { id, several = false }: { id?: number; several?: boolean } = {},
): Promise<LookupItem[]> {
  const { table, name, uses } = KINDS[kind]
  const { rows } = await sql<LookupItem>`
    select t.id, t.${sql.ref(name)} as nome, t.ativo,
      ${kind === 'regionais' ? sql`t.sigla` : sql`null`} as sigla,
      ${kind === 'produtos' ? sql`(select nome from fabricantes where id = t.fabricante_id)` : sql`null`} as marca,
      ${several ? sql`0` : sql`(${uses})`} as em_uso
    from ${sql.table(table)} t
    where (${id ?? null}::integer is null or t.id = ${id ?? null})
      and ${several ? sql`(t.ativo or t.proposto)` : sql`true`}
    order by t.ativo, t.busca limit ${MOST_ITEMS}
  `.execute(handle)
  return rows
}

export interface LookupChange {
  nome?: string | undefined
  ativo?: boolean | undefined
  sigla?: string | null | undefined
  marca?: string | null | undefined
}

/** The new row's id, or null when there is one of that name, in whatever spelling. */
export async function addLookup(
  handle: Handle,
  kind: LookupKind,
  item: LookupChange & { nome: string },
  { several = false }: { several?: boolean } = {},
): Promise<number | null> {
  const { table, name } = KINDS[kind]
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(`public.${table}`)} as n (${sql.ref(name)}, busca, ativo, proposto)
    values (${item.nome}, ${searchable(item.nome)}, true, true)
    on conflict (busca) do ${
      several
        ? sql`update set ${sql.ref(name)} = excluded.${sql.ref(name)}, ativo = true, proposto = true
      where not (n.ativo or n.proposto)`
        : sql`nothing`
    } returning id
  `.execute(handle)
  const [row] = rows
  if (row) await changeLookup(handle, kind, row.id, { sigla: item.sigla, marca: item.marca })
  return row?.id ?? null
}

/** False when another row has that name. */
export async function changeLookup(
  handle: Handle,
  kind: LookupKind,
  id: number,
  change: LookupChange,
): Promise<boolean> {
  const { table, name } = KINDS[kind]
  if (change.nome !== undefined) {
    const busca = searchable(change.nome)
    const { rows } = await sql`
      select from ${sql.table(table)} where busca = ${busca} and id <> ${id}
    `.execute(handle)
    if (rows.length > 0) return false
    await sql`
      update ${sql.table(`public.${table}`)} set ${sql.ref(name)} = ${change.nome}, busca = ${busca} where id = ${id}
    `.execute(handle)
  }
  if (change.ativo !== undefined)
    await sql`update ${sql.table(`public.${table}`)} set ativo = ${change.ativo}, proposto = true where id = ${id}`.execute(
      handle,
    )
  if (kind === 'regionais' && change.sigla !== undefined)
    await sql`update public.regioes set sigla = ${change.sigla} where id = ${id}`.execute(handle)
  if (kind === 'produtos' && change.marca !== undefined) {
    const marca = searchable(change.marca ?? '')
    await sql`
      update public.produtos set fabricante_id = (select id from public.fabricantes where busca = ${marca}) where id = ${id}
    `.execute(handle)
  }
  return true
}

/**
 * Offers a name that the acting organisation's own trials use to everybody's decision, as it writes it; false when
 * none do.
 */
export async function proposeName(handle: Handle, kind: LookupKind, nome: string): Promise<boolean> {
  const { table, name } = KINDS[kind]
  const used =
    kind === 'produtos'
      ? sql`exists (
          select from produtos_aplicados a join experimentos e on e.id = a.experimento_id
          where a.produto_id = t.id and e.organizacao_id = organizacao_atual())`
      : sql`exists (
          select from experimentos e
          where e.${sql.ref(COLUMNS[kind])} = t.id and e.organizacao_id = organizacao_atual())`
  const { rows } = await sql`
    update ${sql.table(`public.${table}`)} t set proposto = true, ${sql.ref(name)} = case when t.ativo then t.${sql.ref(name)}
      else coalesce((
        select g.nome from grafias g
        where g.organizacao_id = organizacao_atual() and g.tabela = ${table} and g.nome_id = t.id
      ), t.${sql.ref(name)}) end
    where t.busca = ${searchable(nome)} and ${used} returning id
  `.execute(handle)
  return rows.length > 0
}

const COLUMNS: Record<Exclude<LookupKind, 'produtos'>, string> = {
  marcas: DIMENSIONS.marca.column,
  regionais: DIMENSIONS.regional.column,
  culturas: DIMENSIONS.cultura.column,
}
