import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, fieldsOf, refusal, sheet } from './test-trials.ts'

/** The layout that each seed gives, for ever: the reference's. */
const { casos } = JSON.parse(readFileSync(new URL('./test-layouts.json', import.meta.url), 'utf8')) as {
  casos: ({ delineamento: string; semente: number; ordem: number[][]; a?: number; b?: number } & object)[]
}

let server: TestServer
let of: Asking
let trial: string
beforeAll(async () => {
  server = await startTestServer()
  of = asking(server, await server.person())
  trial = await of.trial()
})
afterAll(() => server.stop())

const draw = (body: object, id = trial) => of.call('POST', `/api/experiments/${id}/plots/layout`, body)

test.each(casos.map((one) => [`${one.delineamento}, seed ${one.semente}`, one] as const))(
  '%s is drawn as ever, and its plots make a sheet',
  async (_name, { ordem, ...asked }) => {
    const drawn = await of.done(draw(asked))
    expect({ semente: drawn.semente, ordem: drawn.ordem }).toEqual({ semente: asked.semente, ordem })
    const { parcelas } = drawn
    expect(parcelas.map(({ tratamento }: { tratamento: number }) => tratamento)).toEqual(ordem.flat())
    const crossed = asked.a !== undefined && asked.b !== undefined
    const most = Math.max(...ordem.flat())
    const numbers = Array.from({ length: most }, (_, at) => at + 1)
    const [first] = (await of.experiment(trial)).tratamentos
    const id = await of.trial({ tratamentos: numbers.map((n) => ({ ...first, nome: `T${n}` })) })
    const put = await of.put(
      id,
      sheet({
        delineamento: asked.delineamento,
        fatores: crossed ? ['A', 'B'].map((chave) => ({ chave, nome: chave, tipo: 'qualitativo' })) : [],
        tratamentos: numbers.map((numero) => ({
          numero,
          niveis: crossed
            ? { A: `a${Math.ceil(numero / (asked.b ?? 1))}`, B: `b${((numero - 1) % (asked.b ?? 1)) + 1}` }
            : null,
        })),
        parcelas,
        valores: [],
        semente: drawn.semente,
        croqui: { origem: 'sorteado aqui' },
      }),
    )
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    expect(put.body.ficha).toMatchObject({ semente: asked.semente, croqui: { origem: 'sorteado aqui' } })
  },
)

test('a seed is proposed, and drawing stores nothing', async () => {
  const [one, other] = await Promise.all([draw({ delineamento: 'DBC' }), draw({ delineamento: 'DBC' })])
  expect(one.body.semente).not.toBe(other.body.semente)
  // Three treatments of the trial in four blocks.
  expect(one.body.ordem.map((block: number[]) => [...block].sort())).toEqual(Array(4).fill([1, 2, 3]))
  const again = await draw({ delineamento: 'DBC', semente: one.body.semente })
  expect(again.body).toEqual(one.body)
  expect((await of.call('GET', `/api/experiments/${trial}/plots`)).status).toBe(404)
})

test('walked in serpentine every second line runs back', async () => {
  const { body } = await draw({ delineamento: 'DBC', semente: 1, serpentina: true })
  const lines = [1, 2].map((bloco) =>
    body.parcelas
      .filter((plot: { bloco: number }) => plot.bloco === bloco)
      .map(({ coluna }: { coluna: number }) => coluna),
  )
  expect(lines).toEqual([
    [1, 2, 3],
    [3, 2, 1],
  ])
})

test('is not drawn again where values exist, and may be where there are none', async () => {
  const empty = await of.planted({ valores: [] })
  expect((await draw({ delineamento: 'DBC' }, empty)).status).toBe(200)
  expect(refusal(await draw({ delineamento: 'DBC' }, await of.planted()))).toEqual({
    status: 409,
    code: 'trial.has_values',
    detail: 'Já há valores nas parcelas: o croqui não pode ser sorteado de novo',
  })
})

test.each([
  ['incomplete blocks', { delineamento: 'DBI' }, { delineamento: /não são sorteados/ }],
  ['a split plot without levels', { delineamento: 'PSUB', a: 3 }, { b: /níveis/ }],
  [
    'more plots than a sheet holds',
    { delineamento: 'DBC', tratamentos: 500, repeticoes: 100 },
    { repeticoes: /2\.000/ },
  ],
  ['a square beyond that', { delineamento: 'DQL', tratamentos: 500 }, { repeticoes: /2\.000/ }],
  ['strips beyond that', { delineamento: 'FAIXAS', a: 50, b: 50, repeticoes: 100 }, { repeticoes: /2\.000/ }],
  ['a seed beyond 32 bits', { delineamento: 'DBC', semente: 2 ** 32 }, { semente: /4\.294\.967\.295/ }],
  ['a design that there is not', { delineamento: 'XYZ' }, { delineamento: /delineamento/ }],
])('%s is refused', async (_what, body, expected) => {
  const answer = await draw(body)
  expect(answer.status).toBe(422)
  for (const [path, sentence] of Object.entries(expected)) expect(fieldsOf(answer)[path]).toMatch(sentence)
})
