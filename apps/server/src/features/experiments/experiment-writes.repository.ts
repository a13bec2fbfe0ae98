import { type ExperimentInput, searchable, UNIQUE_FIELDS } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { KEYS_OF_MANY, keysOf } from '../../catalogue/names.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { PLAIN, present, type Row, type StoredExperiment, whole } from './experiments.repository.ts'
import { changeInsert } from './history.repository.ts'
import { claimKey, type IdempotencyKey } from './idempotency.repository.ts'

// What a person gave, into the tables: one experiment, many, or another content of one.

export interface ExperimentRecord {
  input: ExperimentInput
  produtividadeMedia: number
  custoTotal: number | null
  /** Open findings as they are kept, and the version of the rules. */
  qualidade: { apontamentos: number; apontamentos_vistos: number; regras: number; achados: number }
}

/** The columns that a person's input decides, in one place for insert and update; keys come from the part `keys`. */
function values(record: ExperimentRecord): [string, RawBuilder<unknown>][] {
  const { estatistica_informada: reported, ...given } = ownValues(record)
  return [
    ...KEYS.map((column): [string, RawBuilder<unknown>] => [column, sql.ref(`keys.${column}`)]),
    ...Object.entries({
      ...given,
      ...(reported !== undefined && { estatistica_informada: reported && JSON.stringify(reported) }),
    }).map(([column, value]): [string, RawBuilder<unknown>] => [column, sql`${value}`]),
  ]
}

const KEYS = ['consultoria_id', 'fabricante_id', 'regiao_id', 'cidade_id', 'cultura_id'] as const

/** Of the experiment's own row, by column, all but the keys of its names. */
function ownValues({ input, produtividadeMedia, custoTotal, qualidade }: ExperimentRecord) {
  return {
    bu: Number(input.bu.slice(2)),
    ...Object.fromEntries(PLAIN.map((key) => [key, input[key]])),
    ...Object.fromEntries(
      UNIQUE_FIELDS.map(({ key }) => [`${key}_busca`, input[key] && searchable(String(input[key]))]),
    ),
    produtividade_media: produtividadeMedia,
    custo_total: custoTotal,
    n_tratamentos: input.tratamentos.length,
    estatistica_informada: input.estatistica_informada,
    ...qualidade,
  }
}

/** What an insert gives back: its costs it has from who brought them. */
const OPEN = [
  ...['id', 'consultoria_id', 'fabricante_id', 'bu', 'regiao_id', 'cidade_id', 'cultura_id'],
  ...PLAIN.filter((key) => key !== 'custo_protocolo' && key !== 'roi'),
  ...['produtividade_media', 'n_tratamentos', 'created_by', 'versao', 'created_at', 'updated_at'],
  ...['organizacao_id', 'acervo_id', 'embargo_ate', 'ficha_versao', 'estatistica_informada', 'conclusao'],
]

/**
 * Inserts an experiment with all that hangs on it, the first entry of its history and the key of the request that
 * brought it, and gives it back as stored. One statement: whole by itself. Nothing happens, and null comes back,
 * when one of its names is new or the key has made an experiment before.
 */
