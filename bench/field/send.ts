/**
 * What the server does with 500 values of a phone, and with 500 of another application by BrAPI, against inserting the
 * very rows that they became by one statement of the owner (field.md 10, brapi.md 1.10): send.ts EMPTY_DATA_FOLDER [TRIALS]
 */
import { join } from 'node:path'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import { cell, median, postJson, signUp, startServer } from '../dashboard/measure.ts'
import { changesOf, largestTrial, VALUES } from './largest-trial.ts'

const [dataDir = 'data', trialsText = '2'] = process.argv.slice(2)
const BATCH = 500

const database = await openDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
const { raw } = database.pool
const { host, port, user, password, database: name } = database.connection
process.env['DATABASE_URL'] = `postgres://${user}:${password}@${host}:${port}/${name}`
const server = await startServer(join(dataDir, 'server'), 3996)
try {
  const { access_token: token } = await signUp(server.url)
  const headers = { authorization: `Bearer ${token}` }
  await raw.query('create table nus (like registros including all)')
  const taken: Record<'phone' | 'brapi' | 'bare', number[]> = { phone: [], brapi: [], bare: [] }
  const timed = async (side: keyof typeof taken, work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    taken[side].push(performance.now() - started)
  }
  for (let round = 1; round <= Number(trialsText); round += 1) {
    const { id, ficha } = await largestTrial(server.url, token)
    const changes = changesOf(id, ficha, round)
    for (let from = 0; from + BATCH <= VALUES; from += BATCH) {
      const batch = changes.slice(from, from + BATCH)
      await timed('phone', () =>
        postJson(`${server.url}/api/field/changes`, headers, {
          ...{ aparelho: batch[0]?.aparelho, registros: batch, pendentes: 0 },
        }),
      )
      const { rows } = await raw.query(
        'select json_agg(r) as rows from registros r where experimento_id = $1 and id = any ($2::uuid[])',
        [id, batch.map((one) => one.id)],
      )
      const text = JSON.stringify(rows[0].rows)
      await timed('bare', () =>
        raw.query('insert into nus select * from json_populate_recordset(null::registros, $1)', [text]),
      )
    }
    const other = await largestTrial(server.url, token)
    const told = changesOf(other.id, other.ficha, round)
    for (let from = 0; from + BATCH <= VALUES; from += BATCH)
      await timed('brapi', () =>
        postJson(
          `${server.url}/brapi/v2/observations`,
          headers,
          told.slice(from, from + BATCH).map(({ parcela, variavel, valor, quando }) => ({
            ...{ observationUnitDbId: parcela, observationVariableDbId: variavel, studyDbId: other.id },
            ...{ value: String(valor), observationTimeStamp: quando, collector: 'Ana' },
          })),
        ),
      )
  }
  console.log('| 500 values | ms: median (fastest) | of the bare insert |\n|---|---|---|')
  for (const side of ['bare', 'phone', 'brapi'] as const)
    console.log(
      `| ${side} | ${cell(taken[side])} | ${(median(taken[side]) / median(taken.bare)).toFixed(1)} |`,
    )
} finally {
  await server.stop()
  await database.close()
}
