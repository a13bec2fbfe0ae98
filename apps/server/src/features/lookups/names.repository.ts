import { searchable } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'

/** The names that one experiment uses. */
export interface ExperimentNames {
  consultoria: string
  marca: string
  regional: string
  cultura: string
  cidade: string
  estado: string
  modalidades: readonly string[]
  produtos: readonly string[]
}

export interface ExperimentKeys {
  consultoria: number
  marca: number
  regional: number
  cultura: number
  cidade: number
  /** By the name as it was given. */
  modalidades: ReadonlyMap<string, number>
  produtos: ReadonlyMap<string, number>
}

const TABLES = {
  consultorias: 'nome',
  fabricantes: 'nome',
  regioes: 'nome',
  culturas: 'nome_cultura',
  modalidades: 'nome',
  produtos: 'nome',
} as const
type Table = keyof typeof TABLES

/**
 * The keys of an experiment's names. A name in another spelling is the same name; one that nobody has used
 * before gets a row that is not offered to others until an administrator accepts it.
 */
export async function keysOf(handle: Handle, names: ExperimentNames): Promise<ExperimentKeys> {
  const one = async (table: Table, name: string) => {
    const id = (await idsOf(handle, table, [name])).get(name)
    if (id === undefined) throw new Error(`no key in ${table}`)
    return id
  }
  const known = await knownKeys(handle, names)
  if (known) return known
  // Always in this order, and each table's names sorted: two writers cannot wait for each other in a circle.
  const consultoria = await one('consultorias', names.consultoria)
  const marca = await one('fabricantes', names.marca)
  const regional = await one('regioes', names.regional)
  const cultura = await one('culturas', names.cultura)
  const cidade = await cityId(handle, names.cidade, names.estado)
  const modalidades = await idsOf(handle, 'modalidades', names.modalidades)
  const produtos = await idsOf(handle, 'produtos', names.produtos)
  return { consultoria, marca, regional, cultura, cidade, modalidades, produtos }
}

/** The keys by one statement, when every name has been used before; else null. */
export async function knownKeys(handle: Handle, names: ExperimentNames): Promise<ExperimentKeys | null> {
  const wanted: Record<Table, readonly string[]> = {
    consultorias: [names.consultoria],
    fabricantes: [names.marca],
    regioes: [names.regional],
    culturas: [names.cultura],
    modalidades: names.modalidades,
    produtos: names.produtos,
  }
  const parts = Object.entries(wanted).map(
    ([table, list]) => sql`
      select ${sql.lit(table)} as tabela, id, busca from ${sql.table(table)}
      where busca = any(${list.map(searchable)})`,
  )
  const { rows } = await sql<{ tabela: string; id: number; busca: string }>`
    ${HOT} ${sql.join(parts, sql` union all `)} union all
    select 'cidades', id, busca from cidades
    where estado = ${names.estado} and busca = ${searchable(names.cidade)}
  `.execute(handle)
  const idOf = new Map(rows.map(({ tabela, id, busca }) => [`${tabela} ${busca}`, id]))
  const id = (table: Table | 'cidades', name: string) => idOf.get(`${table} ${searchable(name)}`)
  const ids = (table: Table) => new Map(wanted[table].flatMap((name) => pair(name, id(table, name))))
  const keys = {
    consultoria: id('consultorias', names.consultoria),
    marca: id('fabricantes', names.marca),
    regional: id('regioes', names.regional),
    cultura: id('culturas', names.cultura),
    cidade: id('cidades', names.cidade),
    modalidades: ids('modalidades'),
    produtos: ids('produtos'),
  }
  const { consultoria, marca, regional, cultura, cidade } = keys
  const all =
    names.modalidades.every((name) => keys.modalidades.has(name)) &&
    names.produtos.every((name) => keys.produtos.has(name))
  if (!all || !consultoria || !marca || !regional || !cultura || !cidade) return null
  return { ...keys, consultoria, marca, regional, cultura, cidade }
}

async function idsOf(handle: Handle, table: Table, names: readonly string[]): Promise<Map<string, number>> {
  const bySearch = new Map(names.map((name) => [searchable(name), name]))
  const known = await find(handle, table, [...bySearch.keys()])
  const missing = [...bySearch].filter(([busca]) => !known.has(busca)).sort()
  if (missing.length > 0) {
    await sql`
      insert into ${sql.table(table)} (${sql.ref(TABLES[table])}, busca)
      select * from unnest(${missing.map(([, name]) => name)}::text[], ${missing.map(([busca]) => busca)}::text[])
      on conflict (busca) do nothing
    `.execute(handle)
    for (const [busca, id] of await find(
      handle,
      table,
      missing.map(([busca]) => busca),
    ))
      known.set(busca, id)
  }
  return new Map(names.flatMap((name) => pair(name, known.get(searchable(name)))))
}

const pair = (name: string, id: number | undefined): [string, number][] =>
  id === undefined ? [] : [[name, id]]

async function find(handle: Handle, table: Table, searches: string[]): Promise<Map<string, number>> {
  if (searches.length === 0) return new Map()
  const { rows } = await sql<{ id: number; busca: string }>`
    select id, busca from ${sql.table(table)} where busca = any(${searches})
  `.execute(handle)
  return new Map(rows.map(({ id, busca }) => [busca, id]))
}

async function cityId(handle: Handle, nome: string, estado: string): Promise<number> {
  const busca = searchable(nome)
  const find = () =>
    sql<{ id: number }>`
    select id from cidades where estado = ${estado} and busca = ${busca}
  `.execute(handle)
  const known = (await find()).rows[0]
  if (known) return known.id
  await sql`
    insert into cidades (nome, busca, estado) values (${nome}, ${busca}, ${estado})
    on conflict (estado, busca) do nothing
  `.execute(handle)
  const made = (await find()).rows[0]
  if (!made) throw new Error('no key in cidades')
  return made.id
}
