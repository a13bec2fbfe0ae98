/**
 * What the server costs over the bare statements, as ratios taken in one run: run.ts DATA_FOLDER [RUNS]
 * The folder is filled by load.ts.
 */
import { randomUUID } from 'node:crypto'
import type { ExperimentFilter } from '@ensaio/domain'
import { meanProductivity, SCATTER_LIMIT, searchable, totalCost } from '@ensaio/domain'
import type pg from 'pg'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { demoExperiments } from '../../apps/server/src/demo-data.ts'
import { pearson } from '../../apps/server/src/features/dashboard/correlation.repository.ts'
import {
  NUMERIC_COLUMNS,
  scatterSample,
} from '../../apps/server/src/features/dashboard/dashboard.repository.ts'
import { keptMapPlaces } from '../../apps/server/src/features/dashboard/map.repository.ts'
import {
  keptConsultancies,
  keptExtent,
  keptGroups,
  keptModalities,
  keptProducts,
} from '../../apps/server/src/features/dashboard/margins.repository.ts'
import { listExperiments } from '../../apps/server/src/features/experiments/experiment-list.repository.ts'
import { bareHandle, dropBare } from './bare.ts'
import { overviewFromBaseTables } from './base-tables.ts'
import { cell, inTurn, median, postJson, signUp, startServer, time } from './measure.ts'

const [dataDir = 'data', runsText = '15'] = process.argv.slice(2)
const runs = Number(runsText)
const ROUNDS = 5
const CREATES = 100
const WRITERS = 4

const server = await startServer(dataDir, 3990)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw } = database.pool
const handle = await bareHandle(raw)
// The population is of one organisation.
const { rows: views } = await raw.query<{ view: number }>(
  'select id as view from visoes where parte = 0 limit 1',
)
const sums = views[0] ?? { view: 0 }
const session = await signUp(server.url)
const headers = { authorization: `Bearer ${session.access_token}` }
try {
  const { rows } = await raw.query('select count(*) as n from experimentos')
  console.log(`${rows[0].n} experiments; medians (minima) of ${runs} runs, milliseconds\n`)
  await overview()
  await afterWrite()
  await reads()
  await exports()
  await creates()
  const { server: serverMb, database: databaseMb } = server.memory()
  console.log(`\nmemory: server ${serverMb.toFixed(0)} MB, database ${databaseMb.toFixed(0)} MB`)
} finally {
  await dropBare(raw)
  await database.close()
  await server.stop()
}

async function get(path: string): Promise<ArrayBuffer> {
  const answer = await fetch(`${server.url}${path}`, { headers })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.arrayBuffer()
}

function line(...cells: (string | number)[]): void {
  const shown = cells.map((cell) => (typeof cell === 'number' ? cell.toFixed(cell < 100 ? 1 : 0) : cell))
  console.log(`| ${shown.join(' | ')} |`)
}

async function overview(): Promise<void> {
  const most = async (table: string, column: string, key: string) =>
    (
      await raw.query(
        `select n.${column} as nome from (select ${key} as id, count(*) as n from experimentos group by 1) e
        join ${table} n using (id) order by e.n desc limit 1`,
      )
    ).rows[0].nome as string
  const filters: ExperimentFilter[] = [
    {},
    { regional: await most('regioes', 'nome', 'regiao_id') },
    { cultura: await most('culturas', 'nome_cultura', 'cultura_id') },
    { marca: await most('fabricantes', 'nome', 'fabricante_id') },
    { ano: '2025' },
    { bu: 'BU1' },
    { consultoria: await most('consultorias', 'nome', 'consultoria_id') },
    { produto: 'Nutrivia Raiz' },
    { produto: 'maxi' },
    { cultura: 'Soja', regional: 'Sul' },
    { cultura: 'Soja', produto: 'maxi' },
  ]
  console.log('| overview under | endpoint | its statements | ratio | base tables | base / endpoint |')
  console.log('|---|---|---|---|---|---|')
  const clay = {
    x: NUMERIC_COLUMNS.teor_argila,
    y: NUMERIC_COLUMNS.produtividade_media,
    limit: SCATTER_LIMIT,
  }
  for (const filter of filters) {
    const query = new URLSearchParams(filter as Record<string, string>)
    const ask = () => get(`/api/dashboard/overview?${query}`)
    const kept = Object.keys(filter).length < 2 || !filter.produto
    const statements = async () => {
      await keptGroups(handle, filter, sums)
      await keptConsultancies(handle, filter, sums)
      await keptModalities(handle, filter, sums)
      await keptProducts(handle, filter, sums, { limit: 10, order: 'roi' })
      await scatterSample(handle, filter, clay)
    }
    const [asked, bare] = await inTurn([ask, kept ? statements : async () => undefined], runs)
    const base = await time(() => overviewFromBaseTables(raw, filter), 1)
    const name = Object.entries(filter).map(([key, value]) => `${key} ${value}`)
    line(
      name.join(', ') || 'no filter',
      cell(asked),
      kept ? cell(bare) : '',
      kept ? median(asked) / median(bare) : '',
      base,
      base / median(asked),
    )
  }
}

