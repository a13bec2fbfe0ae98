import {
  type AlertCondition,
  type AskedName,
  type ExactField,
  searchable,
  type ViewQuestion,
  type ViewState,
} from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { filterCondition, walkedBySearch } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'
import { TOLD, TOLD_FROM, type Told } from './alerts.repository.ts'

// Of the tables' owner, but for `passing` and `toldOf`, which ask in a person's name.

/** Whether this transaction, and no other server's, looks at what is new. */
export async function watchAlone(handle: Handle): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('novidades', 0)) as alone
  `.execute(handle)
  return rows[0]?.alone === true
}

/** Something that may be new: a trial that was written or came into another set, or a set that is seen from now on. */
export interface News {
  id: string
  acao: 'criado' | 'alterado' | 'restaurado' | null
  antes: Record<string, unknown> | null
  depois: Record<string, unknown> | null
  experimento_id: string | null
  organizacao_id: string | null
  acervo_id: number | null
  quando: Date
}

export async function nextNews(handle: Handle, most: number): Promise<News[]> {
  const { rows } = await sql<News>`
    select n.id, h.acao, case when h.acao = 'alterado' then h.antes end as antes,
      case when h.acao = 'alterado' then h.depois end as depois, n.experimento_id, n.organizacao_id, n.acervo_id, n.quando
    from novidades n left join alteracoes h on h.id = n.alteracao_id
    where not n.vista order by n.id limit ${most}
  `.execute(handle)
  return rows
}

/** Where trials came from is kept for a day: a share may take as long to be sorted. */
export async function newsSeen(handle: Handle, ids: readonly string[]): Promise<void> {
  await sql`delete from novidades where id = any(${[...ids]}::bigint[]) and viam = '{}'`.execute(handle)
  await sql`update novidades set vista = true where id = any(${[...ids]}::bigint[])`.execute(handle)
  await sql`delete from novidades where vista and quando < now() - interval '1 day'`.execute(handle)
}

/** An alert with the trials that it may be about. */
export interface Candidate {
  id: string
  pessoa_id: string
  organizacao_id: string
  estado: ViewState
  condicao: AlertCondition | null
  experimentos: string[]
}
const ALERT = sql`a.id, a.pessoa_id, a.organizacao_id, v.estado, a.condicao`

const EXACT_NAMES = sql`
  join consultorias k on k.id = e.consultoria_id join fabricantes f on f.id = e.fabricante_id
  join culturas c on c.id = e.cultura_id join regioes r on r.id = e.regiao_id join cidades ci on ci.id = e.cidade_id`

/** Alerts whose exact fields these trials have, of organisations that see them now and did not see them before. */
export async function candidatesFor(handle: Handle, news: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with t as materialized (
      select distinct on (e.id) e.id, e.acervo_id, n.viam, n.quando, array['', 'consultoria:' || k.busca, 'marca:' || f.busca, 'cultura:' || c.busca, 'regional:' || r.busca,
        'estado:' || lower(ci.estado), 'ano:' || e.ano] as marcas
      from (select * from novidades where id = any(${[...news]}::bigint[])) n
      join experimentos e on e.id = n.experimento_id and e.deleted_at is null
      ${EXACT_NAMES}
      order by e.id, n.id
    ), asked as materialized (
      -- Many alerts ask the same: what they ask is compared with each trial, not the alerts.
      select distinct organizacao_id, gancho, exatos from alertas where pausado is null
        and gancho in (select unnest(marcas) from t)
    ), fits as materialized (
      select t.id, t.quando, q.organizacao_id, q.exatos
      from t join visibilidade s on s.acervos @> array[t.acervo_id] and s.organizacao_id <> all (t.viam)
      cross join lateral unnest(t.marcas) m (marca)
      join asked q on q.organizacao_id = s.organizacao_id and q.gancho = m.marca and q.exatos <@ t.marcas
    )
    select ${ALERT}, array_agg(f.id) as experimentos
    from fits f join alertas a on a.organizacao_id = f.organizacao_id and a.exatos = f.exatos and a.pausado is null
      and a.created_at <= f.quando
    join vistas v on v.id = a.vista_id
    where not exists (select from avisos x where x.alerta_id = a.id and x.experimento_id = f.id)
    group by a.id, v.id
  `.execute(handle)
  return rows
}

