/** The dashboard's speed as ratios taken in one run: run.ts DATA_FOLDER [RUNS]. The folder is filled by load.ts. */
import type { ExperimentFilter } from '@ensaio/domain'
import { sql } from 'kysely'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
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
  keptGroups,
  keptModalities,
  keptProducts,
} from '../../apps/server/src/features/dashboard/margins.repository.ts'
import { startServer, time } from './measure.ts'

const [dataDir = 'data', runsText = '7'] = process.argv.slice(2)
const runs = Number(runsText)
const server = await startServer(dataDir, 3990)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
const handle = database.pool.handle
await sql`set statement_timeout = 0`.execute(handle)
try {
  const answer = await fetch(`${server.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      email: `bench${Date.now()}@exemplo.com.br`,
      password: 'correta-cavalo',
      data: { name: 'Bench' },
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) => {
    const answer = await fetch(`${server.url}${path}`, { headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.arrayBuffer()
  }
  const FILTERS: ExperimentFilter[] = [
    {},
    { cultura: 'Soja' },
    { marca: 'Aminoagro' },
    { regional: 'Sul' },
    { ano: '2024' },
    { bu: 'BU1' },
  ]
  const consultoria =
    (
      await sql<{
        nome: string
      }>`select k.nome from consultorias k join experimentos e on e.consultoria_id = k.id group by 1 order by count(*) desc limit 1`.execute(
        handle,
      )
    ).rows[0]?.nome ?? ''
  FILTERS.push({ consultoria }, { produto: 'Nutrivia Raiz' }, { produto: 'maxi' })
  console.log(
    '| filter | endpoint ms | rollup ms | ratio | base ms | base / endpoint |\n|---|---|---|---|---|---|',
  )
  for (const filter of FILTERS) {
    const query = new URLSearchParams(filter as Record<string, string>)
    const endpoint = await time(() => get(`/api/dashboard/overview?${query}`), runs)
    const rollup = await time(async () => {
      await keptGroups(handle, filter)
      await keptConsultancies(handle, filter)
      await keptModalities(handle, filter)
      await keptProducts(handle, filter, 10)
    }, runs)
    const base = await time(async () => {
      await groups(handle, filter)
      await activeConsultancies(handle, filter)
      await modalityGroups(handle, filter)
      await topProducts(handle, filter, 10)
      await scatterSample(handle, filter, {
        x: NUMERIC_COLUMNS.teor_argila,
        y: NUMERIC_COLUMNS.produtividade_media,
        limit: 2000,
      })
    }, 1)
    console.log(
      `| ${JSON.stringify(filter)} | ${endpoint.toFixed(1)} | ${rollup.toFixed(1)} | ${(endpoint / rollup).toFixed(2)} | ${base.toFixed(0)} | ${(base / endpoint).toFixed(1)} |`,
    )
  }
  for (const path of [
    '/api/dashboard/filters',
    '/api/dashboard/map',
    '/api/dashboard/map?marca=Aminoagro',
    '/api/dashboard/correlation?x=teor_argila&y=produtividade_media',
    '/api/dashboard/correlation?x=estado&y=roi',
    '/api/experiments?limit=50',
    '/api/experiments?ordem=consultoria',
    '/api/experiments?ordem=roi',
    '/api/experiments?busca=sorriso',
    '/api/experiments?com_documento=1',
  ])
    console.log(`${path} ${(await time(() => get(path), runs)).toFixed(1)} ms`)
  const [input] = demoExperiments(1)
  console.log(
    `create ${(
      await time(async () => {
        const answer = await fetch(`${server.url}/api/experiments`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(input),
        })
        if (answer.status !== 201) throw new Error(await answer.text())
        await answer.arrayBuffer()
      }, 50)
    ).toFixed(1)} ms`,
  )
  console.log(server.memory())
} finally {
  await database.close()
  await server.stop()
}
