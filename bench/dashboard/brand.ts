/**
 * What a brand waits for that receives from hundreds of organisations: brand.ts DATA_FOLDER [RUNS]. The folder is
 * filled by load.ts with several organisations; no server runs on it meanwhile. Each side is measured in turn; the bare
 * one are the same statements as the tables' owner, over the same sums and rows, with no policy. In the end the
 * largest share is revoked and given back, and the figures are held against the rows.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type ExperimentFilter, SCATTER_LIMIT } from '@ensaio/domain'
import { readConfig } from '../../apps/server/src/config.ts'
import type { Handle } from '../../apps/server/src/database/handle.ts'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import { forRequests, openPool } from '../../apps/server/src/database/pool.ts'
import { grantRequests, REQUESTS } from '../../apps/server/src/database/roles.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { keepCells, rebuildCells } from '../../apps/server/src/features/dashboard/cells.ts'
import {
  inOrder,
  NUMERIC_COLUMNS,
  scatterSample,
} from '../../apps/server/src/features/dashboard/dashboard.repository.ts'
import { createDashboard } from '../../apps/server/src/features/dashboard/dashboard.service.ts'
import {
  keptConsultancies,
  keptGroups,
  keptModalities,
  keptProducts,
} from '../../apps/server/src/features/dashboard/margins.repository.ts'
import { addViews, keepViews } from '../../apps/server/src/features/dashboard/views.ts'
import { listExperiments } from '../../apps/server/src/features/experiments/experiment-list.repository.ts'
import { experimentById } from '../../apps/server/src/features/experiments/experiments.repository.ts'
import { bareHandle, dropBare } from './bare.ts'
import { cell, inTurn, median } from './measure.ts'

const [dataDir = 'data', runsText = '31'] = process.argv.slice(2)
const runs = Number(runsText)
const database = await openDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
await grantRequests(database.pool.handle)
const { raw, handle: owner } = database.pool
const requests = openPool(
  { ...database.connection, options: `-c role=${REQUESTS}`, ...forRequests },
  () => undefined,
)
const person = randomUUID()
const clay = { x: NUMERIC_COLUMNS.teor_argila, y: NUMERIC_COLUMNS.produtividade_media, limit: SCATTER_LIMIT }

/** As the database does by itself, once much has changed; in its own time. */
async function tidy(): Promise<void> {
  const client = await raw.connect()
  await client.query('set statement_timeout = 0')
  await client.query('vacuum analyze')
  client.release(true)
}

const wall = wallOver(requests.raw)
// As a server does within its first minute.
await addViews(owner)
await keepViews(owner)
const cells = keepCells({ handle: owner, log: console.error })
const dashboard = createDashboard({ wall, cells })

