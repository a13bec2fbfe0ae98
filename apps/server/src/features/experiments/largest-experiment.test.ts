import { setTimeout as sleep } from 'node:timers/promises'
import type { ExperimentInput } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'

let server: TestServer
let ana: Person
let bia: Person
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person()
  bia = await server.person()
})
afterAll(() => server.stop())

/** As many treatments, products and analyses as an experiment may hold, with names as long as they may be. */
const largest: ExperimentInput = experimentInput({
  tratamentos: Array.from({ length: 500 }, (_, row) => ({
    nome: row === 0 ? 'Testemunha' : `${row} `.padEnd(200, 'x'),
    modalidade: `${row % 30} `.padEnd(200, 'm'),
    produtividade: row,
    custo: row,
    // Some hold none, and it is theirs that must not be somebody else's.
    produtos_aplicados: Array.from({ length: row % 2 === 0 ? 8 : 0 }, (_, at) => ({
      nome: `${(row * 4 + at) % 200} `.padEnd(200, 'p'),
      dose: row + at / 10,
      unidade: 'L/ha' as const,
      custo: at,
    })),
    analises_adicionais: Array.from({ length: row < 50 ? 100 : 0 }, (_, at) => ({
      nome: `${row} ${at} `.padEnd(200, 'a'),
      valor: row * 1000 + at,
      unidade: 'cm',
    })),
  })),
})

/** Experiments that the server said it had made. */
let made = 0
const create = async (who: Person, body: ExperimentInput) => {
  const answer = await server.call('POST', '/api/experiments', { token: who.token, body })
  if (answer.status === 201) made += 1
  return answer
}

test('the largest experiment is kept as it was sent, with names that are new and with known ones', async () => {
  for (const _ of ['new names', 'known names']) {
    const { status, body } = await create(ana, largest)
    expect(status).toBe(201)
    expect(body.experimento.tratamentos).toEqual(largest.tratamentos)
    const read = await server.call('GET', `/api/experiments/${body.experimento.id}`, { token: bia.token })
    const { permissoes: _, ...kept } = body.experimento
    expect(read.body.experimento).toMatchObject(kept)
  }
}, 200_000)

test('an experiment without products and analyses has empty lists of them', async () => {
  const [control] = experimentInput().tratamentos
  const { body } = await create(ana, experimentInput({ tratamentos: control ? [control] : [] }))
  expect(body.experimento.tratamentos).toMatchObject([{ produtos_aplicados: [], analises_adicionais: [] }])
})

test('while one person saves twenty of the largest at once, another one reads their list', async () => {
  let going = 20
  const creates = Array.from({ length: going }, async () => {
    const { status } = await create(ana, largest)
    going -= 1
    return status
  })
  await sleep(200)
  let answered = 0
  while (going > 0) {
    const started = performance.now()
    const { status } = await server.call('GET', '/api/experiments?limit=5', { token: bia.token })
    expect(status).toBe(200)
    expect(performance.now() - started).toBeLessThan(5_000)
    if (going > 0) answered += 1
  }
  expect(answered).toBeGreaterThan(0)
  // Who has to wait too long for a place of their own is told to come back.
  const statuses = await Promise.all(creates)
  expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([])
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(4)
}, 120_000)

test('the figures count every one of the largest', { timeout: 200_000 }, async () => {
  // Each of them shows what is told as made a moment later; who was told to come back has made nothing.
  for (const path of ['/api/dashboard/overview', '/api/experiments?limit=1'])
    await vi.waitFor(
      async () => expect((await server.call('GET', path, { token: bia.token })).body.total, path).toBe(made),
      { timeout: 150_000, interval: 500 },
    )
})
