import { type RawBuilder, sql } from 'kysely'
import { dataOf } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { CONTROL, GAIN_OVER, GAIN_TERMS, gainSums } from './gains.repository.ts'
import {
  CELL,
  COUNTED,
  COUNTED_TABLES,
  type Counted,
  changesOf,
  KEPT as D,
  KEPT_TABLES,
  type Kept,
  PER_SET,
  PLACE_GAINS,
  SUMS,
  VIEW,
} from './kept-numbers.ts'
import { PLACE } from './place.repository.ts'

const names = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

/** Which marks are folded at a time: up to `most` of all, or of what a person wrote, or those of one experiment. */
export type Marks = { most: number; of?: string } | { experiment: string }

/** Takes marks; answers how many it took. */
export async function takeDirty(transaction: Handle, marks: Marks): Promise<number> {
  await createScratch(transaction)
  const wanted =
    'experiment' in marks
      ? sql`select s.ctid from sujos s where s.experimento_id = ${marks.experiment}`
      : marks.of
        ? sql`select s.ctid from sujos s where exists (
            select from alteracoes a where a.experimento_id = s.experimento_id and a.quem = ${marks.of})
            limit ${marks.most}`
        : sql`select s.ctid from sujos s limit ${marks.most}`
  const { rows } = await sql<{ n: number }>`
    ${HOT} with taken as (delete from sujos where ctid = any(array(${wanted})) returning experimento_id),
    put as (insert into vez select distinct experimento_id from taken)
    select count(*) as n from taken
  `.execute(transaction)
  return rows[0]?.n ?? 0
}

/** Keeps only these experiments, of those that were named, for what comes next. */
export async function narrowTo(transaction: Handle, experiments: readonly string[]): Promise<void> {
  await sql`truncate ${names(LISTS)}`.execute(transaction)
  await sql`insert into vez select unnest(${[...experiments]}::uuid[])`.execute(transaction)
}

