import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  experimentInput,
  form,
  PASSWORD,
  type Person,
  pdf,
  startTestServer,
  type TestServer,
} from '../../test-server.ts'

let server: TestServer
let admin: Person
/** A consultancy: its owner, who also registered the installation's first organisation. */
let owner: Person
let researcher: Person
/** A maker of inputs that is shared with. */
let maker: Person
let stranger: Person
let consultancy: string
let makers: string

const call = (person: Person | null, method: string, path: string, body?: unknown, organization?: string) =>
  server.call(method, path, {
    ...(person && { token: person.token }),
    ...(body === undefined ? {} : { body }),
    ...(organization && { headers: { 'x-organization': organization } }),
  })

/** Makes an organisation of one's own and acts for it from then on. */
async function organization(person: Person, nome: string, tipo: string): Promise<string> {
  const { body, status } = await call(person, 'POST', '/api/organizations', { nome, tipo })
  expect(status).toBe(201)
  expect((await call(person, 'PUT', '/api/profile/organization', { id: body.organizacao.id })).status).toBe(
    200,
  )
  return body.organizacao.id
}

/** By a link that the inviter passes on, since no mail leaves this machine. */
async function join(inviter: Person, id: string, person: Person, papel: string): Promise<void> {
  const invited = await call(inviter, 'POST', `/api/organizations/${id}/invitations`, {
    email: person.email,
    papel,
  })
  expect(invited.status).toBe(202)
  const token = invited.body.convite.url.split('/').at(-1)
  expect((await call(person, 'POST', `/api/invitations/${token}/accept`)).status).toBe(200)
}

const codeOf = async (person: Person, id: string): Promise<string> =>
  (await call(person, 'GET', `/api/organizations/${id}`)).body.organizacao.codigo
const create = async (person: Person, change = {}) => {
  const { body, status } = await call(person, 'POST', '/api/experiments', experimentInput(change))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.experimento
}
const idsSeenBy = async (person: Person) =>
  (await call(person, 'GET', '/api/experiments?limit=100')).body.experimentos.map(
    ({ id }: { id: string }) => id,
  )
const overview = async (person: Person, query = '') =>
  (await call(person, 'GET', `/api/dashboard/overview?${query}`)).body

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.person({ role: 'admin', name: 'Adm' })
  expect((await call(admin, 'PUT', '/api/admin/installation', { organizacoes: 'varias' })).status).toBe(200)
  owner = await server.person({ name: 'Dona Rita' })
  researcher = await server.person({ name: 'Pesquisador Paulo' })
  maker = await server.person({ name: 'Marta' })
  stranger = await server.person({ name: 'Estranho' })
  consultancy = await organization(owner, 'Consultoria Cerrado', 'consultoria')
  makers = await organization(maker, 'Fábrica Verde', 'fabricante')
  await join(owner, consultancy, researcher, 'pesquisador')
})
afterAll(() => server.stop())

test('who registers has a space of their own', async () => {
  const { body } = await call(stranger, 'GET', '/api/organizations')
  expect(body.organizacoes).toMatchObject([
    { nome: 'Espaço de Estranho', tipo: 'pessoal', papel: 'dono', membros: 1 },
  ])
  expect(body.convites).toEqual([])
  // It comes with the account, is made by nobody and is of one person.
  const [{ id }] = body.organizacoes
  const made = await call(stranger, 'POST', '/api/organizations', { nome: 'Outro espaço', tipo: 'pessoal' })
  expect([made.status, made.body.fields?.[0]?.path]).toEqual([422, 'tipo'])
  const turned = await call(owner, 'PUT', `/api/organizations/${consultancy}`, { tipo: 'pessoal' })
  expect([turned.status, turned.body.fields?.[0]?.path]).toEqual([422, 'tipo'])
  expect((await call(stranger, 'PUT', `/api/organizations/${id}`, { tipo: 'pessoal' })).status).toBe(200)
  const invited = await call(stranger, 'POST', `/api/organizations/${id}/invitations`, {
    email: 'alguem@exemplo.com.br',
    papel: 'leitor',
  })
  expect([invited.status, invited.body.fields?.[0]?.path]).toEqual([422, 'email'])
})

test('who registers by an invitation is in that organisation alone, and needs no second letter', async () => {
  const email = 'nova@exemplo.com.br'
  const { body } = await call(owner, 'POST', `/api/organizations/${consultancy}/invitations`, {
    email,
    papel: 'leitor',
  })
  expect(body).toMatchObject({ message: 'Convite enviado.', convite: { email, papel: 'leitor' } })
  const token = body.convite.url.split('/').at(-1)
  expect((await call(null, 'GET', `/api/invitations/${token}`)).body.convite).toMatchObject({
    organizacao: 'Consultoria Cerrado',
    papel: 'leitor',
    email,
  })
  const wrong = await call(stranger, 'POST', `/api/invitations/${token}/accept`)
  expect([wrong.status, wrong.body.code]).toEqual([403, 'invitation.other_address'])
  const made = await call(null, 'POST', '/auth/v1/signup', {
    email,
    password: PASSWORD,
    data: { name: 'Nova Leitora', convite: token },
  })
  const { body: own } = await server.call('GET', '/api/organizations', { token: made.body.access_token })
  expect(own.organizacoes).toMatchObject([{ nome: 'Consultoria Cerrado', papel: 'leitor', codigo: null }])
  expect((await call(null, 'GET', `/api/invitations/${token}`)).status).toBe(404)
  const refused = await server.call('POST', '/api/experiments', {
    token: made.body.access_token,
    body: experimentInput(),
  })
  expect(refused.status).toBe(403)
})