export async function insertExperiment(
  handle: Handle,
  record: ExperimentRecord & {
    id: string
    createdBy: string
    key: IdempotencyKey | null
    /** What its history tells of how it came. */
    depois?: Record<string, unknown>
  },
): Promise<StoredExperiment | null> {
  const { id, createdBy, key, depois } = record
  const row: [string, RawBuilder<unknown>][] = [
    ['id', sql`${id}`],
    ['created_by', sql`${createdBy}`],
    ...values(record),
  ]
  const { rows } = await sql<Row<StoredExperiment>>`
    ${HOT} with ${given(record)}, ${key ? sql`claimed as (${claimKey(key, id)}),` : sql``} made as (
      insert into experimentos (${sql.join(row.map(([column]) => sql.ref(column)))})
      select ${sql.join(row.map(([, value]) => value))} from keys ${key ? sql`, claimed` : sql``}
      returning ${sql.join(OPEN.map((column) => sql.ref(column)))}
    ), shown as (
      select made.*, true as ve_custos, true as ve_documentos, true as ve_comentarios, null::text as pdf_filename,
        (select nome from organizacoes where id = made.organizacao_id) as organizacao_nome, ${record.input.custo_protocolo}::float8 as custo_protocolo,
        ${record.custoTotal}::float8 as custo_total, ${record.input.roi}::float8 as roi,
        ${record.qualidade.apontamentos}::integer as apontamentos from made
    ), ${TREATMENT_INSERTS}, told as (
      ${changeInsert(sql`made`, { acao: 'criado', quem: createdBy, ...(depois && { depois }) })}
    )
    ${whole('shown', { treatments: sql`treated`, products: sql`applied`, analyses: sql`analysed` })}
  `.execute(handle)
  return rows[0] ? present(rows[0]) : null
}

/**
 * The same for many at once, whose names have keys: with their treatments and the first entries of their histories in
 * one statement. Answers how many there are now; fewer than were given is a name without a key.
 */
