import type { EffectRow, ReportedStatistics } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** What effects rest on besides the sheet; null when there is no such trial. */
export async function reportOf(
  handle: Handle,
  experimentId: string,
): Promise<{
  estatistica_informada: ReportedStatistics | null
  tratamentos: { produtividade: number }[]
} | null> {
  const { rows } = await sql<NonNullable<Awaited<ReturnType<typeof reportOf>>>>`
    select e.estatistica_informada, coalesce((
      select json_agg(json_build_object('produtividade', t.produtividade) order by t.ordem)
      from tratamentos t where t.experimento_id = e.id
    ), '[]') as tratamentos
    from experimentos e where e.id = ${experimentId}
  `.execute(handle)
  return rows[0] ?? null
}

export async function effectsOfTrial(handle: Handle, experimentId: string): Promise<EffectRow[]> {
  const { rows } = await sql<EffectRow>`
    select variavel, nome, busca, produtividade, unidade, umidade, origem, testemunha, n_parcelas, repeticoes, cv, dados,
      ficha_versao, motor
    from efeitos where experimento_id = ${experimentId} order by variavel collate "C"
  `.execute(handle)
  return rows
}

/** Puts these in place of what was kept of the trial; it waits for nothing more. */
export async function putEffects(
  handle: Handle,
  experimentId: string,
  rows: readonly EffectRow[],
): Promise<void> {
  await handle.deleteFrom('efeitos').where('experimento_id', '=', experimentId).execute()
  await handle.deleteFrom('efeitos_pendentes').where('experimento_id', '=', experimentId).execute()
  if (rows.length === 0) return
  await sql`
    insert into efeitos (experimento_id, variavel, nome, busca, produtividade, unidade, umidade, origem, testemunha,
      n_parcelas, repeticoes, cv, dados, ficha_versao, motor)
    select ${experimentId}, x.* from json_to_recordset(${JSON.stringify(rows)}::json) as x (
      variavel text, nome text, busca text, produtividade boolean, unidade text, umidade float8, origem text,
      testemunha smallint, n_parcelas integer, repeticoes float8, cv float8, dados json, ficha_versao integer,
      motor text)
  `.execute(handle)
}

/** Nothing is kept of the trial until somebody has computed it. */
export async function setEffectsAside(handle: Handle, experimentId: string): Promise<void> {
  await handle.deleteFrom('efeitos').where('experimento_id', '=', experimentId).execute()
  await sql`
    insert into efeitos_pendentes (experimento_id) values (${experimentId})
    on conflict (experimento_id) do update set tentativas = 0, desde = now()
  `.execute(handle)
}

/** The next trial that waits, locked with its row until the transaction ends; what failed often waits for `figures`. */
export async function nextPending(handle: Handle, mostAttempts: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select p.experimento_id as id from efeitos_pendentes p join experimentos e on e.id = p.experimento_id
    where p.tentativas < ${mostAttempts} order by p.tentativas, p.desde limit 1 for update of p, e skip locked
  `.execute(handle)
  return rows[0]?.id ?? null
}

export async function noteAttempt(handle: Handle, experimentId: string): Promise<void> {
  await sql`
    update efeitos_pendentes set tentativas = tentativas + 1, desde = now() where experimento_id = ${experimentId}
  `.execute(handle)
}

/** Trials that have effects, or should have, by id after one. */
export async function withEffects(handle: Handle, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from experimentos e
    where (${after}::uuid is null or e.id > ${after}) and (e.ficha_versao is not null
      or e.estatistica_informada is not null or exists (select from efeitos f where f.experimento_id = e.id))
    order by e.id limit ${limit}
  `.execute(handle)
  return rows.map(({ id }) => id)
}