describe('a shared collection', () => {
  let kept: { id: string }
  let other: { id: string }
  let share: string

  beforeAll(async () => {
    kept = await create(researcher, { marca: 'Aminoagro', roi: 777_123.25, custo_protocolo: 888_321.5 })
    other = await create(researcher, { marca: 'Dimicron' })
    const { body, status } = await call(owner, 'POST', '/api/collections', {
      nome: 'Ensaios Aminoagro',
      filtro: { marca: 'Aminoagro' },
    })
    expect(status).toBe(201)
    expect(body.colecao).toMatchObject({ tipo: 'filtro', n: 1, compartilhada_com: [] })
    const sent = await call(owner, 'POST', '/api/shares', {
      alvo: { colecao: body.colecao.id },
      para: { codigo: await codeOf(maker, makers) },
      custos: false,
      documentos: false,
      comentarios: true,
      ate: null,
    })
    expect(sent.status).toBe(202)
    share = sent.body.compartilhamento.id
    expect(sent.body.compartilhamento).toMatchObject({
      estado: 'pendente',
      alvo: { tipo: 'colecao', nome: 'Ensaios Aminoagro', n: 1 },
      organizacao: { nome: 'Fábrica Verde' },
    })
  })

  test('shows nothing before it is accepted, and then exactly its trials, now and later', async () => {
    expect(await idsSeenBy(maker)).toEqual([])
    const { body } = await call(maker, 'GET', '/api/shares?direcao=recebidos')
    expect(body.compartilhamentos).toMatchObject([
      { id: share, estado: 'pendente', alvo: { n: null }, organizacao: { nome: 'Consultoria Cerrado' } },
    ])
    expect((await call(owner, 'POST', `/api/shares/${share}/accept`)).status).toBe(404)
    expect((await call(stranger, 'POST', `/api/shares/${share}/accept`)).status).toBe(404)
    expect((await call(maker, 'POST', `/api/shares/${share}/accept`)).status).toBe(200)
    expect(await idsSeenBy(maker)).toEqual([kept.id])
    expect(await idsSeenBy(stranger)).toEqual([])
    expect((await overview(maker)).total).toBe(1)
    const later = await create(researcher, { marca: 'Aminoagro', ano: 2023 })
    expect((await idsSeenBy(maker)).sort()).toEqual([kept.id, later.id].sort())
    const moved = { ...experimentInput({ marca: 'Maximus', ano: 2023 }), versao: 1 }
    expect((await call(researcher, 'PUT', `/api/experiments/${later.id}`, moved)).status).toBe(200)
    expect(await idsSeenBy(maker)).toEqual([kept.id])
    expect((await call(maker, 'GET', `/api/experiments/${other.id}`)).status).toBe(404)
  })

  test('hides costs and people, and says so', async () => {
    const { body } = await call(maker, 'GET', `/api/experiments/${kept.id}`)
    expect(body.experimento).toMatchObject({
      relacao: 'compartilhada',
      organizacao: { id: consultancy, nome: 'Consultoria Cerrado' },
      created_by: null,
      created_by_name: null,
      custo_protocolo: null,
      custo_total: null,
      roi: null,
      permissoes: {
        editar: false,
        excluir: false,
        compartilhar: false,
        comentar: true,
        ver_custos: false,
        ver_documentos: false,
      },
    })
    expect(body.experimento.ocultos).toContain('roi')
    for (const treatment of body.experimento.tratamentos) {
      expect(treatment.custo).toBeNull()
      for (const product of treatment.produtos_aplicados) expect(product.custo).toBeNull()
    }
    const figures = await overview(maker)
    expect(figures).toMatchObject({ total: 1, com_custos: 0, roi_medio: null })
    const own = await overview(owner)
    expect(own.com_custos).toBe(own.total)
    const csv = await call(maker, 'GET', '/api/experiments/export?formato=csv')
    expect(csv.body).toContain('Oculto')
    const sheet = unzipSync((await call(maker, 'GET', '/api/experiments/export?formato=xlsx')).bytes)
    const rest = await call(maker, 'GET', '/rest/v1/protocolos_experimentos?select=*')
    expect(rest.body[0]).toMatchObject({ roi: null, custo_protocolo: null })
    const all = [
      csv.body,
      ...Object.values(sheet).map((part) => strFromU8(part)),
      rest.bytes.toString(),
      (await call(maker, 'GET', '/api/experiments?ordem=roi&sentido=desc')).bytes.toString(),
      (await call(maker, 'GET', '/api/dashboard/map')).bytes.toString(),
      (await call(maker, 'GET', '/api/dashboard/correlation?x=roi&y=custo_total')).bytes.toString(),
    ].join('\n')
    expect(all).not.toMatch(/777.?123|888.?321/)
  })

  test('is nobody else’s to change, to look into or to pass on', async () => {
    const update = { ...experimentInput(), versao: 1 }
    const put = await call(maker, 'PUT', `/api/experiments/${kept.id}`, update)
    expect([put.status, put.body.code]).toEqual([403, 'share.received'])
    expect((await call(maker, 'DELETE', `/api/experiments/${kept.id}`)).status).toBe(403)
    expect((await call(maker, 'GET', `/api/experiments/${kept.id}/history`)).status).toBe(403)
    expect((await call(maker, 'GET', `/api/experiments/${kept.id}/links`)).status).toBe(403)
    expect((await call(maker, 'PUT', `/api/experiments/${kept.id}/embargo`, { ate: null })).status).toBe(403)
    const again = await call(maker, 'POST', '/api/shares', {
      alvo: { experimento: kept.id },
      para: { codigo: await codeOf(owner, consultancy) },
    })
    expect([again.status, again.body.code]).toEqual([403, 'share.received'])
    const picked = await call(maker, 'POST', '/api/collections', { nome: 'x', experimentos: [kept.id] })
    expect(picked.body.code).toBe('share.received')
  })

  test('is talked about, each side by the names that it may know', async () => {
    const said = await call(maker, 'POST', `/api/experiments/${kept.id}/comments`, { texto: 'Pagou?' })
    expect(said.status).toBe(201)
    expect(said.body.comentario).toMatchObject({ autor: 'Marta', organizacao: 'Fábrica Verde' })
    await call(researcher, 'POST', `/api/experiments/${kept.id}/comments`, { texto: 'Pagou.' })
    const { body } = await call(owner, 'GET', `/api/experiments/${kept.id}/comments`)
    expect(body.comentarios).toMatchObject([
      { texto: 'Pagou?', autor: null, organizacao: 'Fábrica Verde', excluir: true },
      { texto: 'Pagou.', autor: 'Pesquisador Paulo', organizacao: 'Consultoria Cerrado', excluir: true },
    ])
    const [first] = body.comentarios
    const theirs = (await call(maker, 'GET', `/api/experiments/${kept.id}/comments`)).body.comentarios
    expect(theirs[1]).toMatchObject({ autor: null, excluir: false })
    expect((await call(researcher, 'DELETE', `/api/comments/${first.id}`)).status).toBe(403)
    expect((await call(stranger, 'DELETE', `/api/comments/${first.id}`)).status).toBe(404)
    expect((await call(owner, 'DELETE', `/api/comments/${first.id}`)).status).toBe(204)
  })

  test('is told apart by where it comes from', async () => {
    const own = await create(maker, { marca: 'Concorrente' })
    expect((await overview(maker)).total).toBe(2)
    expect(await overview(maker, 'origem=proprios')).toMatchObject({ total: 1, com_custos: 1 })
    expect(await overview(maker, 'origem=recebidos')).toMatchObject({ total: 1, com_custos: 0 })
    expect((await overview(maker, `origem=${consultancy}`)).total).toBe(1)
    const { body } = await call(maker, 'GET', '/api/experiments?origem=proprios')
    expect(body).toMatchObject({ total: 1, experimentos: [{ id: own.id }] })
    expect((await call(maker, 'GET', '/api/dashboard/filters')).body.origem).toEqual([
      { valor: makers, nome: 'Fábrica Verde', n: 1 },
      { valor: consultancy, nome: 'Consultoria Cerrado', n: 1 },
    ])
  })

  test('changes with its switches, and ends with the next statement', async () => {
    const shows = await call(owner, 'PUT', `/api/shares/${share}`, { custos: true })
    expect(shows.body.compartilhamento).toMatchObject({ custos: true, estado: 'aceito' })
    expect((await call(maker, 'GET', `/api/experiments/${kept.id}`)).body.experimento.roi).toBe(777_123.25)
    expect((await overview(maker, 'origem=recebidos')).com_custos).toBe(1)
    expect(
      (await call(owner, 'PUT', `/api/shares/${share}`, { custos: false, documentos: true })).status,
    ).toBe(422)
    expect((await call(maker, 'PUT', `/api/shares/${share}`, { custos: true })).status).toBe(404)
    expect((await call(researcher, 'DELETE', `/api/shares/${share}`)).status).toBe(403)
    expect((await call(owner, 'DELETE', `/api/shares/${share}`)).status).toBe(204)
    expect((await call(maker, 'GET', `/api/experiments/${kept.id}`)).status).toBe(404)
    expect((await overview(maker)).total).toBe(1)
    const events = (await call(owner, 'GET', `/api/organizations/${consultancy}/audit`)).body.eventos
    expect(events.map(({ acao }: { acao: string }) => acao)).toEqual(
      expect.arrayContaining([
        'share.sent',
        'share.accepted',
        'share.changed',
        'share.revoked',
        'collection.made',
      ]),
    )
    const of = (what: string) => events.find(({ acao }: { acao: string }) => acao === what)
    expect(of('share.accepted').quem).toBe('Fábrica Verde')
    // Each says how many trials it was about.
    for (const what of ['share.sent', 'share.accepted', 'share.changed', 'collection.made'])
      expect([what, of(what).detalhes.n]).toEqual([what, expect.any(Number)])
  })
})