/** Every alert of an organisation, with the latest trials of a set that it sees from now on and did not see elsewhere. */
export async function candidatesOfSet(
  handle: Handle,
  { organization, set, since, most }: { organization: string; set: number; since: Date; most: number },
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with t as materialized (
      select e.id from experimentos e
      where e.acervo_id = ${set} and e.deleted_at is null and not exists (
        select from novidades n where n.experimento_id = e.id and ${organization}::uuid = any (n.viam))
      order by e.created_at desc, e.id limit ${most}
    )
    select ${ALERT}, array(select id from t) as experimentos
    from alertas a join vistas v on v.id = a.vista_id
    where a.organizacao_id = ${organization} and a.pausado is null and a.created_at <= ${since}::timestamptz + interval '1 millisecond'
      and exists (select from t)
  `.execute(handle)
  return rows
}

const COLUMNS: Readonly<Record<string, RawBuilder<unknown>>> = {
  roi: sql`e.roi`,
  produtividade_media: sql`e.produtividade_media`,
  custo_protocolo: sql`e.custo_protocolo`,
  custo_total: sql`e.custo_total`,
  teor_argila: sql`e.teor_argila`,
  teor_materia_organica: sql`e.teor_materia_organica`,
  ganho_percent: sql`(
    select 100 * (avg(t.produtividade) filter (where t.ordem > 1)
      / nullif(max(t.produtividade) filter (where t.ordem = 1), 0) - 1)
    from tratamentos t where t.experimento_id = e.id)`,
}

/** On `visto.experimentos e`: what is hidden from the asker is null and fulfils nothing. */
function fulfilling(condition: AlertCondition | null): RawBuilder<unknown> {
  if (!condition) return sql`true`
  if (condition.tipo === 'variavel')
    return sql`${COLUMNS[condition.variavel] ?? sql`null`} ${condition.sentido === 'acima' ? sql`>` : sql`<`} ${condition.valor}::float8`
  return sql`exists (
    select from tratamentos c join tratamentos t on t.experimento_id = e.id and t.ordem > 1
    join produtos_aplicados p on p.experimento_id = e.id and p.tratamento = t.ordem
    join produtos n on n.id = p.produto_id and n.nome = ${condition.produto}
    where c.experimento_id = e.id and c.ordem = 1 and c.produtividade > 0
      and t.produtividade > c.produtividade * (1 + ${condition.percentual}::float8 / 100))`
}

/** The exact fields of those trials that the asker's organisation sees. */
export async function exactOf(
  handle: Handle,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<ExactField, string>>>> {
  const { rows } = await sql<Record<ExactField, string> & { id: string }>`
    select e.id, k.nome as consultoria, f.nome as marca, c.nome_cultura as cultura, r.nome as regional, ci.estado,
      e.ano::text as ano
    from visto.experimentos e ${EXACT_NAMES} where e.id = any(${[...ids]}::uuid[])
  `.execute(handle)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface Asked extends ViewQuestion {
  condition: AlertCondition | null
  among: readonly string[]
}

/** Of each question those trials that the asker's organisation sees and that pass. */
export async function passing(handle: Handle, asked: readonly Asked[]): Promise<ReadonlySet<string>[]> {
  const passed = asked.map(() => new Set<string>())
  const parts = asked.map(
    ({ among, filter, search, condition }, at) => sql`
      select ${at}::int as at, e.id from visto.experimentos e
      where e.id = any(${[...among]}::uuid[]) and ${filterCondition(filter)} and ${fulfilling(condition)}
        and ${search ? walkedBySearch(search, { beyond: true }) : sql`true`}`,
  )
  if (parts.length === 0) return passed
  const { rows } = await sql<{ at: number; id: string }>`${sql.join(parts, sql` union all `)}`.execute(handle)
  for (const { at, id } of rows) passed[at]?.add(id)
  return passed
}

export async function addNotices(
  handle: Handle,
  found: readonly { alert: string; experiment: string }[],
): Promise<void> {
  await sql`
    insert into avisos (alerta_id, experimento_id, organizacao_id, pessoa_id)
    select a.id, n.experimento, a.organizacao_id, a.pessoa_id
    from unnest(${found.map(({ alert }) => alert)}::uuid[], ${found.map(({ experiment }) => experiment)}::uuid[])
      n (alerta, experimento)
    join alertas a on a.id = n.alerta
    on conflict do nothing
  `.execute(handle)
}

/** Counts a failure of these; the fifth pauses. */
export async function noteFailures(handle: Handle, alerts: readonly string[], why: string): Promise<void> {
  await sql`
    update alertas set falhas = falhas + 1, pausado = case when falhas >= 4 then coalesce(pausado, ${why}) else pausado end
    where id = any(${[...alerts]}::uuid[])
  `.execute(handle)
}

/** Alerts that stand, with what they ask. */
export async function standingAlerts(handle: Handle): Promise<{ id: string; estado: ViewState }[]> {
  const { rows } = await sql<{ id: string; estado: ViewState }>`
    select a.id, v.estado from alertas a join vistas v on v.id = a.vista_id where a.pausado is null
  `.execute(handle)
  return rows
}

/** Of these names, those that nothing has any more. */
export async function goneNames(handle: Handle, names: readonly AskedName[]): Promise<AskedName[]> {
  const given = names.map((name) => ({ ...name, busca: searchable(name.nome) }))
  const { rows } = await sql<AskedName>`
    select n.tipo, n.nome
    from json_to_recordset(${JSON.stringify(given)}::json) as n (tipo text, nome text, busca text)
    where case n.tipo
      when 'consultoria' then not exists (select from consultorias x where x.busca = n.busca)
      when 'marca' then not exists (select from fabricantes x where x.busca = n.busca)
      when 'cultura' then not exists (select from culturas x where x.busca = n.busca)
      when 'regional' then not exists (select from regioes x where x.busca = n.busca)
      when 'modalidade' then not exists (select from modalidades x where x.busca = n.busca)
      when 'origem' then not exists (select from organizacoes x where x.id::text = n.nome)
      else false end
  `.execute(handle)
  return rows
}

/** Pauses alerts that stand still, each with its reason. */
export async function pauseAlerts(
  handle: Handle,
  alerts: readonly { id: string; why: string }[],
): Promise<void> {
  await sql`
    update alertas a set pausado = p.why
    from json_to_recordset(${JSON.stringify(alerts)}::json) as p (id uuid, why text)
    where a.id = p.id and a.pausado is null
  `.execute(handle)
}

/** The marks of the alerts on a view whose filter has changed. */
export async function setMarks(handle: Handle, view: string, marks: readonly string[]): Promise<void> {
  await sql`update alertas set exatos = ${[...marks]}::text[] where vista_id = ${view}`.execute(handle)
}

/** An alert whose letter is due, with the person whom it goes to. */
export interface Due {
  id: string
  pessoa_id: string
  organizacao_id: string
}
const QUIET = sql`interval '2 minutes'`
const APART = sql`interval '15 minutes'`

/**
 * At once: two minutes after the last (or a quarter of an hour after the first), a letter in a quarter of an hour for
 * each person. By day and by week: what came before the last seven o'clock in Brasília.
 */
export async function dueAlerts(handle: Handle, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    with agora as (
      select ${now}::timestamptz as t,
        date_trunc('day', ${now}::timestamptz at time zone 'America/Sao_Paulo' - interval '7 hours') + interval '7 hours' as d,
        date_trunc('week', ${now}::timestamptz at time zone 'America/Sao_Paulo' - interval '7 hours') + interval '7 hours' as s
    ), prazos as (
      select t, d at time zone 'America/Sao_Paulo' as dia, s at time zone 'America/Sao_Paulo' as semana from agora
    ), espera as (
      select alerta_id, min(quando) as primeira, max(quando) as ultima from avisos where enviado_em is null group by 1
    ), vencidos as (
      select a.*, e.primeira from alertas a join espera e on e.alerta_id = a.id cross join prazos p
      where a.pausado is null and case a.frequencia
        when 'na_hora' then least(e.ultima + ${QUIET}, e.primeira + ${APART}) <= p.t and not exists (
          select from alertas o where o.pessoa_id = a.pessoa_id and o.frequencia = 'na_hora' and o.enviado_em > p.t - ${APART})
        when 'por_dia' then e.primeira < p.dia and (a.enviado_em is null or a.enviado_em < p.dia)
        else e.primeira < p.semana and (a.enviado_em is null or a.enviado_em < p.semana) end
    )
    select id, pessoa_id, organizacao_id from (
      select *, row_number() over (partition by pessoa_id, frequencia = 'na_hora' order by primeira, id) as lugar
      from vencidos
    ) v where frequencia <> 'na_hora' or lugar = 1 order by primeira limit 200
  `.execute(handle)
  return rows
}

