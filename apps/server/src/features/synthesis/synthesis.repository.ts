import {
  type ExperimentFilter,
  isYield,
  type SynthesisQuery,
  type SynthesisQuestion,
  searchable,
} from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { contains, countedCondition, productSets } from '../../catalogue/experiment-filter.ts'
import type { Handle } from '../../database/handle.ts'

/** One more than may be joined says that there are too many. */
export const MOST_TRIALS = 20_000
/** Of the trials without the comparison, those that are named. */
const MOST_OTHERS = 20
/** Of a joint analysis, those that are left out for want of plots. */
const MOST_WITHOUT_PLOTS = 200
const MOST_PRODUCTS = 50
/** Trials and cells of one joint analysis. */
export const MOST_JOINED = 100
/** Bytes of their sheets together. */
const MOST_SHEET_BYTES = 20_000_000

const ACCENTED = 'áàâãäéèêëíìîïóòôõöúùûüçÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇ'
const PLAIN = 'aaaaaeeeeiiiiooooouuuucAAAAAEEEEIIIIOOOOOUUUUC'
/** Case and accents apart, as `searchable` does. */
const plain = (column: string) => sql`lower(translate(${sql.ref(column)}, ${ACCENTED}, ${PLAIN}))`

/** What decides which treatments are compared. */
type Compared = Pick<SynthesisQuestion, 'produto' | 'tratamento' | 'todos'>

/** Trials that are asked about: those of a filter, or some by their ids. */
export type Within = ExperimentFilter | { ids: readonly string[] }
const isWithin = (within: Within): RawBuilder<unknown> =>
  'ids' in within ? sql`e.id = any(${[...within.ids]}::uuid[])` : countedCondition(within)

const hasCompared = ({ produto, tratamento, todos }: Compared): RawBuilder<unknown> =>
  todos !== undefined
    ? sql`true`
    : tratamento === undefined
      ? sql`e.conjunto_id = any(${productSets(produto ?? '')})`
      : sql`exists (
        select from tratamentos t
        where t.experimento_id = e.id and t.ordem > 1 and ${plain('t.nome')} = ${searchable(tratamento)}
      )`

export async function countFiltered(handle: Handle, within: Within): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from contados e where ${isWithin(within)}
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Names of some trials of the filter that do not have what is compared. */
export async function othersOf(
  handle: Handle,
  query: Compared,
  within: Within,
): Promise<{ id: string; nome: string }[]> {
  const { rows } = await sql<{ id: string; nome: string }>`
    select e.id, ${NAME} as nome
    from (
      select e.id, e.cultura_id, e.consultoria_id, e.ano from contados e
      where ${isWithin(within)} and not ${hasCompared(query)} order by e.amostra, e.id
      limit ${MOST_OTHERS}
    ) e
  `.execute(handle)
  return rows
}

/** Whether a treatment is what is compared; the control is told apart later. */
const comparedTreatment = ({ tratamento, todos }: Compared): RawBuilder<unknown> =>
  todos !== undefined
    ? sql`true`
    : tratamento === undefined
      ? sql`coalesce(a.tem, false)`
      : sql`${plain('t.nome')} = ${searchable(tratamento)}`

/** As `experimentName` of the domain. */
const NAME = sql`(select nome_cultura from culturas where id = e.cultura_id) || ' - '
  || (select nome from consultorias where id = e.consultoria_id) || ' - ' || e.ano`

/** What of a treatment is looked at only when it is asked for: the text of ten thousand trials is most of the work. */
const TREATMENT_PARTS: { when(query: SynthesisQuery): boolean; part: RawBuilder<unknown> }[] = [
  {
    when: ({ subgrupo }) => subgrupo === 'modalidade',
    part: sql`, 'modalidade', (select nome from modalidades where id = t.modalidade_id)`,
  },
  { when: ({ preco }) => preco !== undefined, part: sql`, 'custo', t.custo` },
  { when: ({ sozinho }) => sozinho === '1', part: sql`, 'outros', coalesce(a.outros, 0)` },
  {
    when: ({ dose_min, dose_max }) => dose_min !== undefined || dose_max !== undefined,
    part: sql`, 'doses', coalesce(a.doses, '[]')`,
  },
]

/**
 * Trials of the filter with what they compare, oldest first, as the JSON that the thread reads; null when there are
 * too many. `treatments` are few a trial: they are gathered for all trials at once.
 */