test('two shares of single trials go their own ways', async () => {
  const one = await create(owner, { ano: 2021 })
  const two = await create(owner, { ano: 2022 })
  const codigo = await codeOf(maker, makers)
  const shares: string[] = []
  for (const { id } of [one, two]) {
    const { body } = await call(owner, 'POST', '/api/shares', { alvo: { experimento: id }, para: { codigo } })
    shares.push(body.compartilhamento.id)
    expect((await call(maker, 'POST', `/api/shares/${shares.at(-1)}/accept`)).status).toBe(200)
  }
  const seen = async () => (await overview(maker, 'origem=recebidos')).total
  expect(await seen()).toBe(2)
  await call(owner, 'DELETE', `/api/shares/${shares[0]}`)
  expect(await seen()).toBe(1)
  expect((await call(maker, 'GET', `/api/experiments/${one.id}`)).status).toBe(404)
  expect((await call(maker, 'GET', `/api/experiments/${two.id}`)).status).toBe(200)
  expect((await call(maker, 'DELETE', `/api/shares/${shares[1]}`)).status).toBe(204)
  expect(await seen()).toBe(0)
})

test('an embargo hides from others until its day', async () => {
  const trial = await create(owner, { ano: 2023 })
  const codigo = await codeOf(maker, makers)
  const { body } = await call(owner, 'POST', '/api/shares', { alvo: { tudo: true }, para: { codigo } })
  await call(maker, 'POST', `/api/shares/${body.compartilhamento.id}/accept`)
  expect((await call(maker, 'GET', `/api/experiments/${trial.id}`)).status).toBe(200)
  const next = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
  const link = await call(owner, 'POST', `/api/experiments/${trial.id}/links`, { ate: next })
  expect((await call(null, 'GET', `/api/public/experiments/${link.body.link.token}`)).status).toBe(200)
  const set = await call(owner, 'PUT', `/api/experiments/${trial.id}/embargo`, { ate: next })
  expect(set.body.experimento.embargo_ate).toBe(next)
  expect((await call(maker, 'GET', `/api/experiments/${trial.id}`)).status).toBe(404)
  const left = (await call(maker, 'GET', '/api/experiments?origem=recebidos&limit=100')).body
  expect(left.experimentos.map(({ id }: { id: string }) => id)).not.toContain(trial.id)
  expect((await overview(maker, 'origem=recebidos')).total).toBe(left.experimentos.length)
  expect((await call(null, 'GET', `/api/public/experiments/${link.body.link.token}`)).status).toBe(404)
  expect((await call(researcher, 'GET', `/api/experiments/${trial.id}`)).status).toBe(200)
  expect((await call(researcher, 'PUT', `/api/experiments/${trial.id}/embargo`, { ate: null })).status).toBe(
    403,
  )
  expect(
    (await call(owner, 'PUT', `/api/experiments/${trial.id}/embargo`, { ate: '2020-01-01' })).status,
  ).toBe(422)
  await call(owner, 'PUT', `/api/experiments/${trial.id}/embargo`, { ate: null })
  expect((await call(maker, 'GET', `/api/experiments/${trial.id}`)).status).toBe(200)
})