/** Notices that no letter has told yet are told by one of this moment. */
export async function noticesTold(handle: Handle, alert: string, at: Date): Promise<void> {
  await sql`update alertas set enviado_em = ${at} where id = ${alert}`.execute(handle)
  await sql`
    update avisos set enviado_em = ${at} where alerta_id = ${alert} and enviado_em is null
  `.execute(handle)
}

export interface Letter {
  vista_id: string
  vista: string
  estado: ViewState
  condicao: AlertCondition | null
  experimentos: string[]
}

/** What a letter of an alert is about; null when the alert is no more. In the name of the person. */
export async function letterOf(handle: Handle, alert: string, at: Date): Promise<Letter | null> {
  const { rows } = await sql<Letter>`
    select v.id as vista_id, v.nome as vista, v.estado, a.condicao, array(
      select x.experimento_id from avisos x where x.alerta_id = a.id and x.enviado_em = ${at}
      order by x.quando desc, x.experimento_id
    ) as experimentos
    from alertas a join vistas v on v.id = a.vista_id where a.id = ${alert} and a.pausado is null
  `.execute(handle)
  return rows[0] ?? null
}

/** In the name of a person: what they see of some trials, in the order of the ids. */
export async function toldOf(handle: Handle, ids: readonly string[]): Promise<Told[]> {
  const { rows } = await sql<Told>`
    select e.id, ${TOLD} from unnest(${[...ids]}::uuid[]) with ordinality i (id, n)
    join experimentos e on e.id = i.id and e.deleted_at is null ${TOLD_FROM} order by i.n
  `.execute(handle)
  return rows
}

export async function letterSent(handle: Handle, alert: string): Promise<void> {
  await sql`update alertas set falhas = 0 where id = ${alert}`.execute(handle)
}

/** Ends an alert whoever asks: the token in its letters is proof enough. */
export async function endAlert(handle: Handle, alert: string): Promise<void> {
  await sql`delete from alertas where id = ${alert}`.execute(handle)
}
