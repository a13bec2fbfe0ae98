import { randomBytes, randomUUID } from 'node:crypto'
import { contract, type Endpoint } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { asking, sheet, variable, YIELDS } from '../trials/test-trials.ts'

let server: TestServer
let ana: Person
let lia: Person
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  lia = await server.person({ name: 'Lia Reis' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${lia.id}`.execute(server.handle)
})
afterAll(() => server.stop())

async function planted() {
  const of = asking(server, ana)
  const id = await of.planted({
    variaveis: [...sheet().variaveis, variable('altura', { nome: 'Altura', minimo: 0, maximo: 300 })],
    valores: [...sheet().valores, { variavel: 'altura', avaliacao: null, valores: YIELDS.map(() => null) }],
  })
  const pack = await of.done(of.call('GET', `/api/experiments/${id}/field-package`))
  return { of, id, pack }
}
type Planted = Awaited<ReturnType<typeof planted>>
const secret = () => randomBytes(32).toString('base64url')
const by = (token: string) => (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token, ...(body !== undefined && { body }) })
const changeOf = ({ id, pack }: Planted, aparelho: string, given: object = {}) => ({
  ...{ v: 1, id: randomUUID(), aparelho, seq: 1, experimento: id, pacote: pack.versao, tipo: 'valor' },
  ...{ parcela: pack.parcelas[0].id, base: null, valor: 82, quando: '2026-03-12T12:00:00-03:00' },
  variavel: pack.variaveis.find(({ chave }: { chave: string }) => chave === 'altura').id,
  ...given,
})

async function invited(trial: Planted, dias = 30) {
  const { convite } = await trial.of.done(
    trial.of.call('POST', `/api/experiments/${trial.id}/field-invitations`, { dias }),
  )
  const codigo = String(convite.url.split('#')[1])
  const redeem = (chave: string, nome = 'João Lima') =>
    server.call('POST', '/api/field/invitations/redeem', { body: { codigo, chave, nome } })
  return { convite, codigo, redeem }
}
/** A phone that took an invitation. */
async function guest(trial: Planted, dias?: number, nome?: string) {
  const { convite, codigo, redeem } = await invited(trial, dias)
  const chave = secret()
  const { body } = await redeem(chave, nome)
  return { convite, codigo, chave, aparelho: body.aparelho as string, ask: by(`enc_${chave}`) }
}

test('what phones have said is waiting there is asked about before trial, sheet or layout go', async () => {
  const trial = await planted()
  const plain = await trial.of.planted({ valores: [] })
  const aparelho = randomUUID()
  const { call } = trial.of
  await call('GET', `/api/experiments/${plain}/field-package?aparelho=${aparelho}`)
  await call('GET', `/api/experiments/${trial.id}/field-package?aparelho=${aparelho}`)
  await call('POST', '/api/field/changes', { aparelho, registros: [], pendentes: 12 })

  // A phone that was revoked is waited for by nobody.
  const lost = randomUUID()
  await call('GET', `/api/experiments/${trial.id}/field-package?aparelho=${lost}`)
  await call('POST', '/api/field/changes', { aparelho: lost, registros: [], pendentes: 5 })
  await sql`update aparelhos set revogado_em = now() where id = ${lost}`.execute(server.handle)
  const design = { delineamento: 'DBC', repeticoes: 4 }
  expect(await call('POST', `/api/experiments/${plain}/plots/layout`, design)).toMatchObject({
    status: 409,
    body: { code: 'trial.has_values' },
  })
  for (const path of [`/api/experiments/${plain}/plots`, `/api/experiments/${trial.id}`]) {
    expect(await call('DELETE', path)).toMatchObject({
      status: 409,
      body: { code: 'trial.phones_waiting', current: { n: 12 } },
    })
    expect((await call('GET', path)).status).toBe(200)
    expect((await call('DELETE', `${path}?mesmo_assim=true`)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
  }
})

describe('the field team', () => {
  test('lets a reader of the organisation record in one trial, and take it back ends it', async () => {
    const [trial, other] = [await planted(), await planted()]
    const reads = by(lia.token)
    const [path, aparelho] = [`/api/experiments/${trial.id}/field-package`, randomUUID()]
    expect((await reads('GET', path)).status).toBe(403)
    const team = `/api/experiments/${trial.id}/field-team`
    const before = await trial.of.done(trial.of.call('GET', team))
    expect(before.outros).toContainEqual({ id: lia.id, nome: 'Lia Reis' })
    expect((await trial.of.call('PUT', `${team}/${lia.id}`)).status).toBe(204)
    expect((await trial.of.call('PUT', `${team}/${lia.id}`)).status).toBe(204)
    expect((await trial.of.done(trial.of.call('GET', team))).equipe).toEqual([
      { id: lia.id, nome: 'Lia Reis' },
    ])
    expect((await reads('GET', '/api/field/trials')).body).toEqual({ experimentos: [trial.id] })
    const first = await reads('GET', `${path}?aparelho=${aparelho}`)
    expect([first.status, first.body.equipe]).toEqual([200, ['Lia Reis']])
    const send = async (experimento: Planted, given: object) =>
      (
        await reads('POST', '/api/field/changes', {
          aparelho,
          registros: [changeOf(experimento, aparelho, given)],
        })
      ).body.resultados[0]
    expect(await send(trial, { seq: 1 })).toMatchObject({ estado: 'aplicado', valor: 82, quem: 'Lia Reis' })
    const { valores } = await trial.of.ficha(trial.id)
    expect(valores.find(({ variavel }: { variavel: string }) => variavel === 'altura').valores[0]).toBe(82)
    // Nothing else of the trial, and no other trial.
    expect(await send(other, { seq: 2 })).toMatchObject({ estado: 'recusado' })
    const cells = {
      versao: 1,
      celulas: [{ parcela: 101, variavel: 'altura', avaliacao: null, valor: 1, antes: 82 }],
    }
    for (const [method, address, body] of [
      ['POST', `/api/experiments/${trial.id}/plots/cells`, cells],
      ['DELETE', `/api/experiments/${trial.id}/plots`, undefined],
      ['DELETE', `/api/experiments/${trial.id}`, undefined],
      ['GET', `/api/experiments/${trial.id}/field-settings`, undefined],
      ['GET', team, undefined],
      ['POST', `/api/experiments/${trial.id}/field-invitations`, { dias: 1 }],
    ] as const)
      expect([403, 404], `${method} ${address}`).toContain((await reads(method, address, body)).status)
    expect((await trial.of.call('DELETE', `${team}/${lia.id}`)).status).toBe(204)
    expect((await reads('GET', path)).status).toBe(403)
    // What was recorded before is kept, without a place.
    expect(await send(trial, { seq: 3, valor: 90 })).toMatchObject({ estado: 'guardado', valor: null })
  })

  test('is of members alone, and who leaves the organisation leaves it', async () => {
    const trial = await planted()
    const team = `/api/experiments/${trial.id}/field-team`
    expect((await trial.of.call('PUT', `${team}/${randomUUID()}`)).status).toBe(422)
    const rui = await server.person({ name: 'Rui Leal' })
    await trial.of.call('PUT', `${team}/${rui.id}`)
    await sql`delete from membros where pessoa_id = ${rui.id}`.execute(server.handle)
    expect((await trial.of.done(trial.of.call('GET', team))).equipe).toEqual([])
  })
})

describe('a field invitation', () => {
  test('gives one phone one trial, and values carry the name and who invited', async () => {
    const trial = await planted()
    const { convite, redeem } = await invited(trial, 90)
    expect(Math.round((Date.parse(convite.expira_em) - Date.now()) / 60_000)).toBe(15)
    expect(Math.round((Date.parse(convite.ate) - Date.now()) / 86_400_000)).toBe(90)
    const chave = secret()
    const taken = await redeem(chave)
    expect(taken.body).toMatchObject({ experimento: trial.id, nome: 'João Lima', convidou: 'Ana Prado' })
    const { aparelho } = taken.body
    const ask = by(`enc_${chave}`)
    const pack = await ask('GET', `/api/experiments/${trial.id}/field-package`)
    expect([pack.status, pack.body.parcelas.length]).toEqual([200, 12])
    const entry = changeOf(trial, aparelho, { nome: 'Outra Pessoa' })
    const sent = await ask('POST', '/api/field/changes', { aparelho, registros: [entry], pendentes: 3 })
    expect(sent.body.resultados).toMatchObject([
      { estado: 'aplicado', quem: 'João Lima (convite de Ana Prado)' },
    ])
    expect((await ask('GET', `/api/experiments/${trial.id}/field-changes`)).status).toBe(200)
    const { convites } = await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-team`))
    expect(convites).toMatchObject([{ nome: 'João Lima', quem: 'Ana Prado', estado: 'usado', pendentes: 3 }])
  })

  test('lets its phone decide conflicts of its own values alone; what it may not decide is kept for who edits', async () => {
    const trial = await planted()
    const [caio, davi, enzo] = [
      await guest(trial, 30, 'Caio'),
      await guest(trial, 30, 'Davi'),
      await guest(trial, 30, 'Enzo'),
    ]
    const send = async ({ ask, aparelho }: typeof caio, given: object) => {
      const registro = changeOf(trial, aparelho, given)
      const { body } = await ask('POST', '/api/field/changes', { aparelho, registros: [registro] })
      return { id: registro.id, ...body.resultados[0] }
    }
    const first = await send(caio, { valor: 92 })
    const second = await send(davi, { valor: 95 })
    expect(second).toMatchObject({ estado: 'conflito', valor: 92 })
    const path = `/api/experiments/${trial.id}/field-package`
    expect((await enzo.ask('GET', path)).body.decide).toBe(false)
    expect(trial.pack.decide).toBe(true)
    const decision = { tipo: 'decisao', base: first.id, valor: 95, decide: [second.id] }
    expect(await send(enzo, { ...decision, seq: 2 })).toMatchObject({
      estado: 'guardado',
      motivo: 'Quem registrou os valores ou quem edita o ensaio decide este conflito',
    })
    expect((await trial.of.done(trial.of.call('GET', path))).conflitos).toHaveLength(1)
    expect(await send(davi, { ...decision, seq: 3 })).toMatchObject({ estado: 'aplicado', valor: 95 })
    expect((await trial.of.done(trial.of.call('GET', path))).conflitos).toEqual([])
  })

  test('takes none of the places of the phones that who invited has', async () => {
    const trial = await planted()
    const mia = await server.person({ name: 'Mia Sá' })
    await sql`
      with guests as (
        insert into convites_campo (experimento_id, organizacao_id, pessoa_id, codigo_hash, expira_em, ate, aparelho)
        select e.id, e.organizacao_id, ${mia.id}, sha256(('mia' || g)::bytea), now(), now(), gen_random_uuid()
        from experimentos e, generate_series(1, 250) g where e.id = ${trial.id} returning aparelho
      )
      insert into aparelhos (pessoa_id, id, pendentes, no_dia) select ${mia.id}, aparelho, 0, 0 from guests
    `.execute(server.handle)
    await sql`update membros set papel = 'dono' where pessoa_id = ${mia.id}`.execute(server.handle)
    const take = () =>
      by(mia.token)('GET', `/api/experiments/${trial.id}/field-package?aparelho=${randomUUID()}`)
    expect((await take()).status).toBe(200)
    await sql`
      insert into aparelhos (pessoa_id, id, pendentes, no_dia)
      select ${mia.id}, gen_random_uuid(), 0, 0 from generate_series(1, 199)
    `.execute(server.handle)
    expect((await take()).body.code).toBe('device.too_many')
  })

  test('is of one use; the same phone may ask again where the answer was lost', async () => {
    const trial = await planted()
    const { redeem } = await invited(trial)
    const chave = secret()
    const [first, again] = [await redeem(chave), await redeem(chave, 'Outro Nome')]
    expect(again.body).toEqual(first.body)
    expect((await redeem(secret())).body.code).toBe('field_invitation.not_found')
    const race = await invited(trial)
    const racing = await Promise.all(Array.from({ length: 6 }, () => race.redeem(secret())))
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
    // One key is of one invitation.
    expect((await (await invited(trial)).redeem(chave)).status).toBe(404)
  })

  test('opens nothing after its 15 minutes, after its day, or once it is revoked', async () => {
    const trial = await planted()
    const late = await invited(trial)
    await sql`update convites_campo set expira_em = now() where id = ${late.convite.id}`.execute(
      server.handle,
    )
    expect((await late.redeem(secret())).status).toBe(404)
    const gone = await invited(trial)
    const path = `/api/experiments/${trial.id}/field-invitations`
    expect((await trial.of.call('DELETE', `${path}/${gone.convite.id}`)).status).toBe(204)
    expect((await gone.redeem(secret())).status).toBe(404)

    const calls = async ({ ask, aparelho }: Awaited<ReturnType<typeof guest>>) => [
      await ask('GET', `/api/experiments/${trial.id}/field-package`),
      await ask('GET', `/api/experiments/${trial.id}/field-changes`),
      await ask('POST', '/api/field/changes', { aparelho, registros: [changeOf(trial, aparelho)] }),
    ]
    const over = await guest(trial)
    await sql`update convites_campo set ate = now() where id = ${over.convite.id}`.execute(server.handle)
    const revoked = await guest(trial)
    await trial.of.call('DELETE', `${path}/${revoked.convite.id}`)
    const lost = await guest(trial)
    await lost.ask('GET', `/api/experiments/${trial.id}/field-package`)
    await trial.of.call('DELETE', `/api/profile/devices/${lost.aparelho}`)
    for (const phone of [over, revoked, lost])
      expect((await calls(phone)).map(({ status, body }) => [status, body.code])).toEqual(
        Array(3).fill([403, 'device.revoked']),
      )
    expect((await revoked.ask('GET', '/api/profile')).status).toBe(401)
  })

  test('reaches no other trial, and sends as no other phone', async () => {
    const [trial, other] = [await planted(), await planted()]
    const { ask, aparelho } = await guest(trial)
    for (const part of ['field-package', 'field-changes']) {
      const answer = await ask('GET', `/api/experiments/${other.id}/${part}`)
      expect([answer.status, answer.body.code]).toEqual([404, 'experiment.not_found'])
    }
    const mixed = await ask('POST', '/api/field/changes', {
      aparelho,
      registros: [changeOf(other, aparelho), changeOf(trial, aparelho, { seq: 2 })],
    })
    expect(mixed.body.resultados.map(({ estado }: { estado: string }) => estado)).toEqual([
      'recusado',
      'aplicado',
    ])
    const forged = randomUUID()
    const answer = await ask('POST', '/api/field/changes', {
      aparelho: forged,
      registros: [changeOf(trial, forged)],
    })
    expect(answer.status).toBe(403)
  })

  test('asks nothing else of the server: everywhere else its key is a stranger', async () => {
    const trial = await planted()
    const { ask } = await guest(trial)
    for (const [name, endpoint] of Object.entries<Endpoint>(contract)) {
      if (endpoint.guests || endpoint.access === 'public') continue
      const path = endpoint.path.replace(/:\w+/g, trial.id)
      const answer = await ask(endpoint.method, path, endpoint.method === 'GET' ? undefined : {})
      expect([name, answer.status]).toEqual([name, 401])
    }
    for (const path of ['/auth/v1/user', '/rest/v1/experimentos', '/brapi/v2/studies', '/api/events'])
      expect([401, 403, 404], path).toContain((await ask('GET', path)).status)
  })

  test('ends with the right of who invited, and no code is guessed for long', async () => {
    const trial = await planted()
    const eva = await server.person({ name: 'Eva Sá' })
    await sql`update experimentos set created_by = ${eva.id} where id = ${trial.id}`.execute(server.handle)
    const hers = { ...trial, of: asking(server, eva) }
    const { ask, aparelho } = await guest(hers)
    await ask('GET', `/api/experiments/${trial.id}/field-package`)
    await sql`update membros set papel = 'leitor' where pessoa_id = ${eva.id}`.execute(server.handle)
    expect((await ask('GET', `/api/experiments/${trial.id}/field-package`)).status).toBe(403)
    const kept = await ask('POST', '/api/field/changes', { aparelho, registros: [changeOf(trial, aparelho)] })
    expect(kept.body.resultados).toMatchObject([{ estado: 'guardado', valor: null }])
    await sql`delete from membros where pessoa_id = ${eva.id}`.execute(server.handle)
    const gone = await ask('GET', `/api/experiments/${trial.id}/field-package`)
    expect([gone.status, gone.body.code]).toEqual([403, 'device.revoked'])
  })

  test('is kept as a hash alone, for 1 to 90 days, and of no more than a hundred at once', async () => {
    const trial = await planted()
    const { codigo, chave } = await guest(trial)
    const { rows } = await sql<{ row: string }>`
      select c::text || encode(codigo_hash, 'escape') as row from convites_campo c
    `.execute(server.handle)
    for (const { row } of rows) {
      expect(row).not.toContain(codigo)
      expect(row).not.toContain(chave)
    }
    const path = `/api/experiments/${trial.id}/field-invitations`
    for (const dias of [0, 91, 1.5, '7', null])
      expect((await trial.of.call('POST', path, { dias })).status).toBe(422)
    await sql`
      insert into convites_campo (experimento_id, organizacao_id, pessoa_id, codigo_hash, expira_em, ate)
      select experimento_id, organizacao_id, pessoa_id, sha256(n::text::bytea), expira_em, ate
      from convites_campo, generate_series(1, 99) n where experimento_id = ${trial.id}
    `.execute(server.handle)
    const full = await trial.of.call('POST', path, { dias: 1 })
    expect([full.status, full.body.code]).toEqual([422, 'field_invitation.too_many'])
  })
})

