import type { AnalysisAnswer, AnalysisQuery, CvBand, RecordedAnalysis } from '@ensaio/domain'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** What an answer depends on: the trial's version, its sheet's, its open conflicts; null when it is not seen. */
export async function versionsOf(
  handle: Handle,
  experimentId: string,
): Promise<{ versao: number; ficha: number | null; conflitos: string } | null> {
  const { rows } = await sql<{ versao: number; ficha: number | null; conflitos: string }>`
    select e.versao, e.ficha_versao as ficha, (
      select concat(count(*), ' ', max(r.ordem)) from registros r
      where r.experimento_id = e.id and r.estado in ('conflito', 'guardado') and r.estado = 'conflito'
        and not r.encerrado) as conflitos
    from experimentos e where e.id = ${experimentId} and e.deleted_at is null
  `.execute(handle)
  return rows[0] ?? null
}

type Person = { quem: string | null; retirada_por: string | null }
export type StoredRecord = Omit<RecordedAnalysis, 'analise' | 'quem' | 'quando' | 'retirada'> &
  Person & {
    quando: Date
    retirada_em: Date | null
    retirada_motivo: string | null
    organizacao_id: string
  }

const COLUMNS = sql`
  a.id, a.ordem, a.variavel, a.avaliacao, a.opcoes, a.teste, a.titulo, a.conclusao, a.dados_versao, a.motor, a.quem,
  a.quando, a.retirada_em, a.retirada_por, a.retirada_motivo, e.organizacao_id,
  case when a.resposta ->> 'origem' = 'parcelas' then e.ficha_versao is distinct from a.dados_versao
    else e.versao is distinct from a.dados_versao end as desatualizada`
const FROM = sql`from analises a join experimentos e on e.id = a.experimento_id and e.deleted_at is null`

/** Of a trial, the oldest first. */
export async function recordsOf(handle: Handle, experimentId: string): Promise<StoredRecord[]> {
  const { rows } = await sql<StoredRecord>`
    select ${COLUMNS} ${FROM} where a.experimento_id = ${experimentId} order by a.quando, a.id
  `.execute(handle)
  return rows
}

export async function recordById(
  handle: Handle,
  experimentId: string,
  id: string,
): Promise<(StoredRecord & { resposta: AnalysisAnswer }) | null> {
  const { rows } = await sql<StoredRecord & { resposta: AnalysisAnswer }>`
    select ${COLUMNS}, a.resposta ${FROM} where a.experimento_id = ${experimentId} and a.id = ${id}
  `.execute(handle)
  return rows[0] ?? null
}

/** What a person says of a record when they make it. */
export interface RecordContent {
  opcoes: AnalysisQuery
  teste: string
  titulo: string
  conclusao: string
}

/** The record that a request made when it was sent before, and whether it said the same. */
export async function recordByKey(
  handle: Handle,
  experimentId: string,
  { key, by, content }: { key: string; by: string; content: RecordContent },
): Promise<{ id: string; same: boolean } | null> {
  const { rows } = await sql<{ id: string; same: boolean }>`
    select id, opcoes = ${JSON.stringify(content.opcoes)}::jsonb and teste = ${content.teste}
      and titulo = ${content.titulo} and conclusao = ${content.conclusao} as same
    from analises where experimento_id = ${experimentId} and quem = ${by} and chave = ${key}
  `.execute(handle)
  return rows[0] ?? null
}

/** How many one trial holds, and how much room they take; more is no record of anything. */
export const MOST_RECORDS = 500
const MOST_BYTES = 100 * 1024 ** 2

/** @returns its id; null when the trial holds as many as it may */
export async function insertRecord(
  handle: Handle,
  experimentId: string,
  record: RecordContent & { analise: AnalysisAnswer; by: string; key: string | null },
): Promise<string | null> {
  const { analise, opcoes, by, key } = record
  const { rows } = await sql<{ id: string }>`
    insert into analises (experimento_id, ordem, variavel, avaliacao, opcoes, teste, titulo, conclusao, resposta, cv,
      dados_versao, motor, chave, quem)
    select ${experimentId}, 1 + count(*) filter (where variavel = ${analise.variavel.chave}),
      ${analise.variavel.chave}, ${analise.avaliacao?.chave ?? null}, ${JSON.stringify(opcoes)}, ${record.teste},
      ${record.titulo}, ${record.conclusao}, ${JSON.stringify(analise)}, ${analise.residuos.at(-1)?.cv ?? null},
      ${analise.dados_versao}, ${analise.motor}, ${key}, ${by}
    from analises where experimento_id = ${experimentId}
    having count(*) < ${MOST_RECORDS} and coalesce(sum(pg_column_size(resposta)), 0) < ${MOST_BYTES}
    returning id
  `.execute(handle)
  return rows[0]?.id ?? null
}

/** False when it is not there, or withdrawn already. */
export async function withdraw(
  handle: Handle,
  experimentId: string,
  { id, by, motivo }: { id: string; by: string; motivo: string },
): Promise<boolean> {
  const { rows } = await sql`
    update analises set retirada_em = now(), retirada_por = ${by}, retirada_motivo = ${motivo}
    where experimento_id = ${experimentId} and id = ${id} and retirada_em is null returning id
  `.execute(handle)
  return rows.length > 0
}

/** Coefficients of variation, %, of the trials of a crop: of each the latest record of the variable that stands. */
export async function cvsOf(
  handle: Handle,
  { cultura, variavel }: { cultura: string; variavel: string },
): Promise<{ n: number; mediana: number | null; p25: number | null; p75: number | null }> {
  const { rows } = await sql<{ n: number; mediana: number | null; p25: number | null; p75: number | null }>`
    select count(*)::integer as n,
      percentile_cont(0.5) within group (order by cv) as mediana,
      percentile_cont(0.25) within group (order by cv) as p25,
      percentile_cont(0.75) within group (order by cv) as p75
    from (
      select distinct on (a.experimento_id) a.cv
      from analises a join experimentos e on e.id = a.experimento_id and e.deleted_at is null
        join culturas c on c.id = e.cultura_id
      where c.nome_cultura = ${cultura} and a.variavel = ${variavel} and a.retirada_em is null and a.cv is not null
        and coalesce(a.opcoes ->> 'transformacao', 'nenhuma') = 'nenhuma'
        and coalesce(a.opcoes ->> 'agregacao', 'nenhuma') = 'nenhuma'
      order by a.experimento_id, a.quando desc
    ) latest
  `.execute(handle)
  return rows[0] ?? { n: 0, mediana: null, p25: null, p75: null }
}

/** Bands of the CV that administrators have set. */
export async function cvBands(handle: Handle): Promise<CvBand[]> {
  const rows = await handle
    .selectFrom('faixas_cv')
    .selectAll()
    .orderBy('cultura')
    .orderBy('variavel')
    .execute()
  return rows.map(({ cultura, variavel, medio, alto, muito_alto }) => ({
    cultura,
    variavel,
    limites: [medio, alto, muito_alto],
  }))
}

/** Puts these in place of those that were there; each crop and variable once. */
export async function putCvBands(handle: Handle, bands: readonly CvBand[]): Promise<void> {
  await handle.deleteFrom('faixas_cv').execute()
  if (bands.length === 0) return
  await handle
    .insertInto('faixas_cv')
    .values(
      bands.map(({ cultura, variavel, limites: [medio, alto, muito_alto] }) => ({
        ...{ cultura, variavel, medio, alto, muito_alto },
      })),
    )
    .execute()
}
