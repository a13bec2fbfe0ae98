import { randomUUID } from 'node:crypto'
import { contract, type Endpoint, UNGIVEN, urlOf } from '@ensaio/domain'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { experimentInput, startTestServer, type TestServer } from '../test-server.ts'
import { brandOf, foundIn, textOf, word } from './test-canaries.ts'
import {
  buildWorld,
  type Caller,
  codeOf,
  fresh,
  inDays,
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

const PLAIN = { ...experimentInput(), ...UNGIVEN }
const told = (caller: Caller, answer: Parameters<typeof textOf>[0]) =>
  foundIn(textOf(answer), secretsTo(caller, world))

/** Those that need nothing but a session. */
const simple = Object.entries<Endpoint>(contract).filter(
  ([, { access, method, params, query }]) =>
    access === 'session' && method === 'GET' && !params && (!query || query.safeParse({}).success),
)

describe('an organisation that the person is not a member of', () => {
  const forged = () => [
    world.organizations.owner,
    world.organizations.owner.toUpperCase(),
    randomUUID(),
    'x',
    '',
    '*',
    "' or true --",
    `${world.organizations.other},${world.organizations.owner}`,
    `{${world.organizations.owner}}`,
  ]
  test.each(simple)("is nobody's to act for: %s", async (_name, endpoint) => {
    for (const asked of forged()) {
      const answer = await world.ask('O', 'GET', urlOf(endpoint), { headers: { 'x-organization': asked } })
      expect([answer.status, answer.body.code], asked).toEqual([404, 'organization.not_found'])
      expect(told('O', answer)).toEqual([])
    }
  })

  test('is not acted for by what writes either', async () => {
    for (const caller of ['S', 'O', 'A'] as const)
      for (const asked of forged()) {
        const headers = { 'x-organization': asked }
        for (const [method, path, body] of [
          ['POST', '/api/experiments', PLAIN],
          ['POST', '/api/uploads/document', report('any', 'a.pdf').form()],
          ['POST', '/api/collections', { nome: 'x', filtro: {} }],
          ['DELETE', `/api/experiments/${world.ids.own.trial}`, undefined],
          ['POST', `/api/experiments/${world.ids.shared.trial}/comments`, { texto: 'x' }],
          ['PUT', `/api/admin/installation`, { organizacoes: 'varias' }],
        ] as const) {
          const { status, body: said } = await world.ask(caller, method, path, {
            headers,
            ...(body !== undefined && { body }),
          })
          expect([status, said.code], `${caller} ${method} ${path}`).toEqual([404, 'organization.not_found'])
        }
      }
  })

  test('opens nothing in the other dialects', async () => {
    for (const asked of forged())
      for (const path of ['/rest/v1/experimentos', '/rest/v1/fabricantes', '/api/lookups/marcas']) {
        const answer = await world.ask('O', 'GET', path, { headers: { 'x-organization': asked } })
        expect(answer.status).toBeLessThan(500)
        expect(told('O', answer), path).toEqual([])
      }
  })

  test('is not kept with a session', async () => {
    for (const id of [world.organizations.owner, world.organizations.spare, randomUUID()]) {
      const { status, body } = await world.ask('O', 'PUT', '/api/profile/organization', { body: { id } })
      expect([status, body.code]).toEqual([404, 'organization.not_found'])
    }
    expect((await world.made('O', 'GET', '/api/organizations')).ativa).toBe(world.organizations.other)
  })
})

describe('a body that says whose it is', () => {
  const lies = () => ({
    ...{ id: world.ids.own.trial, organizacao_id: world.organizations.owner, acervo_id: 1, versao: 7 },
    ...{ organizacao: { id: world.organizations.owner, nome: 'x' }, relacao: 'compartilhada' },
    ...{ created_by: world.people.D.id, created_by_name: word('nome', 'dono'), deleted_at: null },
    ...{ documento_id: world.ids.own.document.id, pdf_filename: 'x.pdf', embargo_ate: inDays(3) },
    ...{ permissoes: { editar: true }, pessoa_id: world.people.D.id, papel: 'dono' },
  })
  const fields = () => ({
    organizacao_id: world.organizations.owner,
    created_by: world.people.D.id,
    documento_id: world.ids.own.document.id,
  })
  const honest = () => ({
    organizacao: { id: world.organizations.other, nome: 'Outra Lavoura' },
    ...{ created_by: world.people.O.id, relacao: 'propria', embargo_ate: null, pdf_filename: null },
  })

  test("makes a trial of the sender's own", async () => {
    const made = await world.made('O', 'POST', '/api/experiments', { ...PLAIN, ...lies() })
    expect(made.experimento).toMatchObject({ ...honest(), versao: 1 })
    expect(made.experimento.id).not.toBe(world.ids.own.trial)
    const { id } = made.experimento
    expect((await world.ask('D', 'GET', `/api/experiments/${id}`)).status).toBe(404)
    const changed = await world.made('O', 'PUT', `/api/experiments/${id}`, { ...PLAIN, ...lies(), versao: 1 })
    expect(changed.experimento).toMatchObject({ ...honest(), versao: 2, id })
    expect((await world.made('O', 'GET', `/api/uploads/documents?experimentId=${id}`)).documents).toEqual([])
    const dados = JSON.stringify({ ...PLAIN, ...lies() })
    const form = report('any', 'a.pdf').form({ ...fields(), dados })
    const { experimento } = await world.made('O', 'POST', '/api/experiments', form)
    expect(experimento).toMatchObject({ ...honest(), pdf_filename: 'a.pdf' })
  })

  test("makes a document of the sender's own", async () => {
    const { document } = await world.made(
      'O',
      'POST',
      '/api/uploads/document',
      report('any', 'a.pdf').form(fields()),
    )
    expect(document.experimento_id).toBe(null)
    const found = await world.ask('D', 'GET', `/api/uploads/documents/${document.id}`)
    expect(found.status).toBe(404)
  })

  test("makes collections, shares, links and comments of the sender's own", async () => {
    const { colecao } = await world.made('O', 'POST', '/api/collections', {
      ...lies(),
      nome: 'Minha',
      filtro: {},
    })
    expect(colecao.n).toBe((await world.made('O', 'GET', '/api/experiments')).total)
    const names = (await world.made('D', 'GET', '/api/collections')).colecoes
    expect(names.map(({ id }: { id: string }) => id)).not.toContain(colecao.id)

    const { compartilhamento } = await world.made('O', 'POST', '/api/shares', {
      ...lies(),
      alvo: { tudo: true },
      para: { codigo: await codeOf(world, 'S') },
    })
    const sent = (await world.made('D', 'GET', '/api/shares')).compartilhamentos
    expect(sent.map(({ id }: { id: string }) => id)).not.toContain(compartilhamento.id)

    const { experimento } = await world.made('O', 'POST', '/api/experiments', PLAIN)
    const address = `/api/experiments/${experimento.id}`
    const { comentario } = await world.made('O', 'POST', `${address}/comments`, {
      ...lies(),
      ...{ texto: 'x', autor: word('nome', 'dono') },
    })
    expect(comentario).toMatchObject({ autor: 'Olga Outra', organizacao: 'Outra Lavoura' })
    const { link } = await world.made('O', 'POST', `${address}/links`, {
      ...lies(),
      ate: inDays(5),
      experimento_id: world.ids.own.trial,
    })
    const open = await world.ask('V', 'GET', `/api/public/experiments/${link.token}`)
    expect(open.body.experimento.organizacao).toEqual({ nome: 'Outra Lavoura' })
    expect(told('V', open)).toEqual([])
  })

  test("makes an organisation of the sender's own", async () => {
    const { organizacao } = await world.made('O', 'POST', '/api/organizations', {
      ...lies(),
      ...{ nome: 'Mais Uma', tipo: 'fazenda', membros: [world.people.D.id] },
    })
    expect(organizacao).toMatchObject({ nome: 'Mais Uma', papel: 'dono', membros: 1 })
    expect(organizacao.id).not.toBe(world.organizations.owner)
    const { organizacoes } = await world.made('D', 'GET', '/api/organizations')
    expect(organizacoes.map(({ nome }: { nome: string }) => nome)).not.toContain('Mais Uma')
  })
})

describe('ids of others in a body', () => {
  const own = async (caller: 'S' | 'O') =>
    (await world.made(caller, 'POST', '/api/experiments', PLAIN)).experimento.id
  const collectionOf = async (caller: 'S' | 'O') => {
    const { colecao } = await world.made(caller, 'POST', '/api/collections', {
      nome: 'Minha',
      experimentos: [await own(caller)],
    })
    return colecao.id
  }

  test.each(['S', 'O'] as const)('are not there for a collection of %s', async (caller) => {
    const id = await collectionOf(caller)
    for (const trial of [
      world.ids.own.trial,
      world.ids.embargoed.trial,
      world.ids.deleted.trial,
      randomUUID(),
    ]) {
      for (const body of [{ incluir: [trial] }, { incluir: [await own(caller), trial] }]) {
        const answer = await world.ask(caller, 'PUT', `/api/collections/${id}`, { body })
        expect([answer.status, answer.body.code]).toEqual([404, 'experiment.not_found'])
      }
      const made = await world.ask(caller, 'POST', '/api/collections', {
        body: { nome: 'x', experimentos: [await own(caller), trial] },
      })
      expect([made.status, made.body.code]).toEqual([404, 'experiment.not_found'])
    }
    const { colecoes } = await world.made(caller, 'GET', '/api/collections')
    expect(colecoes.find((each: { id: string }) => each.id === id).n).toBe(1)
  })

  test('to what was received no other application brings values or images', async () => {
    const ask = async (path: string) => {
      const { body } = await world.ask('S', 'GET', `/brapi/v2/${path}?studyDbId=${world.ids.open.trial}`)
      return body.result.data[0]
    }
    const { observationUnitDbId } = await ask('observationunits')
    const { observationVariableDbId } = await ask('variables')
    for (const [path, record] of [
      ['observations', { observationUnitDbId, observationVariableDbId, value: '1' }],
      ['images', { observationUnitDbId, imageName: 'x' }],
    ] as const) {
      const { status, body } = await world.ask('S', 'POST', `/brapi/v2/${path}`, { body: [record] })
      expect([status, body.metadata.status], path).toEqual([
        403,
        [{ messageType: 'ERROR', message: 'Acesso negado' }],
      ])
    }
  })

  test('what was received is in no collection, share, link or transfer', async () => {
    const received = world.ids.open.trial
    const para = { codigo: await codeOf(world, 'O') }
    const id = await collectionOf('S')
    for (const [method, path, body] of [
      ['PUT', `/api/collections/${id}`, { incluir: [received] }],
      ['POST', '/api/collections', { nome: 'x', experimentos: [received] }],
      ['POST', '/api/shares', { alvo: { experimento: received }, para }],
      ['POST', `/api/experiments/${received}/links`, { ate: inDays(5) }],
      ['POST', '/api/transfers', { experimentos: [received], para }],
    ] as const) {
      const answer = await world.ask('S', method, path, { body })
      expect([answer.status, answer.body.code], path).toEqual([403, 'share.received'])
    }
    // By a filter, or with everything, it is not in it either.
    const { colecao } = await world.made('S', 'POST', '/api/collections', {
      nome: 'Recebidos',
      filtro: { marca: brandOf('shared') },
    })
    expect(colecao.n).toBe(0)
    for (const alvo of [{ colecao: colecao.id }, { tudo: true }]) {
      const { compartilhamento } = await world.made('S', 'POST', '/api/shares', {
        alvo,
        para,
        ...{ custos: true, documentos: true, comentarios: true },
      })
      await world.made('O', 'POST', `/api/shares/${compartilhamento.id}/accept`)
    }
    for (const trial of ['shared', 'open'] as const)
      expect((await world.ask('O', 'GET', `/api/experiments/${world.ids[trial].trial}`)).status).toBe(404)
    const list = await world.ask('O', 'GET', '/api/experiments?limit=100')
    expect(told('O', list)).toEqual([])
    // As a filter of a transfer it finds nothing to give away.
    const given = await world.ask('S', 'POST', '/api/transfers', {
      body: { filtro: { marca: brandOf('shared') }, para },
    })
    expect(given.status).toBe(422)
  })

  test('are not there for a share, a transfer or an upload', async () => {
    const para = { codigo: await codeOf(world, 'S') }
    for (const trial of [world.ids.own.trial, world.ids.shared.trial, randomUUID()]) {
      for (const [path, body] of [
        ['/api/shares', { alvo: { experimento: trial }, para }],
        ['/api/transfers', { experimentos: [trial], para }],
        ['/api/uploads/document', report('any', 'a.pdf').form({ experimentId: trial })],
        ['/api/uploads/bulk', report('any', 'a.pdf').form({ experimentId: trial })],
      ] as const) {
        const answer = await world.ask('O', 'POST', path, { body })
        expect([answer.status, answer.body.code], path).toEqual([404, 'experiment.not_found'])
      }
    }
    for (const colecao of [world.collection, randomUUID()]) {
      const answer = await world.ask('O', 'POST', '/api/shares', { body: { alvo: { colecao }, para } })
      expect([answer.status, answer.body.code]).toEqual([404, 'collection.not_found'])
    }
    expect(
      (await world.made('D', 'GET', `/api/uploads/documents?experimentId=${world.ids.own.trial}`)).documents,
    ).toHaveLength(1)
  })

  test("an answer of a share to others is nobody else's", async () => {
    const trial = await fresh(world, 'shared', 'P')
    const { compartilhamento } = await world.made('D', 'POST', '/api/shares', {
      alvo: { experimento: trial },
      para: { codigo: await codeOf(world, 'S') },
    })
    for (const how of ['accept', 'decline'])
      for (const caller of ['D', 'O', 'A'] as const) {
        const { status, body } = await world.ask(caller, 'POST', `/api/shares/${compartilhamento.id}/${how}`)
        expect([status, body.code]).toEqual([404, 'share.not_found'])
      }
    const mine = await world.made('S', 'GET', '/api/shares?direcao=recebidos')
    expect(mine.compartilhamentos.find(({ id }: { id: string }) => id === compartilhamento.id).estado).toBe(
      'pendente',
    )
  })

  test("members and invitations are not reached through an organisation of one's own", async () => {
    const { recipient } = world.organizations
    const person = world.people.P.id
    for (const [method, path, body, code] of [
      ['PUT', `members/${person}`, { papel: 'leitor' }, 'member.not_found'],
      ['DELETE', `members/${person}`, undefined, 'member.not_found'],
      ['DELETE', `invitations/${world.invitation.id}`, undefined, 'invitation.not_found'],
    ] as const) {
      const answer = await world.ask('S', method, `/api/organizations/${recipient}/${path}`, {
        ...(body && { body }),
      })
      expect([answer.status, answer.body.code], path).toEqual([404, code])
    }
    const { membros } = await world.made(
      'D',
      'GET',
      `/api/organizations/${world.organizations.owner}/members`,
    )
    expect(membros.find(({ id }: { id: string }) => id === person).papel).toBe('pesquisador')
    expect((await world.ask('V', 'GET', `/api/invitations/${world.invitation.token}`)).status).toBe(200)
  })

  test('nobody leaves their trials to an organisation that is not theirs', async () => {
    const person = await server.person({ name: 'Vai Embora' })
    const ask = (path: string, body: unknown) => server.call('POST', path, { token: person.token, body })
    expect((await ask('/api/experiments', PLAIN)).status).toBe(201)
    for (const destino of [world.organizations.owner, randomUUID()]) {
      const { status, body } = await ask('/api/profile/erase', {
        currentPassword: person.password,
        espaco: { destino },
      })
      expect([status, body.code]).toEqual([404, 'organization.not_found'])
    }
  })

  test('a filter by origin of others is empty', async () => {
    for (const caller of ['O', 'A'] as const)
      for (const origem of [world.organizations.owner, randomUUID()]) {
        const { total, experimentos } = await world.made(caller, 'GET', `/api/experiments?origem=${origem}`)
        expect([total, experimentos]).toEqual([0, []])
        expect((await world.made(caller, 'GET', `/api/dashboard/overview?origem=${origem}`)).total).toBe(0)
      }
  })

  test.each([
    'experimentos?select=*,organizacao_id',
    'experimentos?select=*,tratamentos(*)',
    'experimentos?organizacao_id=not.is.null',
    'experimentos?select=id,acervo_id',
    'protocolos_experimentos?select=*,custo_total',
    'protocolos_experimentos?created_by=not.is.null',
    'membros',
    'visto.experimentos',
    'compartilhamentos',
    'auth.users',
  ])('rest/v1 has no such thing: %s', async (path) => {
    for (const caller of ['S', 'O', 'A', 'V'] as const) {
      const answer = await world.ask(caller, 'GET', `/rest/v1/${path}`)
      expect([400, 404]).toContain(answer.status)
      expect(told(caller, answer)).toEqual([])
    }
  })
})
