/**
 * What alerts cost: 10,000 of 500 people, each on a view of a crop in a state and a year, a brand or a product; the work that
 * one new trial makes, and that 10,000 imported ones make: run.ts
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  BRANDS,
  CROPS,
  exactMarks,
  meanProductivity,
  PRODUCTS_BY_BRAND,
  STATES,
  totalCost,
  viewQuestion,
} from '@ensaio/domain'
import { addMissingNames } from '../../apps/server/src/catalogue/names.ts'
import { readConfig } from '../../apps/server/src/config.ts'
import { openServerDatabase } from '../../apps/server/src/database/open.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { insertExperiments } from '../../apps/server/src/features/experiments/experiment-writes.repository.ts'
import { trialOfSeed } from '../../apps/server/src/features/reports/test-report-trials.ts'
import { createWatching } from '../../apps/server/src/features/views/watching.service.ts'
import { median } from '../dashboard/measure.ts'

const PEOPLE = 500
const ALERTS_EACH = 20
const IMPORTED = 10_000
const BATCH = 200

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-bench-views-'))
const database = await openServerDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw, handle: owner } = database.owner
try {
  const { rows } = await raw.query<{ id: string }>('select organizacao_id as id from instalacao')
  const organization = rows[0]?.id ?? ''
  const wall = wallOver(database.pool.raw)
  const people = Array.from({ length: PEOPLE }, () => randomUUID())
  await raw.query(
    "insert into auth.users (id, email) select id, id || '@exemplo.com.br' from unnest($1::uuid[]) as p (id)",
    [people],
  )
  await raw.query(
    "insert into membros (organizacao_id, pessoa_id, papel) select $1, id, 'pesquisador' from unnest($2::uuid[]) as p (id) on conflict do nothing",
    [organization, people],
  )
  const products = Object.values(PRODUCTS_BY_BRAND).flat()
  const of = <T>(list: readonly T[], at: number): T => list[at % list.length] as T
  const alerts = people.flatMap((person, p) =>
    Array.from({ length: ALERTS_EACH }, (_, n) => {
      const at = p * ALERTS_EACH + n
      const third = [
        { ano: String(2020 + (at % 11)) },
        { marca: of(BRANDS, at) },
        { produto: of(products, at) },
      ][at % 3]
      const asked = { cultura: of(CROPS, at), estado: of(STATES, Math.floor(at / 11)).sigla, ...third }
      const estado = Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, [value]]))
      return { person, nome: `Vista ${n}`, estado, exatos: exactMarks(viewQuestion(estado)) }
    }),
  )
  await raw.query(
    `with given as (
      select gen_random_uuid() as vista, g.* from json_to_recordset($2::json)
        as g (person uuid, nome text, estado jsonb, exatos json)
    ), put as (
      insert into vistas (id, organizacao_id, dono, nome, nome_busca, estado, criada_por)
      select vista, $1, person, nome, lower(nome), estado, person from given
    )
    insert into alertas (organizacao_id, pessoa_id, vista_id, frequencia, exatos)
    select $1, person, vista, 'por_dia', array(select json_array_elements_text(exatos)) from given`,
    [organization, JSON.stringify(alerts)],
  )
  await raw.query('analyze')

  const watching = createWatching({
    ...{ wall, owner, siteUrl: 'http://localhost' },
    experiments: {
      get: () => {
        throw new Error('only changes are read')
      },
    },
    accounts: { tell: async () => undefined, wakePost: () => undefined },
    tokens: { of: (subject) => subject, subjectOf: (token) => token },
    log: console.error,
  })
  const write = (from: number, count: number) =>
    wall
      .for({ id: people[0] ?? '', organization })
      .transaction()
      .execute(async (transaction) => {
        const records = Array.from({ length: count }, (_, at) => {
          const input = { ...trialOfSeed(from + at), codigo: null }
          const { tratamentos } = input
          return {
            ...{ id: randomUUID(), input },
            produtividadeMedia: meanProductivity(tratamentos) ?? 0,
            custoTotal: totalCost(tratamentos),
            qualidade: { apontamentos: 0, apontamentos_vistos: 0, regras: 1, achados: 0 },
          }
        })
        await addMissingNames(
          transaction,
          records.map(({ input }) => ({
            ...input,
            modalidades: input.tratamentos.map(({ modalidade }) => modalidade),
            produtos: input.tratamentos.flatMap(({ produtos_aplicados }) =>
              produtos_aplicados.map(({ nome }) => nome),
            ),
          })),
        )
        await insertExperiments(transaction, records, { createdBy: people[0] ?? '', depois: {} })
      })
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const notices = async () =>
    Number((await raw.query<{ n: string }>('select count(*) as n from avisos')).rows[0]?.n ?? 0)

  await write(1, 1)
  await watching.look()
  const one: number[] = []
  for (let n = 2; n < 17; n += 1) {
    await write(n, 1)
    one.push(await timed(() => watching.look()))
  }
  const told = await notices()
  for (let at = 0; at < IMPORTED; at += BATCH) await write(100 + at, BATCH)
  const many = await timed(() => watching.look())
  const found = (await notices()) - told

  const line = (what: string, value: string, bar: string) => console.log(`| ${what} | ${value} | ${bar} |`)
  line('alerts', String(alerts.length), '')
  line('one new trial, median', `${median(one).toFixed(0)} ms (${(told / 16).toFixed(0)} notices)`, '50 ms')
  line('10,000 imported trials', `${(many / 1000).toFixed(1)} s (${found} notices)`, '10 s')
} finally {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
}
