import type {
  ImportForm,
  ImportProblem,
  ImportState,
  TextEncoding,
  TextSeparator,
  WorkbookCell,
  WorkbookHead,
} from '@ensaio/domain'
import type { Choices, MadePlan, PlanColumn } from '@ensaio/domain/imports'
import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { ago } from '../../database/now.ts'

/** What a person chose for an import, besides its columns. */
export interface Chosen extends Choices {
  folha: string | null
  /** From 1. */
  linha_titulos: number | null
  forma: ImportForm | null
  codificacao: TextEncoding | null
  separador: TextSeparator | null
  modelo: { id: string; nome: string } | null
  vazias_apagam: boolean
  ignorar_ocultas: boolean
}

/** What is read of a sheet, and what its columns were found to be. */
export interface StoredPlan {
  forma: ImportForm
  folha: string | null
  linha_titulos: number
  /** First row below the titles of each sheet that takes part, from 1, by the sheet's place. */
  inicio: Record<number, number>
  colunas: PlanColumn[]
  mapa: MadePlan['columns']
  faltam: MadePlan['faltam']
  /** The first trial with these columns, to be shown; absent in plans of before. */
  primeiro?: Record<string, unknown> | null
}

export interface StoredImport {
  id: string
  organizacao_id: string
  criada_por: string | null
  nome: string
  texto: boolean
  estado: ImportState
  problema: { code: string; detail: string } | null
  cabeca: WorkbookHead | null
  escolhas: Partial<Chosen>
  plano: StoredPlan | null
  notas: string[]
  linhas: number
  entendidos: number
  rodada: number
  gravar: { atualizar: boolean; so: number[] | null } | null
  gravada_em: Date | null
  created_at: Date
  resumo: Record<'experimentos' | 'novos' | 'atualizar' | 'iguais' | 'com_erro' | 'avisos', number>
  criados: number
  atualizados: number
}

const COLUMNS = sql`
  i.id, i.organizacao_id, i.criada_por, i.nome, i.texto, i.estado, i.problema, i.cabeca, i.escolhas, i.plano, i.notas,
  i.linhas, i.entendidos, i.rodada, i.gravar, i.gravada_em, i.created_at,
  json_build_object('experimentos', r.experimentos, 'novos', r.novos, 'atualizar', r.atualizar, 'iguais', r.iguais,
    'com_erro', r.com_erro, 'avisos', r.avisos) as resumo, r.criados, r.atualizados`
const FROM = sql`from importacoes i cross join lateral (
  select count(*)::integer as experimentos,
    count(*) filter (where e.estado = 'novo')::integer as novos,
    count(*) filter (where e.estado = 'atualizar')::integer as atualizar,
    count(*) filter (where e.estado = 'igual')::integer as iguais,
    count(*) filter (where e.estado = 'erro')::integer as com_erro,
    count(*) filter (where e.avisos)::integer as avisos,
    count(*) filter (where e.gravado = 'criado' and not e.desfeito)::integer as criados,
    count(*) filter (where e.gravado = 'atualizado' and not e.desfeito)::integer as atualizados
  from importacao_experimentos e where e.importacao_id = i.id) r`

export async function importById(handle: Handle, id: string): Promise<StoredImport | null> {
  const { rows } = await sql<StoredImport>`select ${COLUMNS} ${FROM} where i.id = ${id}`.execute(handle)
  return rows[0] ?? null
}

/** Those that the person sees, the latest first; a list is no archive. */
export async function importsOf(handle: Handle, days: number): Promise<StoredImport[]> {
  const { rows } = await sql<StoredImport>`
    select ${COLUMNS} ${FROM}
    where i.organizacao_id = (select organizacao_atual()) and i.created_at > ${ago(`${days} days`)}
    order by i.created_at desc, i.id limit 100
  `.execute(handle)
  return rows
}

