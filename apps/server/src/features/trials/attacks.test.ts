import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, refusal, sheet, treatments, variable, YIELDS, yields } from './test-trials.ts'

/** What people send who mean harm, or very much. */
let server: TestServer
let of: Asking
let token: string
let trial: string
beforeAll(async () => {
  server = await startTestServer()
  const person = await server.person()
  token = person.token
  of = asking(server, person)
  trial = await of.planted()
})
afterAll(() => server.stop())

const address = (path: string) => `/api/experiments/${trial}/${path}`
const WRITES: [string, string][] = [
  ['PUT', 'plots'],
  ['POST', 'plots/cells'],
  ['POST', 'plots/layout'],
  ['POST', 'analyses'],
]

describe('bodies', () => {
  const deep = (n: number) => `${'{"a":'.repeat(n)}1${'}'.repeat(n)}`
  const odd: [string, string][] = [
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['not JSON', '{"versao": NaN}'],
    ['nested deeply', deep(5000)],
    ['nested', deep(60)],
    ['members called as of every object', '{"__proto__":{"versao":1},"constructor":{"prototype":{"x":1}}}'],
    ['every member null', JSON.stringify(Object.fromEntries(Object.keys(sheet()).map((key) => [key, null])))],
    [
      'every member a number',
      JSON.stringify(Object.fromEntries(Object.keys(sheet()).map((key) => [key, 1e308]))),
    ],
    [
      'every member a text',
      JSON.stringify(Object.fromEntries(Object.keys(sheet()).map((key) => [key, '\ud800']))),
    ],
    [
      'every member a list of them',
      JSON.stringify(Object.fromEntries(Object.keys(sheet()).map((key) => [key, [null, 1, 'x', [], {}]]))),
    ],
    ['numbers beyond all', JSON.stringify(sheet()).replace('"versao":0', '"versao":1e999')],
    ['a version that is none', JSON.stringify(sheet()).replace('"versao":0', '"versao":-1.5')],
  ]
  test.each(odd)('%s is refused or harmless', async (_what, body) => {
    for (const [method, path] of WRITES) {
      if (path === 'analyses' && body.length < 300) continue
      const answer = await of.call(method, address(path), body)
      expect([200, 201, 400, 409, 413, 422], `${method} ${path}: ${answer.status}`).toContain(answer.status)
      if (path !== 'analyses') expect(answer.status, path).toBeGreaterThanOrEqual(400)
    }
    expect((await of.ficha(trial)).versao).toBe(1)
  })

  test('texts that a database does not keep are refused or cleaned', async () => {
    for (const text of ['a\u0000b', '\ud800 solto', '\u202etrocado', '\u0007'.repeat(6)]) {
      const body = {
        ...sheet(),
        ...{ variaveis: [variable('x', { nome: `N${text}`, unidade: text })], valores: [] },
        exclusoes: [{ parcela: 101, motivo: `motivo ${text}` }],
        avaliacoes: [{ chave: 'd', nome: `D${text}`, estadio: text.slice(0, 9) }],
        tratamentos: [1, 2, 3].map((numero) => ({ numero, nome: text, niveis: null })),
        parcelas: sheet().parcelas.map((plot) => ({ ...plot, observacao: text })),
      }
      const put = await of.put(await of.trial(), body)
      expect([200, 422], JSON.stringify([text, put.body])).toContain(put.status)
      const record = await of.record(trial, { titulo: text, conclusao: text }, { 'idempotency-key': 'k' })
      expect([201, 400, 422], JSON.stringify([text, record.body])).toContain(record.status)
      const { registros } = await of.done(of.call('GET', address('analyses')))
      const id = registros[0]?.id ?? trial
      const withdrawn = await of.call('DELETE', address(`analyses/${id}`), { motivo: text })
      expect([204, 400, 404, 422], JSON.stringify(withdrawn.body)).toContain(withdrawn.status)
      const q = encodeURIComponent(text.replace('\ud800', 'x'))
      for (const path of [
        address(`analysis?variavel=${q}&avaliacao=${q}&covariavel=${q}`),
        `/api/planning/cv?cultura=${q}&variavel=${q}`,
        address(`plots/export?formato=csv&tipo=${q}`),
      ])
        expect((await of.call('GET', path)).status, path).toBeLessThan(500)
    }
    expect((await of.call('GET', address('analysis?variavel=%00&variavel=a&variavel[]=b'))).status).toBe(422)
    expect((await of.call('GET', address('analysis?__proto__=1&constructor=2'))).status).toBe(200)
  })

  test('keys that every object has are names as any other', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const id = await of.trial({ tratamentos: treatments(1, 1, 1, 1) })
    const body = sheet({
      fatores: [{ chave: 'A', nome: '__proto__', tipo: 'qualitativo' }],
      tratamentos: names.map((level, at) => ({ numero: at + 1, niveis: { A: level }, nome: level })),
      variaveis: ['constructor', 'tostring'].map((chave) => variable(chave, { nome: chave })),
      parcelas: [1, 2, 3].flatMap((bloco) =>
        names.map((_, at) => ({ numero: bloco * 10 + at, tratamento: at + 1, bloco })),
      ),
      valores: [{ variavel: 'constructor', avaliacao: null, valores: YIELDS }],
    })
    await of.done(of.put(id, body))
    for (const query of [
      '',
      '?variavel=constructor&excluir_constantes=1',
      '?variavel=constructor&origem=parcelas',
    ]) {
      const answer = await of.analysis(id, query)
      expect([200, 422], JSON.stringify(answer.body).slice(0, 200)).toContain(answer.status)
    }
    expect((await of.analysis(id, '?variavel=toString')).status).toBe(422)
    expect((await of.record(id)).status).toBe(201)
    expect(({} as Record<string, unknown>).versao).toBeUndefined()
  })
})