test('a public link shows one trial, to whoever has it, until it ends', async () => {
  const made = await server.call('POST', '/api/experiments', {
    token: owner.token,
    body: form({ dados: JSON.stringify(experimentInput({ roi: 654_321.75 })), pdf: pdf() }, 'segredo.pdf'),
  })
  const { id } = made.body.experimento
  const ate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const links = `/api/experiments/${id}/links`
  expect((await call(researcher, 'POST', links, { ate })).status).toBe(403)
  expect((await call(maker, 'POST', links, { ate })).status).toBe(403)
  expect((await call(stranger, 'POST', links, { ate })).status).toBe(404)
  expect((await call(owner, 'POST', links, { ate, documentos: true })).status).toBe(422)
  expect((await call(owner, 'POST', links, { ate: '2999-01-01' })).status).toBe(422)
  const plain = (await call(owner, 'POST', links, { ate })).body.link
  const open = await call(null, 'GET', `/api/public/experiments/${plain.token}`)
  expect(open.status).toBe(200)
  expect(open.headers.get('x-robots-tag')).toContain('noindex')
  expect(open.headers.get('cache-control')).toBe('no-store')
  expect(open.body.experimento).toMatchObject({
    roi: null,
    documento: false,
    organizacao: { nome: 'Consultoria Cerrado' },
  })
  for (const secret of [id, owner.id, 'Dona Rita', 'segredo.pdf', '654321'])
    expect(open.bytes.toString()).not.toContain(secret)
  expect((await call(null, 'GET', `/api/public/experiments/${plain.token}/document`)).status).toBe(404)
  const whole = (await call(owner, 'POST', links, { ate, custos: true, documentos: true, senha: 'çereja 1' }))
    .body.link
  const asked = await call(null, 'GET', `/api/public/experiments/${whole.token}`)
  expect([asked.status, asked.body.code]).toEqual([401, 'link.password'])
  const headers = { 'x-link-password': encodeURIComponent('çereja 1') }
  const shown = await server.call('GET', `/api/public/experiments/${whole.token}`, { headers })
  expect(shown.body.experimento).toMatchObject({ roi: 654_321.75, documento: true })
  const file = await server.call('GET', `/api/public/experiments/${whole.token}/document`, { headers })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const { body } = await call(owner, 'GET', links)
  expect(body.links).toHaveLength(2)
  expect(body.links[1]).toMatchObject({ id: plain.id, aberturas: 1, senha: false })
  expect(JSON.stringify(body)).not.toContain(plain.token)
  expect((await call(owner, 'DELETE', `/api/links/${plain.id}`)).status).toBe(204)
  expect((await call(null, 'GET', `/api/public/experiments/${plain.token}`)).body.detail).toBe(
    'Este link não existe ou não vale mais.',
  )
})

