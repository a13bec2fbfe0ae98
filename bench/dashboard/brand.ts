/**
 * What a brand waits for that receives from hundreds of organisations: brand.ts DATA_FOLDER [RUNS]. The folder is
 * filled by load.ts with several organisations; no server runs on it meanwhile. Each side is measured in turn; the bare
 * one are the same statements as the tables' owner, over the same sums and rows, with no policy. In the end the
 * largest share is revoked and given back, and the figures are held against the rows.
 */
import { randomUUID } from 'node:crypto'
import { type ExperimentFilter, SCATTER_LIMIT } from '@ensaio/domain'
import { readConfig } from '../../apps/server/src/config.ts'
import type { Handle } from '../../apps/server/src/database/handle.ts'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import { forRequests, openPool } from '../../apps/server/src/database/pool.ts'
import { grantRequests, REQUESTS } from '../../apps/server/src/database/roles.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { rebuildCells } from '../../apps/server/src/features/dashboard/cells.ts'
import {
  activeConsultancies,
  groups,
  inOrder,
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
import { keepViews } from '../../apps/server/src/features/dashboard/views.ts'
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

/** As the service does: the kept sums where they are over what is seen, else the narrow rows. */
async function overview(handle: Handle, filter: ExperimentFilter): Promise<number> {
  const { whole } = await keptFor(handle)
  const parts = whole
    ? [keptGroups, keptConsultancies, keptModalities]
    : [groups, activeConsultancies, modalityGroups]
  for (const part of parts) await part(handle, filter)
  await (whole ? keptProducts : topProducts)(handle, filter, { limit: 10, order: 'roi' })
  await scatterSample(handle, filter, clay)
  return performance.now()
}

try {
  await raw.query('insert into auth.users (id, email) values ($1, $2)', [person, `${person}@exemplo.com.br`])
  const { rows: brands } = await raw.query<{
    id: string
    sets: number
    seen: number
    all: number
    visao: number
  }>(`
    select b.organizacao_id as id, cardinality(b.acervos) as sets,
      (select count(*)::integer from contados where acervo_id = any(b.acervos)) as seen,
      (select count(*)::integer from contados) as all, (select id from visoes v where v.organizacao_id = b.organizacao_id) as visao
    from visibilidade b where b.organizacao_id = (select organizacao_id from instalacao)
  `)
  const [brand] = brands
  if (!brand) throw new Error('no organisation')
  await raw.query(
    'insert into membros (organizacao_id, pessoa_id, papel) values ($1, $2, $3) on conflict do nothing',
    [brand.id, person, 'leitor'],
  )
  const member = wallOver(requests.raw).for({ id: person, organization: brand.id })
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
      keptGroups(handle, filter),
      keptConsultancies(handle, filter),
      keptModalities(handle, filter),
      keptProducts(handle, filter, { limit: 10, order: 'roi' }),
      handle === member
        ? inOrder(handle, (same) => scatterSample(same, filter, clay))
        : scatterSample(handle, filter, clay),
    ])
  const sides: [string, (handle: Handle) => Promise<unknown>, number?][] = [
    ['one record', (handle) => experimentById(handle, some[0]?.id ?? ''), 10 * runs],
    ['newest list', list, 5 * runs],
    ['overview', (handle) => kept(handle, {})],
    ['overview of a crop', (handle) => kept(handle, { cultura: 'Soja' })],
  ]
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
    const before = await timed(() => overview(member, {}))
    await raw.query(`update compartilhamentos set estado = 'revogado' where id = $1`, [share.id])
    const first = await timed(() => overview(member, {}))
    const made = await timed(() => keepViews(owner))
    const after = await timed(() => overview(member, {}))
    console.log(
      `\na share of ${share.n} experiments revoked: overview before ${before} ms, first after ${first} ms, once the sums were made anew (${made} ms) ${after} ms`,
    )
    await raw.query(`update compartilhamentos set estado = 'aceito' where id = $1`, [share.id])
    await keepViews(owner)
  }
  const { figures, wrong } = await rebuildCells(owner)
  console.log(`${figures} kept figures counted anew, ${wrong} differed`)
} finally {
  await raw.query('delete from auth.users where id = $1', [person])
  await dropBare(raw)
  await requests.close()
  await database.close()
}