/** The overview right after a write of one's own, which is folded into it first, against the one after that. */
async function afterWrite(): Promise<void> {
  const inputs = demoExperiments(2 * runs)
  const [after, without]: [number[], number[]] = [[], []]
  for (const [round, input] of inputs.entries()) {
    await postJson(`${server.url}/api/experiments`, { ...headers, 'idempotency-key': randomUUID() }, input)
    for (const taken of [after, without]) {
      const started = performance.now()
      await get('/api/dashboard/overview')
      // The first of them give new names their keys, and connections their statements.
      if (round >= runs) taken.push(performance.now() - started)
    }
  }
  await raw.query('delete from experimentos where created_by = $1', [session.user.id])
  console.log('\n| overview | right after a write of one’s own | without | ratio |\n|---|---|---|---|')
  line('no filter', cell(after), cell(without), median(after) / median(without))
}

async function reads(): Promise<void> {
  console.log('\n| read | endpoint | its statements | ratio |\n|---|---|---|---|')
  const soja = { cultura: 'Soja' }
  const clay = { x: NUMERIC_COLUMNS.teor_argila, y: NUMERIC_COLUMNS.produtividade_media }
  const page = (query: object) => () =>
    listExperiments(handle, query, { cursor: null, limit: 20, total: Number.POSITIVE_INFINITY })
  const places = (filter: ExperimentFilter) => async () => {
    await keptGroups(handle, filter, sums)
    await keptExtent(handle, filter, sums)
    await keptMapPlaces(handle, filter, sums, { bounds: null, shift: 4, limit: 1000 })
  }
  const correlation = (filter: ExperimentFilter) => async () => {
    await pearson(handle, filter, clay)
    await scatterSample(handle, filter, { ...clay, limit: SCATTER_LIMIT })
  }
  const pair = 'x=teor_argila&y=produtividade_media'
  const asked: [string, string, () => Promise<unknown>][] = [
    ['list, newest first', '/api/experiments', page({})],
    ['list by consultancy', '/api/experiments?ordem=consultoria', page({ ordem: 'consultoria' })],
    ['list by return', '/api/experiments?ordem=roi', page({ ordem: 'roi' })],
    ['list of a search', '/api/experiments?busca=norte', page({ busca: 'norte' })],
    ['map of Brazil', '/api/dashboard/map', places({})],
    ['map of one crop', '/api/dashboard/map?cultura=Soja', places(soja)],
    ['correlation', `/api/dashboard/correlation?${pair}`, correlation({})],
    ['correlation in one crop', `/api/dashboard/correlation?${pair}&cultura=Soja`, correlation(soja)],
  ]
  for (const [name, path, bare] of asked) {
    const [endpoint, statements] = await inTurn([() => get(path), bare], runs)
    line(name, cell(endpoint), cell(statements), median(endpoint) / median(statements))
  }
  line('filter options', await time(() => get('/api/dashboard/filters'), runs), '', '')
}

async function exports(): Promise<void> {
  console.log('\n| export of one year | rows/s | ratio to the bare statement |\n|---|---|---|')
  const { rows } = await raw.query(
    'select count(*) as n from experimentos where ano = 2020 and deleted_at is null',
  )
  const n: number = rows[0].n
  const bare = await time(
    () =>
      raw.query(`select e.*, k.nome, f.nome, r.nome, ci.nome, ci.estado, c.nome_cultura, d.filename from experimentos e
        join consultorias k on k.id = e.consultoria_id join fabricantes f on f.id = e.fabricante_id
        join regioes r on r.id = e.regiao_id join cidades ci on ci.id = e.cidade_id
        join culturas c on c.id = e.cultura_id left join documentos d on d.id = e.documento_id
        where e.ano = 2020 and e.deleted_at is null order by e.created_at desc`),
    1,
  )
  for (const format of ['csv', 'xlsx']) {
    const taken = await time(() => get(`/api/experiments/export?formato=${format}&ano=2020`), 1)
    line(format, (n / taken) * 1000, taken / bare)
  }
}

/**
 * Experiments saved through the endpoint, each with a key of its own as the page sends it, against the same rows
 * inserted by plain SQL, a statement a row, without triggers, and told the keys of all names: one writer, then
 * several at once, in rounds where each goes first in turn.
 */