test('ids that are forged, and a session that has ended', async () => {
  for (const id of [
    '1',
    '%00',
    '..%2f..',
    '01900000-0000-7000-8000-00000000ffff',
    "'; drop table fichas; --",
  ])
    for (const path of ['plots', 'analysis', 'analyses', `analyses/${id}`, 'plots/export?formato=csv'])
      expect(
        (await of.call('GET', `/api/experiments/${encodeURI(id)}/${path}`)).status,
        `${id} ${path}`,
      ).toBe(404)
  const gone = await server.person()
  const theirs = asking(server, gone)
  const id = await theirs.planted()
  await server.call('POST', '/auth/v1/logout', { token: gone.token })
  for (const path of ['plots', 'analysis', 'analyses'])
    expect((await theirs.call('GET', `/api/experiments/${id}/${path}`)).status).toBe(401)
  expect((await theirs.put(id, sheet({ versao: 1 }))).status).toBe(401)
})

test('a closed organisation reads and changes nothing', async () => {
  const one = await startTestServer()
  try {
    const admin = await one.person({ role: 'admin' })
    await one.call('PUT', '/api/admin/installation', { token: admin.token, body: { organizacoes: 'varias' } })
    const owner = await one.person()
    const theirs = asking(one, owner)
    const { organizacao } = await theirs.done(
      theirs.call('POST', '/api/organizations', { nome: 'Vai fechar', tipo: 'fazenda' }),
    )
    await theirs.done(theirs.call('PUT', '/api/profile/organization', { id: organizacao.id }))
    const id = await theirs.planted()
    await theirs.done(
      theirs.call('POST', `/api/organizations/${organizacao.id}/close`, {
        nome: 'Vai fechar',
        currentPassword: owner.password,
      }),
    )
    expect((await theirs.analysis(id)).status).toBe(200)
    const changes = [
      await theirs.put(id, sheet({ versao: 1 })),
      await theirs.patch(id, [{ parcela: 101, variavel: 'produtividade', antes: 3010, valor: 1 }]),
      await theirs.record(id),
      await theirs.call('DELETE', `/api/experiments/${id}/plots`),
    ]
    for (const answer of changes) expect(refusal(answer)).toMatchObject({ code: 'organization.closed' })
  } finally {
    await one.stop()
  }
})

