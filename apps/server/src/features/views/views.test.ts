import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { createWatching } from './watching.service.ts'

/** What arrived by SMTP, as it went over the wire with its quoted-printable parts read. */
const received: { to: string; text: string }[] = []
let smtp: SMTPServer
let server: TestServer
let owner: Person
let other: Person

const readable = (raw: string) =>
  raw
    .replace(
      /Content-Transfer-Encoding: base64\r?\n(?:.+\r?\n)*\r?\n((?:[A-Za-z0-9+/=]+\r?\n)+)/g,
      (_all, body) => Buffer.from(body, 'base64').toString('utf8'),
    )
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'))

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo[0]?.address ?? '',
          text: readable(Buffer.concat(chunks).toString()),
        })
        done()
      })
    },
  })
  await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
  const { port } = smtp.server.address() as AddressInfo
  server = await startTestServer({
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Ensaio <ensaio@exemplo.com.br>',
      AUTH_AUTOCONFIRM: 'on',
    },
  })
  const admin = await server.person({ role: 'admin' })
  await as(admin)('PUT', '/api/admin/installation', { organizacoes: 'varias' })
  owner = await server.person({ name: 'Ana Souza' })
  other = await server.person({ name: 'Beto Lima' })
})
afterAll(async () => {
  await server.stop()
  await new Promise<void>((done) => smtp.close(done))
})

const as = (person: Person) => (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: person.token, ...(body !== undefined && { body }) })
let views = 0
const newView = async (person: Person, estado: unknown, more = {}) => {
  views += 1
  const { status, body } = await as(person)('POST', '/api/views', {
    ...{ nome: `Vista ${views}`, alcance: 'pessoal', estado, ...more },
  })
  expect(status).toBe(201)
  return body.vista
}
const made = async (person: Person, change: Record<string, unknown> = {}) => {
  const { status, body } = await as(person)('POST', '/api/experiments', experimentInput(change))
  expect(status).toBe(201)
  return body.experimento
}
const told = async (person: Person) => (await as(person)('GET', '/api/notifications')).body
/** The two quiet minutes are over. */
const later = () => sql`update avisos set quando = quando - interval '3 minutes'`.execute(server.handle)

describe('views', () => {
  test('are kept as they were sent, with names unique for their owner', async () => {
    const estado = { cultura: 'Soja', estado: ['PR', 'SC'], aba: 'synthesis' }
    const vista = await newView(owner, estado, { nome: '  Soja no Sul ' })
    expect(vista).toMatchObject({ nome: 'Soja no Sul', alcance: 'pessoal', estado, pode_alterar: true })
    const again = await as(owner)('POST', '/api/views', { nome: 'soja no SUL', alcance: 'pessoal', estado })
    expect(again.status).toBe(409)
    expect((await as(other)('GET', `/api/views/${vista.id}`)).status).toBe(404)
    expect(
      (await as(other)('PUT', `/api/views/${vista.id}`, { nome: 'x', alcance: 'pessoal', estado })).status,
    ).toBe(404)
    const changed = await as(owner)('PUT', `/api/views/${vista.id}`, {
      ...{ nome: 'Soja', alcance: 'organizacao', estado: { cultura: 'Soja' } },
    })
    expect(changed.body.vista).toMatchObject({
      nome: 'Soja',
      alcance: 'organizacao',
      estado: { cultura: 'Soja' },
    })
    expect((await as(owner)('PUT', '/api/profile/default-view', { vista: vista.id })).body.padrao).toBe(
      vista.id,
    )
    expect((await as(owner)('GET', '/api/views')).body.padrao).toBe(vista.id)
    expect((await as(owner)('DELETE', `/api/views/${vista.id}`)).status).toBe(204)
    expect((await as(owner)('GET', '/api/views')).body.padrao).toBeNull()
    expect((await as(owner)('GET', `/api/views/${vista.id}`)).status).toBe(404)
  })

  test('what is no view is refused', async () => {
    const good = { nome: 'Boa', alcance: 'pessoal', estado: {} }
    for (const bad of [
      { ...good, nome: ' ' },
      { ...good, nome: 'x'.repeat(61) },
      { ...good, alcance: 'todos' },
      { ...good, estado: 'cultura=Soja' },
      { ...good, estado: { cultura: Array(61).fill('a') } },
      { ...good, estado: { a: { b: { c: 'd' } } } },
      { nome: 'Sem estado', alcance: 'pessoal' },
    ])
      expect((await as(owner)('POST', '/api/views', bad)).status, JSON.stringify(bad)).toBe(422)
  })
})