async function creates(): Promise<void> {
  const inputs = demoExperiments(CREATES)
  const post = (input: Input) =>
    postJson(`${server.url}/api/experiments`, { ...headers, 'idempotency-key': randomUUID() }, input)
  // Not counted: names that are new get their keys.
  await saving(inputs, 1, post)
  const keys = await keysByName()
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => raw.connect()))
  const ids: string[] = []
  const bare = async (input: Input, writer: number) => {
    const id = randomUUID()
    ids.push(id)
    await insert(clients[writer] as pg.PoolClient, id, input, keys)
  }
  const taken: Record<'one' | 'several', Record<'endpoint' | 'bare', number[]>> = {
    one: { endpoint: [], bare: [] },
    several: { endpoint: [], bare: [] },
  }
  // A read of one's own writes folds them into the figures: each create bears its part of that.
  const folded = async (writers: number) => {
    const each = await saving(inputs, writers, post)
    const started = performance.now()
    await get('/api/dashboard/overview')
    return each + (performance.now() - started) / inputs.length
  }
  const viaEndpoint = async () => {
    taken.one.endpoint.push(await folded(1))
    taken.several.endpoint.push(await folded(WRITERS))
  }
  const viaSql = async () => {
    await triggers('disable')
    taken.one.bare.push(await saving(inputs, 1, bare))
    taken.several.bare.push(await saving(inputs, WRITERS, bare))
    await triggers('enable')
  }
  // As an earlier run that was killed may have left them.
  await triggers('enable')
  try {
    for (let round = 0; round < ROUNDS; round++)
      for (const work of round % 2 ? [viaSql, viaEndpoint] : [viaEndpoint, viaSql]) await work()
  } finally {
    for (const client of clients) client.release()
    await triggers('enable')
    await raw.query('delete from experimentos where id = any($1) or created_by = $2', [ids, session.user.id])
  }
  console.log(`\n| ms a create, median of ${ROUNDS} rounds of ${CREATES} | endpoint | bare SQL | ratio |`)
  console.log('|---|---|---|---|')
  for (const [writers, { endpoint, bare }] of Object.entries(taken))
    line(
      `${writers === 'one' ? 1 : WRITERS} at once`,
      cell(endpoint),
      cell(bare),
      median(endpoint) / median(bare),
    )
}

type Input = ReturnType<typeof demoExperiments>[number]

async function triggers(state: 'enable' | 'disable'): Promise<void> {
  for (const table of ['experimentos', 'tratamentos', 'produtos_aplicados'])
    await raw.query(`alter table ${table} ${state} trigger user`)
}

/** Milliseconds an experiment, from when it is sent to when it is there; the median over them. */
async function saving(
  inputs: readonly Input[],
  writers: number,
  save: (input: Input, writer: number) => Promise<void>,
): Promise<number> {
  const left = [...inputs]
  const taken: number[] = []
  const writer = async (_: unknown, index: number) => {
    for (let input = left.pop(); input; input = left.pop()) {
      const started = performance.now()
      await save(input, index)
      taken.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return median(taken)
}

async function keysByName(): Promise<(kind: string, name: string) => number | undefined> {
  const { rows } = await raw.query<{ kind: string; busca: string; id: number }>(`
    select 'consultoria' as kind, busca, id from consultorias union all select 'marca', busca, id from fabricantes
    union all select 'regional', busca, id from regioes union all select 'cultura', busca, id from culturas
    union all select 'modalidade', busca, id from modalidades union all select 'produto', busca, id from produtos
    union all select estado, busca, id from cidades`)
  const keys = new Map(rows.map(({ kind, busca, id }) => [`${kind} ${busca}`, id]))
  return (kind, name) => keys.get(`${kind} ${searchable(name)}`)
}

async function insert(
  client: pg.PoolClient,
  id: string,
  input: Input,
  keyOf: Awaited<ReturnType<typeof keysByName>>,
): Promise<void> {
  await client.query('begin')
  await client.query(
    `insert into experimentos (id, consultoria_id, fabricante_id, bu, regiao_id, cidade_id, cultura_id, cultivar, ano,
      teor_argila, teor_materia_organica, tipo_estatistica, custo_protocolo, roi, produtividade_media, custo_total,
      n_tratamentos, organizacao_id, acervo_id)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, a.organizacao_id, a.id
      from acervos a order by a.id limit 1`,
    [
      id,
      keyOf('consultoria', input.consultoria),
      keyOf('marca', input.marca),
      Number(input.bu.slice(2)),
      keyOf('regional', input.regional),
      keyOf(input.estado, input.cidade),
      keyOf('cultura', input.cultura),
      input.cultivar,
      input.ano,
      input.teor_argila,
      input.teor_materia_organica,
      input.tipo_estatistica,
      input.custo_protocolo,
      input.roi,
      meanProductivity(input.tratamentos),
      totalCost(input.tratamentos),
      input.tratamentos.length,
    ],
  )
  for (const [index, treatment] of input.tratamentos.entries()) {
    await client.query('insert into tratamentos values ($1, $2, $3, $4, $5, $6)', [
      id,
      index + 1,
      treatment.nome,
      keyOf('modalidade', treatment.modalidade),
      treatment.produtividade,
      treatment.custo,
    ])
    for (const [position, product] of treatment.produtos_aplicados.entries())
      await client.query('insert into produtos_aplicados values ($1, $2, $3, $4, $5, $6, $7)', [
        id,
        index + 1,
        position + 1,
        keyOf('produto', product.nome),
        product.dose,
        product.unidade,
        product.custo,
      ])
    for (const [position, analysis] of treatment.analises_adicionais.entries())
      await client.query('insert into analises_adicionais values ($1, $2, $3, $4, $5, $6)', [
        id,
        index + 1,
        position + 1,
        analysis.nome,
        analysis.valor,
        analysis.unidade,
      ])
  }
  await client.query("insert into alteracoes (experimento_id, acao) values ($1, 'criado')", [id])
  await client.query('commit')
}
