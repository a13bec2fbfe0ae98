import type { PlotColumn, TrialSheet } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { NOW } from '../../database/now.ts'

/** Yields that were typed before the plots gave them, kg/ha, by the treatment's number. */
export type Informed = Record<string, number>

export type SheetBody = Omit<
  TrialSheet,
  'versao' | 'valores' | 'alterada_em' | 'alterada_por' | 'exclusoes'
> & {
  /** Who left a plot out is kept by id, and named to who may read it. */
  exclusoes: (Omit<TrialSheet['exclusoes'][number], 'quem'> & { quem: string | null })[]
}
export interface StoredSheet {
  versao: number
  corpo: SheetBody
  informadas: Informed
  valores: PlotColumn[]
  alterada_em: Date
  alterada_por: string | null
}

/** A trial's sheet; null when it has none or the trial is not seen. */
export async function sheetOf(handle: Handle, experimentId: string): Promise<StoredSheet | null> {
  const { rows } = await sql<StoredSheet>`
    select f.versao, f.corpo, f.informadas, f.alterada_em, f.alterada_por, coalesce((
      select jsonb_agg(jsonb_build_object('variavel', v.variavel, 'avaliacao', v.avaliacao, 'valores', v.valores)
        order by v.ordem)
      from valores v where v.experimento_id = f.experimento_id
    ), '[]') as valores
    from fichas f where f.experimento_id = ${experimentId}
  `.execute(handle)
  return rows[0] ?? null
}

/** Puts the sheet whole; the version is told on the trial's row, too. */
export async function putSheet(
  handle: Handle,
  experimentId: string,
  sheet: Omit<StoredSheet, 'alterada_em' | 'alterada_por'> & { by: string },
): Promise<void> {
  await sql`
    insert into fichas (experimento_id, versao, corpo, informadas, alterada_por)
    values (${experimentId}, ${sheet.versao}, ${JSON.stringify(sheet.corpo)}, ${JSON.stringify(sheet.informadas)},
      ${sheet.by})
    on conflict (experimento_id) do update set versao = excluded.versao, corpo = excluded.corpo,
      informadas = excluded.informadas, alterada_em = now(), alterada_por = excluded.alterada_por
  `.execute(handle)
  await handle.deleteFrom('valores').where('experimento_id', '=', experimentId).execute()
  await sql`
    insert into valores (experimento_id, ordem, variavel, avaliacao, valores)
    select ${experimentId}, c.ordem, c.coluna ->> 'variavel', c.coluna ->> 'avaliacao', c.coluna -> 'valores'
    from jsonb_array_elements(${JSON.stringify(sheet.valores)}::jsonb) with ordinality as c (coluna, ordem)
  `.execute(handle)
  await noteVersion(handle, experimentId, sheet.versao)
}

export async function removeSheet(handle: Handle, experimentId: string): Promise<boolean> {
  const { numDeletedRows } = await handle
    .deleteFrom('fichas')
    .where('experimento_id', '=', experimentId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await noteVersion(handle, experimentId, null)
  return true
}

/** The highest version that a sheet of the trial ever had, also one that was deleted since; 0 for none. */
export async function lastVersion(handle: Handle, experimentId: string): Promise<number> {
  const row = await handle
    .selectFrom('experimentos')
    .select('ficha_ultima')
    .where('id', '=', experimentId)
    .executeTakeFirst()
  return row?.ficha_ultima ?? 0
}

/** Whoever edits an older version of the trial is not disturbed by it: the sheet has a version of its own. */
async function noteVersion(handle: Handle, experimentId: string, versao: number | null): Promise<void> {
  await handle
    .updateTable('experimentos')
    .set({ ficha_versao: versao, updated_at: NOW, ...(versao !== null && { ficha_ultima: versao }) })
    .where('id', '=', experimentId)
    .execute()
}
