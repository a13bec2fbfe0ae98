import type { PlotValue, TrialRegistry } from '@ensaio/domain'
import type { GivenPlace, KeptDate, KeptVariable, Made, Planted, StudyRow } from '@ensaio/domain/brapi'
import { sql } from 'kysely'
import { nameIn } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'

/** More trials than these are not told of all at once: each request would hold them all. */
export const MOST_STUDIES = 200_000

/**
 * Trials that are seen, the oldest first, without anything that may be hidden: all, up to one more than is told of, or
 * those that are given. What their names are told apart by is counted over all that are seen, unless nobody is told them.
 */
export async function studyRows(
  handle: Handle,
  { trials, named }: { trials: readonly string[] | null; named: boolean },
): Promise<StudyRow[]> {
  if (trials?.length === 0) return []
  const wanted = trials === null ? sql`true` : sql`e.id = any (${[...trials]}::uuid[])`
  /** Trials that have these in common with a given one. */
  const alike = (columns: readonly string[]) => {
    const of = (row: string) => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))
    return trials === null
      ? sql`true`
      : sql`(${of('e')}) in (select ${of('a')} from visto.experimentos a
          where a.id = any (${[...trials]}::uuid[]) and a.deleted_at is null)`
  }
  const { rows } = await sql<StudyRow>`
    with nomes as materialized (
      select e.id, count(*) over (partition by e.consultoria_id, e.cultura_id, e.ano)::integer as iguais,
        count(*) over na_cidade::integer as iguais_na_cidade,
        row_number() over (na_cidade order by e.created_at, e.id)::integer as n_na_cidade
      from visto.experimentos e join cidades ci on ci.id = e.cidade_id
      where ${named} and e.deleted_at is null and ${alike(['consultoria_id', 'cultura_id', 'ano'])}
      window na_cidade as (partition by e.consultoria_id, e.cultura_id, e.ano, ci.nome)
    ),
    titulos as materialized (
      select e.fabricante_id, e.cultura_id, e.ano, min(e.consultoria_id) <> max(e.consultoria_id) as de_varias
      from visto.experimentos e
      where ${named} and e.deleted_at is null and ${alike(['fabricante_id', 'cultura_id', 'ano'])}
      group by e.fabricante_id, e.cultura_id, e.ano
    )
    select e.id, ${nameIn('e', 'consultoria')} as consultoria, ${nameIn('e', 'marca')} as marca,
      ${nameIn('e', 'bu')} as bu, ${nameIn('e', 'cultura')} as cultura, e.cultivar, e.ano, ci.nome as cidade, ci.estado,
      coalesce(e.latitude, ci.latitude) as latitude, coalesce(e.longitude, ci.longitude) as longitude,
      e.latitude is null or (e.latitude, e.longitude) = (ci.latitude, ci.longitude) as da_cidade,
      e.teor_argila, e.teor_materia_organica,
      case when e.organizacao_id = (select organizacao_atual()) then e.created_by end as created_by,
      e.versao, e.created_at, e.updated_at, coalesce(t.de_varias, false) as titulo_de_varias,
      coalesce(n.iguais, 1) as iguais, coalesce(n.iguais_na_cidade, 1) as iguais_na_cidade,
      coalesce(n.n_na_cidade, 1) as n_na_cidade
    from visto.experimentos e join cidades ci on ci.id = e.cidade_id left join nomes n on n.id = e.id
      left join titulos t on (t.fabricante_id, t.cultura_id, t.ano) = (e.fabricante_id, e.cultura_id, e.ano)
    where e.deleted_at is null and ${wanted}
    order by e.created_at, e.id limit ${MOST_STUDIES + 1}
  `.execute(handle)
  return rows
}

export interface SheetRow extends Omit<Planted, 'parcelas'> {
  experimento_id: string
  variaveis: KeptVariable[]
  avaliacoes: KeptDate[]
  colunas: { variavel: string; avaliacao: string | null }[]
  registro: TrialRegistry | null
  parcelas: number
  blocos: number
  as_cegas: boolean
  organizacao_id: string
  created_by: string | null
}

