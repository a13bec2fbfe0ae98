import type { CellValue, ChangeKind, ChangeOrigin, ChangeState } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** An entry of a cell as it is written down. */
export interface NewChange {
  id: string
  pessoa_id: string | null
  origem: ChangeOrigin
  aparelho: string | null
  seq: number | null
  coletor: string | null
  tipo: ChangeKind
  parcela: string | null
  variavel: string | null
  avaliacao: string | null
  amostra: number | null
  valor: CellValue
  motivo: string | null
  base: string | null
  quando: string
  confirmado: boolean
  fora: boolean
  estado: Exclude<ChangeState, 'recusado'>
  revisao: string | null
  extra: Record<string, unknown> | null
}
export interface StoredChange extends Omit<NewChange, 'quando'> {
  ordem: number
  quando: Date
  recebido_em: Date
  encerrado: boolean
}

const COLUMNS = sql`
  r.id, r.ordem::float8 as ordem, r.pessoa_id, r.origem, r.aparelho, r.seq, r.coletor, r.tipo, r.parcela, r.variavel,
  r.avaliacao, r.amostra, r.valor, r.motivo, r.base, r.quando, r.recebido_em, r.confirmado, r.fora, r.estado,
  r.revisao, r.encerrado, r.extra
`

/** Entries of a trial by their ids. */
export async function changesByIds(
  handle: Handle,
  experimentId: string,
  ids: readonly string[],
): Promise<StoredChange[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<StoredChange>`
    select ${COLUMNS} from registros r where r.experimento_id = ${experimentId} and r.id = any (${[...ids]}::uuid[])
  `.execute(handle)
  return rows
}

/** Whether who took a photo has taken it back. */
export async function isTakenBack(handle: Handle, experimentId: string, photo: string): Promise<boolean> {
  const { rows } = await sql`
    select from registros f
    join registros r on r.experimento_id = f.experimento_id and r.parcela = f.parcela and r.base = f.id
    where f.experimento_id = ${experimentId} and f.id = ${photo} and f.tipo = 'foto'
      and r.tipo = 'foto' and r.estado = 'aplicado' and r.pessoa_id = f.pessoa_id
      and r.coletor is not distinct from f.coletor
    limit 1
  `.execute(handle)
  return rows.length > 0
}

/** Entries of cells that these plots have for these variables, in the order in which they were taken. */
export async function changesOfCells(
  handle: Handle,
  experimentId: string,
  { plots, variables }: { plots: readonly string[]; variables: readonly string[] },
): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select ${COLUMNS} from registros r
    where r.experimento_id = ${experimentId} and r.parcela = any (${[...plots]}::uuid[])
      and r.variavel = any (${[...variables]}::uuid[]) and r.tipo not in ('nota', 'foto')
    order by r.ordem
  `.execute(handle)
  return rows
}

/** What came behind a number, in the order in which it was taken. */
export async function changesAfter(
  handle: Handle,
  experimentId: string,
  { after, limit }: { after: number; limit: number },
): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select ${COLUMNS} from registros r where r.experimento_id = ${experimentId} and r.ordem > ${after}
    order by r.ordem limit ${limit}
  `.execute(handle)
  return rows
}