export async function trialsOf(
  handle: Handle,
  query: SynthesisQuestion,
  within: Within,
): Promise<{ n: number; json: string } | null> {
  const parts = TREATMENT_PARTS.flatMap(({ when, part }) => (when(query) ? [part] : []))
  const { rows } = await sql<{ n: number; json: string }>`
    with alvo as materialized (
      select e.id, e.cultura_id, e.consultoria_id, e.cidade_id, e.regiao_id, e.fabricante_id, e.ano, e.latitude,
        e.teor_argila, e.teor_materia_organica, e.ve_custos
      from visto.contados e
      where ${isWithin(within)} and ${hasCompared(query)} limit ${MOST_TRIALS + 1}
    ), marcados as materialized (
      select id from produtos where busca like ${contains(query.produto ?? '')}
    ), aplicados as materialized (
      select x.experimento_id, x.tratamento, bool_or(x.marcado) as tem, count(*) filter (where not x.marcado) as outros,
        json_agg(json_build_array(x.dose, x.unidade)) filter (where x.marcado and x.dose is not null) as doses
      from (
        select a.experimento_id, a.tratamento, a.dose, a.unidade, a.produto_id in (select id from marcados) as marcado
        from produtos_aplicados a where a.experimento_id in (select id from alvo)
      ) x group by 1, 2
    ), tratados as materialized (
      select t.experimento_id, json_agg(json_build_object('numero', t.ordem, 'y', t.produtividade,
        'p', ${comparedTreatment(query)}
        ${sql.join(parts, sql``)}) order by t.ordem) as lista
      from visto.tratamentos t left join aplicados a on a.experimento_id = t.experimento_id and a.tratamento = t.ordem
      where t.experimento_id in (select id from alvo) group by 1
    ), medidos as materialized (
      select distinct on (f.experimento_id) f.experimento_id, json_build_object('produtividade', f.produtividade,
        'unidade', f.unidade, 'umidade', f.umidade, 'origem', f.origem, 'testemunha', f.testemunha,
        'n_parcelas', f.n_parcelas, 'repeticoes', f.repeticoes, 'cv', f.cv, 'dados', f.dados) as de
      from efeitos f where f.experimento_id in (select id from alvo) and ${variableIs(query.variavel)}
      order by f.experimento_id, f.produtividade desc, f.variavel
    ), papeis as materialized (
      select distinct on (d.experimento_id) d.experimento_id, d.sha256
      from documentos d where d.experimento_id in (select id from alvo) order by d.experimento_id, d.created_at
    )
    select count(*)::integer as n, coalesce(json_agg(json_build_object('id', e.id, 'nome', ${NAME},
      'cultura', (select nome_cultura from culturas where id = e.cultura_id), 'ano', e.ano,
      'cidade', e.cidade_id::text, 'regional', (select nome from regioes where id = e.regiao_id),
      'marca', (select nome from fabricantes where id = e.fabricante_id), 'argila', e.teor_argila,
      'mo', e.teor_materia_organica, 'latitude', e.latitude, 'versao', x.versao, 'ficha', x.ficha_versao,
      've_custos', e.ve_custos, 'pendente', p.experimento_id is not null, 'documento', q.sha256,
      't', t.lista, 'e', m.de) order by x.created_at, e.id), '[]')::text as json
    from alvo e join experimentos x on x.id = e.id join tratados t on t.experimento_id = e.id
      left join medidos m on m.experimento_id = e.id left join papeis q on q.experimento_id = e.id
      left join efeitos_pendentes p on p.experimento_id = e.id
  `.execute(handle)
  const { n = 0, json = '[]' } = rows[0] ?? {}
  return n > MOST_TRIALS ? null : { n, json }
}

/** The yield by its mark or its key, others by key or name. */
const variableIs = (variavel: string | undefined): RawBuilder<unknown> =>
  isYield(variavel)
    ? sql`(f.produtividade or f.variavel = 'produtividade')`
    : sql`(f.variavel = ${variavel} or f.busca = ${searchable(variavel ?? '')})`

/** Of each crop: median CV (%) and repetitions of the trials with plots that are seen. */
export async function medianCvs(
  handle: Handle,
): Promise<Record<string, { cv: number; r: number; n: number }>> {
  const { rows } = await sql<{ cultura: string; cv: number; r: number; n: number }>`
    select c.nome_cultura as cultura, percentile_cont(0.5) within group (order by f.cv) as cv,
      percentile_cont(0.5) within group (order by f.repeticoes) as r, count(*)::integer as n
    from efeitos f join contados e on e.id = f.experimento_id join culturas c on c.id = e.cultura_id
    where f.origem = 'parcelas' and f.produtividade and f.cv is not null group by 1
  `.execute(handle)
  return Object.fromEntries(rows.map(({ cultura, ...rest }) => [cultura, rest]))
}

