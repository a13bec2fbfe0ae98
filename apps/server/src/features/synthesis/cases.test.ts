import { readFileSync } from 'node:fs'
import { compare } from '@ensaio/statistics/reference'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

const FOLDER = new URL('../../../../../packages/statistics/src/reference/cases-many/', import.meta.url)

interface Trial {
  ambiente?: string
  experimento: {
    cultura: string
    regional?: string
    teor_argila?: number
    estatistica_informada?: unknown
    tratamentos: { nome: string; produtos?: string[]; produtividade?: number }[]
  }
  parcelas?: object
}
interface Case {
  experimentos: Trial[]
  consultas: { caminho: string; consulta: Record<string, string>; esperado: unknown }[]
}

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
})
afterAll(() => server.stop())

/** The case's trials and sheets, as a client of the API enters them. @returns environments by the trials' ids */
async function entered({ experimentos }: Case, consultoria: string): Promise<Map<string, string>> {
  const [template] = experimentInput().tratamentos
  const [, other] = experimentInput().tratamentos
  const environments = new Map<string, string>()
  for (const [at, { ambiente, experimento, parcelas }] of experimentos.entries()) {
    const { status, body } = await server.call('POST', '/api/experiments', {
      token: person.token,
      body: experimentInput({
        ...experimento,
        consultoria,
        ano: 2020 + (at % 11),
        tratamentos: experimento.tratamentos.map(({ nome, produtos = [], produtividade }) => ({
          ...template,
          nome,
          produtividade: produtividade ?? 3000,
          produtos_aplicados: produtos.map((produto) => ({
            ...other?.produtos_aplicados[0],
            nome: produto,
          })),
        })),
      } as never),
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const { id } = body.experimento
    environments.set(id, ambiente ?? '')
    if (!parcelas) continue
    const put = await server.call('PUT', `/api/experiments/${id}/plots`, {
      token: person.token,
      body: { versao: 0, ...parcelas },
    })
    expect(put.status, JSON.stringify(put.body)).toBe(200)
  }
  return environments
}

describe('the cases of many trials, as conversations with the server', () => {
  test.each(['m22-sintese.json', 'm23-conjunta-trigo.json'])('%s', async (name) => {
    const item = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Case
    const environments = await entered(item, name)
    for (const { caminho, consulta, esperado } of item.consultas) {
      const query = new URLSearchParams({ ...consulta, consultoria: name })
      const { status, body } = await server.call('GET', `${caminho}?${query}`, { token: person.token })
      expect(status, JSON.stringify(body)).toBe(200)
      for (const trial of body.conjunta?.ensaios ?? [])
        trial.ambiente = environments.get(trial.experimento_id)
      expect(compare(esperado, body, { scale: 10 })).toEqual([])
    }
  })
})