test('of a trial no more links are made than its list shows, so that each can be revoked', async () => {
  const trial = await create(owner, { ano: 2024 })
  const links = `/api/experiments/${trial.id}/links`
  const ate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  for (let n = 0; n < 100; n += 1) expect((await call(owner, 'POST', links, { ate })).status).toBe(201)
  const more = await call(owner, 'POST', links, { ate })
  expect([more.status, more.body.code]).toEqual([422, 'link.too_many'])
  const { body } = await call(owner, 'GET', links)
  expect(body.links).toHaveLength(100)
  expect((await call(owner, 'DELETE', `/api/links/${body.links[99].id}`)).status).toBe(204)
  expect((await call(owner, 'POST', links, { ate })).status).toBe(201)
})

test('nobody owns so many organisations that a share for each is none', async () => {
  const busy = await server.person({ name: 'Ocupada' })
  const make = (n: number) =>
    call(busy, 'POST', '/api/organizations', { nome: `Org ${n}`, tipo: 'consultoria' })
  // Their own space is one of them.
  for (let n = 1; n < 20; n += 1) expect((await make(n)).status).toBe(201)
  const more = await make(20)
  expect([more.status, more.body.code]).toEqual([422, 'organization.too_many'])
})

const TERMS = { custos: false, documentos: false, comentarios: false }

test('nobody crowds out what others offer: of each sender the latest are listed before more of any', async () => {
  const pushy = await server.person({ name: 'Insistente' })
  const own = await organization(pushy, 'Insistentes', 'consultoria')
  const chosen = await server.person({ name: 'Escolhida' })
  const at = await organization(chosen, 'Escolhidos', 'fabricante')
  const para = { codigo: await codeOf(chosen, at) }
  const [trial, honest] = [await create(pushy, { ano: 2024 }), await create(owner, { ano: 2024 })]
  const share = (of: Person, experimento: string) =>
    call(of, 'POST', '/api/shares', { alvo: { experimento }, para, ...TERMS })
  const first = await share(owner, honest.id)
  expect(first.status).toBe(202)
  const offered = await call(owner, 'POST', '/api/transfers', { experimentos: [honest.id], para })
  expect(offered.status).toBe(202)
  // As many from others, later, as the lists show: of one alone there may be no more than some.
  await sql`
    with pushing as (
      insert into organizacoes (nome, tipo, codigo)
      select 'Insistente ' || n, 'consultoria', 'PUSH' || lpad(n::text, 8, '0') from generate_series(1, 3) n returning id
    ), shares as (
      insert into compartilhamentos (organizacao_id, destino_id, alvo, experimento_id, nome, custos, documentos, comentarios)
      select id, ${at}, 'experimento', ${trial.id}, 'x', false, false, false from pushing, generate_series(1, 199)
    )
    insert into transferencias (organizacao_id, destino_id, experimentos)
    select id, ${at}, array[${trial.id}]::uuid[] from pushing, generate_series(1, 99)
  `.execute(server.handle)
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  const shares = (await call(chosen, 'GET', '/api/shares?direcao=recebidos')).body.compartilhamentos
  expect(shares).toHaveLength(500)
  expect(ids(shares)).toContain(first.body.compartilhamento.id)
  const transfers = (await call(chosen, 'GET', '/api/transfers')).body.transferencias
  expect(transfers).toHaveLength(200)
  expect(ids(transfers)).toContain(offered.body.transferencia.id)

  await sql`
    insert into compartilhamentos (organizacao_id, destino_id, alvo, experimento_id, nome, custos, documentos, comentarios)
    select ${own}, ${at}, 'experimento', ${trial.id}, 'x', false, false, false from generate_series(1, 199)
  `.execute(server.handle)
  const last = await share(pushy, trial.id)
  expect(last.status).toBe(202)
  const more = await share(pushy, trial.id)
  expect([more.status, more.body.code]).toEqual([422, 'share.too_many'])
  // What was answered waits no more.
  expect((await call(chosen, 'POST', `/api/shares/${last.body.compartilhamento.id}/decline`)).status).toBe(
    204,
  )
  expect((await share(pushy, trial.id)).status).toBe(202)
  await sql`
    insert into transferencias (organizacao_id, destino_id, experimentos)
    select ${own}, ${at}, array[${trial.id}]::uuid[] from generate_series(1, 100)
  `.execute(server.handle)
  const transfer = await call(pushy, 'POST', '/api/transfers', { experimentos: [trial.id], para })
  expect([transfer.status, transfer.body.code]).toEqual([422, 'transfer.too_many'])
})