describe('very much', () => {
  const MANY = 500
  const wide = (n: number) => ({
    delineamento: 'DBC',
    tratamentos: Array.from({ length: n }, (_, at) => ({ numero: at + 1 })),
    parcelas: Array.from({ length: n * 4 }, (_, at) => ({
      ...{ numero: at + 1, tratamento: (at % n) + 1, bloco: Math.floor(at / n) + 1 },
    })),
    valores: yields(Array.from({ length: n * 4 }, (_, at) => 3000 + (at % n) * 3 + ((at * 7919) % 400))),
  })
  const big = async (n: number) => {
    const id = await of.trial({ tratamentos: treatments(...Array.from({ length: n }, () => 3000)) })
    await of.done(of.put(id, sheet(wide(n))))
    return id
  }
  /** Longest that the loop, which is the test's own too, does nothing else meanwhile. */
  async function longestHold(work: () => Promise<unknown>): Promise<number> {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    await work()
    delay.disable()
    return delay.max / 1e6
  }
  /** Without the answer being read into anything. */
  const bytesOf = async (path: string): Promise<number> => {
    const answer = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return (await answer.arrayBuffer()).byteLength
  }

  test('a sheet of 2,000 plots and 100,000 values is kept and read', async () => {
    const variaveis = Array.from({ length: 40 }, (_, at) => variable(`v${at}`))
    const avaliacoes = Array.from({ length: 30 }, (_, at) => ({
      chave: `d${at}`,
      nome: `${at} DAA`,
      daa: at,
    }))
    const { parcelas, tratamentos } = wide(MANY)
    const valores = Array.from({ length: 50 }, (_, at) => ({
      variavel: `v${at % 40}`,
      avaliacao: `d${Math.floor(at / 40)}`,
      valores: parcelas.map((_, plot) => plot + at / 8),
    }))
    const id = await of.trial({ tratamentos: treatments(...tratamentos.map(() => 3000)) })
    const wait = await longestHold(() =>
      of.done(of.put(id, sheet({ tratamentos, parcelas, variaveis, avaliacoes, valores }))),
    )
    expect(wait).toBeLessThan(4000)
    expect((await of.ficha(id)).valores).toEqual(valores)
    const one = { parcela: 7, variavel: 'v3', avaliacao: 'd0', antes: valores[3]?.valores[6], valor: -1 }
    expect((await of.patch(id, [one])).status).toBe(200)
    for (const formato of ['csv', 'xlsx'])
      expect((await of.call('GET', `/api/experiments/${id}/plots/export?formato=${formato}`)).status).toBe(
        200,
      )
    // A hundred thousand values over the wire, five times.
  }, 200_000)

  test('the largest trial is analysed beside the loop', async () => {
    const id = await big(MANY)
    let bytes = 0
    const wait = await longestHold(async () => {
      bytes = await bytesOf(`/api/experiments/${id}/analysis`)
    })
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(wait).toBeLessThan(8000)
  })

  test('many heavy ones of one person leave another their turn', async () => {
    const id = await big(100)
    const other = asking(server, await server.person())
    const small = await other.planted()
    const heavy = Array.from({ length: 12 }, (_, at) =>
      of.analysis(
        id,
        `?alfa=${['0.01', '0.05', '0.1'][at % 3]}&transformacao=${['log', 'raiz', 'log1', 'raiz_0_5'][at % 4]}`,
      ),
    )
    await sleep(300)
    const started = performance.now()
    const { status } = await other.analysis(small)
    const waited = performance.now() - started
    const answers = await Promise.all(heavy)
    expect(status).toBe(200)
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true)
    expect(waited).toBeLessThan(8000)
  })
})
