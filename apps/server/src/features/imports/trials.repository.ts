import type { ExperimentInput, ImportProblem, ImportRowState, TrialSheetInput } from '@ensaio/domain'
import { searchable } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** A trial of a spreadsheet as it was understood. */
export interface UnderstoodTrial {
  n: number
  folhas: number[]
  linhas: number[]
  estado: ImportRowState
  experimento_id: string | null
  chave: string | null
  marca: string | null
  dados: Record<string, unknown>
  mudancas: { campo: string; antes: unknown; depois: unknown }[]
  problemas: ImportProblem[]
  avisos: boolean
  mesmo_assim: boolean
}
export interface StoredTrial extends UnderstoodTrial {
  gravado: 'criado' | 'atualizado' | null
  versao: number | null
  antes: Before | null
  desfeito: boolean
}
/** What an update found: what the trial said and, where the file has plots, its sheet; and the sheet's version then. */
export type Before = Partial<ExperimentInput> & {
  ficha?: TrialSheetInput | null
  ficha_depois?: number | null
}

const COLUMNS = sql`
  n, folhas, linhas, estado, experimento_id, chave, marca, dados, mudancas, problemas, avisos, mesmo_assim, gravado, versao,
  antes, desfeito`

/** Puts trials in the place of those of the same number. */
export async function putTrials(
  handle: Handle,
  id: string,
  trials: readonly UnderstoodTrial[],
): Promise<void> {
  if (trials.length === 0) return
  await sql`
    insert into importacao_experimentos (importacao_id, n, folhas, linhas, estado, experimento_id, chave, marca, dados,
      mudancas, problemas, avisos, mesmo_assim)
    select ${id}, t.n, array(select json_array_elements_text(t.folhas)::integer),
      array(select json_array_elements_text(t.linhas)::integer), t.estado, t.experimento_id, t.chave, t.marca, t.dados,
      t.mudancas, t.problemas, t.avisos, t.mesmo_assim
    from json_to_recordset(${JSON.stringify(trials)}::json) as t (n integer, folhas json, linhas json, estado text,
      experimento_id uuid, chave text, marca text, dados jsonb, mudancas jsonb, problemas jsonb, avisos boolean,
      mesmo_assim boolean)
    on conflict (importacao_id, n) do update set folhas = excluded.folhas, linhas = excluded.linhas,
      estado = excluded.estado, experimento_id = excluded.experimento_id, chave = excluded.chave, marca = excluded.marca,
      dados = excluded.dados, mudancas = excluded.mudancas, problemas = excluded.problemas, avisos = excluded.avisos,
      mesmo_assim = excluded.mesmo_assim
  `.execute(handle)
}

export async function removeTrials(handle: Handle, id: string): Promise<void> {
  await sql`delete from importacao_experimentos where importacao_id = ${id}`.execute(handle)
}

export async function trialsPage(
  handle: Handle,
  id: string,
  {
    after,
    limit,
    estado,
    campo,
    mensagem,
  }: { after: number; limit: number; estado?: string; campo?: string; mensagem?: string },
): Promise<StoredTrial[]> {
  const told =
    campo === undefined && mensagem === undefined
      ? sql`true`
      : sql`problemas @> ${JSON.stringify([{ ...(campo !== undefined && { campo }), ...(mensagem !== undefined && { mensagem }) }])}::jsonb`
  const state = estado === undefined ? sql`true` : estado === 'aviso' ? sql`avisos` : sql`estado = ${estado}`
  const { rows } = await sql<StoredTrial>`
    select ${COLUMNS} from importacao_experimentos
    where importacao_id = ${id} and n > ${after} and ${state} and ${told} order by n limit ${limit}
  `.execute(handle)
  return rows
}

/** Trials to which one of these rows belongs. */
export async function trialsOfRows(
  handle: Handle,
  id: string,
  { folha, linhas }: { folha: number; linhas: readonly number[] },
): Promise<StoredTrial[]> {
  const { rows } = await sql<StoredTrial>`
    select ${COLUMNS} from importacao_experimentos t
    where importacao_id = ${id} and linhas && ${[...linhas]}::integer[] and exists (
      select from unnest(t.folhas, t.linhas) as p (folha, linha)
      where p.folha = ${folha} and p.linha = any (${[...linhas]}::integer[]))
    order by n
  `.execute(handle)
  return rows
}

export async function trialsByNumber(
  handle: Handle,
  id: string,
  ns: readonly number[],
): Promise<StoredTrial[]> {
  const { rows } = await sql<StoredTrial>`
    select ${COLUMNS} from importacao_experimentos
    where importacao_id = ${id} and n = any (${[...ns]}::integer[]) order by n
  `.execute(handle)
  return rows
}

