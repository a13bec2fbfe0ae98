import type { KeptRange } from '@ensaio/domain'
import {
  ADVICE_CODES,
  ADVICE_LIMITS,
  type AdviceFacts,
  CROP_RANGES,
  type CropRange,
  type UsualDose,
} from '@ensaio/domain/advice'
import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'
import { HOT } from '../../database/hot.ts'

/** Where costs are read: what the asking organisation may see, or the tables themselves, as their owner. */
export type Scope = 'visto' | 'public'

type Row = Pick<
  AdviceFacts,
  | 'cultura'
  | 'cultivar'
  | 'ano'
  | 'estado'
  | 'latitude'
  | 'longitude'
  | 'teor_argila'
  | 'teor_materia_organica'
  | 'tipo_estatistica'
  | 'custo_protocolo'
  | 'roi'
  | 'tratamentos'
  | 'estatistica_informada'
> & {
  cidade: string
  ficha_versao: number | null
  abertos: number
  entradas: AdviceFacts['entradas']
  respostas: StoredAnswer[]
  /** What it was last held against; null where it never was. */
  referencias: References | null
}
/** What a trial is held against that it does not say itself. */
export interface References {
  doses: UsualDose[]
  /** Yields that its report surely tells. */
  lidas: NonNullable<AdviceFacts['lidas']>
}
export interface StoredAnswer {
  codigo: string
  lugar: string
  valor: string
  texto: string
  quem: string | null
  quando: string
}

/** When an entry was made: by the phone's clock, with what the phone knew that it was off by. */
const at = (row: 'q' | 'r') =>
  sql`(${sql.ref(`${row}.quando`)}
    + coalesce((${sql.ref(`${row}.extra`)} ->> 'desvio_ms')::float8, 0) * interval '1 millisecond')`

/** All that the rules ask of trials but their sheets, and what people answered; of those that there are. */
export async function factsOf(
  handle: Handle,
  ids: readonly string[],
  scope: Scope,
): Promise<(Row & { id: string })[]> {
  const table = (name: string) => sql.table(`${scope}.${name}`)
  const { rows } = await sql<Row & { id: string }>`
    ${HOT} select e.id, cu.nome_cultura as cultura, e.cultivar, e.ano, ci.nome as cidade, ci.estado, e.latitude, e.longitude, e.teor_argila,
      e.teor_materia_organica, e.tipo_estatistica, e.custo_protocolo, e.roi, e.estatistica_informada,
      e.ficha_versao,
      (select coalesce(json_agg(json_build_object('nome', t.nome, 'modalidade', m.nome,
          'produtividade', t.produtividade, 'custo', t.custo, 'produtos_aplicados', coalesce((
            select json_agg(json_build_object('nome', p.nome, 'dose', a.dose, 'unidade', a.unidade, 'custo', a.custo)
              order by a.ordem)
            from ${table('produtos_aplicados')} a join produtos p on p.id = a.produto_id
            where a.experimento_id = e.id and a.tratamento = t.ordem), '[]'), 'analises_adicionais', coalesce((
            select json_agg(json_build_object('nome', x.nome, 'valor', x.valor, 'unidade', x.unidade) order by x.ordem)
            from analises_adicionais x where x.experimento_id = e.id and x.tratamento = t.ordem), '[]')
        ) order by t.ordem), '[]')
        from ${table('tratamentos')} t join modalidades m on m.id = t.modalidade_id
        where t.experimento_id = e.id) as tratamentos,
      (select count(*)::integer from registros r where r.experimento_id = e.id
        and r.estado in ('conflito', 'guardado') and not r.encerrado) as abertos,
      (select case when count(*) > 0 then json_build_object(
          'primeira', to_char(min(${at('r')} at time zone 'America/Sao_Paulo'), 'YYYY-MM-DD'),
          'ultima', to_char(max(${at('r')} at time zone 'America/Sao_Paulo'), 'YYYY-MM-DD'),
          'adiante', count(*) filter (where ${at('r')} > r.recebido_em + interval '1 hour'),
          'no_minuto', coalesce((
            select max(n) from (
              select count(distinct q.parcela) as n from registros q
              where q.experimento_id = e.id and q.origem = 'campo' and q.tipo = 'valor'
              group by q.aparelho, date_trunc('minute', ${at('q')})) z), 0)) end
        from registros r where r.experimento_id = e.id and r.origem in ('campo', 'brapi')) as entradas,
      (select coalesce(json_agg(json_build_object('codigo', q.codigo, 'lugar', q.lugar, 'valor', q.valor,
          'texto', q.texto, 'quem', q.quem, 'quando', q.quando)), '[]')
        from respostas_qualidade q where q.experimento_id = e.id) as respostas,
      (select json_build_object('doses', r.doses, 'lidas', r.lidas) from referencias r
        where r.experimento_id = e.id) as referencias
    from ${table('experimentos')} e join cidades ci on ci.id = e.cidade_id join culturas cu on cu.id = e.cultura_id
    where e.id = any (${[...ids]}::uuid[]) and e.deleted_at is null
  `.execute(handle)
  return rows
}