test('shares that stand are listed before those that ended, and there are no more than the list shows', async () => {
  const busy = await server.person({ name: 'Muito Parceira' })
  const own = await organization(busy, 'Parceiros', 'consultoria')
  const trial = await create(busy, { ano: 2024 })
  const para = { codigo: await codeOf(maker, makers) }
  const alvo = { experimento: trial.id }
  const { body } = await call(busy, 'POST', '/api/shares', { alvo, para, ...TERMS })
  const first = body.compartilhamento.id
  expect((await call(maker, 'POST', `/api/shares/${first}/accept`)).status).toBe(200)
  const put = (estado: string, n: number) =>
    sql`
      insert into compartilhamentos (organizacao_id, destino_id, alvo, experimento_id, nome, custos, documentos, comentarios, estado)
      select ${own}, ${makers}, 'experimento', ${trial.id}, 'x', false, false, false, ${estado} from generate_series(1, ${n}::integer)
    `.execute(server.handle)
  await put('recusado', 600)
  for (const [person, direction] of [
    [busy, 'enviados'],
    [maker, 'recebidos'],
  ] as const) {
    const seen = await call(person, 'GET', `/api/shares?direcao=${direction}`)
    expect(seen.body.compartilhamentos.map(({ id }: { id: string }) => id)).toContain(first)
  }
  await put('aceito', 499)
  const more = await call(busy, 'POST', '/api/shares', { alvo, para, ...TERMS })
  expect([more.status, more.body.code]).toEqual([422, 'share.too_many'])
})

test('an organisation says of a trial what a list can show', async () => {
  const trial = await create(owner, { ano: 2024 })
  await sql`
    insert into comentarios (experimento_id, organizacao_id, autor, texto)
    select ${trial.id}, ${consultancy}, ${owner.id}, 'x' from generate_series(1, 499)
  `.execute(server.handle)
  const comments = `/api/experiments/${trial.id}/comments`
  expect((await call(owner, 'POST', comments, { texto: 'O último' })).status).toBe(201)
  const more = await call(owner, 'POST', comments, { texto: 'Mais um' })
  expect([more.status, more.body.code]).toEqual([422, 'comment.too_many'])
})

test('a leitor is told that readers change nothing, not that the trial is of others', async () => {
  const reader = await server.person({ name: 'Leitora Lia' })
  await join(owner, consultancy, reader, 'leitor')
  await call(reader, 'PUT', '/api/profile/organization', { id: consultancy })
  const trial = await create(owner, { ano: 2024 })
  const refused = await call(reader, 'DELETE', `/api/experiments/${trial.id}`)
  expect([refused.status, refused.body.code]).toEqual([403, 'permission.denied'])
})

test('trials change hands whole, and what was open of them ends', async () => {
  const trial = await create(owner, { ano: 2024, codigo: 'TR-1' })
  const codigo = await codeOf(stranger, (await call(stranger, 'GET', '/api/organizations')).body.ativa)
  expect(
    (await call(researcher, 'POST', '/api/transfers', { experimentos: [trial.id], para: { codigo } })).status,
  ).toBe(403)
  const offered = await call(owner, 'POST', '/api/transfers', { experimentos: [trial.id], para: { codigo } })
  expect(offered.status).toBe(202)
  const { id } = offered.body.transferencia
  expect((await call(maker, 'POST', `/api/transfers/${id}/accept`)).status).toBe(404)
  const other = await create(owner, { ano: 2024, codigo: 'TR-2' })
  const both = {
    experimentos: [trial.id, other.id],
    para: { codigo: await codeOf(maker, makers) },
  }
  const again = await call(owner, 'POST', '/api/transfers', both)
  expect(again.status, JSON.stringify(again.body)).toBe(202)
  expect((await call(stranger, 'POST', `/api/transfers/${id}/accept`)).status).toBe(200)
  // What went to one is offered to no other any more.
  const rest = await call(maker, 'POST', `/api/transfers/${again.body.transferencia.id}/accept`)
  expect([rest.status, rest.body.transferencia?.n]).toEqual([200, 1])
  expect((await call(maker, 'GET', `/api/experiments/${other.id}`)).status).toBe(200)
  expect((await call(owner, 'GET', `/api/experiments/${trial.id}`)).status).toBe(404)
  expect((await call(maker, 'GET', `/api/experiments/${trial.id}`)).status).toBe(404)
  const { body } = await call(stranger, 'GET', `/api/experiments/${trial.id}`)
  expect(body.experimento).toMatchObject({ relacao: 'propria', codigo: 'TR-1', created_by: null })
  const past = (await call(stranger, 'GET', `/api/experiments/${trial.id}/history`)).body.alteracoes
  expect(past[0].quem).toBe('Consultoria Cerrado')
  expect((await overview(stranger)).total).toBe(1)
})