describe('alerts', () => {
  test('tell once of a new trial that passes, in the app and by a letter that ends with one click', async () => {
    const vista = await newView(owner, { cultura: 'Milho' })
    const { body } = await as(owner)('POST', '/api/alerts', { vista: vista.id, frequencia: 'na_hora' })
    expect(body.alerta).toMatchObject({ frequencia: 'na_hora', condicao: null, pausado: null })
    await made(owner, { cultura: 'Soja' })
    const trial = await made(owner, { cultura: 'Milho' })
    await vi.waitFor(async () => expect((await told(owner)).nao_lidas).toBe(1), 12_000)
    const [notice] = (await told(owner)).notificacoes
    expect(notice).toMatchObject({ experimento: { id: trial.id, nome: trial.nome }, lida: false })
    expect((await told(other)).notificacoes).toEqual([])
    // Not within the two quiet minutes.
    expect(received.filter(({ text }) => text.includes('novo ensaio'))).toEqual([])
    await later()
    await vi.waitFor(
      () => expect(received.some(({ text }) => text.includes('novo ensaio em'))).toBe(true),
      12_000,
    )
    const letter = received.find(({ text }) => text.includes('novo ensaio em'))
    expect(letter?.to).toBe(owner.email)
    expect(letter?.text).toContain(`1 novo ensaio em “${vista.nome}”`)
    expect(letter?.text).toContain(trial.nome)
    expect(letter?.text).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    const address =
      /List-Unsubscribe: <([^>]+)>/.exec(letter?.text.replace(/\r?\n[ \t]+/g, '') ?? '')?.[1] ?? ''
    const path = new URL(address).pathname
    const click = () =>
      server.call('POST', path, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await server.call('POST', `${path.slice(0, -2)}xx`)).status).toBe(404)
    // As RFC 8058 has it, too.
    const form = new FormData()
    form.append('List-Unsubscribe', 'One-Click')
    expect((await server.call('POST', `${path.slice(0, -2)}xx`, { body: form })).status).toBe(404)
    expect((await server.call('POST', path, { body: form })).status).toBe(200)
    expect((await click()).status).toBe(200)
    expect((await click()).status).toBe(200)
    expect((await as(owner)('GET', '/api/alerts')).body.alertas).toEqual([])
  })

  test('an edit tells of a trial only when it passes since then', async () => {
    const trial = await made(owner, { cultura: 'Trigo', teor_argila: 20 })
    const passed = await made(owner, { cultura: 'Trigo', teor_argila: 70 })
    const vista = await newView(owner, { cultura: 'Trigo' })
    const { body } = await as(owner)('POST', '/api/alerts', {
      ...{ vista: vista.id, frequencia: 'por_dia' },
      condicao: { tipo: 'variavel', variavel: 'teor_argila', sentido: 'acima', valor: 60 },
    })
    const edit = async (id: string, versao: number, change: Record<string, unknown>) =>
      as(owner)('PUT', `/api/experiments/${id}`, {
        ...experimentInput({ cultura: 'Trigo', ...change }),
        versao,
      })
    await edit(passed.id, passed.versao, { teor_argila: 71 })
    const { status } = await edit(trial.id, trial.versao, { teor_argila: 65 })
    expect(status).toBe(200)
    const mine = async () =>
      (await told(owner)).notificacoes.filter((one: { alerta: string }) => one.alerta === body.alerta.id)
    await vi.waitFor(async () => expect(await mine()).toHaveLength(1), 12_000)
    expect((await mine())[0].experimento.id).toBe(trial.id)
    // One that is opened is read, and no other; of another person's nothing is.
    const um = { alerta: body.alerta.id, experimento: trial.id }
    const before = (await told(owner)).nao_lidas
    await as(other)('PUT', '/api/notifications/read', { um })
    expect((await told(owner)).nao_lidas).toBe(before)
    await as(owner)('PUT', '/api/notifications/read', { um: { ...um, experimento: passed.id } })
    expect((await mine())[0].lida).toBe(false)
    await as(owner)('PUT', '/api/notifications/read', { um })
    expect([(await mine())[0].lida, (await told(owner)).nao_lidas]).toEqual([true, before - 1])
    await as(owner)('PUT', '/api/notifications/read', {})
    expect((await told(owner)).nao_lidas).toBe(0)
  })

  test('one whose view or condition has a name that nothing has any more is paused and says which', async () => {
    const trial = await made(owner, {
      ...{ cultivar: 'Cultivar de agora', marca: 'Marca de agora', consultoria: 'Consultoria de agora' },
      tratamentos: experimentInput().tratamentos.map((one, at) => ({
        ...one,
        ...(at > 0 && {
          modalidade: 'Modalidade de agora',
          produtos_aplicados: [{ nome: 'Produto de agora', dose: 1, unidade: 'L/ha', custo: null }],
        }),
      })),
    })
    const all = {
      ...{
        consultoria: trial.consultoria,
        marca: trial.marca,
        cultura: trial.cultura,
        regional: trial.regional,
      },
      ...{ produto: 'produto de AGORA', cultivar: ['Cultivar de agora'], modalidade: 'Modalidade de agora' },
      origem: trial.organizacao.id,
    }
    const gone = 'Nome que se foi'
    const questions: [object, string | null, string | null][] = [
      [all, 'Produto de agora', null],
      [{ ano: '2024', estado: 'GO', busca: gone, origem: 'proprios' }, null, null],
      ...['consultoria', 'marca', 'cultura', 'regional', 'modalidade'].map((key): [object, null, string] => [
        { [key]: gone },
        null,
        `O filtro usa “${gone}”, que não existe mais.`,
      ]),
      [{ modalidade: ['Modalidade de agora', gone] }, null, `O filtro usa “${gone}”, que não existe mais.`],
      // What is typed may be of a trial to come.
      [{ produto: gone, cultivar: [gone] }, gone, null],
      [{ marca: gone, nao: ['marca'] }, null, `O filtro usa “${gone}”, que não existe mais.`],
      [
        { origem: '0190b3a0-0000-7000-8000-000000000000' },
        null,
        'O filtro usa uma organização que não existe mais.',
      ],
    ]
    const ids: string[] = []
    for (const [estado, produto] of questions) {
      const vista = await newView(owner, estado)
      const { status, body } = await as(owner)('POST', '/api/alerts', {
        ...{ vista: vista.id, frequencia: 'por_dia' },
        ...(produto && { condicao: { tipo: 'produto', produto, percentual: 5 } }),
      })
      expect(status).toBe(201)
      ids.push(body.alerta.id)
    }
    await createWatching({
      ...{
        wall: { for: () => server.handle },
        owner: server.handle,
        siteUrl: 'http://127.0.0.1',
        log: () => undefined,
      },
      experiments: { get: () => Promise.reject(new Error('not asked')) },
      accounts: { tell: async () => undefined, wakePost: () => undefined },
      tokens: { of: () => '', subjectOf: () => '' },
    }).pauseNameless()
    const alerts: { id: string; pausado: string | null }[] = (await as(owner)('GET', '/api/alerts')).body
      .alertas
    const paused = new Map(alerts.map(({ id, pausado }) => [id, pausado]))
    expect(ids.map((id) => paused.get(id))).toEqual(questions.map(([, , why]) => why))
    await sql`delete from alertas where pessoa_id = ${owner.id}`.execute(server.handle)
  })

  test('what is refused, and at most twenty', async () => {
    const vista = await newView(owner, {})
    const good = { vista: vista.id, frequencia: 'na_hora' }
    for (const [bad, status] of [
      [{ ...good, frequencia: 'sempre' }, 422],
      [{ ...good, condicao: { tipo: 'variavel', variavel: 'senha', sentido: 'acima', valor: 1 } }, 422],
      [{ ...good, condicao: { tipo: 'produto', produto: '', percentual: 5 } }, 422],
      [{ ...good, vista: '0190b3a0-0000-7000-8000-000000000000' }, 404],
      [{ ...good, vista: 'x' }, 422],
    ] as const)
      expect((await as(owner)('POST', '/api/alerts', bad)).status, JSON.stringify(bad)).toBe(status)
    expect((await as(other)('POST', '/api/alerts', good)).status).toBe(404)
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => as(owner)('POST', '/api/alerts', good)),
    )
    expect(answers.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(4)
    const { alertas } = (await as(owner)('GET', '/api/alerts')).body
    expect(alertas).toHaveLength(20)
    // Those that wait in another organisation are theirs too.
    const elsewhere = sql<{
      id: string
    }>`select organizacao_id as id from membros where pessoa_id = ${other.id}`
    const [away] = (await elsewhere.execute(server.handle)).rows
    await sql`update alertas set organizacao_id = ${away?.id} where pessoa_id = ${owner.id}`.execute(
      server.handle,
    )
    expect((await as(owner)('GET', '/api/alerts')).body.alertas).toEqual([])
    const more = await as(owner)('POST', '/api/alerts', good)
    expect([more.status, more.body.code]).toEqual([422, 'alert.too_many'])
    await sql`delete from alertas where pessoa_id = ${owner.id}`.execute(server.handle)
  })
})