/** Trials of the import with one of these marks: the first of each, by its number. */
export async function firstWithMark(
  handle: Handle,
  id: string,
  marks: readonly string[],
): Promise<Map<string, { n: number; linha: number }>> {
  const { rows } = await sql<{ marca: string; n: number; linha: number }>`
    select distinct on (marca) marca, n, linhas[1] as linha from importacao_experimentos
    where importacao_id = ${id} and marca = any (${[...marks]}::text[]) order by marca, n
  `.execute(handle)
  return new Map(rows.map(({ marca, ...first }) => [marca, first]))
}

/** Locked, the next ones that are to be written and are not. */
export async function nextToWrite(
  handle: Handle,
  id: string,
  { atualizar, so, limit }: { atualizar: boolean; so: readonly number[] | null; limit: number },
): Promise<StoredTrial[]> {
  const { rows } = await sql<StoredTrial>`
    select ${COLUMNS} from importacao_experimentos
    where importacao_id = ${id} and gravado is null and estado = any (${atualizar ? ['novo', 'atualizar'] : ['novo']}::text[])
      and (${so === null} or n = any (${so === null ? [] : [...so]}::integer[]))
    order by n limit ${limit} for update
  `.execute(handle)
  return rows
}

export async function countToWrite(
  handle: Handle,
  id: string,
  { atualizar, so }: { atualizar: boolean; so: readonly number[] | null },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from importacao_experimentos
    where importacao_id = ${id} and gravado is null and estado = any (${atualizar ? ['novo', 'atualizar'] : ['novo']}::text[])
      and (${so === null} or n = any (${so === null ? [] : [...so]}::integer[]))
  `.execute(handle)
  return rows[0]?.count ?? 0
}

export interface WrittenTrial {
  n: number
  experimento_id: string
  gravado: 'criado' | 'atualizado'
  versao: number
  antes: Before | null
}

export async function markWritten(
  handle: Handle,
  id: string,
  written: readonly WrittenTrial[],
): Promise<void> {
  await sql`
    update importacao_experimentos t set experimento_id = w.experimento_id, gravado = w.gravado, versao = w.versao,
      antes = w.antes, desfeito = false
    from json_to_recordset(${JSON.stringify(written)}::json)
      as w (n integer, experimento_id uuid, gravado text, versao integer, antes jsonb)
    where t.importacao_id = ${id} and t.n = w.n
  `.execute(handle)
}

/** What somebody else has brought since it was understood: nothing is written of it. */
export async function markAlike(
  handle: Handle,
  id: string,
  alike: readonly { n: number; experimento_id: string }[],
): Promise<void> {
  await sql`
    update importacao_experimentos t set estado = 'igual', experimento_id = w.experimento_id
    from json_to_recordset(${JSON.stringify(alike)}::json) as w (n integer, experimento_id uuid)
    where t.importacao_id = ${id} and t.n = w.n and t.gravado is null
  `.execute(handle)
}

/** Until the transaction ends nobody else writes an import for the organisation: what is looked for stays away. */
export async function lockWriting(handle: Handle): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('importacoes'), hashtext(organizacao_atual()::text))`.execute(
    handle,
  )
}

/** What could not be written after all. */
export async function markRefused(
  handle: Handle,
  id: string,
  { n, problema }: { n: number; problema: ImportProblem },
): Promise<void> {
  await sql`
    update importacao_experimentos set estado = 'erro', problemas = problemas || ${JSON.stringify([problema])}::jsonb
    where importacao_id = ${id} and n = ${n} and gravado is null
  `.execute(handle)
}

/** Locked, trials that were written and stand so, or were taken back. */
export async function writtenAfter(
  handle: Handle,
  id: string,
  { after, desfeito, limit }: { after: number; desfeito: boolean; limit: number },
): Promise<StoredTrial[]> {
  const { rows } = await sql<StoredTrial>`
    select ${COLUMNS} from importacao_experimentos
    where importacao_id = ${id} and n > ${after} and gravado is not null and desfeito = ${desfeito}
    order by n limit ${limit} for update
  `.execute(handle)
  return rows
}

export async function markUndone(
  handle: Handle,
  id: string,
  changed: readonly {
    n: number
    versao: number | null
    desfeito: boolean
    /** Of its sheet, where that was turned, too. */
    ficha_depois?: number | null
  }[],
): Promise<void> {
  await sql`
    update importacao_experimentos t set desfeito = w.desfeito, versao = w.versao,
      antes = case when w.planted then jsonb_set(t.antes, '{ficha_depois}', coalesce(to_jsonb(w.ficha_depois), 'null'))
        else t.antes end
    from json_to_recordset(${JSON.stringify(changed.map((one) => ({ ...one, planted: 'ficha_depois' in one })))}::json)
      as w (n integer, versao integer, desfeito boolean, ficha_depois integer, planted boolean)
    where t.importacao_id = ${id} and t.n = w.n
  `.execute(handle)
}

