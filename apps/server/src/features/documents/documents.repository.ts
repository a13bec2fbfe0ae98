import type { Document } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

export interface DocumentRow {
  id: string
  experimento_id: string | null
  filename: string
  armazenado: string
  sha256: string
  tamanho: number
  created_by: string | null
  created_at: Date
}

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
  document: Omit<DocumentRow, 'created_at'>,
): Promise<DocumentRow> {
  const { rows } = await sql<DocumentRow>`
    insert into documentos (id, experimento_id, filename, armazenado, sha256, tamanho, created_by)
    values (
      ${document.id}, ${document.experimento_id}, ${document.filename}, ${document.armazenado},
      ${document.sha256}, ${document.tamanho}, ${document.created_by}
    )
    returning *
  `.execute(handle)
  const [row] = rows
  if (!row) throw new Error('insert returned nothing')
  return row
}

/** A document that can still be read: free of an experiment, or of one that is not deleted. */
const LIVE = sql`
  from documentos d left join experimentos e on e.id = d.experimento_id where e.deleted_at is null`

export async function documentById(handle: Handle, id: string): Promise<DocumentRow | null> {
  const { rows } = await sql<DocumentRow>`select d.* ${LIVE} and d.id = ${id}`.execute(handle)
  return rows[0] ?? null
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
  const { rows } = await sql<DocumentRow>`
    select d.* ${LIVE}
      and (${find.experimentId ?? null}::uuid is null or d.experimento_id = ${find.experimentId ?? null})
      and (${find.sha256 ?? null}::text is null or d.sha256 = ${find.sha256 ?? null})
      and (d.experimento_id is not null or d.created_by = ${find.userId})
    order by e.documento_id is not distinct from d.id desc, d.created_at, d.id
    limit ${find.limit}
  `.execute(handle)
  return rows
}

/** The row of the same bytes in the same place: of an experiment, or loose and of the same person. */
export async function sameDocument(
  handle: Handle,
  find: { sha256: string; experimentId: string | null; userId: string },
): Promise<DocumentRow | null> {
  const { rows } = await sql<DocumentRow>`
    select * from documentos
    where sha256 = ${find.sha256} and experimento_id is not distinct from ${find.experimentId}
      and (experimento_id is not null or created_by = ${find.userId})
    order by created_at, id limit 1
  `.execute(handle)
  return rows[0] ?? null
}

/** How many there are in such a place. */
export async function countDocuments(
  handle: Handle,
  place: { experimentId: string | null; userId: string },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from documentos where ${
      place.experimentId === null
        ? sql`experimento_id is null and created_by = ${place.userId}`
        : sql`experimento_id = ${place.experimentId}`
    }
  `.execute(handle)
  return rows[0]?.n ?? 0
}

/** Bytes of all documents that a person brought. */
export async function bytesOf(handle: Handle, userId: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(tamanho), 0) as bytes from documentos where created_by = ${userId}
  `.execute(handle)
  return rows[0]?.bytes ?? 0
}

/** One person's loose documents are named one after the other, until the transaction ends. */
export async function lockLoose(handle: Handle, userId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`documentos ${userId}`}, 0))`.execute(handle)
}

/** Returns the stored name, for the file to follow. */
export async function deleteDocument(handle: Handle, id: string): Promise<string | null> {
  const { rows } = await sql<{ armazenado: string }>`
    delete from documentos where id = ${id} returning armazenado
  `.execute(handle)
  return rows[0]?.armazenado ?? null
}

/** A person's documents without an experiment; with `gone` they are deleted. */
export async function looseOf(
  handle: Handle,
  userId: string,
  { gone = false }: { gone?: boolean } = {},
): Promise<DocumentRow[]> {
  const { rows } = await sql<DocumentRow>`
    ${gone ? sql`delete` : sql`select *`} from documentos where created_by = ${userId} and experimento_id is null
    ${gone ? sql`returning *` : sql`order by created_at, id`}
  `.execute(handle)
  return rows
}

/** Which of these stored names a row still names. */
export async function namedAmong(handle: Handle, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ armazenado: string }>`
    select armazenado from documentos where armazenado = any(${names})
  `.execute(handle)
  return new Set(rows.map(({ armazenado }) => armazenado))
}
