/**
 * What looking at a trial costs its saving (advice.md 6: 5 %): the largest sheet put again, a trial with that sheet saved,
 * and the look alone in a transaction that is taken back, in one run on a server of its own: save.ts
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { createQuality } from '../../apps/server/src/features/trials/quality.service.ts'
import { sheetOf } from '../../apps/server/src/features/trials/sheets.repository.ts'
import { asking, median, signUp, startServer } from '../dashboard/measure.ts'
import { changesOf, largestTrial } from '../field/largest-trial.ts'

const ROUNDS = 15
const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-bench-save-'))
const server = await startServer(dataDir, 3998)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { handle, raw } = database.pool
try {
  const { access_token: token, user } = await signUp(server.url)
  const ask = asking(server.url, token)
  const { id, ficha } = await largestTrial(server.url, token)
  const values = Map.groupBy(changesOf(id, ficha, 1), ({ variavel }) => variavel)
  const valores = ficha.variaveis.map((one, at) => ({
    variavel: `v${at}`,
    avaliacao: null,
    valores: values.get(one.id)?.map(({ valor }, plot) => valor + ((plot * 7) % 13)) ?? [],
  }))
  const quality = await createQuality({ owner: handle })
  const { rows } = await raw.query<{ id: string }>(
    'select organizacao_id as id from membros where pessoa_id = $1',
    [user.id],
  )
  const member = wallOver(raw).for({ id: user.id, organization: rows[0]?.id ?? '' })
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const [sheets, trials, looks, looksAnew]: number[][] = [[], [], [], []]
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ficha: now } = await ask('GET', `/api/experiments/${id}/plots`)
    const { alterada_em: _, alterada_por: __, textos: ___, ...sheet } = now
    const first = valores.map((column, at) =>
      at === 0 ? { ...column, valores: column.valores.map((value) => value + round) } : column,
    )
    const put = await timed(() => ask('PUT', `/api/experiments/${id}/plots`, { ...sheet, valores: first }))
    const { experimento } = await ask('GET', `/api/experiments/${id}`)
    const save = await timed(() =>
      ask('PUT', `/api/experiments/${id}`, { ...experimento, cultivar: `Cultivar ${round}` }),
    )
    const stored = (await sheetOf(member, id)) ?? undefined
    const alone = (given: typeof stored) =>
      timed(() =>
        member
          .transaction()
          .execute(async (transaction) => {
            await quality.keep(transaction, id, given)
            throw new Error('taken back')
          })
          .catch((error: Error) => {
            if (error.message !== 'taken back') throw error
          }),
      )
    const [look, anew] = [await alone(stored), await alone(undefined)]
    if (round === 0) continue
    sheets?.push(put)
    trials?.push(save)
    looks?.push(look)
    looksAnew?.push(anew)
  }
  const ms = (times: readonly number[] = []) => `${median(times).toFixed(1)} ms`
  const share = (of: readonly number[] = []) => {
    const look = median(looks ?? [])
    return `${((100 * look) / (median(of) - look)).toFixed(1)} %`
  }
  console.log('| 1,200 plots, 12,000 values | median | the look over the rest |\n|---|---|---|')
  console.log(`| the sheet put again | ${ms(sheets)} | ${share(sheets)} |`)
  console.log(`| the trial saved | ${ms(trials)} | ${share(trials)} |`)
  console.log(`| the look alone | ${ms(looks)} | |`)
  console.log(`| with the sheet read anew | ${ms(looksAnew)} | |`)
} finally {
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
