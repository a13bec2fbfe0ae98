import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'
import { newClient, report, sizeOf } from './test-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-import-kill-'))
const KILLS = sizeOf('FAULT_IMPORT_KILLS', 3)
const TRIALS = sizeOf('FAULT_IMPORT_TRIALS', 900)
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const TITLES =
  'Código;Consultoria;Marca;BU;Regional;Cidade;UF;Cultura;Cultivar;Ano;Delineamento;Custo do protocolo;Tratamento;Modalidade;Produtividade'
const spreadsheet = () =>
  [
    TITLES,
    ...Array.from({ length: TRIALS }, (_, n) =>
      ['Testemunha;Controle;3000', 'Raiz;Foliar;3300'].map(
        (treatment) => `K-${n};Campo;Aminoagro;BU1;Sul;Londrina;PR;Soja;X ${n};2024;DBC;1500;${treatment}`,
      ),
    ).flat(),
  ].join('\n')

test(
  'kill -9 while an import is written: the next server goes on, none is lost and none is there twice',
  async () => {
    let server = await startServer({ DATA_DIR: dataDir })
    const env = { DATA_DIR: dataDir, PORT: String(server.port) }
    const client = await newClient(server.url)
    const json = (method: string, path: string, body: object) =>
      client.ask(path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const made = await json('POST', '/api/imports', { texto: spreadsheet() })
    expect(made.status).toBe(201)
    const path = `/api/imports/${made.body.importacao.id}`
    const look = async () => (await client.ask(path)).body.importacao
    while ((await look()).estado === 'lendo') await sleep(50)
    const mapped = await json('PUT', `${path}/mapping`, {})
    expect(mapped.body.importacao.resumo).toMatchObject({ novos: TRIALS, com_erro: 0 })
    expect((await json('POST', `${path}/commit`, { atualizar: false })).status).toBe(202)
    let amidst = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(100 + ((kill * 137) % 700))
      server.child.kill('SIGKILL')
      await server.ended
      server = await startServer(env)
      if ((await look()).estado === 'gravando') amidst += 1
    }
    const begun = performance.now()
    while ((await look()).estado === 'gravando' && performance.now() - begun < 120_000) await sleep(200)
    expect(await look()).toMatchObject({ estado: 'concluida', gravados: { criados: TRIALS } })
    expect((await client.ask('/api/experiments?limit=1')).body.total).toBe(TRIALS)
    // Done means that the figures have it.
    expect((await client.ask('/api/dashboard/overview')).body.total).toBe(TRIALS)
    report('import, kill -9', { trials: TRIALS, kills: KILLS, 'while writing': amidst, lost: 0, twice: 0 })
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
  180_000 + KILLS * 40_000,
)
