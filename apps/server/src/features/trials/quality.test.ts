import { type ExperimentInput, type Quality, type QualityLevel, UNGIVEN } from '@ensaio/domain'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoExperiments } from '../../demo-data.ts'
import {
  experimentInput,
  form,
  type Person,
  pdf,
  startTestServer,
  type TestServer,
} from '../../test-server.ts'
import { sheet, treatments } from './test-trials.ts'

let server: TestServer
let owner: Person
let maker: Person
let stranger: Person

const call = (person: Person, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: person.token, ...(body === undefined ? {} : { body }) })
const create = async (person: Person, change: Partial<ExperimentInput> = {}) => {
  const { body, status } = await call(person, 'POST', '/api/experiments', experimentInput(change))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.experimento
}
const quality = async (person: Person, id: string): Promise<Quality> => {
  const { body, status } = await call(person, 'GET', `/api/experiments/${id}/quality`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const listed = async (person: Person, qualidade: QualityLevel): Promise<string[]> => {
  const { body } = await call(person, 'GET', `/api/experiments?qualidade=${qualidade}&limit=100`)
  expect(body.total).toBe(body.experimentos.length)
  return body.experimentos.map(({ id }: { id: string }) => id).sort()
}
/** Looked at by the background, whatever it found. */
const settled = (id: string) =>
  expect
    .poll(
      async () =>
        (
          await sql<{ regras: number }>`select regras from experimentos where id = ${id}`.execute(
            server.handle,
          )
        ).rows[0]?.regras,
      { timeout: 30_000 },
    )
    .not.toBe(0)
/** Two treatments whose yields were typed in sacks. */
const inSacks = (): Partial<ExperimentInput> => ({
  cultura: 'Soja',
  tratamentos: experimentInput().tratamentos.map((one, at) => ({ ...one, produtividade: 58 + 3 * at })),
})

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.person({ role: 'admin' })
  await call(admin, 'PUT', '/api/admin/installation', { organizacoes: 'varias' })
  owner = await server.person({ name: 'Dona Rita' })
  maker = await server.person({ name: 'Fábrica' })
  stranger = await server.person({ name: 'Outra' })
})
afterAll(() => server.stop())

test('the filter counts what the rules find in every row, in list, dashboard and export', async () => {
  const person = await server.person({ name: 'Conta' })
  for (const input of demoExperiments(30)) await create(person, input)
  await create(person, { ...inSacks(), codigo: 'SACAS' })
  await create(person, { teor_argila: 5, teor_materia_organica: 9, codigo: 'SOLO' })
  await create(person, { latitude: -47.9, longitude: -15.8, codigo: 'TROCADAS' })
  const { body } = await call(person, 'GET', '/api/experiments?limit=100')
  const byLevel = new Map<QualityLevel, string[]>()
  for (const { id, apontamentos } of body.experimentos) {
    const { nivel, apontamentos_abertos } = await quality(person, id)
    expect(apontamentos_abertos).toBe(apontamentos)
    byLevel.set(nivel, [...(byLevel.get(nivel) ?? []), id].sort())
  }
  expect([...byLevel.keys()]).toContain('problema')
  for (const level of ['sem_apontamentos', 'conferir', 'problema'] as const) {
    const ids = byLevel.get(level) ?? []
    expect(await listed(person, level), level).toEqual(ids)
    const overview = await call(person, 'GET', `/api/dashboard/overview?qualidade=${level}`)
    expect(overview.body.total, level).toBe(ids.length)
  }
  const csv = await call(person, 'GET', '/api/experiments/export?formato=csv&qualidade=problema')
  const [head = '', ...lines] = String(csv.body).trim().split('\r\n')
  const at = head.split(';').indexOf('apontamentos')
  expect(lines).toHaveLength(byLevel.get('problema')?.length ?? -1)
  for (const line of lines) expect(line.split(';')[at]).toMatch(/^\d+ problemas?$/)
})