export async function insertExperiments(
  handle: Handle,
  records: readonly (ExperimentRecord & { id: string })[],
  { createdBy, depois }: { createdBy: string; depois: Record<string, unknown> },
): Promise<number> {
  const own = records.map((record) => ({ id: record.id, created_by: createdBy, ...ownValues(record) }))
  const names = records.map(({ id, input }) => ({
    ...{ id, estado: input.estado, cidade: searchable(input.cidade) },
    ...{ consultoria: searchable(input.consultoria), marca: searchable(input.marca) },
    ...{ regional: searchable(input.regional), cultura: searchable(input.cultura) },
  }))
  const held = records.map(({ id, input }) => ({ id, ...heldBy(input) }))
  const of = <T extends object>(list: (one: (typeof held)[number]) => readonly T[]) =>
    JSON.stringify(held.flatMap((one) => list(one).map((row) => ({ experimento_id: one.id, ...row }))))
  const columns = Object.keys(own[0] ?? {}).filter(
    (column) => column !== 'id' && column !== 'estatistica_informada',
  )
  const { rows } = await sql<{ n: number }>`
    with given_own as (
      select * from json_populate_recordset(null::experimentos, ${JSON.stringify(own)}::json)
    ), given_names as (
      select * from json_to_recordset(${JSON.stringify(names)}::json) as n (id uuid, consultoria text, marca text,
        regional text, cultura text, cidade text, estado text)
    ), keys as (${KEYS_OF_MANY}), made as (
      insert into experimentos (id, ${sql.join([...KEYS, ...columns].map((column) => sql.ref(column)))})
      select g.id, ${sql.join([
        ...KEYS.map((column) => sql.ref(`keys.${column}`)),
        ...columns.map((column) => sql.ref(`g.${column}`)),
      ])} from given_own g join keys on keys.id = g.id returning id
    ), put_treated as (
      insert into tratamentos (experimento_id, ordem, nome, modalidade_id, produtividade, custo)
      select t.experimento_id, t.ordem, t.nome, m.id, t.produtividade, t.custo
      from json_to_recordset(${of(({ treatments }) => treatments)}::json) as t (experimento_id uuid, ordem smallint,
        nome text, modalidade text, produtividade float8, custo float8)
      left join modalidades m on m.busca = t.modalidade
    ), put_applied as (
      insert into produtos_aplicados (experimento_id, tratamento, ordem, produto_id, dose, unidade, custo)
      select p.experimento_id, p.tratamento, p.ordem, n.id, p.dose, p.unidade, p.custo
      from json_to_recordset(${of(({ products }) => products)}::json) as p (experimento_id uuid, tratamento smallint,
        ordem smallint, produto text, dose float8, unidade text, custo float8)
      left join produtos n on n.busca = p.produto
    ), put_analysed as (
      insert into analises_adicionais (experimento_id, tratamento, ordem, nome, valor, unidade)
      select x.* from json_to_recordset(${of(({ analyses }) => analyses)}::json) as x (experimento_id uuid,
        tratamento smallint, ordem smallint, nome text, valor float8, unidade text)
    ), told as (${changeInsert(sql`made`, { acao: 'criado', quem: createdBy, depois })})
    select count(*)::integer as n from made
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Gives an experiment another content; false when one of its names is new: then only its treatments are gone. */
export async function replaceExperiment(
  handle: Handle,
  record: ExperimentRecord & { id: string },
): Promise<boolean> {
  await handle.deleteFrom('tratamentos').where('experimento_id', '=', record.id).execute()
  const assignments = values(record).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql`
    with ${given(record)}, made as (
      update experimentos e set ${sql.join(assignments)}, versao = versao + 1, updated_at = now()
      from keys where e.id = ${record.id} returning e.id
    ), ${TREATMENT_INSERTS} select from made
  `.execute(handle)
  return rows.length > 0
}

/** What a person gave, as parts of a statement; names by the keys they have in the database. */
function given({ input }: ExperimentRecord): RawBuilder<unknown> {
  const { treatments, products, analyses } = heldBy(input)
  return sql`
    given_treatments as (
      select * from json_to_recordset(${JSON.stringify(treatments)}::json)
        as t (ordem smallint, nome text, modalidade text, produtividade float8, custo float8)
    ), given_products as (
      select * from json_to_recordset(${JSON.stringify(products)}::json)
        as p (tratamento smallint, ordem smallint, produto text, dose float8, unidade text, custo float8)
    ), given_analyses as (
      select * from json_to_recordset(${JSON.stringify(analyses)}::json)
        as x (tratamento smallint, ordem smallint, nome text, valor float8, unidade text)
    ), ${keysOf(input)}`
}

/** Rows of the treatments, their products and analyses, names as `searchable` makes them. */
function heldBy(input: ExperimentInput) {
  const treatments = input.tratamentos.map((treatment, index) => ({
    ordem: index + 1,
    nome: treatment.nome,
    modalidade: searchable(treatment.modalidade),
    produtividade: treatment.produtividade,
    custo: treatment.custo,
  }))
  const products = input.tratamentos.flatMap((treatment, index) =>
    treatment.produtos_aplicados.map((product, position) => ({
      tratamento: index + 1,
      ordem: position + 1,
      produto: searchable(product.nome),
      dose: product.dose,
      unidade: product.unidade,
      custo: product.custo,
    })),
  )
  const analyses = input.tratamentos.flatMap((treatment, index) =>
    treatment.analises_adicionais.map((analysis, position) => ({
      tratamento: index + 1,
      ordem: position + 1,
      ...analysis,
    })),
  )
  return { treatments, products, analyses }
}

/**
 * The inserts of the treatments of the experiment `made`, their products and analyses: parts of one statement, which
 * does not see its own rows. What it puts is what it gives back.
 */
const TREATMENT_INSERTS = sql`
  treated as (
    select made.id as experimento_id, t.ordem, t.nome, t.modalidade_id, t.produtividade, t.custo from made, treatments t
  ), applied as (
    select made.id as experimento_id, p.tratamento, p.ordem, p.produto_id, p.dose, p.unidade, p.custo
    from made, products p
  ), analysed as (
    select made.id as experimento_id, x.* from made, given_analyses x
  ), put_treated as (
    insert into tratamentos (experimento_id, ordem, nome, modalidade_id, produtividade, custo) select * from treated
  ), put_applied as (
    insert into produtos_aplicados (experimento_id, tratamento, ordem, produto_id, dose, unidade, custo)
    select * from applied
  ), put_analysed as (
    insert into analises_adicionais (experimento_id, tratamento, ordem, nome, valor, unidade) select * from analysed
  )`
