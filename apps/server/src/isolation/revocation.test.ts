import { type IncomingMessage, get as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../test-server.ts'
import { canaryInput, foundIn, textOf, word } from './test-canaries.ts'
import { listen } from './test-listen.ts'
import {
  buildWorld,
  codeOf,
  fresh,
  inDays,
  join,
  reader,
  report,
  secretsTo,
  type World,
} from './test-world.ts'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer({ extractor: reader() })
  world = await buildWorld(server, await server.person({ role: 'admin', name: 'Adm' }))
})
afterAll(() => server.stop())

const received = (path: string, headers: Record<string, string> = {}) =>
  world.ask('S', 'GET', path, { headers })
/** Shares one trial with the recipient, who accepts. */
async function shared(trial: string, switches: object): Promise<string> {
  const para = { codigo: await codeOf(world, 'S') }
  const { compartilhamento } = await world.made('D', 'POST', '/api/shares', {
    alvo: { experimento: trial },
    para,
    ...switches,
  })
  await world.made('S', 'POST', `/api/shares/${compartilhamento.id}/accept`)
  return compartilhamento.id
}
/** The day of the calendar, so many days on. */
async function setToday(days: number): Promise<void> {
  await sql`
    create or replace function hoje() returns date language sql stable parallel safe
    as ${sql.lit(`select (now() at time zone 'America/Sao_Paulo')::date + ${days}`)}
  `.execute(server.handle)
}
const revoke = (share: string) => world.made('D', 'DELETE', `/api/shares/${share}`)
/** An own trial with its report. */
async function withReport(): Promise<{ trial: string; document: string; text: string }> {
  const trial = await fresh(world, 'own', 'P')
  const { form, text } = report('own')
  const { document } = await world.made('P', 'POST', '/api/uploads/document', form({ experimentId: trial }))
  return { trial, document: document.id, text }
}

describe('a download by ranges', () => {
  const ENDS: [string, (made: { trial: string; share: string }) => Promise<unknown>][] = [
    ['the share is revoked', ({ share }) => revoke(share)],
    ['the recipient leaves', ({ share }) => world.made('S', 'DELETE', `/api/shares/${share}`)],
    [
      'the report is hidden',
      ({ share }) => world.made('D', 'PUT', `/api/shares/${share}`, { documentos: false }),
    ],
    [
      'the trial is put under embargo',
      ({ trial }) => world.made('D', 'PUT', `/api/experiments/${trial}/embargo`, { ate: inDays(9) }),
    ],
    ['the trial is deleted', ({ trial }) => world.made('D', 'DELETE', `/api/experiments/${trial}`)],
  ]
  test.each(ENDS)('ends with the next range when %s', async (_how, end) => {
    const { trial, document, text } = await withReport()
    const share = await shared(trial, { custos: true, documentos: true })
    const address = `/api/uploads/documents/${document}`
    const first = await received(address, { range: 'bytes=0-9' })
    expect([first.status, first.bytes.toString()]).toEqual([206, text.slice(0, 10)])
    const etag = first.headers.get('etag') ?? ''
    await end({ trial, share })
    for (const headers of [
      { range: 'bytes=10-19' },
      { range: 'bytes=10-19', 'if-range': etag },
      { 'if-none-match': etag },
      {},
    ]) {
      const next = await received(address, headers as Record<string, string>)
      expect([next.status, next.body.code]).toEqual([404, 'document.not_found'])
    }
  })
})

test('a share ends with its last day, and so does what it showed', async () => {
  const { trial, document } = await withReport()
  await shared(trial, { custos: true, documentos: true, ate: inDays(1) })
  const address = `/api/uploads/documents/${document}`
  expect((await received(address)).status).toBe(200)
  await setToday(3)
  // What is kept of what the recipient sees says itself until when.
  await sql`
    update visibilidade set valida_ate = now() where organizacao_id = ${world.organizations.recipient}
  `.execute(server.handle)
  try {
    for (const path of [address, `/api/experiments/${trial}`, `/api/uploads/documents/${document}`])
      expect((await received(path)).status).toBe(404)
    const { body } = await received('/api/experiments?limit=100')
    expect(body.experimentos.map(({ id }: { id: string }) => id)).not.toContain(trial)
    expect(body.total).toBe(body.experimentos.length)
    const overview = await received('/api/dashboard/overview')
    expect(overview.body.total).toBe(body.total)
  } finally {
    await setToday(0)
  }
})

