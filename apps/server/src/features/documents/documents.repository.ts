import type { Document } from '@ensaio/domain'
import { type Selectable, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { oneAtATime } from '../../database/one-at-a-time.ts'
import type { DB } from '../../database/schema.generated.ts'

export type DocumentRow = Selectable<DB['documentos']>

export const presentDocument = (row: DocumentRow): Document => ({
  id: row.id,
  filename: row.filename,
  experimento_id: row.experimento_id,
  tamanho: row.tamanho,
  sha256: row.sha256,
  created_at: row.created_at.toISOString(),
})

export async function insertDocument(
  handle: Handle,
  document: Omit<DocumentRow, 'created_at' | 'organizacao_id'>,
): Promise<DocumentRow> {
  return handle.insertInto('documentos').values(document).returningAll().executeTakeFirstOrThrow()
}

/** A document that can still be read: free of an experiment, or of one that is not deleted. */
const live = (handle: Handle) =>
  handle
    .selectFrom('documentos as d')
    .leftJoin('experimentos as e', 'e.id', 'd.experimento_id')
    .where('e.deleted_at', 'is', null)
    .selectAll('d')

export async function documentById(handle: Handle, id: string): Promise<DocumentRow | null> {
  return (await live(handle).where('d.id', '=', id).executeTakeFirst()) ?? null
}

/** An experiment's main document first, then the others as they came. */
export async function documentsOf(
  handle: Handle,
  find: {
    experimentId: string | undefined
    sha256: string | undefined
    /** Documents without an experiment are their uploader's alone. */
    userId: string
    limit: number
  },
): Promise<DocumentRow[]> {
  const { experimentId, sha256, userId, limit } = find
  return live(handle)
    .$if(experimentId !== undefined, (some) => some.where('d.experimento_id', '=', experimentId ?? null))
    .$if(sha256 !== undefined, (some) => some.where('d.sha256', '=', sha256 ?? ''))
    .where((eb) => eb.or([eb('d.experimento_id', 'is not', null), eb('d.created_by', '=', userId)]))
    .orderBy((eb) => eb('e.documento_id', 'is not distinct from', eb.ref('d.id')), 'desc')
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(limit)
    .execute()
}

/** The organisation's own living trials with one of these codes. */
export async function trialsWithCodes(
  handle: Handle,
  codes: readonly string[],
): Promise<
  {
    id: string
    nome: string
    codigo: string
    codigo_busca: string
    tem_relatorio: boolean
    created_by: string | null
    organizacao_id: string
  }[]
> {
  const { rows } = await sql<Awaited<ReturnType<typeof trialsWithCodes>>[number]>`
    select e.id, c.nome_cultura || ' - ' || k.nome || ' - ' || e.ano as nome, e.codigo, e.codigo_busca,
      e.documento_id is not null as tem_relatorio, e.created_by, e.organizacao_id
    from experimentos e join culturas c on c.id = e.cultura_id join consultorias k on k.id = e.consultoria_id
    where e.organizacao_id = (select organizacao_atual()) and e.deleted_at is null
      and e.codigo_busca = any (${[...codes]}::text[])
  `.execute(handle)
  return rows
}

/** The row of the same bytes in the same place: of an experiment, or loose and of the same person. */
export async function sameDocument(
  handle: Handle,
  find: Place & { sha256: string },
): Promise<DocumentRow | null> {
  const row = await inPlace(handle, find)
    .selectAll()
    .where('sha256', '=', find.sha256)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

interface Place {
  experimentId: string | null
  userId: string
}

const inPlace = (handle: Handle, { experimentId, userId }: Place) => {
  const all = handle.selectFrom('documentos')
  return experimentId === null
    ? all.where('experimento_id', 'is', null).where('created_by', '=', userId)
    : all.where('experimento_id', '=', experimentId)
}

/** How many there are in such a place. */
export async function countDocuments(handle: Handle, place: Place): Promise<number> {
  const { n } = await inPlace(handle, place)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** Bytes of all documents and photos that a person brought. */
export async function bytesOf(handle: Handle, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select ((select coalesce(sum(d.tamanho), 0) from documentos d where d.created_by = ${userId})
      + (select coalesce(sum(f.tamanho), 0) from fotos f where f.pessoa_id = ${userId}))::float8 as bytes
  `.execute(handle)
  return rows[0]?.bytes ?? 0
}

/** One person's loose documents are named one after the other, until the transaction ends. */
export async function lockLoose(handle: Handle, userId: string): Promise<void> {
  await oneAtATime(handle, 'documentos', userId)
}

/** Returns the stored name, for the file to follow. */
export async function deleteDocument(handle: Handle, id: string): Promise<string | null> {
  const row = await handle
    .deleteFrom('documentos')
    .where('id', '=', id)
    .returning('armazenado')
    .executeTakeFirst()
  return row?.armazenado ?? null
}

/** A person's documents without an experiment; with `gone` they are deleted. */
export async function looseOf(
  handle: Handle,
  userId: string,
  { gone = false }: { gone?: boolean } = {},
): Promise<DocumentRow[]> {
  if (gone)
    return handle
      .deleteFrom('documentos')
      .where('experimento_id', 'is', null)
      .where('created_by', '=', userId)
      .returningAll()
      .execute()
  return inPlace(handle, { experimentId: null, userId })
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Which of these stored names a row still names. */
export async function namedAmong(handle: Handle, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ armazenado: string }>`
    select d.armazenado from documentos d where d.armazenado = any (${names}::text[])
    union all
    select f.armazenado from fotos f where f.armazenado = any (${names}::text[])
  `.execute(handle)
  return new Set(rows.map(({ armazenado }) => armazenado))
}

/** Tells the owner of a received report that it was opened, by organisation and once a day. */
export async function noteReading(handle: Handle, id: string): Promise<void> {
  await sql`select anotar_leitura(${id}::uuid)`.execute(handle)
}

/** Of live trials of the acting organisation's own, by id, after one. */
export async function ownDocuments(
  handle: Handle,
  after: string | null,
  limit: number,
): Promise<DocumentRow[]> {
  return live(handle)
    .where('e.organizacao_id', '=', sql<string>`organizacao_atual()`)
    .$if(after !== null, (all) => all.where('d.id', '>', after ?? ''))
    .orderBy('d.id')
    .limit(limit)
    .execute()
}
