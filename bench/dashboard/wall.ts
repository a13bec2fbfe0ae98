/**
 * What the wall costs: the same statements in a member's name and as the tables' owner, whom no policy holds, the
 * sides in turn: wall.ts DATA_FOLDER [RUNS]. The folder is filled by load.ts; no server runs on it meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { type ExperimentFilter, meanProductivity, SCATTER_LIMIT, totalCost } from '@ensaio/domain'
import { readConfig } from '../../apps/server/src/config.ts'
import type { Handle } from '../../apps/server/src/database/handle.ts'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import { forRequests, openPool } from '../../apps/server/src/database/pool.ts'
import { grantRequests, REQUESTS } from '../../apps/server/src/database/roles.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { demoExperiments } from '../../apps/server/src/demo-data.ts'
import {
  activeConsultancies,
  groups,
  modalityGroups,
  NUMERIC_COLUMNS,
  scatterSample,
  topProducts,
} from '../../apps/server/src/features/dashboard/dashboard.repository.ts'
import {
  keptConsultancies,
  keptFor,
  keptGroups,
  keptModalities,
  keptProducts,
} from '../../apps/server/src/features/dashboard/margins.repository.ts'
import { listExperiments } from '../../apps/server/src/features/experiments/experiment-list.repository.ts'
import { insertExperiment } from '../../apps/server/src/features/experiments/experiment-writes.repository.ts'
import { experimentById } from '../../apps/server/src/features/experiments/experiments.repository.ts'
import { bareHandle, dropBare } from './bare.ts'
import { cell, inTurn, median } from './measure.ts'

const [dataDir = 'data', runsText = '31'] = process.argv.slice(2)
const runs = Number(runsText)
const quiet = () => undefined
const database = await openDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
await grantRequests(database.pool.handle)
const { raw } = database.pool
const owner = await bareHandle(raw)
const requests = openPool({ ...database.connection, options: `-c role=${REQUESTS}`, ...forRequests }, quiet)
const person = randomUUID()
try {
  await raw.query('insert into auth.users (id, email) values ($1, $2)', [person, `${person}@exemplo.com.br`])
  const { rows } = await raw.query<{ id: string }>('select organizacao_id as id from instalacao')
  const member = wallOver(requests.raw).for({ id: person, organization: rows[0]?.id ?? '' })
  const { sums } = await keptFor(member)
  if (sums === null) throw new Error('no sums are kept')
  const { rows: some } = await raw.query<{ id: string; n: number; consultancy: string }>(`
    select (select id from experimentos where deleted_at is null order by amostra, id limit 1) as id, count(*) as n,
      (select nome from consultorias order by nome limit 1) as consultancy
    from experimentos
  `)
  const [{ id, n, consultancy } = { id: '', n: 0, consultancy: '' }] = some
  console.log(`${n} experiments; medians (minima) of ${runs} runs, milliseconds\n`)
  console.log('| statements | in a name | no policy | ratio |\n|---|---|---|---|')
  const clay = {
    x: NUMERIC_COLUMNS.teor_argila,
    y: NUMERIC_COLUMNS.produtividade_media,
    limit: SCATTER_LIMIT,
  }
  // As the service asks, all at once.
  const kept = (handle: Handle, filter: ExperimentFilter) =>
    Promise.all([
      keptGroups(handle, filter, sums),
      keptConsultancies(handle, filter, sums),
      keptModalities(handle, filter, sums),
      keptProducts(handle, filter, sums, { limit: 10, order: 'roi' }),
      scatterSample(handle, filter, clay),
    ])
  const counted = (handle: Handle, filter: ExperimentFilter) =>
    Promise.all([
      groups(handle, filter),
      activeConsultancies(handle, filter),
      modalityGroups(handle, filter),
      topProducts(handle, filter, { limit: 10, order: 'roi' }),
    ])
  const list = (handle: Handle, query: object) =>
    listExperiments(handle, query, { cursor: null, limit: 20, total: Number.POSITIVE_INFINITY })
  const creating = (handle: Handle) => {
    const [input] = demoExperiments(1)
    if (!input) throw new Error('no experiment to create')
    return insertExperiment(handle, {
      input,
      produtividadeMedia: meanProductivity(input.tratamentos) ?? 0,
      custoTotal: totalCost(input.tratamentos),
      qualidade: { apontamentos: 0, apontamentos_vistos: 0, regras: 1, achados: 0 },
      id: randomUUID(),
      createdBy: person,
      key: null,
    })
  }
  const sides: [string, (handle: Handle) => Promise<unknown>, number?][] = [
    ['one record', (handle) => experimentById(handle, id), 10 * runs],
    ['newest list', (handle) => list(handle, {}), 5 * runs],
    ['list by return', (handle) => list(handle, { ordem: 'roi', sentido: 'desc' }), 5 * runs],
    ['overview', (handle) => kept(handle, {}), 10 * runs],
    ['overview of a crop', (handle) => kept(handle, { cultura: 'Soja' }), 10 * runs],
    ['overview from narrow rows', (handle) => counted(handle, { consultoria: consultancy, ano: '2024' })],
    ['overview from all narrow rows', (handle) => counted(handle, {}), 3],
    ['create', creating, 10 * runs],
  ]
  // Without the cost of saying who asks: on connections that have been told.
  await member.connection().execute((told) =>
    owner.connection().execute(async (plain) => {
      const record = (handle: Handle) => experimentById(handle, id)
      const [inName, bare] = await inTurn([() => record(told), () => record(plain)], 10 * runs)
      console.log(
        `| one record, the statement alone | ${cell(inName)} | ${cell(bare)} | ${(median(inName) / median(bare)).toFixed(2)} |`,
      )
    }),
  )
  for (const [name, work, times = runs] of sides) {
    for (const handle of [member, owner]) await work(handle)
    const [inName, bare] = await inTurn([() => work(member), () => work(owner)], times)
    console.log(
      `| ${name} | ${cell(inName)} | ${cell(bare)} | ${(median(inName) / median(bare)).toFixed(2)} |`,
    )
  }
} finally {
  await raw.query('delete from experimentos where created_by = $1', [person])
  await raw.query('delete from auth.users where id = $1', [person])
  await dropBare(raw)
  await requests.close()
  await database.close()
}
