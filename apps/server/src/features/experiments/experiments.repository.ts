import {
  type Experiment,
  type ExperimentSummary,
  experimentName,
  FIELD_KEYS,
  type FieldKey,
  isFieldKey,
} from '@ensaio/domain'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { dataOf, nameIn } from '../../catalogue/dimensions.ts'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'
import { ago, NOW } from '../../database/now.ts'
import type { DB } from '../../database/schema.generated.ts'

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
export const PLAIN = FIELD_KEYS.filter((key) => STORED_AS[key] === undefined)

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
export type Row<T> = Omit<T, 'nome' | 'created_at' | 'updated_at'> & { created_at: Date; updated_at: Date }
export const present = <T extends Row<StoredSummary>>(row: T) => ({
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
export function whole(
  experiment: string,
  parts: Record<'treatments' | 'products' | 'analyses', RawBuilder<unknown>>,
) {
  return sql`
    select ${columns({ pdf: sql`e.pdf_filename`, owner: sql`e.organizacao_nome`, commented: sql`e.ve_comentarios` })},
      e.tipo_estatistica as analise_estatistica, e.estatistica_informada, e.conclusao, (
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
  ...(['id', 'versao', 'created_by', 'documento_id', 'deleted_at', 'deleted_by'] as const),
  ...(['organizacao_id', 'acervo_id'] as const),
] as const
export type Locked = Pick<Selectable<DB['experimentos']>, (typeof LOCKED)[number]> & {
  /** Its light rests on more than its own fields: plots, what the field brought, answers. */
  more_to_judge: boolean
}

/** The experiment's row, locked until the transaction ends; changes of one experiment follow each other. */
export async function lockExperiment(handle: Handle, id: string): Promise<Locked | null> {
  return (await lockExperiments(handle, [id]))[0] ?? null
}

/** In one order, whoever locks them. */
export function lockExperiments(handle: Handle, ids: readonly string[]): Promise<Locked[]> {
  return handle
    .selectFrom('experimentos')
    .select(LOCKED)
    .select(
      sql<boolean>`experimentos.ficha_versao is not null
        or exists (select from respostas_qualidade q where q.experimento_id = experimentos.id)
        or exists (select from registros r where r.experimento_id = experimentos.id)
        or exists (select from referencias f where f.experimento_id = experimentos.id)`.as('more_to_judge'),
    )
    .where('id', 'in', [...ids])
    .orderBy('id')
    .forUpdate()
    .execute()
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

export async function markDeleted(handle: Handle, ids: readonly string[], by: string): Promise<void> {
  await handle
    .updateTable('experimentos')
    .set((eb) => ({ deleted_at: NOW, deleted_by: by, versao: eb('versao', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

export async function markRestored(handle: Handle, ids: readonly string[]): Promise<void> {
  await handle
    .updateTable('experimentos')
    .set((eb) => ({ deleted_at: null, deleted_by: null, versao: eb('versao', '+', 1), updated_at: NOW }))
    .where('id', 'in', [...ids])
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

export async function putConclusion(handle: Handle, id: string, text: string | null): Promise<void> {
  await sql`
    update experimentos set conclusao = ${text}, versao = versao + 1, updated_at = now() where id = ${id}
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