test('an export that runs takes no page of what is no longer shared', async () => {
  const long = 'x'.repeat(190)
  const { experimento } = await world.made('D', 'POST', '/api/experiments', {
    ...experimentInput({
      codigo: null,
      consultoria: `Longa ${long}`,
      cidade: long,
      cultivar: `longa ${long}`,
    }),
    cultura: 'Longa',
  })
  const copies = 12_000
  await sql`
    insert into experimentos select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
    from experimentos e cross join generate_series(1, ${copies}::int) where e.id = ${experimento.id}
  `.execute(server.handle)
  const { colecao } = await world.made('D', 'POST', '/api/collections', {
    nome: 'Longa',
    filtro: { cultura: 'Longa' },
  })
  const { compartilhamento } = await world.made('D', 'POST', '/api/shares', {
    alvo: { colecao: colecao.id },
    para: { codigo: await codeOf(world, 'S') },
  })
  await world.made('S', 'POST', `/api/shares/${compartilhamento.id}/accept`)
  const total = async () => (await received('/api/experiments?cultura=Longa&limit=1')).body.total
  // Twelve thousand are written for whom they are shared with, beside whatever else the machine does.
  await expect.poll(total, { timeout: 120_000, interval: 500 }).toBe(copies + 1)

  const whole = await download('/api/experiments/export?formato=csv&cultura=Longa', async () => undefined)
  expect(rowsIn(whole)).toBe(copies + 1)
  for (const formato of ['csv', 'xlsx']) {
    if (formato === 'xlsx') await world.made('D', 'POST', '/api/shares', again(colecao.id)).then(accept)
    const cut = await download(`/api/experiments/export?formato=${formato}&cultura=Longa`, async () => {
      const { body } = await world.ask('D', 'GET', '/api/shares')
      for (const { id, estado, alvo } of body.compartilhamentos)
        if (estado === 'aceito' && alvo.nome === 'Longa') await revoke(id)
    })
    // What is packed is so small that it may have left already.
    if (formato === 'csv') {
      expect(rowsIn(cut)).toBeGreaterThan(0)
      expect(rowsIn(cut)).toBeLessThan(copies)
    }
    expect(await total()).toBe(0)
    const after = await received(`/api/experiments/export?formato=${formato}&cultura=Longa`)
    expect(textOf(after)).not.toContain(long)
  }
}, 300_000)

const again = (collection: string) => ({
  alvo: { colecao: collection },
  para: { email: world.people.S.email },
})
const accept = ({ compartilhamento: { id } }: { compartilhamento: { id: string } }) =>
  world.made('S', 'POST', `/api/shares/${id}/accept`)
const rowsIn = (bytes: Buffer) => bytes.toString().split('Longa x').length - 1

/** Reads a first piece, waits for `meanwhile`, and takes the rest. */
async function download(path: string, meanwhile: () => Promise<unknown>): Promise<Buffer> {
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const headers = { authorization: `Bearer ${world.people.S.token}` }
    open(`${server.url}${path}`, { agent: false, headers }, done).on('error', fail)
  })
  const pieces: Buffer[] = []
  const first = await new Promise<Buffer>((done) => answer.once('data', done))
  pieces.push(first)
  answer.pause()
  await meanwhile()
  for await (const piece of answer) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('an open stream tells nothing more of what is no longer shared', async () => {
  const trial = await fresh(world, 'other', 'D')
  const share = await shared(trial, {})
  const stream = await listen(server.url, world.people.S.token)
  const change = async () => {
    const { versao } = (await world.made('D', 'GET', `/api/experiments/${trial}`)).experimento
    await world.made('D', 'PUT', `/api/experiments/${trial}`, { ...canaryInput('other', 99), versao })
  }
  await sleep(2_500)
  const before = stream.heard().length
  await change()
  await expect.poll(() => stream.heard().slice(before), { timeout: 8_000 }).toContain('changed')
  await revoke(share)
  await sleep(3_000)
  const told = stream.heard().length
  await change()
  await sleep(3_000)
  expect(stream.heard().slice(told)).not.toContain('changed')
  expect(foundIn(stream.heard(), secretsTo('S', world))).toEqual([])
  stream.stop()
}, 200_000)

