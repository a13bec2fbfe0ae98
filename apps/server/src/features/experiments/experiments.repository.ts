import {
  type Experiment,
  type ExperimentInput,
  type ExperimentSummary,
  experimentName,
  FIELD_KEYS,
  type FieldKey,
  isFieldKey,
  searchable,
  UNIQUE_FIELDS,
} from '@ensaio/domain'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { dataOf, nameIn } from '../../catalogue/dimensions.ts'
import { KEYS_OF_MANY, keysOf } from '../../catalogue/names.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { ago, NOW } from '../../database/now.ts'
import type { DB } from '../../database/schema.generated.ts'
import { changeInsert } from './history.repository.ts'
import { claimKey, type IdempotencyKey } from './idempotency.repository.ts'

export interface ExperimentRecord {
  input: ExperimentInput
  produtividadeMedia: number
  custoTotal: number | null
  /** Open findings as they are kept, and the version of the rules. */
  qualidade: { apontamentos: number; apontamentos_vistos: number; regras: number; achados: number }
}

/** What is not stored as it is given; names by subqueries: eight tables joined take the planner longer than the reading. */
const STORED_AS: Partial<Record<FieldKey, RawBuilder<unknown>>> = {
  consultoria: nameIn('e', 'consultoria'),
  marca: nameIn('e', 'marca'),
  bu: nameIn('e', 'bu'),
  regional: nameIn('e', 'regional'),
  cidade: sql`ci.nome`,
  estado: sql`ci.estado`,
  cultura: nameIn('e', 'cultura'),
}
const PLAIN = FIELD_KEYS.filter((key) => STORED_AS[key] === undefined)

/** Own rows ask nothing of what others let the organisation see. */
const seenIf = (sets: string) => sql<boolean>`
  (e.organizacao_id = (select organizacao_atual()) or e.acervo_id = any ((select ${sql.ref(sets)} from alcance_atual)::integer[]))`

/** A summary's columns; what the row `e` does not hold by itself is told by `beside`. */
const columns = (beside: Record<'pdf' | 'owner' | 'commented', RawBuilder<unknown>>) => sql`
  e.id, ${sql.join(FIELD_KEYS.map((key) => sql`${STORED_AS[key] ?? sql.ref(`e.${key}`)} as ${sql.ref(key)}`))},
  e.produtividade_media, e.custo_total, e.n_tratamentos, ${beside.pdf} as pdf_filename,
  ${dataOf('e')} as dados, e.apontamentos,
  e.created_by, e.versao, e.created_at, e.updated_at, e.organizacao_id, ${beside.owner} as organizacao_nome,
  case when e.organizacao_id = (select organizacao_atual()) then e.embargo_ate end as embargo_ate,
  e.ve_custos, e.ve_documentos, ${beside.commented} as ve_comentarios`

const CITY = sql`join cidades ci on ci.id = e.cidade_id`