/** What sheets measure, without plots and values. */
export async function sheetRows(handle: Handle, studies: readonly string[]): Promise<SheetRow[]> {
  if (studies.length === 0) return []
  const { rows } = await sql<SheetRow>`
    select f.experimento_id, f.as_cegas, e.organizacao_id, e.created_by,
      f.corpo -> 'delineamento' as delineamento, f.corpo -> 'testemunha' as testemunha,
      f.corpo -> 'fatores' as fatores, f.corpo -> 'tratamentos' as tratamentos, f.corpo -> 'variaveis' as variaveis,
      f.corpo -> 'avaliacoes' as avaliacoes, f.corpo -> 'registro' as registro, jsonb_array_length(f.corpo -> 'parcelas') as parcelas,
      (select count(distinct p ->> 'bloco')::integer from jsonb_array_elements(f.corpo -> 'parcelas') p) as blocos,
      coalesce((select jsonb_agg(jsonb_build_object('variavel', v.variavel, 'avaliacao', v.avaliacao) order by v.ordem)
        from valores v where v.experimento_id = f.experimento_id), '[]') as colunas
    from fichas f join visto.experimentos e on e.id = f.experimento_id
    where f.experimento_id = any (${[...studies]}::uuid[])
  `.execute(handle)
  return rows
}

/** Days of sowing and harvest. */
export interface SeasonRow {
  experimento_id: string
  semeadura: string | null
  colheita: string | null
}
/** When trials were in the field, of those whose sheets say so. */
export async function seasonRows(handle: Handle, studies: readonly string[]): Promise<SeasonRow[]> {
  if (studies.length === 0) return []
  const { rows } = await sql<SeasonRow>`
    select f.experimento_id, f.corpo -> 'registro' ->> 'semeadura' as semeadura,
      f.corpo -> 'registro' ->> 'colheita' as colheita
    from fichas f where f.experimento_id = any (${[...studies]}::uuid[])
      and (f.corpo -> 'registro' ->> 'semeadura' is not null or f.corpo -> 'registro' ->> 'colheita' is not null)
  `.execute(handle)
  return rows
}

/** The first sowing and the last harvest among all that is seen of the projects of these trials, by the trial. */
export async function projectSeasons(handle: Handle, trials: readonly string[]): Promise<SeasonRow[]> {
  if (trials.length === 0) return []
  const { rows } = await sql<SeasonRow>`
    select de.id as experimento_id, min(f.corpo -> 'registro' ->> 'semeadura') as semeadura,
      max(f.corpo -> 'registro' ->> 'colheita') as colheita
    from visto.experimentos de
    join visto.experimentos e on e.consultoria_id = de.consultoria_id and e.fabricante_id = de.fabricante_id
      and e.cultura_id = de.cultura_id and e.ano = de.ano and e.deleted_at is null
    join fichas f on f.experimento_id = e.id
    where de.id = any (${[...trials]}::uuid[]) group by de.id
  `.execute(handle)
  return rows
}

/** The plots of sheets. */
export async function plotRows(
  handle: Handle,
  studies: readonly string[],
): Promise<{ experimento_id: string; parcelas: Planted['parcelas'] }[]> {
  if (studies.length === 0) return []
  const { rows } = await sql<{ experimento_id: string; parcelas: Planted['parcelas'] }>`
    select f.experimento_id, f.corpo -> 'parcelas' as parcelas
    from fichas f where f.experimento_id = any (${[...studies]}::uuid[])
  `.execute(handle)
  return rows
}

/** What treatments are made of, and nothing of what they cost. */
export async function treatmentRows(
  handle: Handle,
  studies: readonly string[],
): Promise<{ experimento_id: string; tratamentos: Made[] }[]> {
  if (studies.length === 0) return []
  const { rows } = await sql<{ experimento_id: string; tratamentos: Made[] }>`
    select t.experimento_id, json_agg(json_build_object('nome', t.nome, 'modalidade', m.nome, 'produtos', coalesce((
      select json_agg(json_build_object('nome', p.nome, 'dose', a.dose, 'unidade', a.unidade) order by a.ordem)
      from visto.produtos_aplicados a join produtos p on p.id = a.produto_id
      where a.experimento_id = t.experimento_id and a.tratamento = t.ordem), '[]')) order by t.ordem) as tratamentos
    from visto.tratamentos t join modalidades m on m.id = t.modalidade_id
    where t.experimento_id = any (${[...studies]}::uuid[]) group by t.experimento_id
  `.execute(handle)
  return rows
}

