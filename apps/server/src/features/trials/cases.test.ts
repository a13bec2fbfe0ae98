import { readdirSync, readFileSync } from 'node:fs'
import { compare } from '@ensaio/statistics/reference'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

const REFERENCE = new URL('../../../../../packages/statistics/src/reference/', import.meta.url)
/** Of one trial: its analysis, and its economics. */
const NAMES = [
  ...readdirSync(new URL('cases/', REFERENCE)).flatMap((name) =>
    /^m\d\d-/.test(name) ? [`cases/${name}`] : [],
  ),
  'cases-many/m25-economia.json',
]

/** What the file's own double precision lost, and 60 digits tell otherwise (box-cox.test.ts of the kernel). */
const KNOWN: Record<string, string> = { 'cases/m18-dose-semeadura.json': '/analise/box_cox/ic_baixo' }

interface Case {
  id: string
  experimento?: {
    cultura: string
    tratamentos: { nome: string; produtividade?: number; custo?: number }[]
    estatistica_informada?: unknown
  }
  parcelas?: { valores: { valores: (number | number[] | null)[] }[] }
  consultas: { caminho: string; consulta: Record<string, string> | []; esperado: unknown }[]
}

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer()
  person = await server.person()
})
afterAll(() => server.stop())

/** The case's trial and sheet, as a client of the API enters them. @returns the trial's id */
async function entered({ experimento, parcelas }: Case): Promise<string> {
  const [template] = experimentInput().tratamentos
  const { status, body } = await server.call('POST', '/api/experiments', {
    token: person.token,
    body: experimentInput({
      cultura: experimento?.cultura ?? 'Soja',
      ...(experimento?.estatistica_informada
        ? { estatistica_informada: experimento.estatistica_informada }
        : {}),
      tratamentos: experimento?.tratamentos.map(({ nome, produtividade = 3000, custo = null }) => ({
        ...template,
        nome,
        produtividade,
        custo,
      })),
    } as never),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const { id } = body.experimento
  if (!parcelas) return id
  const put = await server.call('PUT', `/api/experiments/${id}/plots`, {
    token: person.token,
    body: { versao: 0, ...parcelas },
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  return id
}

describe('the cases of the reference, as conversations with the server', () => {
  for (const name of NAMES) {
    test(name, async () => {
      const item = JSON.parse(readFileSync(new URL(name, REFERENCE), 'utf8')) as Case
      const id = item.experimento ? await entered(item) : ''
      for (const { caminho, consulta, esperado } of item.consultas) {
        const query = new URLSearchParams(Array.isArray(consulta) ? {} : consulta)
        const { status, body } = await server.call('GET', `${caminho.replace(':id', id)}?${query}`, {
          token: person.token,
        })
        expect(status, JSON.stringify(body)).toBe(200)
        const values = item.parcelas?.valores.flatMap(({ valores }) => valores.flat()) ?? [1]
        const scale = Math.max(...values.map((value) => Math.abs(Number(value ?? 0))))
        const differences = compare(esperado, body, { scale, reml: body.analise?.anova.metodo === 'reml' })
        expect(differences.filter((line) => !KNOWN[name] || !line.startsWith(KNOWN[name]))).toEqual([])
      }
    })
  }
})