describe('what others share', () => {
  const codeOf = async (person: Person) => {
    const { organizacoes } = (await as(person)('GET', '/api/organizations')).body
    return (await as(person)('GET', `/api/organizations/${organizacoes[0].id}`)).body.organizacao.codigo
  }
  const shared = async (trial: string, custos: boolean) => {
    const { body, status } = await as(owner)('POST', '/api/shares', {
      ...{ alvo: { experimento: trial }, para: { codigo: await codeOf(other) } },
      ...{ custos, documentos: false, comentarios: false },
    })
    expect(status, JSON.stringify(body)).toBe(202)
    const { id } = body.compartilhamento
    expect((await as(other)('POST', `/api/shares/${id}/accept`)).status).toBe(200)
    return id
  }
  const tellsOf = async (alert: string) =>
    (await told(other)).notificacoes.filter((one: { alerta: string }) => one.alerta === alert)

  test('is new when it is received; what is hidden fulfils nothing; what was revoked is told to nobody', async () => {
    const vista = await newView(other, { cultura: 'Sorgo' })
    const all = (await as(other)('POST', '/api/alerts', { vista: vista.id, frequencia: 'na_hora' })).body
      .alerta
    const paid = (
      await as(other)('POST', '/api/alerts', {
        ...{ vista: vista.id, frequencia: 'por_semana' },
        condicao: { tipo: 'variavel', variavel: 'roi', sentido: 'acima', valor: 300 },
      })
    ).body.alerta
    const [hidden, open] = [
      await made(owner, { cultura: 'Sorgo', roi: 900 }),
      await made(owner, { cultura: 'Sorgo', roi: 800, ano: 2023 }),
    ]
    const share = await shared(hidden.id, false)
    await shared(open.id, true)
    await vi.waitFor(async () => expect(await tellsOf(all.id)).toHaveLength(2), 12_000)
    expect(
      (await tellsOf(paid.id)).map((one: { experimento: { id: string } }) => one.experimento.id),
    ).toEqual([open.id])
    // Nor does it tell what it was before it changed.
    const returns = await newView(other, { cultura: 'Sorgo', com_roi: '0' })
    const unpaid = (await as(other)('POST', '/api/alerts', { vista: returns.id, frequencia: 'na_hora' })).body
      .alerta
    const change = async (id: string, roi: number | null) => {
      const { experimento } = (await as(owner)('GET', `/api/experiments/${id}`)).body
      const body = experimentInput({ cultura: 'Sorgo', ano: experimento.ano, roi })
      expect(
        (await as(owner)('PUT', `/api/experiments/${id}`, { ...body, versao: experimento.versao })).status,
      ).toBe(200)
    }
    await change(hidden.id, 950)
    await change(open.id, null)
    await vi.waitFor(async () => expect(await tellsOf(unpaid.id)).toHaveLength(1), 12_000)
    expect((await tellsOf(unpaid.id))[0].experimento.id).toBe(open.id)
    expect((await as(owner)('DELETE', `/api/shares/${share}`)).status).toBe(204)
    expect((await tellsOf(all.id)).map((one: { experimento: { id: string } }) => one.experimento.id)).toEqual(
      [open.id],
    )
    await later()
    const letters = () => received.filter(({ to, text }) => to === other.email && text.includes(vista.nome))
    await vi.waitFor(() => expect(letters()).toHaveLength(1), 12_000)
    expect(letters()[0]?.text).toContain(`1 novo ensaio em “${vista.nome}”`)
    expect(letters()[0]?.text).not.toContain(hidden.id)
  })

  test('the weekly digest comes on a Monday when there is something new, and not a second time', async () => {
    const old = await made(owner, { cultura: 'Sorgo', ano: 2021 })
    await sql`update experimentos set created_at = now() - interval '1 year'`.execute(server.handle)
    await shared(old.id, true)
    await as(other)('PUT', '/api/profile/digest', { ativo: true })
    await sql`update preferencias set resumo_em = now() - interval '8 days'`.execute(server.handle)
    const digests = () =>
      received.filter(({ to, text }) => to === other.email && text.includes('Ensaios da semana'))
    await vi.waitFor(() => expect(digests()).toHaveLength(1), 12_000)
    // A trial of long ago is new to whom it was shared with this week.
    expect(digests()[0]?.text).toMatch(/Ensaios da semana: 0 próprios, \d+ recebidos?/)
    expect(digests()[0]?.text).toContain(`/experimentos/${old.id}?`)
    expect(digests()[0]?.text).toContain('O que mudou nas suas vistas')
    expect(digests()[0]?.text).toContain('List-Unsubscribe')
    await new Promise((done) => setTimeout(done, 4_000))
    expect(digests()).toHaveLength(1)
    // A share of everything may be of a million: the newest of them are looked at.
    const opened = async (most: number) => {
      const handle = await server.inNameOf(other)
      const { rows } = await sql`select recebidos_desde(now() - interval '1 day', ${most})`.execute(handle)
      return rows.length
    }
    expect(await opened(10)).toBeGreaterThan(1)
    expect(await opened(1)).toBe(1)
  })
})
