/**
 * What a hundred trials of a loaded installation are held against, once more in the background (advice.md 1), beside
 * the bare reading of the same organisations' newest trials with their products: settle.ts LOADED_DATA_FOLDER [ROUNDS]
 */
import { readConfig } from '../../apps/server/src/config.ts'
import { openDatabase } from '../../apps/server/src/database/open.ts'
import {
  lookAtOthersAgain,
  putReferences,
  readYields,
  usualDoses,
} from '../../apps/server/src/features/trials/quality.repository.ts'
import { cell, median } from '../dashboard/measure.ts'

const [dataDir = 'data', roundsText = '7'] = process.argv.slice(2)
const [PAGE, RECENT] = [100, 1_000]

const database = await openDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), console.error)
const { handle, raw } = database.pool
const taken: Record<string, number[]> = {}
const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  const started = performance.now()
  const given = await work()
  taken[name] = [...(taken[name] ?? []), performance.now() - started]
  return given
}
try {
  for (let round = 0; round < Number(roundsText); round += 1) {
    const { rows } = await raw.query<{ id: string }>(
      'select id from experimentos where deleted_at is null order by md5(id::text || $1) limit $2',
      [String(round), PAGE],
    )
    const ids = rows.map(({ id }) => id)
    await timed('bare reading', () =>
      raw.query(
        `select count(*), sum(a.dose)
         from (select distinct organizacao_id from experimentos where id = any ($1::uuid[])) o
         cross join lateral (select id from experimentos e where e.organizacao_id = o.organizacao_id
           and e.deleted_at is null order by id desc limit ${RECENT}) r
         cross join lateral (select dose from produtos_aplicados a where a.experimento_id = r.id offset 0) a`,
        [ids],
      ),
    )
    const doses = await timed('medians', () => usualDoses(handle, ids))
    const lidas = await timed('readings', () => readYields(handle, ids))
    const references = ids.map((id) => ({ id, doses: doses.get(id) ?? [], lidas: lidas.get(id) ?? [] }))
    await timed('kept', () => putReferences(handle, references))
    await timed('others', () => lookAtOthersAgain(handle, ids))
  }
  console.log('| a hundred trials | ms: median (fastest) | of the bare reading |\n|---|---|---|')
  for (const [name, times] of Object.entries(taken))
    console.log(
      `| ${name} | ${cell(times)} | ${(median(times) / median(taken['bare reading'] ?? [])).toFixed(1)} |`,
    )
} finally {
  await database.close()
}