test('a lower level holds from the next statement on', async () => {
  const trial = await fresh(world, 'linked', 'D')
  const share = await shared(trial, { custos: true, comentarios: true })
  const address = `/api/experiments/${trial}`
  expect((await received(address)).body.experimento.roi).toBe(canaryInput('linked').roi)
  await world.made('S', 'POST', `${address}/comments`, { texto: 'Pergunta' })
  await world.made('D', 'PUT', `/api/shares/${share}`, { custos: false, comentarios: false })
  expect((await received(address)).body.experimento).toMatchObject({ roi: null, custo_protocolo: null })
  expect((await received(`${address}/comments`)).status).toBe(403)
  const costs = world.canaries.filter(({ kind, trial }) => kind === 'costs' && trial === 'linked')
  for (const path of [
    address,
    '/api/experiments?limit=100&ordem=roi',
    '/api/dashboard/overview',
    '/api/dashboard/correlation?x=teor_argila&y=roi',
    '/api/experiments/export?formato=csv',
    '/api/experiments/export?formato=xlsx',
    '/rest/v1/protocolos_experimentos',
  ])
    expect(foundIn(textOf(await received(path)), costs), path).toEqual([])
  await revoke(share)
  expect((await received(address)).status).toBe(404)
  expect((await world.made('D', 'GET', `${address}/comments`)).comentarios).toMatchObject([
    { texto: 'Pergunta', autor: null, organizacao: 'Fábrica Verde' },
  ])
})

describe('a member who is removed', () => {
  let person: Person
  const ask = (path: string, organization?: string, method = 'GET', body?: unknown) =>
    server.call(method, path, {
      token: person.token,
      ...(organization && { headers: { 'x-organization': organization } }),
      ...(body !== undefined && { body }),
    })
  const { owner } = { owner: () => world.organizations.owner }

  test('acts in its name no more from the next request on', async () => {
    person = await server.person({ name: 'Ex Membro' })
    await join(world, 'D', { organization: owner(), person, papel: 'pesquisador' })
    expect((await ask(`/api/experiments/${world.ids.own.trial}`)).status).toBe(200)
    const stream = await listen(server.url, person.token, { 'x-organization': owner() })
    const { organizacoes } = (await ask('/api/organizations')).body
    const own = organizacoes.find(({ tipo }: { tipo: string }) => tipo === 'pessoal')
    const inAnother = await listen(server.url, person.token, { 'x-organization': own.id })
    await world.made('D', 'DELETE', `/api/organizations/${owner()}/members/${person.id}`)
    // What is open there ends at once, and nothing else.
    await expect.poll(() => stream.ended(), { timeout: 1_000 }).toBe(true)
    expect(inAnother.ended()).toBe(false)
    inAnother.stop()
    for (const path of ['/api/experiments', '/api/dashboard/overview', '/api/events', '/api/profile']) {
      const named = await ask(path, owner())
      expect([named.status, named.body.code]).toEqual([404, 'organization.not_found'])
    }
    expect((await ask(`/api/organizations/${owner()}`)).status).toBe(404)
    expect((await ask(`/api/experiments/${world.ids.own.trial}`)).status).toBe(404)
    const { body } = await ask('/api/organizations')
    expect(body.organizacoes).toMatchObject([{ tipo: 'pessoal', papel: 'dono' }])
    expect(body.ativa).toBe(body.organizacoes[0].id)
    const list = await ask('/api/experiments')
    expect([list.status, list.body.total]).toEqual([200, 0])
    expect(foundIn(textOf(list), world.canaries)).toEqual([])
  }, 200_000)

  test('hears no more of its changes', async () => {
    await join(world, 'D', { organization: owner(), person, papel: 'pesquisador' })
    const stream = await listen(server.url, person.token, { 'x-organization': owner() })
    await fresh(world, 'other', 'D')
    await expect.poll(() => stream.heard(), { timeout: 8_000 }).toContain('changed')
    await sleep(2_500)
    await world.made('D', 'DELETE', `/api/organizations/${owner()}/members/${person.id}`)
    const before = stream.heard().length
    await fresh(world, 'other', 'D')
    await sleep(3_500)
    stream.stop()
    expect(stream.heard().slice(before)).not.toContain('changed')
  }, 200_000)

  test('or leaves, finds nothing of it either', async () => {
    await join(world, 'D', { organization: owner(), person, papel: 'leitor' })
    expect((await ask(`/api/experiments/${world.ids.own.trial}`)).status).toBe(200)
    const left = await ask(`/api/organizations/${owner()}/members/${person.id}`, undefined, 'DELETE')
    expect(left.status).toBe(204)
    expect((await ask(`/api/experiments/${world.ids.own.trial}`)).status).toBe(404)
    expect((await ask(`/api/organizations/${owner()}/members`)).status).toBe(404)
  })

  test('or is blocked, is nobody until that ends', async () => {
    await join(world, 'D', { organization: owner(), person, papel: 'leitor' })
    const stream = await listen(server.url, person.token, { 'x-organization': owner() })
    await world.made('A', 'PUT', `/api/admin/users/${person.id}/blocked`, { blocked: true })
    await expect.poll(() => stream.ended(), { timeout: 1_000 }).toBe(true)
    expect([401, 403]).toContain((await ask('/api/experiments')).status)
    await world.made('A', 'PUT', `/api/admin/users/${person.id}/blocked`, { blocked: false })
    const { body } = await server.call('POST', '/auth/v1/token?grant_type=password', {
      body: { email: person.email, password: person.password },
    })
    person.token = body.access_token
    expect((await ask(`/api/experiments/${world.ids.own.trial}`, owner())).status).toBe(200)
  })

  test('or made a leitor, changes nothing more', async () => {
    await world.made('D', 'PUT', `/api/organizations/${owner()}/members/${person.id}`, {
      papel: 'pesquisador',
    })
    const made = await ask('/api/experiments', owner(), 'POST', experimentInput())
    expect(made.status).toBe(201)
    await world.made('D', 'PUT', `/api/organizations/${owner()}/members/${person.id}`, { papel: 'leitor' })
    const { id } = made.body.experimento
    expect((await ask(`/api/experiments/${id}`, owner(), 'DELETE')).status).toBe(403)
    expect((await ask('/api/experiments', owner(), 'POST', experimentInput())).status).toBe(403)
  })
})