export interface UnitRow {
  id: string
  experimento_id: string
  numero: number
}

/** Which plots of these studies are on a page, and how many there are. */
export async function unitPage(
  handle: Handle,
  {
    studies,
    ids,
    names,
    offset,
    limit,
  }: {
    /** In their order; null: of all that are seen. */
    studies: readonly string[] | null
    ids: readonly string[] | null
    names: readonly number[] | null
    offset: number
    limit: number
  },
): Promise<{ total: number; rows: UnitRow[] }> {
  const { rows } = await sql<{ total: number; rows: UnitRow[] }>`
    with found as materialized (
      select p.id, p.experimento_id, p.numero, p.ordem, array_position(${[...(studies ?? [])]}::uuid[], p.experimento_id) as study
      from parcelas p
      where (${studies === null}::boolean or p.experimento_id = any (${[...(studies ?? [])]}::uuid[]))
        and (${ids === null}::boolean or p.id = any (${[...(ids ?? [])]}::uuid[]))
        and (${names === null}::boolean or p.numero = any (${[...(names ?? [])]}::integer[]))
    )
    select (select count(*)::integer from found) as total, coalesce((
      select json_agg(json_build_object('id', x.id, 'experimento_id', x.experimento_id, 'numero', x.numero) order by x.study, x.ordem)
      from (select * from found order by study, ordem offset ${offset} limit ${limit}) x), '[]') as rows
  `.execute(handle)
  return rows[0] ?? { total: 0, rows: [] }
}

/** Plots whose ids lie in ranges: those that ids of values are made of. Many values are of one plot. */
export async function plotsBetween(
  handle: Handle,
  ranges: readonly (readonly [string, string])[],
): Promise<{ id: string; experimento_id: string }[]> {
  if (ranges.length === 0) return []
  const { rows } = await sql<{ id: string; experimento_id: string }>`
    select p.id, p.experimento_id from (
      select distinct a, b from rows from (unnest(${ranges.map(([from]) => from)}::uuid[]),
        unnest(${ranges.map(([, to]) => to)}::uuid[])) as r (a, b)
    ) r
    join parcelas p on p.id between r.a and r.b
  `.execute(handle)
  return rows
}

export interface ValueRow {
  experimento_id: string
  variavel: string
  avaliacao: string | null
  parcela: string
  numero: number
  valor: PlotValue
  texto: string | null
  quando: Date | null
  coletor: string | null
  pessoa_id: string | null
  extra: {
    referencias?: Record<string, unknown>[]
    hora_suspeita?: boolean
    lugar?: GivenPlace
    posicao?: { lat: number; lng: number } | null
  } | null
  fora: boolean | null
}
export interface ValueFilter {
  /** In their order. */
  studies: readonly string[]
  plots: readonly string[] | null
  /** Columns by study, variable and date. */
  columns: readonly { experimento_id: string; variavel: string; avaliacao: string | null }[] | null
  from: string | null
  to: string | null
  /** Of something that came with the value, by its id and by where that is known. */
  references?: { ids: readonly string[] | null; sources: readonly string[] | null }
  offset: number
  limit: number
}

/**
 * Values that there are, column after column of study after study, and how many pass. Plots stand beside their values by
 * their place, and each entry is looked up by its key: joined instead, a table that grew since it was last looked at is
 * taken for a small one, and all plots are held against all values (20 s for 12,000).
 */