/** The experiments that are named for this turn. */
export async function named(transaction: Handle): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from vez order by id`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** Names up to `most` live experiments after the id, in order; answers the last id, or null at the end. */
export async function takeNext(
  transaction: Handle,
  { most, after }: { most: number; after: string },
): Promise<string | null> {
  await createScratch(transaction)
  await sql`truncate ${names(LISTS)}`.execute(transaction)
  const { rows } = await sql<{ id: string }>`
    insert into vez select id from experimentos where id > ${after} and deleted_at is null order by id limit ${most}
    returning id
  `.execute(transaction)
  await sql`analyze vez`.execute(transaction)
  return rows.map(({ id }) => id).reduce<string | null>((last, id) => (last && last > id ? last : id), null)
}

const LISTS = ['vez', ...COUNTED_TABLES.map(changesOf)]
/** Of a list that has been emptied row by row so often that it is made new. */
const WORN_BYTES = 262_144

/**
 * What a turn needs of its connection: its lists, empty, and folding as one function. Both are made once: the function's
 * statements are sent and planned once, and the lists are not emptied by the commit, after which all would be
 * planned again.
 */
async function createScratch(transaction: Handle): Promise<void> {
  const { rows } = await sql<{ missing: boolean }>`
    ${HOT} select to_regprocedure('pg_temp.dobra()') is null as missing
  `.execute(transaction)
  if (rows[0]?.missing === false) {
    await sql`${HOT} select pg_temp.esvazia()`.execute(transaction)
    return
  }
  const scratch = (table: string, columns: RawBuilder<unknown>) =>
    sql`create temporary table if not exists ${sql.table(table)} (${columns})`.execute(transaction)
  await scratch('vez', sql`id uuid not null`)
  for (const table of COUNTED_TABLES)
    await scratch(changesOf(table), sql`sinal smallint, like ${sql.table(table)}`)
  const make = (name: string, statements: readonly RawBuilder<unknown>[]) => {
    const body = statements.map((statement) => `${statement.compile(transaction).sql};`).join('\n')
    return sql`
      create or replace function pg_temp.${sql.ref(name)}() returns void language plpgsql as ${sql.lit(`begin ${body} end`)}
    `.execute(transaction)
  }
  await make('esvazia', [
    sql`if ${sql.join(
      LISTS.map((list) => sql`pg_relation_size(${sql.lit(`pg_temp.${list}`)})`),
      sql` + `,
    )} > ${sql.lit(WORN_BYTES)} then truncate ${names(LISTS)}; end if`,
    ...LISTS.map((list) => sql`delete from ${sql.table(list)}`),
  ])
  await make('dobra', FOLDING)
}

/**
 * Brings the figures in step with the experiments in `vez`: takes away what was counted of each, adds what is
 * there now. What has not changed cancels out, so doing it twice changes nothing.
 */
export const fold = (transaction: Handle): Promise<unknown> =>
  sql`${HOT} select pg_temp.dobra()`.execute(transaction)

/** Counts the experiments in `vez` without adding them to any figure yet. */
export const countOnly = (transaction: Handle): Promise<void> => inOrder(transaction, COUNTING)

/** Adds up everything that has been counted, in figures that are empty. */
export const addUpAll = (transaction: Handle): Promise<void> => inOrder(transaction, addUp(EVERYTHING))

/** Sums that are kept for an organisation: over which sets, and of which of them costs and returns too. */
export interface View {
  id: number
  /** 0: over all that it sees; else over a part of it, and less is asked of them. */
  parte: number
  acervos: number[]
  com_custos: number[]
}

/** Adds up what was counted of some sets into one view's sums, or with -1 takes it away again. */
export const addUpSets = (
  transaction: Handle,
  { id, parte, com_custos }: Omit<View, 'acervos'>,
  { sets, sign }: { sets: readonly number[]; sign: 1 | -1 },
): Promise<void> => {
  const some = (table: Counted) => sql`(
    select ${sql.lit(sign)}::smallint as sinal, k.* from ${sql.table(table)} k
    where k.acervo_id = any(${[...sets]}::integer[])
  )`
  return inOrder(
    transaction,
    addUp(
      {
        experiments: some('contados'),
        modalities: some('contados_modalidades'),
        products: some('contados_produtos'),
        mixed: false,
      },
      // The sets are the view's own: asked again, they would be taken for fewer rows than they are.
      sql`(select ${id}::integer as id, ${parte}::smallint as parte, ${com_custos}::integer[] as com_custos) v on true`,
    ),
  )
}

async function inOrder(transaction: Handle, statements: readonly RawBuilder<unknown>[]): Promise<void> {
  for (const statement of statements) await statement.execute(transaction)
}

/** Those in `vez`, as a list: joined, a table of unknown length would have the other one read whole. */
const TURN = sql`any(array(select id from vez))`

/** Each experiment that is there now, with its control: found once, not once for each of its treatments. */
const COMPARED = sql`(select m.id, m.acervo_id, c.* from mudancas m ${CONTROL} where m.sinal = 1 offset 0)`

/** Notes what was counted of the experiments in `vez`, with the sign -1, and what is there now, with 1. */
const FIND_CHANGES = [
  sql`
    insert into conjuntos (produtos)
    select distinct s.produtos from (
      select array_agg(distinct a.produto_id order by a.produto_id) as produtos
      from vez v join produtos_aplicados a on a.experimento_id = v.id group by v.id
      union all select '{}'
    ) s where not exists (select from conjuntos c where c.resumo = resumo_do_conjunto(s.produtos))
    on conflict do nothing
  `,
  sql`
    insert into mudancas
    select -1, k.* from contados k where k.id = ${TURN}
    union all
    select 1, e.id, e.consultoria_id, e.fabricante_id, e.bu, e.regiao_id, e.cidade_id, e.cultura_id, e.ano, c.id,
      e.amostra, e.documento_id is not null,
      case when e.latitude is null or e.longitude is null then ci.latitude else e.latitude end,
      case when e.latitude is null or e.longitude is null then ci.longitude else e.longitude end,
      e.teor_argila, e.teor_materia_organica, e.produtividade_media, e.custo_protocolo, e.custo_total, e.roi,
      e.tipo_estatistica, e.acervo_id, g.ganho, g.razao,
      o_que_falta(g.ganho is null, e.teor_argila is null, e.teor_materia_organica is null,
        e.latitude is null or e.longitude is null, sem_cultivar(e.cultivar), coalesce(g.sem_custo, false),
        ${dataOf('e')} is null)
    from vez v
    join experimentos e on e.id = v.id and e.deleted_at is null
    join cidades ci on ci.id = e.cidade_id
    cross join lateral (
      select coalesce(array_agg(distinct a.produto_id order by a.produto_id), '{}') as produtos
      from produtos_aplicados a where a.experimento_id = e.id
    ) p
    join conjuntos c on c.resumo = resumo_do_conjunto(p.produtos)
    left join lateral (
      select ganho(g.media, g.testemunha), razao(g.media, g.testemunha), g.sem_custo from (
        select bool_or(t.custo is null) as sem_custo, avg(t.produtividade::numeric) filter (where t.ordem <> o.ordem) as media,
          max(t.produtividade::numeric) filter (where t.ordem = o.ordem) as testemunha
        from tratamentos t, ordem_da_testemunha(e.id, e.ficha_versao) o (ordem) where t.experimento_id = e.id
      ) g
    ) g (ganho, razao, sem_custo) on true
  `,
  sql`
    insert into mudancas_modalidades
    select -1, k.* from contados_modalidades k where k.experimento_id = ${TURN}
    union all
    select 1, t.experimento_id, t.modalidade_id, count(*), sum(t.produtividade::numeric),
      sum(t.produtividade::numeric * t.produtividade::numeric), c.acervo_id, ${GAIN_OVER}
    from ${COMPARED} c join tratamentos t on t.experimento_id = c.id and t.ordem > 1
    group by t.experimento_id, t.modalidade_id, c.acervo_id
  `,
  sql`
    insert into mudancas_produtos
    select -1, k.* from contados_produtos k where k.experimento_id = ${TURN}
    union all
    -- What the control got, too, is not compared with it.
    select 1, p.id, p.produto_id, p.n_custo, p.custo, p.acervo_id, case when not p.controle then p.ganho end,
      case when not p.controle then p.razao end
    from (
      select c.id, a.produto_id, sum(a.n_custo) as n_custo, sum(a.custo) as custo, c.acervo_id,
        coalesce(bool_or(a.tratamento = c.ordem), false) as controle, ${GAIN_OVER}
      from ${COMPARED} c
      -- Twice in one treatment is one treatment.
      cross join lateral (
        select u.produto_id, u.tratamento, count(u.custo) as n_custo, coalesce(sum(u.custo::numeric), 0) as custo
        from produtos_aplicados u where u.experimento_id = c.id group by u.produto_id, u.tratamento
      ) a
      join tratamentos t on t.experimento_id = c.id and t.ordem = a.tratamento
      group by c.id, a.produto_id, c.acervo_id
    ) p (id, produto_id, n_custo, custo, acervo_id, controle, ganho, razao)
  `,
]

/** Rows with a sign, like those of `mudancas` and its parts. */
interface Signed {
  experiments: RawBuilder<unknown>
  modalities: RawBuilder<unknown>
  products: RawBuilder<unknown>
  /** Some are taken away and some added; else the sign is the same for all, and none is compared with another's. */
  mixed: boolean
}
const CHANGES: Signed = {
  experiments: sql`mudancas`,
  modalities: sql`mudancas_modalidades`,
  products: sql`mudancas_produtos`,
  mixed: true,
}
const EVERYTHING: Signed = {
  experiments: sql`(select 1::smallint as sinal, k.* from contados k)`,
  modalities: sql`(select 1::smallint as sinal, k.* from contados_modalidades k)`,
  products: sql`(select 1::smallint as sinal, k.* from contados_produtos k)`,
  mixed: false,
}

/** Each filter whose figures are kept that an experiment `m` passes. */
const FILTERS = sql`(values
  (${sql.lit(D.whole)}, 0), (${sql.lit(D.cultura)}, m.cultura_id), (${sql.lit(D.ano)}, m.ano),
  (${sql.lit(D.regional)}, m.regiao_id), (${sql.lit(D.marca)}, m.fabricante_id), (${sql.lit(D.bu)}, m.bu),
  (${sql.lit(D.consultoria)}, m.consultoria_id), (${sql.lit(D.conjunto)}, m.conjunto_id),
  (${sql.lit(D.conjunto_cultura)}, m.conjunto_id * ${sql.lit(PER_SET)}::bigint + m.cultura_id)
) f (filtro, chave)`
/** Their places are not kept, and nothing of them in a part of what is seen. */
const OF_SETS = sql`f.filtro in (${sql.lit(D.conjunto)}, ${sql.lit(D.conjunto_cultura)})`

/** All of an experiment but costs and return. */
const READ = COUNTED.contados.filter((column) => !column.startsWith('custo_') && column !== 'roi')

/** Adding signed rows to every table of figures, of each view that holds their set. */
function addUp(
  signed: Signed,
  views: RawBuilder<unknown> = sql`visoes v on s.acervo_id = any(v.acervos)`,
): RawBuilder<unknown>[] {
  const cell = names([VIEW, ...CELL])
  const seenBy = (which: RawBuilder<unknown>) => sql`(
    select v.id as visao_id, v.parte, s.sinal, ${sql.join(READ.map((column) => sql.ref(`s.${column}`)))},
      s.acervo_id = any(v.com_custos) as ve_custos, case when s.acervo_id = any(v.com_custos) then s.roi end as roi
    from ${signed.experiments} s join ${views} and ${which}
  )`
  const seen = seenBy(sql`true`)
  // Several filters together are asked of the sums over all that is seen, and of no part of it.
  const seenWhole = seenBy(sql`v.parte = 0`)
  const filters = sql`cross join lateral (select * from ${FILTERS} where m.parte = 0 or not (${OF_SETS})) f`
  // `offset 0`: computed once for each experiment, not once for each figure it adds to.
  const experimentsOf = (rows: RawBuilder<unknown>) => sql`(
    select visao_id, parte, ve_custos, cultura_id, ano, regiao_id, fabricante_id, bu, consultoria_id, conjunto_id, cidade_id,
      com_documento, sinal, sinal * p as soma, sinal * p * p as soma2, sinal * (roi is not null)::integer as n_roi,
      sinal * coalesce(roi, 0)::numeric as soma_roi, sinal * (teor_argila is not null)::integer as n_argila,
      ${GAIN_TERMS}
    from (select *, produtividade_media::numeric as p from ${rows} e offset 0) x offset 0
  ) m`
  const yieldsOfExperiments = sql`sum(m.sinal), sum(m.soma), sum(m.soma2), sum(m.n_roi), sum(m.soma_roi),
    ${gainSums('m')}, sum(m.n_argila)`
  const sameSign = (row: RawBuilder<unknown>) => (signed.mixed ? sql` and m.sinal = ${row}.sinal` : sql``)
  const withGains = (rows: RawBuilder<unknown>) => sql`(select *, ${GAIN_TERMS} from ${rows} r offset 0)`

  const treatmentsOf = (rows: RawBuilder<unknown>) =>
    sql`${withGains(signed.modalities)} t join ${rows} m on m.id = t.experimento_id${sameSign(sql`t`)}`
  const yieldsOfTreatments = sql`sum(m.sinal * t.n), sum(m.sinal * t.soma), sum(m.sinal * t.soma2),
    sum(m.sinal * t.n * (m.roi is not null)::integer), sum(m.sinal * t.n * coalesce(m.roi, 0)::numeric),
    ${gainSums('t')}`

  const productsOf = (rows: RawBuilder<unknown>) =>
    sql`${withGains(signed.products)} p join ${rows} m on m.id = p.experimento_id${sameSign(sql`p`)}`
  const costs = sql`sum(m.sinal), sum(m.sinal * p.n_custo * m.ve_custos::integer),
    sum(m.sinal * p.soma_custo * m.ve_custos::integer),
    sum(m.sinal * (m.roi is not null)::integer), sum(m.sinal * coalesce(m.roi, 0)::numeric), ${gainSums('p')}`
  return [
    add(
      'celulas',
      sql`select ${cell}, ${yieldsOfExperiments} from ${experimentsOf(seenWhole)} group by ${cell}`,
    ),
    add(
      'celulas_consultoria',
      sql`select ${cell}, consultoria_id, sum(sinal) from ${seenWhole} e group by ${cell}, consultoria_id`,
    ),
    add(
      'margens',
      sql`select m.visao_id, f.filtro, f.chave, d.por, d.valor, ${yieldsOfExperiments} from ${experimentsOf(seen)}
        ${filters} cross join lateral (values
          (${sql.lit(D.cultura)}, m.cultura_id), (${sql.lit(D.ano)}, m.ano), (${sql.lit(D.regional)}, m.regiao_id),
          (${sql.lit(D.marca)}, m.fabricante_id), (${sql.lit(D.bu)}, m.bu),
          (${sql.lit(D.consultoria)}, m.consultoria_id), (${sql.lit(D.cidade)}, m.cidade_id),
          (${sql.lit(D.documento)}, m.com_documento::integer), (${sql.lit(D.custos)}, m.ve_custos::integer)
        ) d (por, valor)
        where not (${OF_SETS}) or d.por <> ${sql.lit(D.cidade)}
        group by 1, 2, 3, 4, 5`,
    ),
    add(
      'margens_lugar',
      sql`select m.visao_id, f.filtro, f.chave, m.lugar, m.cidade_id, sum(m.sinal), sum(m.latitude), sum(m.longitude),
          ${gainSums('m', PLACE_GAINS)}
        from (
          select visao_id, cultura_id, ano, regiao_id, fabricante_id, bu, consultoria_id, conjunto_id, cidade_id, sinal,
            ${PLACE.square} as lugar, sinal * (${PLACE.latitude})::numeric as latitude,
            sinal * (${PLACE.longitude})::numeric as longitude, ${GAIN_TERMS}
          from ${seen} e offset 0
        ) m cross join lateral ${FILTERS} where not (${OF_SETS}) group by 1, 2, 3, 4, 5`,
    ),
    add(
      'celulas_modalidade',
      sql`select ${cell}, t.modalidade_id, ${yieldsOfTreatments} from ${treatmentsOf(seenWhole)} group by ${cell}, t.modalidade_id`,
    ),
    add(
      'margens',
      sql`select m.visao_id, f.filtro, f.chave, ${sql.lit(D.modalidade)}, t.modalidade_id, ${yieldsOfTreatments}, 0
        from ${treatmentsOf(seen)} ${filters} group by 1, 2, 3, 4, 5`,
    ),
    add(
      'celulas_produto',
      sql`select ${cell}, p.produto_id, ${costs} from ${productsOf(seenWhole)} group by ${cell}, p.produto_id`,
    ),
    add(
      'margens_produto',
      sql`select m.visao_id, f.filtro, f.chave, p.produto_id, m.fabricante_id, ${costs} from ${productsOf(seen)} ${filters}
        group by 1, 2, 3, 4, 5`,
    ),
  ]
}

const REPLACE_COUNTED = [
  sql`delete from contados k where k.id = ${TURN}`,
  sql`delete from contados_modalidades k where k.experimento_id = ${TURN}`,
  sql`delete from contados_produtos k where k.experimento_id = ${TURN}`,
  ...COUNTED_TABLES.map((table) => {
    const columns = names(COUNTED[table])
    return sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns} from ${sql.table(changesOf(table))} where sinal = 1
    `
  }),
]