/** What is kept of a trial on its row. */
export type KeptCounts = Record<'apontamentos' | 'apontamentos_vistos' | 'regras' | 'achados', number> & {
  id: string
}

/** Keeps what was counted on the trials' rows; their versions stay. One that waits to be looked at again goes on waiting. */
export async function putCounts(
  handle: Handle,
  counts: readonly KeptCounts[],
  { settled = false } = {},
): Promise<void> {
  await sql`
    ${HOT} update experimentos e set apontamentos = n.apontamentos, apontamentos_vistos = n.apontamentos_vistos,
      regras = case when e.regras = 0 and not ${settled} then 0 else n.regras end, achados = n.achados
    from json_to_recordset(${JSON.stringify(counts)}::json)
      n (id uuid, apontamentos integer, apontamentos_vistos integer, regras integer, achados integer)
    where e.id = n.id
  `.execute(handle)
}

/** What cannot be looked at keeps what was counted, and hinders nobody. */
export async function setAside(handle: Handle, id: string, rules: number): Promise<void> {
  await sql`${HOT} update experimentos set regras = ${rules} where id = ${id}`.execute(handle)
}

/** Of so many of an organisation's newest trials its usual doses are taken. */
const RECENT = 1_000

/** The median dose of each product of each trial, in its unit, among its own organisation's newest live trials. */
export async function usualDoses(handle: Handle, ids: readonly string[]): Promise<Map<string, UsualDose[]>> {
  const { rows } = await sql<{ id: string; doses: UsualDose[] }>`
    with pedidos as (
      select distinct e.id, e.organizacao_id, a.produto_id, a.unidade
      from experimentos e join produtos_aplicados a on a.experimento_id = e.id
      where e.id = any (${ids}::uuid[]) and a.dose > 0 and a.unidade is not null
    ), doses as (
      select o.organizacao_id, a.produto_id, a.unidade, r.id, avg(a.dose) as dose
      from (select organizacao_id, array_agg(distinct produto_id) as produtos from pedidos group by 1) o
      cross join lateral (
        select e.id from experimentos e where e.organizacao_id = o.organizacao_id and e.deleted_at is null
        order by e.id desc limit ${RECENT}) r
      -- Trial by trial: a product that everybody uses has more rows than an organisation.
      cross join lateral (
        select a.produto_id, a.unidade, a.dose from produtos_aplicados a
        where a.experimento_id = r.id and a.produto_id = any (o.produtos) and a.dose > 0 and a.unidade is not null
        offset 0) a
      group by 1, 2, 3, 4
    ), medianas as (
      select organizacao_id, produto_id, unidade, count(*)::integer as ensaios,
        percentile_cont(0.5) within group (order by dose) as mediana
      from doses group by 1, 2, 3
    )
    select p.id, json_agg(json_build_object('nome', n.nome, 'unidade', p.unidade, 'mediana', m.mediana,
      'ensaios', m.ensaios) order by m.ensaios) as doses
    from pedidos p join medianas m using (organizacao_id, produto_id, unidade) join produtos n on n.id = p.produto_id
    where m.ensaios >= ${ADVICE_LIMITS.dose.ensaios}
    group by p.id
  `.execute(handle)
  return new Map(rows.map(({ id, doses }) => [id, doses]))
}

