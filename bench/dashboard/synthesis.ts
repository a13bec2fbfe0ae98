/**
 * What a synthesis costs over its bare statement, and what of it is the thread's arithmetic, with about a thousand and
 * ten thousand trials that have the comparison: synthesis.ts DATA_FOLDER [RUNS]. The folder is filled by load.ts.
 */
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { wallOver } from '../../apps/server/src/database/wall.ts'
import { trialsOf } from '../../apps/server/src/features/synthesis/synthesis.repository.ts'
import { answerQuestion } from '../../apps/server/src/jobs/kernel-questions.ts'
import { median, signUp, startServer } from './measure.ts'

const [dataDir = 'data', runsText = '7'] = process.argv.slice(2)
const runs = Number(runsText)
const SIZES = [1_000, 10_000]

const server = await startServer(dataDir, 3991)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw } = database.pool
const session = await signUp(server.url)
const headers = { authorization: `Bearer ${session.access_token}` }
const { rows: acting } = await raw.query<{ id: string }>('select organizacao_id as id from instalacao')
const handle = wallOver(raw).for({ id: session.user.id, organization: acting[0]?.id ?? '' })
try {
  // Every trial as if its report had told a CV of 6 % in four repetitions.
  // The fold, which such marks would set to work, is not what is measured here.
  const filling = await raw.connect()
  await filling.query("set session_replication_role = 'replica'")
  await filling.query(`
    insert into efeitos (experimento_id, variavel, nome, busca, produtividade, unidade, origem, testemunha,
      n_parcelas, repeticoes, cv, dados, motor)
    select t.experimento_id, 'produtividade', 'Produtividade', 'produtividade', true, 'kg/ha', 'reconstruida', 1,
      4 * count(*), 4, 6, json_build_object('n', json_agg(t.ordem order by t.ordem),
        'm', json_agg(t.produtividade order by t.ordem), 'gl', 3 * (count(*) - 1),
        'd', json_agg(power(0.06 * e.produtividade_media, 2) / 4 order by t.ordem)), 'bench'
    from tratamentos t join experimentos e on e.id = t.experimento_id
    group by t.experimento_id on conflict do nothing`)
  filling.release(true)
  await raw.query('analyze efeitos')
  const { rows } = await raw.query(`
    select p.nome, count(*)::integer as n from contados_produtos a join produtos p on p.id = a.produto_id
    group by 1 order by 2 desc`)
  const taken: number[] = []
  console.log('| trials | request, p95 | statement | ratio | thread, CPU | of a trial |')
  for (const size of SIZES) {
    const nearest = rows.toSorted((a, b) => Math.abs(a.n - size) - Math.abs(b.n - size))[0]
    const query = size > rows[0].n ? { produto: 'a' } : { produto: String(nearest.nome) }
    const url = `${server.url}/api/synthesis?${new URLSearchParams(query)}`
    const asked: number[] = []
    const bare: number[] = []
    const counted: number[] = []
    let n = 0
    for (let run = 0; run <= runs; run++) {
      const one = await timed(async () => {
        const answer = await fetch(url, { headers })
        if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
        await answer.arrayBuffer()
      })
      let json = '[]'
      const statement = await timed(async () => {
        const found = await trialsOf(handle, query, {})
        n = found?.n ?? 0
        json = found?.json ?? '[]'
      })
      const before = process.cpuUsage()
      answerQuestion({
        kind: 'synthesis',
        material: `{"total":${n},"outros":[],"cvs":{},"ensaios":${json}}`,
        query,
      })
      const { user, system } = process.cpuUsage(before)
      if (run === 0) continue
      asked.push(one)
      bare.push(statement)
      counted.push((user + system) / 1000)
    }
    const p95 = asked.toSorted((a, b) => a - b)[Math.ceil(0.95 * asked.length) - 1] ?? 0
    const cpu = median(counted)
    taken.push(cpu / n)
    const cells = [p95, median(bare), median(asked) / median(bare), cpu]
    console.log(
      `| ${n} | ${cells.map((value) => value.toFixed(1)).join(' | ')} | ${((1000 * cpu) / n).toFixed(1)} µs |`,
    )
  }
  const [few = 1, many = 0] = taken
  console.log(`\n10,000 over 1,000 (limit 12): ${((10 * many) / few).toFixed(1)}`)
} finally {
  const emptying = await raw.connect()
  await emptying.query("set session_replication_role = 'replica'")
  await emptying.query(`delete from efeitos where motor = 'bench'`)
  emptying.release(true)
  await database.close()
  await server.stop()
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