test('the last owner stays while others are members', async () => {
  const leave = (person: Person) =>
    call(person, 'DELETE', `/api/organizations/${consultancy}/members/${person.id}`)
  expect((await leave(owner)).body.code).toBe('organization.last_owner')
  const demoted = await call(owner, 'PUT', `/api/organizations/${consultancy}/members/${owner.id}`, {
    papel: 'leitor',
  })
  expect(demoted.body.code).toBe('organization.last_owner')
  const erased = await call(owner, 'POST', '/api/profile/erase', { currentPassword: owner.password })
  expect(erased.body.code).toBe('organization.last_owner')
  // One who is blocked is as removed.
  const at = `/api/organizations/${consultancy}/members`
  expect((await call(owner, 'PUT', `${at}/${researcher.id}`, { papel: 'dono' })).status).toBe(200)
  const blocked = (since: string | null) =>
    sql`update auth.users set blocked_at = ${since}::timestamptz where id = ${researcher.id}`.execute(
      server.handle,
    )
  await blocked('2026-01-01')
  expect((await leave(owner)).body.code).toBe('organization.last_owner')
  const { membros } = (await call(owner, 'GET', at)).body
  expect(membros.find(({ id }: { id: string }) => id === researcher.id)).toMatchObject({ bloqueado: true })
  await blocked(null)
  expect((await call(owner, 'PUT', `${at}/${researcher.id}`, { papel: 'pesquisador' })).status).toBe(200)
  expect((await leave(researcher)).status).toBe(204)
  expect((await call(researcher, 'GET', `/api/organizations/${consultancy}`)).status).toBe(404)
  const { body } = await call(researcher, 'GET', '/api/organizations')
  expect(body.organizacoes).toMatchObject([{ tipo: 'pessoal', papel: 'dono' }])
})

test('a closed organisation is read and not changed, shares nothing, and opens again', async () => {
  const trial = await create(maker, { ano: 2025 })
  const close = (how: string, nome: string, currentPassword: string) =>
    call(maker, 'POST', `/api/organizations/${makers}/${how}`, { nome, currentPassword })
  expect((await close('close', 'Outra', maker.password)).status).toBe(422)
  expect((await close('close', 'Fábrica Verde', 'errada')).status).toBe(422)
  expect((await close('close', 'Fábrica Verde', maker.password)).body.organizacao.fecha_em).not.toBeNull()
  expect((await call(maker, 'GET', `/api/experiments/${trial.id}`)).status).toBe(200)
  const refused = await call(maker, 'POST', '/api/experiments', experimentInput())
  expect([refused.status, refused.body.code]).toEqual([409, 'organization.closed'])
  const seen = (await call(maker, 'GET', `/api/experiments/${trial.id}`)).body.experimento
  expect(seen.permissoes).toMatchObject({
    editar: false,
    excluir: false,
    compartilhar: false,
    comentar: false,
  })
  // What was shown, linked, said and deleted is still read.
  for (const path of [
    '/api/collections',
    '/api/shares?direcao=enviados',
    '/api/transfers',
    `/api/experiments/${trial.id}/links`,
    `/api/experiments/${trial.id}/comments`,
    '/api/admin/deleted-experiments',
    '/api/imports',
  ])
    expect([path, (await call(maker, 'GET', path)).status]).toEqual([path, 200])
  expect((await overview(maker, 'origem=recebidos')).total).toBe(0)
  const role = await call(maker, 'PUT', `/api/organizations/${makers}/members/${maker.id}`, { papel: 'dono' })
  expect([role.status, role.body.code]).toEqual([409, 'organization.closed'])
  // Opened twice, it is told once; and a name that stays is no new name.
  for (const _ of [1, 2])
    expect((await close('reopen', 'Fábrica Verde', maker.password)).body.organizacao.fecha_em).toBeNull()
  expect((await call(maker, 'PUT', `/api/organizations/${makers}`, { nome: 'Fábrica Verde' })).status).toBe(
    200,
  )
  const { eventos } = (await call(maker, 'GET', `/api/organizations/${makers}/audit`)).body
  const told = (what: string) => eventos.filter(({ acao }: { acao: string }) => acao === what).length
  expect([told('organization.closed'), told('organization.reopened'), told('organization.renamed')]).toEqual([
    1, 1, 0,
  ])
  expect((await call(maker, 'POST', '/api/experiments', experimentInput())).status).toBe(201)
})