/** Conflicts that nobody decided, or entries without a place. */
export async function openChanges(
  handle: Handle,
  experimentId: string,
  estado: 'conflito' | 'guardado',
): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select ${COLUMNS} from registros r
    where r.experimento_id = ${experimentId} and r.estado in ('conflito', 'guardado') and r.estado = ${estado}
      and not r.encerrado
    order by r.ordem limit 2000
  `.execute(handle)
  return rows
}

/** The number of the last entry of a trial; 0 for none. */
export async function lastChange(handle: Handle, experimentId: string): Promise<number> {
  const { rows } = await sql<{ ordem: number }>`
    select coalesce(max(r.ordem), 0)::float8 as ordem from registros r where r.experimento_id = ${experimentId}
  `.execute(handle)
  return rows[0]?.ordem ?? 0
}

/** Writes entries down behind the last, while the trial is locked. */
export async function addChanges(
  handle: Handle,
  experimentId: string,
  changes: readonly NewChange[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into registros (experimento_id, id, ordem, pessoa_id, origem, aparelho, seq, coletor, tipo, parcela,
      variavel, avaliacao, amostra, valor, motivo, base, quando, confirmado, fora, estado, revisao, extra)
    select ${experimentId}, n.id, n.ordem + coalesce((
        select max(r.ordem) from registros r where r.experimento_id = ${experimentId}), 0),
      n.pessoa_id, n.origem, n.aparelho, n.seq, n.coletor, n.tipo, n.parcela, n.variavel, n.avaliacao, n.amostra,
      nullif(n.valor, 'null'), n.motivo, n.base, n.quando, n.confirmado, n.fora, n.estado, n.revisao,
      nullif(n.extra, 'null')
    from rows from (jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as (id uuid, pessoa_id uuid, origem text,
        aparelho uuid, seq integer, coletor text, tipo text, parcela uuid, variavel uuid, avaliacao uuid,
        amostra smallint, valor jsonb, motivo text, base uuid, quando timestamptz, confirmado boolean, fora boolean,
        estado text, revisao uuid, extra jsonb)) with ordinality as n (id, pessoa_id, origem, aparelho, seq, coletor,
        tipo, parcela, variavel, avaliacao, amostra, valor, motivo, base, quando, confirmado, fora, estado, revisao,
        extra, ordem)
  `.execute(handle)
}

/** Open ones that are so no more. */
export async function closeChanges(
  handle: Handle,
  experimentId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await handle
    .updateTable('registros')
    .set({ encerrado: true })
    .where('experimento_id', '=', experimentId)
    .where('id', 'in', [...ids])
    .execute()
}

/** Conflicts whose plot, variable or date went away wait for a place, with all others that have none. */
export async function shelveConflicts(
  handle: Handle,
  experimentId: string,
  {
    stays,
    reason,
  }: { stays: Record<'parcelas' | 'variaveis' | 'avaliacoes', readonly string[]>; reason: string },
): Promise<void> {
  await sql`
    update registros r set estado = 'guardado',
      extra = coalesce(r.extra, '{}'::jsonb) || jsonb_build_object('razao', ${reason}::text)
    where r.experimento_id = ${experimentId} and r.estado = 'conflito' and not r.encerrado
      and not (r.parcela = any (${[...stays.parcelas]}::uuid[]) and r.variavel = any (${[...stays.variaveis]}::uuid[])
        and (r.avaliacao is null or r.avaliacao = any (${[...stays.avaliacoes]}::uuid[])))
  `.execute(handle)
}

/** Ids of entries that a person made on a device under these numbers. */
export async function entriesOfDevice(
  handle: Handle,
  { person, device, seqs }: { person: string; device: string; seqs: readonly number[] },
): Promise<{ id: string; seq: number | null }[]> {
  const { rows } = await sql<{ id: string; seq: number | null }>`
    select r.id, r.seq from registros r
    where r.pessoa_id = ${person} and r.aparelho = ${device} and r.seq = any (${[...seqs]}::integer[])
  `.execute(handle)
  return rows
}

/** Trials in which a person entered something. */
export async function trialsEntered(handle: Handle, person: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct r.experimento_id as id from registros r where r.pessoa_id = ${person} order by 1
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** What a person entered in a trial, behind a number. */
export async function changesOfPerson(
  handle: Handle,
  experimentId: string,
  { person, after, limit }: { person: string; after: number; limit: number },
): Promise<StoredChange[]> {
  const { rows } = await sql<StoredChange>`
    select ${COLUMNS} from registros r
    where r.experimento_id = ${experimentId} and r.pessoa_id = ${person} and r.ordem > ${after}
    order by r.ordem limit ${limit}
  `.execute(handle)
  return rows
}

/** Of who took the trial along and may not write to it now. @returns those that are kept, now or since before */
export async function keepWithoutRight(
  handle: Handle,
  experimentId: string,
  { device, changes }: { device: string; changes: readonly NewChange[] },
): Promise<Pick<StoredChange, 'id' | 'estado' | 'encerrado'>[]> {
  const { rows } = await sql<Pick<StoredChange, 'id' | 'estado' | 'encerrado'>>`
    select id, estado, encerrado from guardar_registros(${experimentId}, ${device}, ${JSON.stringify(changes)}::jsonb)
  `.execute(handle)
  return rows
}