/** Products of the filter's trials, the most tried first. */
export async function productsOf(
  handle: Handle,
  filter: ExperimentFilter,
  busca: string | undefined,
): Promise<{ produto: string; ensaios: number }[]> {
  const { rows } = await sql<{ produto: string; ensaios: number }>`
    select p.nome as produto, x.ensaios from (
      select a.produto_id, count(*)::integer as ensaios
      from contados e join (select experimento_id, produto_id from contados_produtos) a on a.experimento_id = e.id
      where ${countedCondition(filter)} group by 1
    ) x join produtos p on p.id = x.produto_id
    where ${busca ? sql`p.busca like ${contains(busca)}` : sql`true`}
    order by x.ensaios desc, p.nome collate "C" limit ${MOST_PRODUCTS}
  `.execute(handle)
  return rows
}

/** Products that some of the trials have in common, the most tried first, and how many such there are. */
export async function triedProducts(
  handle: Handle,
  within: Within,
  { least, most }: { least: number; most: number },
): Promise<{ produtos: string[]; de: number }> {
  const { rows } = await sql<{ produto: string; de: number }>`
    select p.nome as produto, count(*) over ()::integer as de from (
      select a.produto_id, count(*)::integer as ensaios
      from contados e join (select experimento_id, produto_id from contados_produtos) a on a.experimento_id = e.id
      where ${isWithin(within)} group by 1 having count(*) >= ${least}
    ) x join produtos p on p.id = x.produto_id
    order by x.ensaios desc, p.nome collate "C" limit ${most}
  `.execute(handle)
  return { produtos: rows.map(({ produto }) => produto), de: rows[0]?.de ?? 0 }
}

/** Sheets of the filter's trials as the JSON that the thread reads, oldest first; of too many the latest. */
export async function sheetsOf(
  handle: Handle,
  filter: ExperimentFilter,
): Promise<{ n: number; total: number; json: string; filtro: number; sem: string }> {
  const { rows } = await sql<{ n: number; total: number; json: string; filtro: number; sem: string }>`
    with sem as materialized (
      select e.id, e.cultura_id, e.consultoria_id, e.ano, count(*) over () as n
      from contados e join experimentos x on x.id = e.id and x.ficha_versao is null
      where ${countedCondition(filter)} order by x.created_at, e.id limit ${MOST_WITHOUT_PLOTS}
    ), todos as materialized (
      select e.id, e.cidade_id, e.cultura_id, e.consultoria_id, e.ano, x.created_at
      from contados e join experimentos x on x.id = e.id and x.ficha_versao is not null
      where ${countedCondition(filter)}
    ), medidos as materialized (
      select e.*, f.versao, f.corpo, f.alterada_em, sum(pg_column_size(f.corpo) + (
        select coalesce(sum(pg_column_size(v.valores)), 0) from valores v where v.experimento_id = e.id
      )) over (order by e.created_at desc, e.id) as ate_aqui
      from (select * from todos order by created_at desc, id limit ${MOST_JOINED}) e
        join fichas f on f.experimento_id = e.id
    ), lidos as materialized (select * from medidos where ate_aqui <= ${MOST_SHEET_BYTES})
    select count(*)::integer as n, (select count(*)::integer from todos) as total,
      (select count(*)::integer from todos) + coalesce((select max(n)::integer from sem), 0) as filtro,
      (select coalesce(json_agg(json_build_object('id', e.id, 'nome', ${NAME})), '[]')::text from sem e) as sem,
      coalesce(json_agg(json_build_object('id', e.id, 'nome', ${NAME}, 'ano', e.ano,
        'cidade', (select nome from cidades where id = e.cidade_id),
        'tratamentos', (select json_agg(t.nome order by t.ordem) from tratamentos t where t.experimento_id = e.id),
        'ficha', e.corpo || jsonb_build_object('versao', e.versao, 'alterada_em', e.alterada_em, 'alterada_por', null,
          'valores', coalesce((
            select jsonb_agg(jsonb_build_object('variavel', v.variavel, 'avaliacao', v.avaliacao,
              'valores', v.valores) order by v.ordem) from valores v where v.experimento_id = e.id), '[]'))
      ) order by e.created_at, e.id), '[]')::text as json
    from lidos e
  `.execute(handle)
  return rows[0] ?? { n: 0, total: 0, json: '[]', filtro: 0, sem: '[]' }
}