export async function valuePage(
  handle: Handle,
  { studies, plots, columns, from, to, references, offset, limit }: ValueFilter,
): Promise<{ total: number; rows: ValueRow[] }> {
  const cells = sql`
    from valores v
    cross join lateral (
      select array_agg(p.id order by p.ordem) as ids, array_agg(p.numero order by p.ordem) as numeros
      from parcelas p where p.experimento_id = v.experimento_id
    ) p
    cross join lateral rows from (jsonb_array_elements(v.valores), jsonb_array_elements_text(v.textos),
      unnest(v.registros), unnest(p.ids), unnest(p.numeros))
      with ordinality as c (valor, texto, registro, parcela, numero, ordem)`
  const entries = sql`
    left join lateral (
      select r.quando, r.coletor, r.pessoa_id, r.extra, r.fora from registros r
      where r.experimento_id = v.experimento_id and r.id = c.registro limit 1
    ) r on true`
  const wanted = sql`
    where v.experimento_id = any (${[...studies]}::uuid[]) and (c.valor <> 'null' or c.texto is not null)
      and (${plots === null}::boolean or c.parcela = any (${[...(plots ?? [])]}::uuid[]))
      and (${columns === null}::boolean or (v.experimento_id::text, v.variavel, coalesce(v.avaliacao, '')) in (
        select x ->> 'experimento_id', x ->> 'variavel', coalesce(x ->> 'avaliacao', '')
        from jsonb_array_elements(${JSON.stringify(columns ?? [])}::jsonb) x))`
  const came = sql`
      and (${from}::timestamptz is null or r.quando >= ${from}::timestamptz)
      and (${to}::timestamptz is null or r.quando < ${to}::timestamptz)
      and (${references === undefined}::boolean or exists (
        select from jsonb_array_elements(case when jsonb_typeof(r.extra -> 'referencias') = 'array'
          then r.extra -> 'referencias' end) x
        where (${references?.ids == null}::boolean
            or coalesce(x ->> 'referenceId', x ->> 'referenceID') = any (${[...(references?.ids ?? [])]}::text[]))
          and (${references?.sources == null}::boolean
            or x ->> 'referenceSource' = any (${[...(references?.sources ?? [])]}::text[]))))`
  const byEntry = from !== null || to !== null || references !== undefined
  const counted = byEntry ? sql`${cells} ${entries} ${wanted} ${came}` : sql`${cells} ${wanted}`
  const { rows: totals } = await sql<{ total: number }>`
    select count(*)::integer as total ${counted}
  `.execute(handle)
  const { rows } = await sql<ValueRow>`
    select v.experimento_id, v.variavel, v.avaliacao, c.parcela, c.numero, c.valor, c.texto, r.quando,
      r.coletor, r.pessoa_id, r.extra, r.fora ${cells} ${entries} ${wanted} ${came}
    order by array_position(${[...studies]}::uuid[], v.experimento_id), v.ordem, c.ordem
    offset ${offset} limit ${limit}
  `.execute(handle)
  return { total: totals[0]?.total ?? 0, rows }
}

/** People with a trial of the own organisation, or a value in one. */
export async function peopleIds(handle: Handle): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct id from (
      select e.created_by as id from visto.experimentos e
      where e.deleted_at is null and e.organizacao_id = (select organizacao_atual())
      union all
      select r.pessoa_id from registros r join visto.experimentos e on e.id = r.experimento_id and e.deleted_at is null
    ) de where id is not null order by id
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** People who entered a value in one of these trials. */
export async function peopleOfTrials(handle: Handle, trials: readonly string[]): Promise<string[]> {
  if (trials.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select distinct r.pessoa_id as id from registros r
    where r.experimento_id = any (${[...trials]}::uuid[]) and r.pessoa_id is not null order by 1
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** Searches of one person that are kept; the oldest go first. */
const MOST_SEARCHES = 200

/** A search is kept as it was asked, and asked again when its rows are wanted. */
export async function keepSearch(
  handle: Handle,
  { id, person, entity, asked }: { id: string; person: string; entity: string; asked: unknown },
): Promise<void> {
  await sql`
    with over as (
      delete from buscas_brapi where id in (
        select b.id from buscas_brapi b where b.pessoa_id = ${person} and b.id <> ${id}
        order by b.criada_em desc offset ${MOST_SEARCHES - 1})
    )
    insert into buscas_brapi (id, pessoa_id, entidade, pedido)
    values (${id}, ${person}, ${entity}, ${JSON.stringify(asked)}::jsonb)
    on conflict (id) do update set criada_em = now()
  `.execute(handle)
}

export async function keptSearch(
  handle: Handle,
  { id, entity }: { id: string; entity: string },
): Promise<{ pedido: unknown } | null> {
  const { rows } = await sql<{ pedido: unknown }>`
    select b.pedido from buscas_brapi b
    where b.id = ${id} and b.entidade = ${entity} and b.criada_em > now() - interval '1 day'
  `.execute(handle)
  return rows[0] ?? null
}

/** Those of yesterday. */
export async function forgetSearches(owner: Handle): Promise<void> {
  await sql`delete from buscas_brapi where criada_em <= now() - interval '1 day'`.execute(owner)
}