/** A trial as the asking organisation sees it; what the asking person may do with it is said by who presents it. */
type Seen<T> = Omit<T, 'organizacao' | 'relacao' | 'ocultos' | 'permissoes'> & {
  organizacao_id: string
  organizacao_nome: string | null
  ve_custos: boolean
  ve_documentos: boolean
  ve_comentarios: boolean
}
export type StoredSummary = Seen<ExperimentSummary>
/** As the database gives it: instants are dates, and the name is not stored. */
type Row<T> = Omit<T, 'nome' | 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }
const present = <T extends Row<StoredSummary>>(row: T) => ({
  ...row,
  nome: experimentName(row),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** The fragments that a list puts its conditions and order between. */
export const LIST = {
  columns: columns({
    pdf: sql`(select filename from documentos where id = e.documento_id)`,
    owner: sql`case when e.organizacao_id = (select organizacao_atual())
      then (select nome from organizacoes where id = (select organizacao_atual())) else nome_de(e.organizacao_id) end`,
    commented: seenIf('com_comentarios'),
  }),
  from: (experiments: RawBuilder<unknown>) => sql`from ${experiments} e ${CITY}`,
  present,
}
export type SummaryRow = Row<StoredSummary>

/** An experiment with its treatments; the name of who made it is not this table's to tell. */
export type StoredExperiment = Seen<Omit<Experiment, 'created_by_name'>>

/**
 * Selects an experiment `e` with all that hangs on it, as it is stored or just inserted. What is just inserted has no
 * index: what the treatments hold is gathered once and not looked for once for each of them.
 */
function whole(
  experiment: string,
  parts: Record<'treatments' | 'products' | 'analyses', RawBuilder<unknown>>,
) {
  return sql`
    select ${columns({ pdf: sql`e.pdf_filename`, owner: sql`e.organizacao_nome`, commented: sql`e.ve_comentarios` })},
      e.tipo_estatistica as analise_estatistica, e.estatistica_informada, (
      with held_products as materialized (
        select a.tratamento, json_agg(json_build_object(
          'nome', p.nome, 'dose', a.dose, 'unidade', a.unidade, 'custo', a.custo) order by a.ordem) as list
        from ${parts.products} a join produtos p on p.id = a.produto_id group by a.tratamento
      ), held_analyses as materialized (
        select x.tratamento, json_agg(json_build_object(
          'nome', x.nome, 'valor', x.valor, 'unidade', x.unidade) order by x.ordem) as list
        from ${parts.analyses} x group by x.tratamento
      )
      select coalesce(json_agg(json_build_object(
        'nome', t.nome, 'modalidade', m.nome, 'produtividade', t.produtividade, 'custo', t.custo,
        'produtos_aplicados', coalesce(hp.list, '[]'), 'analises_adicionais', coalesce(hx.list, '[]')
      ) order by t.ordem), '[]')
      from ${parts.treatments} t join modalidades m on m.id = t.modalidade_id
        left join held_products hp on hp.tratamento = t.ordem
        left join held_analyses hx on hx.tratamento = t.ordem
    ) as tratamentos
    from ${sql.table(experiment)} e ${CITY}`
}
const STORED = whole('visto.inteiros', {
  treatments: sql`unnest(e.tratamentos)`,
  products: sql`unnest(e.produtos_aplicados)`,
  analyses: sql`unnest(e.analises_adicionais)`,
})

export async function experimentById(
  handle: Handle,
  id: string,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<StoredExperiment | null> {
  const { rows } = await sql<Row<StoredExperiment>>`
    ${HOT} ${STORED} where e.id = ${id} and (e.deleted_at is not null) = ${deleted}
  `.execute(handle)
  return rows[0] ? present(rows[0]) : null
}

/** Which field of an experiment the database refused because another one has it; null for any other failure. */
export function takenField(error: unknown): FieldKey | null {
  if (!(error instanceof Error) || !('constraint' in error)) return null
  const [, key = ''] = /^experimentos_(\w+)_unico$/.exec(String(error.constraint)) ?? []
  return isFieldKey(key) ? key : null
}

const LOCKED = [
  ...(['versao', 'created_by', 'documento_id', 'deleted_at', 'deleted_by'] as const),
  ...(['organizacao_id', 'acervo_id'] as const),
] as const
export type Locked = Pick<Selectable<DB['experimentos']>, (typeof LOCKED)[number]> & {
  /** Its light rests on more than its own fields: plots, what the field brought, answers. */
  more_to_judge: boolean
}

/** The experiment's row, locked until the transaction ends; changes of one experiment follow each other. */
export async function lockExperiment(handle: Handle, id: string): Promise<Locked | null> {
  const row = await handle
    .selectFrom('experimentos')
    .select(LOCKED)
    .select(
      sql<boolean>`experimentos.ficha_versao is not null
        or exists (select from respostas_qualidade q where q.experimento_id = experimentos.id)
        or exists (select from registros r where r.experimento_id = experimentos.id)
        or exists (select from referencias f where f.experimento_id = experimentos.id)`.as('more_to_judge'),
    )
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/** Who may decide about an experiment; null when there is no such live experiment. */
export async function ownerOf(
  handle: Handle,
  id: string,
): Promise<{ owner: string | null; organization: string; set: number; comments: boolean } | null> {
  const row = await handle
    .selectFrom('experimentos as e')
    .select([
      'created_by as owner',
      'organizacao_id as organization',
      'acervo_id as set',
      seenIf('com_comentarios').as('comments'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Whether it is one of the acting organisation's that were deleted. */
export async function isDeleted(handle: Handle, id: string): Promise<boolean> {
  const row = await handle
    .selectFrom('experimentos')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
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
  ...['organizacao_id', 'acervo_id', 'embargo_ate', 'ficha_versao', 'estatistica_informada'],
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

export async function setMainDocument(handle: Handle, id: string, documentId: string): Promise<void> {
  await handle.updateTable('experimentos').set({ documento_id: documentId }).where('id', '=', id).execute()
}

/**
 * After a document came or went: the oldest is the main one unless another is, and who edits an older version is
 * told.
 */
export async function settleDocuments(handle: Handle, id: string): Promise<void> {
  await sql`
    update experimentos e set versao = versao + 1, updated_at = now(), documento_id = coalesce(
      documento_id, (select id from documentos where experimento_id = e.id order by created_at, id limit 1)
    ) where id = ${id}
  `.execute(handle)
}

export async function markDeleted(handle: Handle, id: string, by: string): Promise<void> {
  await handle
    .updateTable('experimentos')
    .set((eb) => ({ deleted_at: NOW, deleted_by: by, versao: eb('versao', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function markRestored(handle: Handle, id: string): Promise<void> {
  await handle
    .updateTable('experimentos')
    .set((eb) => ({ deleted_at: null, deleted_by: null, versao: eb('versao', '+', 1), updated_at: NOW }))
    .where('id', '=', id)
    .execute()
}

export async function idsCreatedBy(handle: Handle, userId: string): Promise<string[]> {
  const rows = await handle
    .selectFrom('experimentos')
    .select('id')
    .where('created_by', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute()
  return rows.map(({ id }) => id)
}

export async function deleteOlder(handle: Handle, days: number): Promise<void> {
  await handle
    .deleteFrom('experimentos')
    .where('deleted_at', '<', ago(`${days} days`))
    .execute()
}

/** Live trials of the acting organisation's own, by id, after one. */
export async function ownIds(handle: Handle, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from experimentos where organizacao_id = organizacao_atual() and deleted_at is null
      and (${after}::uuid is null or id > ${after}) order by id limit ${limit}
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** Others see the trial from that day on, in Brasília; null for at once. */
export async function putEmbargo(handle: Handle, id: string, day: string | null): Promise<void> {
  await sql`
    update experimentos set embargo_ate = ${day}::date, versao = versao + 1, updated_at = now() where id = ${id}
  `.execute(handle)
}

/** Yields by the treatment's number, kg/ha; the mean of the trial follows, and its version goes up. */
export async function putYields(
  handle: Handle,
  id: string,
  yields: readonly { numero: number; produtividade: number }[],
): Promise<void> {
  await sql`
    update tratamentos t set produtividade = y.produtividade
    from json_to_recordset(${JSON.stringify(yields)}::json) as y (numero smallint, produtividade float8)
    where t.experimento_id = ${id} and t.ordem = y.numero
  `.execute(handle)
  await sql`
    update experimentos set versao = versao + 1, updated_at = now(), produtividade_media = (
      select avg(produtividade) from tratamentos where experimento_id = ${id}
    ) where id = ${id}
  `.execute(handle)
}
