import type { AssignedBlock, Plot, PlotColumn, TrialDate, TrialSheet, TrialVariable } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { NOW } from '../../database/now.ts'

/** Yields that were typed before the plots gave them, kg/ha, by the treatment's number. */
export type Informed = Record<string, number>

/** What has an id for good. */
interface Kept {
  parcelas: (Plot & { id: string; codigo: string })[]
  variaveis: (TrialVariable & { id: string })[]
  avaliacoes: (TrialDate & { id: string })[]
}
export type StoredColumn = PlotColumn & {
  /** The entry that put each value there; null for one from before entries were kept. */
  registros: (string | null)[]
  /** Of a variable that holds words or days. */
  textos: (string | null)[] | null
}

export type SheetBody = Omit<
  TrialSheet,
  'versao' | 'valores' | 'textos' | 'alterada_em' | 'alterada_por' | 'exclusoes' | keyof Kept
> &
  Kept & {
    /** Who left a plot out is kept by id, and named to who may read it. */
    exclusoes: (Omit<TrialSheet['exclusoes'][number], 'quem'> & { quem: string | null })[]
  }
export interface StoredSheet {
  versao: number
  corpo: SheetBody
  informadas: Informed
  valores: StoredColumn[]
  alterada_em: Date
  alterada_por: string | null
}

/** A trial's sheet as readers take it; null when it has none or the trial is not seen. */
export const sheetOf = (handle: Handle, experimentId: string) => readSheet(handle, experimentId, sql`null`)

/** The same with the entry behind each value, three times as much: for who changes it. */
export const sheetWithEntries = (handle: Handle, experimentId: string) =>
  readSheet(handle, experimentId, sql`to_jsonb(v.registros)`)

async function readSheet(
  handle: Handle,
  experimentId: string,
  entries: RawBuilder<unknown>,
): Promise<StoredSheet | null> {
  const { rows } = await sql<StoredSheet>`
    select f.versao, f.corpo, f.informadas, f.alterada_em, f.alterada_por, coalesce((
      select jsonb_agg(jsonb_build_object('variavel', v.variavel, 'avaliacao', v.avaliacao, 'valores', v.valores,
        'registros', coalesce(${entries}, '[]'), 'textos', v.textos) order by v.ordem)
      from valores v where v.experimento_id = f.experimento_id
    ), '[]') as valores
    from fichas f where f.experimento_id = ${experimentId}
  `.execute(handle)
  return rows[0] ?? null
}

/** Whether phones get letters in the place of treatments; null where there is no sheet. */
export async function isBlind(handle: Handle, experimentId: string): Promise<boolean | null> {
  const row = await handle
    .selectFrom('fichas')
    .select('as_cegas')
    .where('experimento_id', '=', experimentId)
    .executeTakeFirst()
  return row?.as_cegas ?? null
}

export async function setBlind(handle: Handle, experimentId: string, blind: boolean): Promise<void> {
  await handle
    .updateTable('fichas')
    .set({ as_cegas: blind })
    .where('experimento_id', '=', experimentId)
    .execute()
}