test('codes are tried a few times an address and then no more', async () => {
  const strict = await startTestServer({ env: { LIMITS: 'on' } })
  const guess = () =>
    strict.call('POST', '/api/field/invitations/redeem', {
      body: { codigo: secret(), chave: secret(), nome: 'Ninguém' },
    })
  const answers = []
  for (let n = 0; n < 40; n++) answers.push(await guess())
  expect(new Set(answers.slice(0, 20).map(({ status }) => status))).toEqual(new Set([404]))
  expect(answers.at(-1)?.status).toBe(429)
  await strict.stop()
})

test('who is to collect which block is a hint that the package tells, for every block of the sheet', async () => {
  const trial = await planted()
  const settings = `/api/experiments/${trial.id}/field-settings`
  const before = await trial.of.done(trial.of.call('GET', settings))
  expect(before.blocos.map(({ quem }: { quem: string | null }) => quem)).toEqual(
    before.blocos.map(() => null),
  )
  expect(trial.pack.blocos).toBeUndefined()
  const after = await trial.of.done(
    trial.of.call('PUT', settings, { blocos: [{ bloco: 2, quem: ' Bruno ' }] }),
  )
  expect(after.blocos.find(({ bloco }: { bloco: number }) => bloco === 2).quem).toBe('Bruno')
  expect(after.as_cegas).toBe(before.as_cegas)
  const pack = await trial.of.done(trial.of.call('GET', `/api/experiments/${trial.id}/field-package`))
  expect(pack.blocos).toEqual([{ bloco: 2, quem: 'Bruno' }])
  for (const blocos of [[{ bloco: 2, quem: '' }], [{ bloco: 0, quem: 'Ana' }], 'todos'])
    expect((await trial.of.call('PUT', settings, { blocos })).status).toBe(422)
  expect((await by(lia.token)('PUT', settings, { blocos: [] })).status).toBe(403)
})
