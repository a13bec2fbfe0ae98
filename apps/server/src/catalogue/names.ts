import { searchable } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../database/handle.ts'
import { DIMENSIONS, MODALITIES, type Names, PRODUCTS } from './dimensions.ts'

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

/** Those of the experiment itself, each with the name that it is given. */
const OWN = ['consultoria', 'marca', 'regional', 'cultura'] as const

/**
 * Parts of a statement: `keys` is one row with the keys of an experiment's names, or none when one of them, or of
 * `given_treatments.modalidade` and `given_products.produto`, has never been used. Those two give their names as
 * `searchable` makes them; `treatments` and `products` are their rows with the keys beside them. `offset 0` keeps
 * the planner from looking each name up twice.
 */
export function keysOf(names: Omit<ExperimentNames, 'modalidades' | 'produtos'>): RawBuilder<unknown> {
  const keys = OWN.map((own) => {
    const { column, names: of } = DIMENSIONS[own]
    return sql`(select id from ${sql.table(of.table)} where busca = ${searchable(names[own])}) as ${sql.ref(column)}`
  })
  return sql`
    treatments as materialized (
      select t.*, (select id from modalidades where busca = t.modalidade) as modalidade_id from given_treatments t
    ), products as materialized (
      select p.*, (select id from produtos where busca = p.produto) as produto_id from given_products p
    ), keys as (
      select * from (select
        ${sql.join(keys)},
        (select id from cidades
          where estado = ${names.estado} and busca = ${searchable(names.cidade)}) as cidade_id offset 0
      ) k
      where k is not null
        and not exists (select from treatments where modalidade_id is null)
        and not exists (select from products where produto_id is null)
    )`
}

/** Gives every name that nobody has used before a row, not offered to others until an administrator accepts it. */
export async function addMissingNames(handle: Handle, all: readonly ExperimentNames[]): Promise<void> {
  // Always in this order, and each table's names by one order: two writers cannot wait for each other in a circle.
  for (const own of OWN)
    await addMissing(
      handle,
      DIMENSIONS[own].names,
      all.map((names) => names[own]),
    )
  const cities = [
    ...new Map(
      all.map(({ cidade, estado }) => [`${estado} ${searchable(cidade)}`, { cidade, estado }]),
    ).values(),
  ]
  await sql`
    insert into public.cidades (nome, busca, estado)
    select given.* from unnest(${cities.map(({ cidade }) => cidade)}::text[],
      ${cities.map(({ cidade }) => searchable(cidade))}::text[], ${cities.map(({ estado }) => estado)}::text[])
      as given (nome, busca, estado)
    where not exists (select from public.cidades n where n.estado = given.estado and n.busca = given.busca)
    order by given.estado, given.busca
    on conflict (estado, busca) do nothing
  `.execute(handle)
  await addMissing(
    handle,
    MODALITIES,
    all.flatMap(({ modalidades }) => modalidades),
  )
  await addMissing(
    handle,
    PRODUCTS,
    all.flatMap(({ produtos }) => produtos),
  )
}

/**
 * For many trials at once: the keys of the names that `given_names` holds for each `id`, as `searchable` makes them;
 * none for a trial with a name that has never been used.
 */
export const KEYS_OF_MANY = sql`
  select g.id, ${sql.join(
    OWN.map((own) => sql`${sql.ref(`of_${own}.id`)} as ${sql.ref(DIMENSIONS[own].column)}`),
  )}, ci.id as cidade_id
  from given_names g ${sql.join(
    OWN.map((own) => {
      const of = sql.ref(`of_${own}`)
      return sql`join ${sql.table(DIMENSIONS[own].names.table)} ${of} on ${of}.busca = ${sql.ref(`g.${own}`)}`
    }),
    sql` `,
  )} join cidades ci on ci.estado = g.estado and ci.busca = g.cidade`

/** A name in another spelling is the same name. */
async function addMissing(handle: Handle, { table, name }: Names, names: readonly string[]): Promise<void> {
  const given = [...new Map(names.map((given) => [searchable(given), given]))]
  await sql`
    insert into ${sql.table(`public.${table}`)} (${sql.ref(name)}, busca)
    select given.* from unnest(${given.map(([, given]) => given)}::text[], ${given.map(([busca]) => busca)}::text[])
      as given (nome, busca)
    where not exists (select from ${sql.table(`public.${table}`)} n where n.busca = given.busca)
    order by given.busca
    on conflict (busca) do nothing
  `.execute(handle)
}

/** Where each table's names stand in a trial, seen from `e`. */
const USES: readonly [
  names: Names,
  of: (names: ExperimentNames) => readonly string[],
  use: RawBuilder<unknown>,
][] = [
  ...OWN.map((own): (typeof USES)[number] => [
    DIMENSIONS[own].names,
    (names) => [names[own]],
    sql`e.${sql.ref(DIMENSIONS[own].column)} = t.id`,
  ]),
  [
    MODALITIES,
    ({ modalidades }) => modalidades,
    sql`exists (select from public.tratamentos u where u.experimento_id = e.id and u.modalidade_id = t.id)`,
  ],
  [
    PRODUCTS,
    ({ produtos }) => produtos,
    sql`exists (select from public.produtos_aplicados u where u.experimento_id = e.id and u.produto_id = t.id)`,
  ],
]
/** Among several organisations these are never made public; the others are while they are offered. */
const PRIVATE = ['consultorias', 'modalidades']

/**
 * Notes how the acting organisation writes names that another one wrote otherwise before it: the number is common,
 * the spelling is one's own. What it has used already stays as it is.
 */
export async function noteSpellings(handle: Handle, names: ExperimentNames): Promise<void> {
  const isNew = (use: RawBuilder<unknown>) => sql`not exists (
    select from public.experimentos e where e.organizacao_id = (select organizacao_atual()) and ${use})`
  const known = USES.map(([{ table, name }, of, use]) => {
    const given = [...new Map(of(names).map((text) => [searchable(text), text]))]
    return sql`
      select ${sql.lit(table)} as tabela, t.id, given.nome
      from unnest(${given.map(([, text]) => text)}::text[], ${given.map(([busca]) => busca)}::text[]) as given (nome, busca)
      join ${sql.table(`public.${table}`)} t on t.busca = given.busca
      where t.${sql.ref(name)} <> given.nome and ${PRIVATE.includes(table) ? sql`true` : sql`not t.ativo`} and ${isNew(use)}
    `
  })
  known.push(sql`
    select 'cidades', t.id, ${names.cidade}::text from public.cidades t
    where t.estado = ${names.estado} and t.busca = ${searchable(names.cidade)} and t.codigo_ibge is null
      and t.nome <> ${names.cidade} and ${isNew(sql`e.cidade_id = t.id`)}
  `)
  await sql`
    insert into grafias (organizacao_id, tabela, nome_id, nome)
    select organizacao_atual(), k.* from (${sql.join(known, sql` union all `)}) k
    on conflict do nothing
  `.execute(handle)
}