/** The latest import of the same bytes that still waits or was written. */
export async function sameBytes(handle: Handle, sha256: string, days: number): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from importacoes
    where organizacao_id = (select organizacao_atual()) and sha256 = ${sha256} and estado <> 'falhou'
      and created_at > ${ago(`${days} days`)}
    order by created_at desc limit 1
  `.execute(handle)
  return rows[0]?.id ?? null
}

/** How many of a person's imports wait in all of their organisations, and the bytes of these files and of all kept. */
export async function ownImports(
  handle: Handle,
): Promise<{ esperando: number; bytes_esperando: number; bytes: number }> {
  const { rows } = await sql<Awaited<ReturnType<typeof ownImports>>>`
    select esperando::integer, bytes_esperando::float8, bytes::float8 from minhas_importacoes()
  `.execute(handle)
  return rows[0] ?? { esperando: 0, bytes_esperando: 0, bytes: 0 }
}

export async function insertImport(
  handle: Handle,
  given: {
    id: string
    by: string
    nome: string
    texto: boolean
    sha256: string
    bytes: Buffer
    lease: number
  },
): Promise<void> {
  await sql`
    with made as (
      insert into importacoes (id, organizacao_id, criada_por, nome, texto, sha256, ocupada_ate)
      values (${given.id}, organizacao_atual(), ${given.by}, ${given.nome}, ${given.texto}, ${given.sha256},
        ${until(given.lease)})
      returning id
    ) select from made
  `.execute(handle)
  await sql`
    insert into importacao_arquivos (importacao_id, conteudo) values (${given.id}, ${given.bytes})
  `.execute(handle)
}

const until = (seconds: number): RawBuilder<unknown> => sql`now() + make_interval(secs => ${seconds})`

export async function fileOf(handle: Handle, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ conteudo: Buffer }>`
    select conteudo from importacao_arquivos where importacao_id = ${id}
  `.execute(handle)
  return rows[0]?.conteudo ?? null
}

/** Locks the import until the transaction ends; changes of one follow each other. */
export async function lockImport(
  handle: Handle,
  id: string,
): Promise<(Pick<StoredImport, 'estado' | 'rodada'> & { chave: string | null }) | null> {
  const { rows } = await sql<Pick<StoredImport, 'estado' | 'rodada'> & { chave: string | null }>`
    select estado, rodada, chave from importacoes where id = ${id} for update
  `.execute(handle)
  return rows[0] ?? null
}

export interface ImportChanges {
  estado?: ImportState
  problema?: StoredImport['problema']
  cabeca?: WorkbookHead
  escolhas?: Partial<Chosen>
  plano?: StoredPlan | null
  notas?: string[]
  linhas?: number
  entendidos?: number
  gravar?: StoredImport['gravar']
  chave?: string | null
  /** It has been written now. */
  gravada?: true
  /** Somebody is at work on it for so many seconds; null: nobody is. */
  lease?: number | null
}
const JSON_COLUMNS = new Set(['problema', 'cabeca', 'escolhas', 'plano', 'notas', 'gravar'])

/** False when the import is gone, or has been changed since the work that tells this began. */
export async function changeImport(
  handle: Handle,
  id: string,
  changes: ImportChanges,
  { rodada, next = false }: { rodada?: number; next?: boolean } = {},
): Promise<boolean> {
  const { lease, gravada, ...plain } = changes
  const assignments = Object.entries(plain).map(([column, value]) =>
    JSON_COLUMNS.has(column)
      ? sql`${sql.ref(column)} = ${value === null ? null : JSON.stringify(value)}::jsonb`
      : sql`${sql.ref(column)} = ${value}`,
  )
  if (lease !== undefined) assignments.push(sql`ocupada_ate = ${lease === null ? sql`null` : until(lease)}`)
  if (gravada) assignments.push(sql`gravada_em = coalesce(gravada_em, now())`)
  if (next) assignments.push(sql`rodada = rodada + 1`)
  const { rows } = await sql`
    update importacoes set ${sql.join(assignments)}
    where id = ${id} and ${rodada === undefined ? sql`true` : sql`rodada = ${rodada}`} returning id
  `.execute(handle)
  return rows.length > 0
}

export async function removeImport(handle: Handle, id: string): Promise<void> {
  await sql`delete from importacoes where id = ${id}`.execute(handle)
}

export interface StoredRow {
  folha: number
  linha: number
  celulas: WorkbookCell[]
}

export async function insertRows(handle: Handle, id: string, rows: readonly StoredRow[]): Promise<void> {
  await sql`
    insert into importacao_linhas (importacao_id, folha, linha, celulas)
    select ${id}, r.folha, r.linha, r.celulas
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (folha smallint, linha integer, celulas json)
  `.execute(handle)
}

export async function removeRows(handle: Handle, id: string): Promise<void> {
  await sql`delete from importacao_linhas where importacao_id = ${id}`.execute(handle)
}

/** Rows of the sheets in order, behind a place. */
export async function rowsAfter(
  handle: Handle,
  id: string,
  {
    sheets,
    after,
    limit,
  }: { sheets: readonly number[]; after: { folha: number; linha: number }; limit: number },
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select folha, linha, celulas from importacao_linhas
    where importacao_id = ${id} and folha = any (${[...sheets]}::integer[])
      and (folha, linha) > (${after.folha}, ${after.linha})
    order by folha, linha limit ${limit}
  `.execute(handle)
  return rows
}