test('a finding tells what, where, why and from which source, read when', async () => {
  const made = await create(owner, inSacks())
  expect(made.apontamentos).toBeGreaterThan(255)
  const { nivel, regras_versao, apontamentos } = await quality(owner, made.id)
  expect([nivel, regras_versao]).toEqual(['problema', 7])
  expect(apontamentos[0]).toMatchObject({
    codigo: 'rendimento.unidade',
    peso: 'problema',
    onde: { campo: 'tratamentos.0.produtividade', parcela: null, variavel: null, avaliacao: null },
    texto: 'Parece sc/ha: 58 sc/ha seriam 3.480 kg/ha. Converter?',
    fonte: {
      titulo: 'CONAB, 12º levantamento da safra 2024/25',
      lido_em: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
    resposta: null,
  })
})

test('an answer is kept with who and when, leaves the light, and ends with its value', async () => {
  const made = await create(owner, { teor_argila: 5, teor_materia_organica: 9 })
  const before = await quality(owner, made.id)
  const [finding] = before.apontamentos.filter(({ codigo }) => codigo === 'solo.classe')
  const path = `/api/experiments/${made.id}/quality/solo.classe/answer`
  const body = { lugar: finding?.lugar, valor: finding?.valor, texto: 'Turfa drenada, laudo em anexo' }
  const short = await call(owner, 'POST', path, { ...body, texto: ' ok ' })
  expect([short.status, short.body.fields[0].message]).toEqual([
    422,
    'Diga por que está certo, em 5 a 300 caracteres',
  ])
  expect((await call(stranger, 'POST', path, body)).status).toBe(404)
  const said = await call(owner, 'POST', path, body)
  expect(said.status, JSON.stringify(said.body)).toBe(200)
  const kept = (of: Quality) => of.apontamentos.find(({ codigo }) => codigo === 'solo.classe')?.resposta
  expect(kept(said.body)).toEqual({
    texto: body.texto,
    quem: 'Dona Rita',
    quando: expect.stringMatching(/^\d{4}-/),
  })
  expect(said.body.apontamentos_abertos).toBe(before.apontamentos_abertos - 1)
  const stored = await call(owner, 'GET', `/api/experiments/${made.id}`)
  expect(stored.body.experimento).toMatchObject({ versao: 1, apontamentos: said.body.apontamentos_abertos })

  const again = { ...stored.body.experimento, cultivar: 'Outra' }
  const same = await call(owner, 'PUT', `/api/experiments/${made.id}`, again)
  expect(same.body.experimento.apontamentos).toBe(said.body.apontamentos_abertos)
  const other = await call(owner, 'PUT', `/api/experiments/${made.id}`, {
    ...same.body.experimento,
    teor_materia_organica: 9.5,
  })
  expect(other.body.experimento.apontamentos).toBe(before.apontamentos_abertos)
  expect(kept(await quality(owner, made.id))).toBeNull()
  expect((await call(owner, 'POST', path, body)).status).toBe(409)
})

test('others see no finding that rests on costs, no sentence of an answer, and a light of their own', async () => {
  const { tratamentos } = experimentInput()
  const made = await create(owner, {
    codigo: 'COMPARTILHADO',
    roi: 90_000,
    custo_protocolo: 1,
    teor_argila: 5,
    teor_materia_organica: 9,
    tratamentos,
  })
  const organizations = await call(maker, 'GET', '/api/organizations')
  const sent = await call(owner, 'POST', '/api/shares', {
    alvo: { experimento: made.id },
    para: { codigo: organizations.body.organizacoes[0].codigo },
    ...{ custos: true, documentos: false, comentarios: false, ate: null },
  })
  await call(maker, 'POST', `/api/shares/${sent.body.compartilhamento.id}/accept`)
  const own = await quality(owner, made.id)
  expect(own.apontamentos.map(({ codigo }) => codigo)).toContain('roi.sem_custo')
  const soil = own.apontamentos.find(({ codigo }) => codigo === 'solo.classe')
  const seen = await quality(maker, made.id)
  expect(seen.apontamentos.map(({ codigo }) => codigo)).not.toContain('roi.sem_custo')
  const told = own.apontamentos.filter(
    ({ codigo, peso }) => peso !== 'nota' && !/^(custo|roi)\./.test(codigo),
  )
  expect(seen.apontamentos.filter(({ peso }) => peso !== 'nota').map(({ codigo }) => codigo)).toEqual(
    told.map(({ codigo }) => codigo),
  )
  expect(seen.apontamentos_abertos).toBe(told.length)
  const list = await call(maker, 'GET', '/api/experiments')
  expect(list.body.experimentos[0].apontamentos).toBe(seen.apontamentos_abertos)
  const answer = { lugar: soil?.lugar, valor: soil?.valor, texto: 'Segredo da casa' }
  const path = `/api/experiments/${made.id}/quality/solo.classe/answer`
  expect((await call(maker, 'POST', path, answer)).status).toBe(403)
  expect((await call(owner, 'POST', path, answer)).status).toBe(200)
  const after = await quality(maker, made.id)
  expect(JSON.stringify(after)).not.toContain('Segredo')
  expect(after.apontamentos.find(({ codigo }) => codigo === 'solo.classe')?.resposta).toMatchObject({
    texto: null,
    quem: null,
  })
  expect(await listed(maker, 'sem_apontamentos')).toEqual(after.nivel === 'sem_apontamentos' ? [made.id] : [])
  expect((await call(stranger, 'GET', `/api/experiments/${made.id}/quality`)).status).toBe(404)
})

test('plots that are written change the light in the same breath', async () => {
  const made = await create(owner, {
    codigo: 'PARCELAS',
    tratamentos: treatments(3000, 3300, 3500) as ExperimentInput['tratamentos'],
  })
  const before = await quality(owner, made.id)
  const put = await call(owner, 'PUT', `/api/experiments/${made.id}/plots`, sheet())
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  const { body } = await call(owner, 'GET', `/api/experiments/${made.id}`)
  const after = await quality(owner, made.id)
  expect(body.experimento.apontamentos).toBe(after.apontamentos_abertos)
  expect(after.apontamentos_abertos).toBeGreaterThan(before.apontamentos_abertos)
})

test('what a registration asks is kept with the sheet, and stays where a save says nothing of it', async () => {
  const made = await create(owner, {
    codigo: 'REGISTRO',
    tratamentos: treatments(3000, 3300, 3500) as ExperimentInput['tratamentos'],
  })
  const path = `/api/experiments/${made.id}/plots`
  const registro = { altitude: 620, ret_numero: 'RET 12/24', semeadura: '2024-10-10', colheita: '2024-11-01' }
  const first = await call(owner, 'PUT', path, sheet({ registro }))
  expect(first.body.ficha.registro, JSON.stringify(first.body)).toMatchObject(registro)
  const again = await call(owner, 'PUT', path, sheet({ versao: first.body.ficha.versao }))
  expect(again.body.ficha.registro).toMatchObject(registro)
  const { apontamentos } = await quality(owner, made.id)
  expect(apontamentos.map(({ codigo }) => codigo)).toContain('data.ordem')
  const wrong = await call(owner, 'PUT', path, sheet({ versao: 2, registro: { altitude: 9000 } }))
  expect([wrong.status, wrong.body.fields[0]]).toEqual([
    422,
    { path: 'registro.altitude', message: 'Valor fora do intervalo' },
  ])
})

test('trials of older rules are looked at again', async () => {
  const made = await create(owner, { ...inSacks(), ...UNGIVEN, codigo: 'ANTIGO' })
  const handle = await server.inNameOf(owner)
  // Figures hold it before, so that a mark that comes later is of the light.
  await call(owner, 'GET', '/api/dashboard/overview')
  const marks = () => sql`select from sujos where experimento_id = ${made.id}`.execute(server.handle)
  await expect.poll(async () => (await marks()).rows.length, { timeout: 10_000 }).toBe(0)
  await sql`alter table sujos add constraint none check (experimento_id <> ${sql.lit(made.id)}::uuid) not valid`.execute(
    server.handle,
  )
  await sql`update experimentos set regras = 0, apontamentos = null where id = ${made.id}`.execute(handle)
  await expect
    .poll(
      async () => (await call(owner, 'GET', `/api/experiments/${made.id}`)).body.experimento.apontamentos,
      {
        timeout: 30_000,
        interval: 500,
      },
    )
    .toBe(made.apontamentos)
  await sql`alter table sujos drop constraint none`.execute(server.handle)
  // What its figures are made of does mark it.
  await sql`update experimentos set updated_at = now() where id = ${made.id}`.execute(server.handle)
  await expect.poll(async () => (await marks()).rows.length, { timeout: 10_000 }).toBe(0)
})

test("an administrator's range changes the light of trials that are there; one that is off judges nobody", async () => {
  const admin = await server.person({ role: 'admin' })
  const made = await create(owner, inSacks())
  const { body: before } = await call(admin, 'GET', '/api/admin/quality')
  expect(before.faixas.map(({ cultura }: { cultura: string }) => cultura).sort()).toEqual([
    ...['Arroz', 'Feijão', 'Milho', 'Soja'],
  ])
  expect(before.fontes.map(({ antiga }: { antiga: string }) => antiga)).toContain('Fonte de 2003')
  const soy = {
    ...{ cultura: 'Soja', media: 60, safra: '2025', abaixo: 10, acima: 100, impossivel: 200 },
    ...{ fonte: 'Parcelas da casa', endereco: null, publicada: '2025', ligada: true },
  }
  const put = (faixas: unknown) => call(admin, 'PUT', '/api/admin/quality/ranges', { faixas })
  for (const bad of [
    [],
    [{ ...soy, abaixo: 100 }],
    [{ ...soy, cultura: ' ' }],
    [{ ...soy, fonte: '' }],
    [{ ...soy, endereco: 'javascript:alert(1)' }],
    [{ ...soy, media: -1 }],
    [soy, { ...soy, cultura: 'SOJA' }],
    Array.from({ length: 101 }, (_, at) => ({ ...soy, cultura: `Cultura ${at}` })),
  ])
    expect((await put(bad)).status, JSON.stringify(bad).slice(0, 80)).toBe(422)
  expect((await call(owner, 'PUT', '/api/admin/quality/ranges', { faixas: [soy] })).status).toBe(403)
  expect((await put([soy])).body.faixas).toEqual([soy])
  expect((await call(stranger, 'GET', '/api/quality/ranges')).body.faixas).toEqual([soy])
  const yieldFindings = async () =>
    (await quality(owner, made.id)).apontamentos.filter(({ codigo }) => codigo.startsWith('rendimento.'))
  expect((await yieldFindings()).filter(({ codigo }) => codigo !== 'rendimento.igual')).toEqual([])
  await expect
    .poll(
      async () => (await call(owner, 'GET', `/api/experiments/${made.id}`)).body.experimento.apontamentos,
      {
        timeout: 60_000,
      },
    )
    .toBeLessThan(256)
  const twice = await Promise.all(Array.from({ length: 6 }, () => put([soy])))
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
  await put([{ ...soy, abaixo: 70, acima: 100 }])
  const [told] = await yieldFindings()
  expect(told).toMatchObject({
    codigo: 'rendimento.faixa',
    fonte: { titulo: 'Parcelas da casa', antiga: null },
  })
  await put([{ ...soy, abaixo: 70, ligada: false }])
  expect((await yieldFindings()).filter(({ codigo }) => codigo === 'rendimento.faixa')).toEqual([])
})

test('from 30 own trials of a crop on their range is told, to their organisation alone', async () => {
  const person = await server.person({ name: 'Trinta' })
  const of = (kg: number) => experimentInput().tratamentos.map((one) => ({ ...one, produtividade: kg }))
  const ids: string[] = []
  for (let at = 1; at <= 29; at++)
    ids.push(
      (await create(person, { cultura: 'Trigo', tratamentos: of(2000 + 100 * at), codigo: `TRIGO ${at}` }))
        .id,
    )
  const [first = ''] = ids
  expect((await quality(person, first)).faixa_propria).toBeNull()
  await create(person, { cultura: 'Trigo', tratamentos: of(5000), codigo: 'TRIGO 30' })
  // R: quantile(c(seq(2100, 4900, 100), 5000), c(.025, .975)) is 2172.5 and 4927.5
  expect((await quality(person, first)).faixa_propria).toEqual({
    cultura: 'Trigo',
    ensaios: 30,
    de: 2173,
    ate: 4928,
  })
})

test('a rule that is answered in more than 30 % of at least 20 trials is listed for the administrator', async () => {
  const admin = await server.person({ role: 'admin' })
  const person = await server.person({ name: 'Turfeira' })
  const soil = { teor_argila: 5, teor_materia_organica: 9 }
  const ids: string[] = []
  for (let at = 0; at < 20; at++) ids.push((await create(person, { ...soil, codigo: `TURFA ${at}` })).id)
  const listed = async () =>
    (await call(admin, 'GET', '/api/admin/quality')).body.regras.find(
      ({ codigo }: { codigo: string }) => codigo === 'solo.classe',
    )
  expect(await listed()).toBeUndefined()
  for (const id of ids.slice(0, 12)) {
    const finding = (await quality(person, id)).apontamentos.find(({ codigo }) => codigo === 'solo.classe')
    const { status } = await call(person, 'POST', `/api/experiments/${id}/quality/solo.classe/answer`, {
      ...{ lugar: finding?.lugar, valor: finding?.valor, texto: 'É uma turfeira' },
    })
    expect(status).toBe(200)
  }
  const { respondidos, casos } = await listed()
  expect(respondidos).toBeGreaterThanOrEqual(12)
  expect(casos).toBeGreaterThanOrEqual(20)
})

test('a dose is held against the median of the own trials, which nobody else brings in', async () => {
  const person = await server.person({ name: 'Doses' })
  const dosed = (dose: number, nome = 'Nutrivia Raiz'): Partial<ExperimentInput> => ({
    tratamentos: experimentInput().tratamentos.map((one, at) =>
      at === 0 ? one : { ...one, produtos_aplicados: [{ nome, dose, unidade: 'L/ha', custo: 10 }] },
    ),
  })
  // Of somebody else, at a thousandth: no one's median but theirs.
  const alien = await create(stranger, { ...dosed(0.002), codigo: 'ALHEIO' })
  for (let n = 0; n < 8; n += 1) await create(stranger, { ...dosed(0.002), codigo: `ALHEIO ${n}` })
  const first = await create(person, { ...dosed(30), codigo: 'DEZ VEZES' })
  const found = async (id: string) =>
    (await quality(person, id)).apontamentos.filter(({ codigo }) => codigo === 'produto.dose')
  expect(await found(first.id)).toEqual([])
  await settled(first.id)
  for (let n = 0; n < 7; n += 1) await create(person, { ...dosed(2 + n / 10), codigo: `USUAL ${n}` })
  const usual = await create(person, { ...dosed(2), codigo: 'USUAL' })
  expect(await found(usual.id)).toEqual([])
  const low = await create(person, { ...dosed(0.2), codigo: 'UM DÉCIMO' })
  expect((await found(low.id)).map(({ texto }) => texto)).toEqual([
    "T2: 'Nutrivia Raiz' com 0,2 L/ha; a mediana nos seus 10 ensaios com ele é 2,25 L/ha.",
  ])
  // Those that were there before are looked at again within moments, and the filter counts what is told.
  await expect.poll(async () => (await found(first.id)).length, { timeout: 30_000 }).toBe(1)
  for (const { id } of [first, usual, low])
    await expect
      .poll(async () => (await call(person, 'GET', `/api/experiments/${id}`)).body.experimento.apontamentos, {
        timeout: 30_000,
      })
      .toBe((await quality(person, id)).apontamentos_abertos)
  // Another organisation's are its own: nothing of these goes with a trial that is given away.
  await settled(first.id)
  await sql`update experimentos set organizacao_id = (select organizacao_id from experimentos where id = ${alien.id})
    where id = ${first.id}`.execute(server.handle)
  const { rows } = await sql`select from referencias where experimento_id = ${first.id}`.execute(
    server.handle,
  )
  expect(rows).toEqual([])
  // In another unit it is another amount.
  const other = dosed(2)
  const inMl = await create(person, {
    codigo: 'EM ML',
    tratamentos: (other.tratamentos ?? []).map((one) => ({
      ...one,
      produtos_aplicados: (one.produtos_aplicados ?? []).map((product) => ({
        ...product,
        ...{ dose: 2000, unidade: 'mL/ha' as const },
      })),
    })),
  })
  expect(await found(inMl.id)).toEqual([])
})

test('a yield that is not the one of the report is told', async () => {
  const { status, body } = await server.call('POST', '/api/experiments', {
    token: owner.token,
    body: form({ dados: JSON.stringify(experimentInput({ codigo: 'LIDO' })), pdf: pdf('lido') }),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  const { id, tratamentos } = body.experimento
  const differs = async () =>
    (await quality(owner, id)).apontamentos.filter(({ codigo }) => codigo === 'relatorio.difere')
  expect(await differs()).toEqual([])
  const fields = (surely: number) => ({ confidence: surely, page: 1, box: null, method: 'table' })
  const read = {
    data: {
      tratamentos: tratamentos.map(({ nome, produtividade }: { nome: string; produtividade: number }) => ({
        ...{ nome, produtividade: produtividade + 100 },
      })),
    },
    metadata: {
      fields: { 'tratamentos[0].produtividade': fields(0.7), 'tratamentos[1].produtividade': fields(0.97) },
    },
  }
  await sql`insert into leituras (organizacao_id, sha256, motor, resultado)
    select d.organizacao_id, d.sha256, 'x', ${JSON.stringify(read)}::jsonb from documentos d
    where d.experimento_id = ${id}`.execute(server.handle)
  // As if it had got its report now: readings are there before trials.
  await sql`update experimentos set regras = 0 where id = ${id}`.execute(server.handle)
  await expect
    .poll(async () => (await differs()).map(({ onde, texto }) => [onde.campo, texto.slice(0, 20)]), {
      timeout: 30_000,
    })
    .toEqual([['tratamentos.1.produtividade', 'T2: o relatório diz ']])
  // An edit of something else leaves it in the light, also once the reading is forgotten.
  await settled(id)
  await sql`delete from leituras where motor = 'x'`.execute(server.handle)
  const { body: stored } = await call(owner, 'GET', `/api/experiments/${id}`)
  const { experimento } = stored
  const again = { ...experimentInput({ codigo: 'LIDO' }), cultivar: 'BMX Zeus', versao: experimento.versao }
  expect((await call(owner, 'PUT', `/api/experiments/${id}`, again)).status).toBe(200)
  await settled(id)
  expect(await differs()).toHaveLength(1)
  const { body: now } = await call(owner, 'GET', `/api/experiments/${id}`)
  expect(now.experimento.apontamentos).toBe((await quality(owner, id)).apontamentos_abertos)
})