try {
  await raw.query('insert into auth.users (id, email) values ($1, $2)', [person, `${person}@exemplo.com.br`])
  const { rows: brands } = await raw.query<{
    id: string
    sets: number
    seen: number
    all: number
    visao: number | null
  }>(`
    select b.organizacao_id as id, cardinality(b.acervos) as sets,
      (select count(*)::integer from contados where acervo_id = any(b.acervos)) as seen,
      (select count(*)::integer from contados) as all, (select id from visoes v where v.organizacao_id = b.organizacao_id and v.parte = 0) as visao
    from visibilidade b where b.organizacao_id = (select organizacao_id from instalacao)
  `)
  const [brand] = brands
  if (!brand || brand.visao === null) throw new Error('no organisation with sums of its own')
  const sums = { view: brand.visao }
  await raw.query(
    'insert into membros (organizacao_id, pessoa_id, papel) values ($1, $2, $3) on conflict do nothing',
    [brand.id, person, 'leitor'],
  )
  const reader = { id: person, organization: brand.id, several: true }
  const member = wall.for(reader)
  const bare = await bareHandle(raw, brand.visao)
  console.log(
    `${brand.all} experiments, of which a brand sees ${brand.seen} in ${brand.sets} sets; medians (minima) of ${runs} runs, ms\n`,
  )
  console.log('| statements | in a name | no policy | ratio |\n|---|---|---|---|')
  const { rows: some } = await raw.query<{ id: string }>(
    `select e.id from experimentos e join visibilidade b on b.organizacao_id = $1 and e.acervo_id = any(b.acervos) order by amostra limit 1`,
    [brand.id],
  )
  const list = (handle: Handle) =>
    listExperiments(handle, {}, { cursor: null, limit: 20, total: Number.POSITIVE_INFINITY })
  // As the service asks, all at once.
  const kept = (handle: Handle, filter: ExperimentFilter) =>
    Promise.all([
      keptGroups(handle, filter, sums),
      keptConsultancies(handle, filter, sums),
      keptModalities(handle, filter, sums),
      keptProducts(handle, filter, sums, { limit: 10, order: 'roi' }),
      handle === member
        ? inOrder(handle, (same) => scatterSample(same, filter, clay))
        : scatterSample(handle, filter, clay),
    ])
  const sides: [string, (handle: Handle) => Promise<unknown>, number?][] = [
    ['one record', (handle) => experimentById(handle, some[0]?.id ?? ''), 10 * runs],
    ['newest list', list, 5 * runs],
    ['overview', (handle) => kept(handle, {}), 10 * runs],
    ['overview of a crop', (handle) => kept(handle, { cultura: 'Soja' }), 10 * runs],
  ]
  // Without the cost of saying who asks: on connections that have been told.
  await member.connection().execute((told) =>
    bare.connection().execute(async (plain) => {
      const record = (handle: Handle) => experimentById(handle, some[0]?.id ?? '')
      const [inName, bare] = await inTurn([() => record(told), () => record(plain)], 10 * runs)
      console.log(
        `| one record, the statement alone | ${cell(inName)} | ${cell(bare)} | ${(median(inName) / median(bare)).toFixed(2)} |`,
      )
    }),
  )
  for (const [name, work, times = runs] of sides) {
    const [inName, plain] = await inTurn([() => work(member), () => work(bare)], times)
    console.log(
      `| ${name} | ${cell(inName)} | ${cell(plain)} | ${(median(inName) / median(plain)).toFixed(2)} |`,
    )
  }

  const { rows: largest } = await raw.query<{ id: string; n: number }>(
    `select s.id, count(*)::integer as n from compartilhamentos s
     join acervos a on a.organizacao_id = s.organizacao_id join contados c on c.acervo_id = a.id
     where s.destino_id = $1 and s.estado = 'aceito' group by 1 order by 2 desc limit 1`,
    [brand.id],
  )
  const [share] = largest
  if (share) {
    const timed = async (work: () => Promise<unknown>) => {
      const started = performance.now()
      await work()
      return Math.round(performance.now() - started)
    }
    const usual = async () => {
      const taken: number[] = []
      for (let n = 0; n < runs; n += 1) taken.push(await timed(() => dashboard.overview(reader, {})))
      return median(taken)
    }
    await tidy()
    const before = await usual()
    const revoked = performance.now()
    await raw.query(`update compartilhamentos set estado = 'revogado' where id = $1`, [share.id])
    const first = await timed(() => dashboard.overview(reader, {}))
    const second = await timed(() => dashboard.overview(reader, {}))
    const crop = await timed(() => dashboard.overview(reader, { cultura: 'Soja' }))
    // As the server does, beside what is asked.
    const making = timed(() => keepViews(owner))
    await setTimeout(60_000 - (performance.now() - revoked))
    const minute = await usual()
    const made = await making
    const after = await usual()
    console.log(
      `\na share of ${share.n} experiments revoked: overview before ${before} ms, first after ${first} ms, the next ${second} ms, of a crop ${crop} ms, after a minute ${minute} ms, once all sums were made anew (${made} ms) ${after} ms (before and later: median of ${runs})`,
    )
    await raw.query(`update compartilhamentos set estado = 'aceito' where id = $1`, [share.id])
    const again = await timed(() => dashboard.overview(reader, {}))
    const back = await timed(() => keepViews(owner))
    console.log(`given back: first overview ${again} ms, the sums made anew in ${back} ms`)
  }
  const { figures, wrong } = await rebuildCells(owner)
  console.log(`${figures} kept figures counted anew, ${wrong} differed`)
} finally {
  await raw.query('delete from auth.users where id = $1', [person])
  await dropBare(raw)
  await cells.stop()
  await requests.close()
  await database.close()
}