/** Who is to collect which block. */
export async function blocksOf(handle: Handle, experimentId: string): Promise<AssignedBlock[]> {
  const { rows } = await sql<{ blocos_campo: AssignedBlock[] }>`
    select f.blocos_campo from fichas f where f.experimento_id = ${experimentId}
  `.execute(handle)
  return rows[0]?.blocos_campo ?? []
}
export async function assignBlocks(
  handle: Handle,
  experimentId: string,
  blocks: readonly AssignedBlock[],
): Promise<void> {
  await sql`
    update fichas set blocos_campo = ${JSON.stringify(blocks)}::jsonb where experimento_id = ${experimentId}
  `.execute(handle)
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
    insert into valores (experimento_id, ordem, variavel, avaliacao, valores, registros, textos)
    select ${experimentId}, c.ordem, c.coluna ->> 'variavel', c.coluna ->> 'avaliacao', c.coluna -> 'valores',
      array(select jsonb_array_elements_text(c.coluna -> 'registros'))::uuid[],
      nullif(c.coluna -> 'textos', 'null')
    from jsonb_array_elements(${JSON.stringify(sheet.valores)}::jsonb) with ordinality as c (coluna, ordem)
  `.execute(handle)
  await putPlotIndex(handle, experimentId, sheet.corpo.parcelas)
  await noteVersion(handle, experimentId, sheet.versao)
}

/** Columns that entries made others, of a sheet that is the same otherwise. */
export async function putColumns(
  handle: Handle,
  experimentId: string,
  {
    versao,
    informadas,
    columns,
    by,
  }: {
    versao: number
    informadas: Informed
    columns: readonly (StoredColumn & { ordem: number })[]
    by: string
  },
): Promise<void> {
  await sql`
    update fichas set versao = ${versao}, informadas = ${JSON.stringify(informadas)}, alterada_em = now(),
      alterada_por = ${by}
    where experimento_id = ${experimentId}
  `.execute(handle)
  await sql`
    insert into valores (experimento_id, ordem, variavel, avaliacao, valores, registros, textos)
    select ${experimentId}, (c ->> 'ordem')::smallint, c ->> 'variavel', c ->> 'avaliacao', c -> 'valores',
      array(select jsonb_array_elements_text(c -> 'registros'))::uuid[], nullif(c -> 'textos', 'null')
    from jsonb_array_elements(${JSON.stringify(columns)}::jsonb) c
    on conflict (experimento_id, ordem) do update
      set valores = excluded.valores, registros = excluded.registros, textos = excluded.textos
  `.execute(handle)
  await noteVersion(handle, experimentId, versao)
}

/** By which plots and labels are found; written only where it is another. One that goes is remembered. */
async function putPlotIndex(
  handle: Handle,
  experimentId: string,
  plots: readonly Pick<SheetBody['parcelas'][number], 'id' | 'numero' | 'codigo'>[],
): Promise<void> {
  const rows = plots.map(({ id, numero, codigo }) => ({ id, numero, codigo }))
  await sql`
    with novas as (
      select (p.uma ->> 'id')::uuid as id, p.ordem::smallint as ordem, (p.uma ->> 'numero')::integer as numero,
        p.uma ->> 'codigo' as codigo
      from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as p (uma, ordem)
    ), idas as (
      delete from parcelas p where p.experimento_id = ${experimentId} and not exists (
        select from novas n where n.id = p.id)
      returning p.id
    ), lembradas as (
      insert into parcelas_idas (experimento_id, id) select ${experimentId}, id from idas on conflict do nothing
    )
    insert into parcelas (id, experimento_id, ordem, numero, codigo)
    select id, ${experimentId}, ordem, numero, codigo from novas
    on conflict (id) do update set ordem = excluded.ordem, numero = excluded.numero
      where (parcelas.ordem, parcelas.numero) is distinct from (excluded.ordem, excluded.numero)
  `.execute(handle)
}

/** Which of these plots never were the trial's. */
export async function foreignPlots(
  handle: Handle,
  experimentId: string,
  plots: readonly string[],
): Promise<ReadonlySet<string>> {
  if (plots.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select u.id from unnest(${[...plots]}::text[]) as u (id)
    where not exists (select from parcelas p where p.id = u.id::uuid and p.experimento_id = ${experimentId})
      and not exists (select from parcelas_idas i where i.id = u.id::uuid and i.experimento_id = ${experimentId})
  `.execute(handle)
  return new Set(rows.map(({ id }) => id))
}

export async function removeSheet(handle: Handle, experimentId: string): Promise<boolean> {
  await sql`
    insert into parcelas_idas (experimento_id, id)
    select experimento_id, id from parcelas where experimento_id = ${experimentId} on conflict do nothing
  `.execute(handle)
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