/** These rows, in the order that they are named in. */
export async function rowsAt(
  handle: Handle,
  id: string,
  places: { folhas: readonly number[]; linhas: readonly number[] },
): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select l.folha, l.linha, l.celulas
    from unnest(${[...places.folhas]}::integer[], ${[...places.linhas]}::integer[]) with ordinality as p (folha, linha, ordem)
    join importacao_linhas l on l.importacao_id = ${id} and l.folha = p.folha and l.linha = p.linha
    order by p.ordem
  `.execute(handle)
  return rows
}

/** Puts texts into cells; null empties one. Of a cell that is named more than once, the last value stands. */
export async function putCells(
  handle: Handle,
  id: string,
  named: readonly { folha: number; linha: number; coluna: number; valor: string | null }[],
): Promise<void> {
  const cells = [
    ...new Map(named.map((cell) => [`${cell.folha} ${cell.linha} ${cell.coluna}`, cell])).values(),
  ]
  await sql`
    update importacao_linhas l set celulas = (
      select json_agg(case when c.coluna is null then l.celulas -> n.at else to_json(c.valor) end order by n.at)
      from generate_series(0, greatest(json_array_length(l.celulas) - 1, p.ultima)) as n (at)
      left join json_to_recordset(${JSON.stringify(cells)}::json)
        as c (folha smallint, linha integer, coluna integer, valor text)
        on c.folha = l.folha and c.linha = l.linha and c.coluna = n.at
    )
    from (
      select folha, linha, max(coluna) as ultima
      from json_to_recordset(${JSON.stringify(cells)}::json) as c (folha smallint, linha integer, coluna integer)
      group by folha, linha
    ) p
    where l.importacao_id = ${id} and l.folha = p.folha and l.linha = p.linha
  `.execute(handle)
}

/** Rows below the titles whose cell holds the same. */
export async function rowsWith(
  handle: Handle,
  id: string,
  { folha, coluna, valor, from }: { folha: number; coluna: number; valor: WorkbookCell; from: number },
): Promise<number[]> {
  const { rows } = await sql<{ linha: number }>`
    select linha from importacao_linhas
    where importacao_id = ${id} and folha = ${folha} and linha >= ${from}
      and coalesce(celulas ->> ${coluna}::integer, '') = coalesce(${JSON.stringify([valor])}::json ->> 0, '')
  `.execute(handle)
  return rows.map(({ linha }) => linha)
}

/** A code is shorter; what is longer is none that is known. */
const LONGEST_CODE = 300

/** The different texts of a column below the titles, as far as a code may go. */
export async function codesIn(
  handle: Handle,
  id: string,
  { folha, coluna, from, limit }: { folha: number; coluna: number; from: number; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ texto: string }>`
    select distinct left(celulas ->> ${coluna}::integer, ${LONGEST_CODE}) as texto from importacao_linhas
    where importacao_id = ${id} and folha = ${folha} and linha >= ${from}
      and coalesce(celulas ->> ${coluna}::integer, '') <> ''
    limit ${limit}
  `.execute(handle)
  return rows.map(({ texto }) => texto)
}

export async function forgetImports(handle: Handle, days: number): Promise<void> {
  await sql`delete from importacoes where created_at < ${ago(`${days} days`)}`.execute(handle)
}

export interface Abandoned {
  id: string
  organizacao_id: string
  pessoa: string
  nome: string | null
  papel: string | null
  varias: boolean
  fechada: boolean
}

/** Takes over work that nobody is at any more, as after a kill; by the tables' owner. */
export async function takeAbandoned(handle: Handle, lease: number): Promise<Abandoned[]> {
  const { rows } = await sql<Abandoned>`
    with taken as (
      update importacoes set ocupada_ate = ${until(lease)}
      where id in (
        select id from importacoes where estado in ('lendo', 'gravando') and ocupada_ate < now()
        order by ocupada_ate limit 5 for update skip locked)
      returning id, organizacao_id, criada_por
    )
    select t.id, t.organizacao_id, t.criada_por as pessoa, u.name as nome, f.papel, coalesce(f.varias, false) as varias,
      coalesce(f.fechada, false) as fechada
    from taken t join auth.users u on u.id = t.criada_por
    left join lateral filiacao(u.id, t.organizacao_id, t.organizacao_id) f on true
  `.execute(handle)
  return rows
}

/** Problems of an import row by row, behind a trial. */
export async function problemsAfter(
  handle: Handle,
  id: string,
  after: number,
  limit: number,
): Promise<{ n: number; problemas: ImportProblem[] }[]> {
  const { rows } = await sql<{ n: number; problemas: ImportProblem[] }>`
    select n, problemas from importacao_experimentos
    where importacao_id = ${id} and n > ${after} and jsonb_array_length(problemas) > 0 order by n limit ${limit}
  `.execute(handle)
  return rows
}