test('an organisation takes everything along as one zip', async () => {
  const zip = await call(owner, 'GET', `/api/organizations/${consultancy}/export`)
  expect([zip.status, zip.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = unzipSync(zip.bytes)
  const trials = JSON.parse(strFromU8(files['experimentos.json'] ?? new Uint8Array()))
  const { body } = await call(owner, 'GET', '/api/experiments?origem=proprios&limit=100')
  expect(trials.map(({ id }: { id: string }) => id).sort()).toEqual(
    body.experimentos.map(({ id }: { id: string }) => id).sort(),
  )
  expect(Object.keys(files).filter((name) => name.endsWith('segredo.pdf'))).toHaveLength(1)
  const list = (name: string) => JSON.parse(strFromU8(files[`${name}.json`] ?? new Uint8Array()))
  expect(list('historico').map(({ acao }: { acao: string }) => acao)).toContain('criado')
  expect(list('colecoes')).toContainEqual(expect.objectContaining({ nome: 'Ensaios Aminoagro' }))
  expect(list('compartilhamentos').length).toBeGreaterThan(0)
  for (const name of ['comentarios', 'links']) expect(Array.isArray(list(name)), name).toBe(true)
  expect(Object.keys(unzipSync(files['experimentos.xlsx'] ?? new Uint8Array()))).toContain(
    'xl/worksheets/sheet1.xml',
  )
  expect((await call(maker, 'GET', `/api/organizations/${consultancy}/export`)).status).toBe(404)
})

test('a kept report goes with what it was made of', async () => {
  const trial = await create(owner, { ano: 2021, cultura: 'Girassol' })
  const own = await create(maker, { ano: 2021, cultura: 'Girassol' })
  const sent = await call(owner, 'POST', '/api/shares', {
    ...{ alvo: { experimento: trial.id }, para: { codigo: await codeOf(maker, makers) } },
    ...{ custos: true, documentos: false, comentarios: false, ate: null },
  })
  const { id } = sent.body.compartilhamento
  await call(maker, 'POST', `/api/shares/${id}/accept`)
  const report = async (asked: object) => {
    const begun = await call(maker, 'POST', '/api/reports', { ...asked, formato: 'docx' })
    const path = `/api/reports/${begun.body.relatorio.id}`
    await vi.waitFor(async () => {
      expect((await call(maker, 'GET', path)).body).toMatchObject({ relatorio: { estado: 'pronto' } })
    }, 60_000)
    return async () => [
      (await call(maker, 'GET', path)).status,
      (await call(maker, 'GET', `${path}/file`)).status,
    ]
  }
  const picked = await report({ experimentos: [trial.id, own.id] })
  const filtered = await report({ filtro: { cultura: 'Girassol' } })
  const alone = await report({ experimentos: [own.id] })
  expect([await picked(), await filtered(), await alone()]).toEqual(Array(3).fill([200, 200]))
  // It shows costs that are hidden from then on.
  await call(owner, 'PUT', `/api/shares/${id}`, { custos: false })
  expect([await picked(), await filtered(), await alone()]).toEqual([
    [404, 404],
    [404, 404],
    [200, 200],
  ])
  await call(owner, 'PUT', `/api/shares/${id}`, { custos: true })
  expect(await picked()).toEqual([200, 200])
  await call(owner, 'DELETE', `/api/shares/${id}`)
  expect([await picked(), await filtered(), await alone()]).toEqual([
    [404, 404],
    [404, 404],
    [200, 200],
  ])
}, 200_000)

test('who erases their account says what becomes of their own space', async () => {
  const person = await server.person({ name: 'Vai Embora' })
  const trial = await create(person, { ano: 2026 })
  const gone = await create(person, { ano: 2027 })
  await call(person, 'DELETE', `/api/experiments/${gone.id}`)
  const erase = (espaco?: object) =>
    call(person, 'POST', '/api/profile/erase', {
      currentPassword: person.password,
      ...(espaco && { espaco }),
    })
  const asked = await erase()
  expect([asked.status, asked.body.code, asked.body.current]).toEqual([
    409,
    'organization.keeps_records',
    { n: 1 },
  ])
  expect((await erase({ destino: consultancy })).status).toBe(404)
  await join(owner, consultancy, person, 'pesquisador')
  const [seen] = await idsSeenBy(owner)
  await call(person, 'POST', `/api/experiments/${seen}/comments`, { texto: 'Fica.' }, consultancy)
  expect((await erase({ destino: consultancy })).status).toBe(200)
  const kept = (await call(owner, 'GET', `/api/experiments/${trial.id}`)).body.experimento
  expect(kept).toMatchObject({ relacao: 'propria', created_by: null, created_by_name: null })
  const { comentarios } = (await call(owner, 'GET', `/api/experiments/${seen}/comments`)).body
  expect(comentarios.at(-1)).toMatchObject({ texto: 'Fica.', autor: 'conta excluída' })
  const { eventos } = (await call(owner, 'GET', `/api/organizations/${consultancy}/audit`)).body
  expect(eventos.find(({ acao }: { acao: string }) => acao === 'member.left')).toMatchObject({
    quem: 'conta excluída',
    detalhes: { sobre: 'conta excluída' },
  })
  // Nor does the address by which they were invited.
  expect(JSON.stringify(eventos)).not.toContain(person.email)
})

test('there is no way back while several have trials', async () => {
  const back = await call(admin, 'PUT', '/api/admin/installation', { organizacoes: 'uma' })
  expect([back.status, back.body.code]).toEqual([409, 'installation.in_use'])
})