/** Adding the changes to a table of kept figures; those that cancel out are left alone. */
function add(table: Kept, changes: RawBuilder<unknown>): RawBuilder<unknown> {
  const { key, sums } = SUMS[table]
  const columns = [...key, ...sums]
  const anyChange = sql.join(
    sums.map((sum) => sql`${sql.ref(sum)} <> 0`),
    sql` or `,
  )
  const added = sums.map((sum) => sql`${sql.ref(sum)} = k.${sql.ref(sum)} + excluded.${sql.ref(sum)}`)
  return sql`
    insert into ${sql.table(table)} as k (${names(columns)})
    select * from (${changes}) c (${names(columns)}) where ${anyChange}
    on conflict (${names(key)}) do update set ${sql.join(added)}
  `
}

const COUNTING = [...FIND_CHANGES, ...REPLACE_COUNTED]
/** One turn, statement by statement; none has a value of its own. */
export const FOLDING = [...FIND_CHANGES, ...addUp(CHANGES), ...REPLACE_COUNTED]

/** Figures that have come to nothing, or whose organisation is gone. */
export async function dropEmpty(handle: Handle): Promise<void> {
  for (const table of KEPT_TABLES)
    await sql`
      delete from ${sql.table(table)} k where k.n = 0 or not exists (select from visoes v where v.id = k.visao_id)
    `.execute(handle)
}

/** Tells open dashboards, on every server, of which sets of trials the figures have changed in this turn. */
export const tellChanged = (transaction: Handle): Promise<unknown> =>
  sql`
    select pg_notify('experimentos', string_agg(acervo_id::text, ','))
    from (select distinct acervo_id from mudancas) m having count(*) > 0
  `.execute(transaction)