describe('two tabs of one person in two organisations', () => {
  const inName = (organization: string, path: string, method = 'GET', body?: unknown) =>
    world.ask('D', method, path, {
      headers: { 'x-organization': organization },
      ...(body !== undefined && { body }),
    })

  test('never mix', async () => {
    const { owner, spare } = world.organizations
    const made = await inName(spare, '/api/experiments', 'POST', {
      ...experimentInput({ consultoria: 'Só da Reserva', codigo: null }),
      cultura: 'Cevada da Reserva',
    })
    expect(made.body.experimento.organizacao.id).toBe(spare)
    const paths = [
      '/api/experiments?limit=100',
      '/api/dashboard/overview',
      '/api/dashboard/filters',
      '/api/dashboard/map',
      '/api/experiments/export?formato=csv',
      '/rest/v1/experimentos',
      '/api/collections',
      '/api/admin/deleted-experiments',
    ]
    const theirs = world.canaries.filter(({ kind }) => kind === 'words' || kind === 'costs')
    await Promise.all(
      [...paths, ...paths, ...paths].flatMap((path) => [
        inName(owner, path).then((answer) => {
          expect(answer.status, path).toBe(200)
          expect(textOf(answer), path).not.toContain('Reserva')
        }),
        inName(spare, path).then((answer) => {
          expect(answer.status, path).toBe(200)
          expect(foundIn(textOf(answer), theirs), path).toEqual([])
        }),
      ]),
    )
    expect((await inName(owner, `/api/experiments/${made.body.experimento.id}`)).status).toBe(404)
    expect((await inName(spare, `/api/experiments/${world.ids.own.trial}`)).status).toBe(404)
    // A trial is changed in the name of its own organisation alone.
    const change = { ...experimentInput(), versao: 1 }
    const wrong = await inName(owner, `/api/experiments/${made.body.experimento.id}`, 'PUT', change)
    expect(wrong.status).toBe(404)
    expect((await inName(owner, '/api/lookups/culturas')).body.culturas).not.toContain('Cevada da Reserva')
    expect((await inName(spare, '/api/lookups/culturas')).body.culturas).not.toContain(word('own', 'cultura'))
  })

  test('hear each of its own', async () => {
    const { owner, spare } = world.organizations
    const token = world.people.D.token
    const [first, second] = [
      await listen(server.url, token, { 'x-organization': owner }),
      await listen(server.url, token, { 'x-organization': spare }),
    ]
    await sleep(2_500)
    const before = [first.heard().length, second.heard().length]
    await inName(spare, '/api/experiments', 'POST', experimentInput({ codigo: null }))
    await expect.poll(() => second.heard().slice(before[1]), { timeout: 8_000 }).toContain('changed')
    await sleep(1_500)
    expect(first.heard().slice(before[0])).not.toContain('changed')
    first.stop()
    second.stop()
  }, 200_000)
})
