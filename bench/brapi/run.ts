/**
 * What calls of BrAPI cost, as ratios in one run on a server of its own: a trial of 1,200 plots with 12,000 values told in
 * one answer over the bare statement for the same; 500 values stored in one request over the same rows by plain SQL; the
 * server's memory before and after 120,000 values are read page by page: run.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { asking, inTurn, median, signUp, startServer } from '../dashboard/measure.ts'
import { largestTrial } from '../field/largest-trial.ts'

const [ROUNDS, AT_ONCE] = [15, 500]
const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-bench-brapi-'))
const server = await startServer(dataDir, 3997)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw } = database.pool
try {
  const { access_token: token } = await signUp(server.url)
  const ask = asking(`${server.url}/brapi/v2/`, token)
  const { id, ficha } = await largestTrial(server.url, token)
  const { result } = await ask('GET', `variables?studyDbId=${id}`)
  const variables: string[] = result.data.map(
    (one: { observationVariableDbId: string }) => one.observationVariableDbId,
  )
  const valuesOf = (round: number, from: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const cell = from + at
      return {
        observationUnitDbId: ficha.parcelas[cell % ficha.parcelas.length]?.id,
        observationVariableDbId: variables[Math.floor(cell / ficha.parcelas.length)],
        studyDbId: id,
        value: String(80 + ((round * 7 + at) % 40)),
        observationTimeStamp: new Date(Date.UTC(2026, 2, 12, 12, round)).toISOString(),
        collector: 'Bruno',
        externalReferences: [{ referenceID: 'aparelho', referenceSource: 'Field Book Device' }],
      }
    })
  await raw.query(
    'create unlogged table bare_registros (like registros including indexes including defaults)',
  )
  let order = 0
  let round = 0
  const [stored, bareStored] = (
    await inTurn(
      [
        async () => {
          const { result } = await ask('POST', 'observations', valuesOf(round, round * AT_ONCE, AT_ONCE))
          round += 1
          if (result.data.length !== AT_ONCE) throw new Error('Values are missing')
        },
        async () => {
          const values = valuesOf(round, round * AT_ONCE, AT_ONCE)
          await raw.query('begin')
          for (const one of values) {
            order += 1
            await raw.query(
              `insert into bare_registros (experimento_id, id, ordem, origem, coletor, tipo, parcela, variavel, valor, quando, estado, extra)
               values ($1, gen_random_uuid(), $2, 'brapi', $3, 'valor', $4, $5, $6, $7, 'aplicado', $8)`,
              [
                ...[id, order, one.collector, one.observationUnitDbId, one.observationVariableDbId],
                ...[one.value, one.observationTimeStamp, { referencias: one.externalReferences }],
              ],
            )
          }
          await raw.query('commit')
        },
      ],
      ROUNDS,
    )
  ).map((times) => median(times))

  for (let from = (ROUNDS + 1) * AT_ONCE; from < ficha.parcelas.length * variables.length; from += AT_ONCE)
    await ask('POST', 'observations', valuesOf(0, from, AT_ONCE))

  const size = (text: unknown) => JSON.stringify(text).length
  let told = 0
  let bare = 0
  const [answered, bareRead] = (
    await inTurn(
      [
        async () => {
          told = size(await ask('GET', `observations?studyDbId=${id}&pageSize=10000`))
        },
        async () => {
          const { rows } = await raw.query(
            `select v.experimento_id, v.variavel, p.id, p.numero, c.valor, c.texto, r.quando, r.coletor, r.pessoa_id, r.extra
             from valores v
             cross join lateral rows from (jsonb_array_elements(v.valores), jsonb_array_elements_text(v.textos),
               unnest(v.registros)) with ordinality as c (valor, texto, registro, ordem)
             join parcelas p on p.experimento_id = v.experimento_id and p.ordem = c.ordem
             left join registros r on r.experimento_id = v.experimento_id and r.id = c.registro
             where v.experimento_id = $1 order by v.ordem, c.ordem limit 10000`,
            [id],
          )
          bare = size(rows)
        },
      ],
      ROUNDS,
    )
  ).map((times) => median(times))
  const [units, bareUnits] = (
    await inTurn(
      [
        () => ask('GET', `observationunits/table?studyDbId=${id}`),
        () =>
          raw.query(
            `select p.id, p.numero, f.corpo -> 'parcelas' -> (p.ordem::integer - 1) as parcela,
               (select jsonb_agg(v.valores -> (p.ordem::integer - 1) order by v.ordem)
                from valores v where v.experimento_id = p.experimento_id) as valores
             from parcelas p join fichas f using (experimento_id) where p.experimento_id = $1 order by p.ordem`,
            [id],
          ),
      ],
      ROUNDS,
    )
  ).map((times) => median(times))

  const before = server.memory().server
  const READINGS = 10
  for (let reading = 0; reading < READINGS; reading += 1)
    for (let page = 0; page < 12; page += 1)
      await ask('GET', `observations?studyDbId=${id}&pageSize=1000&page=${page}`)
  const after = server.memory().server

  const line = (what: string, value: string, bar: string) => console.log(`| ${what} | ${value} | ${bar} |`)
  const ms = (value = Number.NaN) => `${value.toFixed(0)} ms`
  const ratio = (a = Number.NaN, b = Number.NaN) => (a / b).toFixed(2)
  console.log('| | measured | bar |\n|---|---|---|')
  line('500 values stored', ms(stored), '')
  line('the same rows by plain SQL', ms(bareStored), '')
  line('ratio', ratio(stored, bareStored), '2')
  line(`10,000 values told (${(told / 1e6).toFixed(1)} MB)`, ms(answered), '')
  line(`the bare statement (${(bare / 1e6).toFixed(1)} MB)`, ms(bareRead), '')
  line('ratio', ratio(answered, bareRead), '3')
  line('1,200 plots with 12,000 values as a table', ms(units), '')
  line('the bare statement', ms(bareUnits), '')
  line('ratio', ratio(units, bareUnits), '3')
  line(
    'memory before and after 120,000 values read by pages',
    `${before.toFixed(0)}, ${after.toFixed(0)} MB`,
    '',
  )
} finally {
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
