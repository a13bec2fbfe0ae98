import type { SynthesisAnswer, SynthesisQuery } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** How many a person keeps. */
export const MOST_RECORDS = 500

export interface StoredSynthesis {
  id: string
  titulo: string
  conclusao: string
  compartilhada: boolean
  opcoes: SynthesisQuery
  motor: string
  quem: string | null
  quando: Date
  ensaios: number
  /** Trials of it that the asker does not see now. */
  ocultos: number
  /** Trials of it whose costs the asker does not see now. */
  sem_custos: number
  /** Trials of it that changed since. */
  mudados: number
}

const COLUMNS = sql`
  s.id, s.titulo, s.conclusao, s.compartilhada, s.opcoes, s.motor, s.quem, s.quando,
  cardinality(s.experimentos) as ensaios, cardinality(s.experimentos) - coalesce(v.vistos, 0) as ocultos,
  cardinality(s.experimentos) - coalesce(v.custeados, 0) as sem_custos, coalesce(v.mudados, 0) as mudados`
/** What of a record's trials is seen now; deleted ones are gone for everybody. */
const FROM = sql`
  from sinteses s left join lateral (
    select count(*)::integer as vistos, count(*) filter (where e.ve_custos)::integer as custeados,
      count(*) filter (where s.versoes -> e.id::text is distinct from
        jsonb_build_array(e.versao, e.ficha_versao))::integer as mudados
    from visto.experimentos e where e.id = any (s.experimentos) and e.deleted_at is null
  ) v on true`

/** The asker's own and those that others of the organisation share, the latest first. */
export async function recordsOf(handle: Handle): Promise<StoredSynthesis[]> {
  const { rows } = await sql<StoredSynthesis>`
    select ${COLUMNS} ${FROM} order by s.quando desc, s.id limit ${MOST_RECORDS}
  `.execute(handle)
  return rows
}

export async function recordById(
  handle: Handle,
  id: string,
): Promise<(StoredSynthesis & { resposta: SynthesisAnswer }) | null> {
  const { rows } = await sql<StoredSynthesis & { resposta: SynthesisAnswer }>`
    select ${COLUMNS}, s.resposta ${FROM} where s.id = ${id}
  `.execute(handle)
  return rows[0] ?? null
}

export interface SynthesisContent {
  opcoes: SynthesisQuery
  titulo: string
  conclusao: string
  compartilhada: boolean
}

/** The record that a request made when it was sent before, and whether it said the same. */
export async function recordByKey(
  handle: Handle,
  { key, by, content }: { key: string; by: string; content: SynthesisContent },
): Promise<{ id: string; same: boolean } | null> {
  const { rows } = await sql<{ id: string; same: boolean }>`
    select id, opcoes = ${JSON.stringify(content.opcoes)}::jsonb and titulo = ${content.titulo}
      and conclusao = ${content.conclusao} and compartilhada = ${content.compartilhada} as same
    from sinteses where organizacao_id = organizacao_atual() and quem = ${by} and chave = ${key}
  `.execute(handle)
  return rows[0] ?? null
}

/** @returns its id; null when the person keeps as many as they may, or the key has made one meanwhile */
export async function insertRecord(
  handle: Handle,
  record: SynthesisContent & {
    /** As JSON. */
    resposta: string
    experimentos: readonly string[]
    motor: string
    by: string
    organization: string
    key: string | null
  },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into sinteses (organizacao_id, quem, titulo, conclusao, compartilhada, opcoes, resposta, experimentos,
      versoes, motor, chave)
    select ${record.organization}, ${record.by}, ${record.titulo}, ${record.conclusao}, ${record.compartilhada},
      ${JSON.stringify(record.opcoes)}, ${record.resposta}, ${record.experimentos}::uuid[], (
        select coalesce(jsonb_object_agg(e.id, jsonb_build_array(e.versao, e.ficha_versao)), '{}')
        from experimentos e where e.id = any (${record.experimentos}::uuid[])
      ), ${record.motor}, ${record.key}
    from sinteses where quem = ${record.by} having count(*) < ${MOST_RECORDS}
    on conflict do nothing returning id
  `.execute(handle)
  return rows[0]?.id ?? null
}

/** False when it is not there, or another's. */
export async function removeRecord(handle: Handle, id: string, by: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('sinteses')
    .where('id', '=', id)
    .where('quem', '=', by)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
