import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../test-process.ts'
import { experimentInput } from '../test-server.ts'
import { newClient, type Reply, report, sizeOf } from './test-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-values-kill-'))
const KILLS = sizeOf('FAULT_VALUES_KILLS', 3)
const PLOTS = 100
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const VARIABLES = ['campo', 'brapi'].map((chave) => ({
  ...{ chave, nome: chave, unidade: 'cm', tipo: 'continua' },
}))
const SHEET = {
  ...{ versao: 0, delineamento: 'DBC', testemunha: 1, tratamentos: [{ numero: 1 }, { numero: 2 }] },
  variaveis: VARIABLES,
  parcelas: Array.from({ length: PLOTS }, (_, at) => ({
    ...{ numero: 101 + at, tratamento: (at % 2) + 1, bloco: Math.floor(at / 2) + 1 },
  })),
  valores: VARIABLES.map(({ chave }) => ({
    ...{ variavel: chave, avaliacao: null, valores: Array.from({ length: PLOTS }, () => null) },
  })),
}

test(
  'kill -9 while a phone and another application send values: each that was acknowledged is there once',
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
    const made = await json('POST', '/api/experiments', experimentInput())
    const study = made.body.experimento.id
    expect((await json('PUT', `/api/experiments/${study}/plots`, SHEET)).status).toBe(200)
    const pack = (await client.ask(`/api/experiments/${study}/field-package`)).body
    const variableId = (chave: string) =>
      pack.variaveis.find((one: { chave: string }) => one.chave === chave).id

    let stopped = false
    let acknowledged = 0
    /** Sends the same again until there is an answer that says yes. */
    const insist = async (send: () => Promise<Reply>): Promise<void> => {
      for (;;) {
        const answer = await send().catch(() => null)
        if (answer?.status === 200) return
        await sleep(50)
      }
    }
    const sending = async (batch: (round: number) => () => Promise<Reply>, values: number) => {
      let round = 0
      while (!stopped) {
        await insist(batch(++round))
        acknowledged += values
      }
      return round
    }
    const SIZE = 20
    const plotsOf = (round: number) =>
      Array.from({ length: SIZE }, (_, at) => pack.parcelas[(round * SIZE + at) % PLOTS])
    const aparelho = randomUUID()
    const phone = sending((round) => {
      const registros = plotsOf(round).map((plot, at) => ({
        ...{ v: 1, id: randomUUID(), aparelho, seq: round * SIZE + at, experimento: study, pacote: 1 },
        ...{ tipo: 'valor', parcela: plot.id, variavel: variableId('campo'), valor: round, base: null },
        quando: new Date().toISOString(),
      }))
      return () => json('POST', '/api/field/changes', { aparelho, registros })
    }, SIZE)
    const other = sending((round) => {
      const records = plotsOf(round).map((plot, at) => ({
        ...{ observationUnitDbId: plot.id, observationVariableDbId: variableId('brapi') },
        ...{ value: String(round), observationTimeStamp: new Date(1.7e12 + round * 1000).toISOString() },
        externalReferences: [{ referenceId: `${round}-${at}`, referenceSource: 'Field Book Upload' }],
      }))
      return () => json('POST', '/brapi/v2/observations', records)
    }, SIZE)

    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(300 + ((kill * 137) % 500))
      server.child.kill('SIGKILL')
      await server.ended
      server = await startServer(env)
    }
    await sleep(300)
    stopped = true
    const rounds = { campo: await phone, brapi: await other }

    const kept: { origem: string; valor: number; parcela: string; estado: string }[] = []
    for (let cursor = '0', more = true; more; ) {
      const page = (await client.ask(`/api/experiments/${study}/field-changes?after=${cursor}`)).body
      kept.push(...page.registros)
      cursor = page.cursor
      more = page.mais
    }
    expect(kept).toHaveLength(acknowledged)
    expect(new Set(kept.map(({ estado }) => estado))).toEqual(new Set(['aplicado']))
    const { ficha } = (await client.ask(`/api/experiments/${study}/plots`)).body
    for (const chave of ['campo', 'brapi'] as const) {
      const entries = kept.filter(({ origem }) => origem === chave)
      const told = entries.map(({ parcela, valor }) => `${parcela} ${valor}`)
      expect(new Set(told).size).toBe(told.length)
      expect(told).toHaveLength(rounds[chave] * SIZE)
      const last = new Map(entries.map(({ parcela, valor }) => [parcela, valor]))
      const column = ficha.valores.find((one: { variavel: string }) => one.variavel === chave).valores
      expect(column).toEqual(ficha.parcelas.map(({ id }: { id: string }) => last.get(id) ?? null))
    }
    report('values, kill -9', { kills: KILLS, acknowledged, lost: 0, twice: 0 })
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)
  },
  120_000 + KILLS * 40_000,
)