/** The organisation's own living trials that these keys name. */
export async function trialsByKeys(
  handle: Handle,
  keys: { ids: readonly string[]; codes: readonly string[] },
): Promise<{ id: string; codigo_busca: string | null; created_by: string | null; versao: number }[]> {
  const { rows } = await sql<{
    id: string
    codigo_busca: string | null
    created_by: string | null
    versao: number
  }>`
    select id, codigo_busca, created_by, versao from experimentos
    where organizacao_id = (select organizacao_atual()) and deleted_at is null
      and (id = any (${[...keys.ids]}::uuid[]) or codigo_busca = any (${[...keys.codes]}::text[]))
  `.execute(handle)
  return rows
}

/** Which of these are trials of others that this organisation sees. */
export async function receivedOf(handle: Handle, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from experimentos
    where id = any (${[...ids]}::uuid[]) and organizacao_id <> (select organizacao_atual()) and deleted_at is null
  `.execute(handle)
  return new Set(rows.map(({ id }) => id))
}

/** Own living trials that may say the same as these, by what is quickly compared. */
export async function alikeTrials(
  handle: Handle,
  given: readonly {
    n: number
    ano: number
    media: number
    tratamentos: number
    cidade: string
    estado: string
  }[],
): Promise<{ n: number; id: string }[]> {
  const asked = given.map((one) => ({ ...one, cidade: searchable(one.cidade) }))
  const { rows } = await sql<{ n: number; id: string }>`
    select g.n, e.id
    from json_to_recordset(${JSON.stringify(asked)}::json)
      as g (n integer, ano integer, media float8, tratamentos integer, cidade text, estado text)
    join cidades c on c.estado = g.estado and c.busca = g.cidade
    join lateral (
      select id from experimentos
      where organizacao_id = (select organizacao_atual()) and deleted_at is null and cidade_id = c.id and ano = g.ano
        and n_tratamentos = g.tratamentos and produtividade_media = g.media
      limit 20) e on true
    order by g.n
  `.execute(handle)
  return rows
}

/** Names that the acting organisation may know of: those that are offered to everybody, and those of its own trials. */
export async function namesInUse(
  handle: Handle,
): Promise<Record<'consultoria' | 'marca' | 'regional' | 'cultura' | 'modalidade' | 'produto', string[]>> {
  const own = (column: string) => sql`exists (
    select from experimentos e where e.${sql.ref(column)} = t.id and e.organizacao_id = (select organizacao_atual()) and e.deleted_at is null)`
  const { rows } = await sql<
    Record<'consultoria' | 'marca' | 'regional' | 'cultura' | 'modalidade' | 'produto', string[]>
  >`
    select
      array(select t.nome from consultorias t where ${own('consultoria_id')} limit ${MOST_NAMES}) as consultoria,
      array(select t.nome from fabricantes t where t.ativo or ${own('fabricante_id')} limit ${MOST_NAMES}) as marca,
      array(select t.nome from regioes t where t.ativo or ${own('regiao_id')} limit ${MOST_NAMES}) as regional,
      array(select t.nome_cultura from culturas t where t.ativo or ${own('cultura_id')} limit ${MOST_NAMES}) as cultura,
      array(select t.nome from modalidades t where exists (
        select from tratamentos u join experimentos e on e.id = u.experimento_id and e.deleted_at is null
        where u.modalidade_id = t.id and e.organizacao_id = (select organizacao_atual())) limit ${MOST_NAMES}) as modalidade,
      array(select t.nome from produtos t where t.ativo or exists (
        select from produtos_aplicados u join experimentos e on e.id = u.experimento_id and e.deleted_at is null
        where u.produto_id = t.id and e.organizacao_id = (select organizacao_atual())) limit ${MOST_NAMES}) as produto
  `.execute(handle)
  return rows[0] ?? { consultoria: [], marca: [], regional: [], cultura: [], modalidade: [], produto: [] }
}
const MOST_NAMES = 2000

/** The municipalities of the country. */
export async function municipalities(
  handle: Handle,
): Promise<{ nome: string; estado: string; busca: string }[]> {
  const { rows } = await sql<{ nome: string; estado: string; busca: string }>`
    select nome, estado, busca from cidades where codigo_ibge is not null
  `.execute(handle)
  return rows
}

/** Of deleted trials, those whose code another one has by now: that one's id by theirs. */
export async function codesTaken(handle: Handle, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; outro: string }>`
    select e.id, o.id as outro
    from experimentos e
    join experimentos o on o.organizacao_id = e.organizacao_id and o.codigo_busca = e.codigo_busca
      and o.id <> e.id and o.deleted_at is null
    where e.id = any(${[...ids]}::uuid[]) and e.deleted_at is not null
  `.execute(handle)
  return new Map(rows.map(({ id, outro }) => [id, outro]))
}
