/**
 * What an import costs: 10,000 rows of 40 columns (2,000 trials) on a server of its own, as ratios in one run. Reading,
 * guessing and understanding over the bare reading of the same workbook; writing over the same rows by batched SQL
 * without triggers; the answer to a corrected cell; what other people wait meanwhile; the server's memory:
 * run.ts [ROWS].
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { readConfig } from '../../apps/server/src/config.ts'
import { joinDatabase } from '../../apps/server/src/database/open.ts'
import { median, signUp, startServer } from '../dashboard/measure.ts'

const rows = Number(process.argv[2] ?? 10_000)
const TREATMENTS = 5
const COLUMNS = 40
const BATCH = 200
const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-bench-import-'))

const HEAD = [
  ...['Código', 'Consultoria', 'Marca', 'BU', 'Regional', 'Cidade', 'UF', 'Cultura', 'Cultivar', 'Safra'],
  ...[
    'Delineamento',
    'Custo do protocolo',
    'Teor de argila (%)',
    'Tratamento',
    'Modalidade',
    'Produto',
    'Dose',
  ],
  ...['Unidade da dose', 'Produtividade (kg/ha)', 'Custo do tratamento (R$/ha)'],
]
const titles = [...HEAD, ...Array.from({ length: COLUMNS - HEAD.length }, (_, at) => `Nota ${at + 1}`)]
const table = Array.from({ length: rows }, (_, at) => {
  const trial = Math.floor(at / TREATMENTS)
  const number = at % TREATMENTS
  const treatment =
    number === 0
      ? ['Testemunha', 'Controle', null, null, null, 3000 + (trial % 500), null]
      : [
          `Manejo ${number}`,
          'Foliar',
          'Amino Boro',
          1.5 * number,
          'L/ha',
          3100.5 + (trial % 500) + number,
          85,
        ]
  return [
    ...[
      `B-${trial}`,
      'Campo Certo',
      'Aminoagro',
      'BU1',
      'Sul',
      'Londrina',
      'PR',
      'Soja',
      `NS ${trial % 40}`,
      '2023/24',
    ],
    ...['DBC', 1500, 45, ...treatment],
    ...Array.from({ length: COLUMNS - HEAD.length }, (_, extra) => (at * 7 + extra) % 9),
  ]
})
const workbook = new Uint8Array(await writeXlsx({ sheets: [{ name: 'Ensaios', rows: [titles, ...table] }] }))

const server = await startServer(dataDir, 3993)
const database = await joinDatabase(readConfig({ ...process.env, DATA_DIR: dataDir }), () => undefined)
const { raw } = database.pool
try {
  const { access_token: token } = await signUp(server.url)
  const headers = { authorization: `Bearer ${token}` }
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...headers,
        ...(body !== undefined && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
    const json = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`)
    return json
  }
  const timed = async (work: () => Promise<unknown>) => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const other = { ...headers, authorization: `Bearer ${(await signUp(server.url)).access_token}` }
  const looks: number[] = []
  let looking = true
  const look = async () => {
    while (looking) {
      looks.push(
        await timed(async () =>
          (await fetch(`${server.url}/api/dashboard/overview`, { headers: other })).text(),
        ),
      )
      await sleep(40)
    }
  }

  const bareReading = Math.min(
    ...[await timed(() => readXlsx(workbook)), await timed(() => readXlsx(workbook))],
  )
  const alone: number[] = []
  for (let n = 0; n < 30; n += 1)
    alone.push(
      await timed(async () =>
        (await fetch(`${server.url}/api/dashboard/overview`, { headers: other })).text(),
      ),
    )

  // As the page does before a file is chosen.
  await ask('GET', '/api/imports')
  const memoryBefore = server.memory().server
  const others = look()
  let id = ''
  const reading = await timed(async () => {
    const form = new FormData()
    form.append('arquivo', new Blob([workbook]), 'bench.xlsx')
    id = (await ask('POST', '/api/imports', form)).importacao.id
    for (;;) {
      const { importacao } = await ask('GET', `/api/imports/${id}`)
      if (importacao.estado !== 'lendo') break
      await sleep(50)
    }
    let { importacao } = await ask('PUT', `/api/imports/${id}/mapping`, {})
    while (importacao.estado !== 'conferir') {
      await sleep(50)
      importacao = (await ask('GET', `/api/imports/${id}`)).importacao
    }
    await ask('GET', `/api/imports/${id}/rows?limit=20`)
  })
  const cells: number[] = []
  for (let n = 0; n < 12; n += 1)
    cells.push(
      await timed(() =>
        ask('PUT', `/api/imports/${id}/cells`, {
          alteracoes: [{ linha: 3 + n * TREATMENTS, coluna: 'P', valor: `Outro ${n}` }],
        }),
      ),
    )
  const writing = await timed(async () => {
    await ask('POST', `/api/imports/${id}/commit`, { atualizar: false })
    for (;;) {
      const { importacao } = await ask('GET', `/api/imports/${id}`)
      if (importacao.estado === 'concluida') break
      if (importacao.estado !== 'gravando') throw new Error(JSON.stringify(importacao.problema))
      await sleep(50)
    }
  })
  looking = false
  await others
  const memoryAfter = server.memory().server

  // The same rows, sent in as many batches into tables of the same columns and keys, with no trigger on them.
  const TABLES = ['experimentos', 'tratamentos', 'produtos_aplicados'] as const
  for (const name of TABLES) await raw.query(`create table bare_${name} (like ${name} including indexes)`)
  const { rows: made } = await raw.query<{ id: string }>('select id from experimentos order by id')
  const batches: Record<(typeof TABLES)[number], string>[] = []
  for (let at = 0; at < made.length; at += BATCH) {
    const ids = made.slice(at, at + BATCH).map((one) => one.id)
    const rowsOf = async (name: string, key: string) =>
      (
        await raw.query<{ rows: string }>(
          `select json_agg(t)::text as rows from ${name} t where ${key} = any ($1)`,
          [ids],
        )
      ).rows[0]?.rows ?? '[]'
    batches.push({
      experimentos: await rowsOf('experimentos', 'id'),
      tratamentos: await rowsOf('tratamentos', 'experimento_id'),
      produtos_aplicados: await rowsOf('produtos_aplicados', 'experimento_id'),
    })
  }
  const bareWriting = await timed(async () => {
    for (const batch of batches) {
      await raw.query('begin')
      for (const name of TABLES)
        await raw.query(
          `insert into bare_${name} select * from json_populate_recordset(null::bare_${name}, $1::json)`,
          [batch[name]],
        )
      await raw.query('commit')
    }
  })

  const undoing = await timed(() => ask('POST', `/api/imports/${id}/undo`))
  const redoing = await timed(() => ask('POST', `/api/imports/${id}/redo`))

  const line = (what: string, value: string, bar: string) => console.log(`| ${what} | ${value} | ${bar} |`)
  console.log(`| ${rows} rows, ${made.length} trials | measured | bar |\n|---|---|---|`)
  line('read, guessed, understood, shown', `${reading.toFixed(0)} ms`, '')
  line('the bare reading', `${bareReading.toFixed(0)} ms`, '')
  line('ratio', (reading / bareReading).toFixed(2), '4')
  line('a corrected cell, median', `${median(cells).toFixed(0)} ms`, '100 ms')
  line('written, figures right', `${writing.toFixed(0)} ms`, '')
  line('the same rows by batched SQL', `${bareWriting.toFixed(0)} ms`, '')
  line('ratio', (writing / bareWriting).toFixed(2), '2')
  line('taken back, figures right', `${undoing.toFixed(0)} ms`, '')
  line('done again', `${redoing.toFixed(0)} ms`, '')
  line("others' median meanwhile over before", (median(looks) / median(alone)).toFixed(2), '1.5')
  line('server memory before, after', `${memoryBefore.toFixed(0)}, ${memoryAfter.toFixed(0)} MB`, '')
} finally {
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