/**
 * Doses that have only now a median have one for the trials that were there before, too: those are looked at again.
 * A trial that has been held against it is not, so that this ends.
 */
export async function lookAtOthersAgain(handle: Handle, ids: readonly string[]): Promise<void> {
  await sql`
    update experimentos set regras = 0 where id in (
      select c.id
      from (
        select distinct x.organizacao_id, p.id as produto_id, m.nome, m.unidade
        from referencias n join experimentos x on x.id = n.experimento_id
        cross join lateral jsonb_to_recordset(n.doses) m (nome text, unidade text, ensaios integer)
        join produtos p on p.nome = m.nome
        where n.experimento_id = any (${ids}::uuid[]) and m.ensaios < ${2 * ADVICE_LIMITS.dose.ensaios}) m
      cross join lateral (
        select e.id from experimentos e
        where e.organizacao_id = m.organizacao_id and e.deleted_at is null order by e.id desc limit ${RECENT}) c
      join referencias r on r.experimento_id = c.id
      cross join lateral (
        select from produtos_aplicados a where a.experimento_id = c.id and a.produto_id = m.produto_id
          and a.unidade = m.unidade limit 1) a
      where not r.doses @> jsonb_build_array(jsonb_build_object('nome', m.nome, 'unidade', m.unidade)))
  `.execute(handle)
}

/** The treatments that were read in the reports of trials: their names there, and the yields that were surely read. */
export async function readYields(
  handle: Handle,
  ids: readonly string[],
): Promise<Map<string, References['lidas']>> {
  const { rows } = await sql<{ id: string; lidas: References['lidas'] }>`
    select e.id, (select json_agg(json_build_object('nome', t.lido->>'nome', 'produtividade', case
        when (l.fields->('tratamentos[' || t.n - 1 || '].produtividade')->>'confidence')::float8 >= ${SURELY}
        then (t.lido->>'produtividade')::float8 end) order by t.n)
      from jsonb_array_elements(l.tratamentos) with ordinality t (lido, n)) as lidas
    from experimentos e join documentos d on d.id = e.documento_id
    cross join lateral (
      select l.resultado->'data'->'tratamentos' as tratamentos, l.resultado->'metadata'->'fields' as fields
      from leituras l where l.sha256 = d.sha256 and l.organizacao_id = e.organizacao_id
        and jsonb_typeof(l.resultado->'data'->'tratamentos') = 'array'
      order by l.created_at desc limit 1 offset 0) l
    where e.id = any (${ids}::uuid[]) and jsonb_array_length(l.tratamentos) > 0
  `.execute(handle)
  return new Map(rows.map(({ id, lidas }) => [id, lidas]))
}
/** What is read less surely was put right by whoever typed otherwise. */
const SURELY = 0.9

/** Keeps what trials were held against. A reading that was forgotten is known still, as long as the report is the same. */
export async function putReferences(
  handle: Handle,
  references: readonly (References & { id: string })[],
): Promise<void> {
  await sql`
    insert into referencias (experimento_id, doses, lidas)
    select id, doses, lidas from jsonb_to_recordset(${JSON.stringify(references)}::jsonb)
      n (id uuid, doses jsonb, lidas jsonb)
    on conflict (experimento_id) do update set doses = excluded.doses,
      lidas = case when excluded.lidas = '[]' then referencias.lidas else excluded.lidas end
  `.execute(handle)
}

export async function putAnswer(
  handle: Handle,
  id: string,
  { codigo, lugar, valor, texto, quem }: Omit<StoredAnswer, 'quando' | 'quem'> & { quem: string },
): Promise<void> {
  await sql`
    insert into respostas_qualidade (experimento_id, codigo, lugar, valor, texto, quem)
    values (${id}, ${codigo}, ${lugar}, ${valor}, ${texto}, ${quem})
    on conflict (experimento_id, codigo, lugar) do update set valor = excluded.valor, texto = excluded.texto,
      quem = excluded.quem, quando = clock_timestamp()
  `.execute(handle)
}

/** Live trials that older rules looked at, or none, locked until the transaction ends. */
export async function staleTrials(handle: Handle, rules: number, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from experimentos where (regras < ${rules} or regras > ${rules}) and deleted_at is null order by regras, id limit ${most}
    for update skip locked
  `.execute(handle)
  return rows.map(({ id }) => id)
}

/** The ranges that hold and how often they were changed: those of the administrators, or the shipped ones. */
export async function cropRanges(handle: Handle): Promise<{ versao: number; faixas: readonly CropRange[] }> {
  const { rows } = await sql<KeptRange & { versao: number; lida_em: string }>`
    select cultura, media, safra, fonte, endereco, publicada, lida_em::text as lida_em, abaixo, acima, impossivel,
      ligada, versao
    from faixas_cultura order by cultura
  `.execute(handle)
  const [first] = rows
  if (!first) return { versao: 0, faixas: CROP_RANGES }
  return {
    versao: first.versao,
    faixas: rows.map(({ fonte, endereco, publicada, lida_em, versao: _, ...range }) => ({
      ...range,
      fonte: { titulo: fonte, endereco, data: publicada, lido_em: lida_em },
    })),
  }
}

/** Puts these in place of those that were there; a source that stays keeps the day on which it was read. */
export async function putCropRanges(handle: Handle, ranges: readonly KeptRange[]): Promise<void> {
  // Two at once: the later one stands, with a version of its own.
  await sql`select pg_advisory_xact_lock(hashtext('faixas_cultura'))`.execute(handle)
  await sql`
    with antes as (delete from faixas_cultura returning cultura, fonte, lida_em, versao)
    insert into faixas_cultura (cultura, media, safra, fonte, endereco, publicada, lida_em, abaixo, acima, impossivel,
      ligada, versao)
    select n.cultura, n.media, n.safra, n.fonte, n.endereco, n.publicada,
      coalesce(a.lida_em, (now() at time zone 'America/Sao_Paulo')::date), n.abaixo, n.acima, n.impossivel, n.ligada,
      coalesce((select max(versao) from antes), 0) + 1
    from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb) n (cultura text, media float8, safra text, fonte text,
      endereco text, publicada text, abaixo float8, acima float8, impossivel float8, ligada boolean)
    left join antes a on a.cultura = n.cultura and a.fonte = n.fonte
  `.execute(handle)
}

/** Within what 95 % of the means of the organisation's own live trials of a crop lie, kg/ha. */
export async function ownRange(
  handle: Handle,
  cultura: string,
): Promise<{ ensaios: number; de: number | null; ate: number | null }> {
  const { rows } = await sql<Awaited<ReturnType<typeof ownRange>>>`
    select count(*)::integer as ensaios,
      percentile_cont(0.025) within group (order by produtividade_media) as de,
      percentile_cont(0.975) within group (order by produtividade_media) as ate
    from experimentos
    where cultura_id = (select id from culturas where nome_cultura = ${cultura}) and deleted_at is null
      and organizacao_id = (select organizacao_atual()) and produtividade_media > 0
  `.execute(handle)
  return rows[0] ?? { ensaios: 0, de: null, ate: null }
}

/** How many trials people have answered of, by rule. */
export async function answersByRule(owner: Handle): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ codigo: string; n: number }>`
    select codigo, count(distinct experimento_id)::integer as n from respostas_qualidade group by codigo
  `.execute(owner)
  return new Map(rows.map(({ codigo, n }) => [codigo, n]))
}

/** In how many live trials each rule found something, answered or not. */
export async function foundByRule(owner: Handle): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ achados: number; n: number }>`
    select achados, count(*)::integer as n from experimentos where achados <> 0 and deleted_at is null group by achados
  `.execute(owner)
  const counts = ADVICE_CODES.map((codigo, bit): [string, number] => [
    codigo,
    rows.reduce((sum, { achados, n }) => sum + ((achados >> bit) & 1) * n, 0),
  ])
  return new Map(counts)
}

/** The point of every municipality that has one, and its area in km². */
export async function municipalityPoints(
  handle: Handle,
): Promise<{ nome: string; estado: string; latitude: number; longitude: number; area: number | null }[]> {
  const { rows } = await sql<Awaited<ReturnType<typeof municipalityPoints>>[number]>`
    select busca as nome, estado, latitude, longitude, area_km2 as area from cidades
    where codigo_ibge is not null and latitude is not null and longitude is not null
  `.execute(handle)
  return rows
}
