import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { type Asking, asking, fieldsOf, refusal, sheet, YIELDS, yields } from './test-trials.ts'

/** Recorded analyses, and what is planned from them; of three people with an organisation each. */
let server: TestServer
let ana: Person
let of: Asking
let bruno: Person
let theirs: Asking
const codes = new Map<Asking, string>()

beforeAll(async () => {
  server = await startTestServer()
  const admin = await server.person({ role: 'admin', name: 'Adm' })
  await server.call('PUT', '/api/admin/installation', {
    token: admin.token,
    body: { organizacoes: 'varias' },
  })
  ana = await server.person({ name: 'Ana Prado' })
  bruno = await server.person({ name: 'Bruno Outro' })
  of = asking(server, ana)
  theirs = asking(server, bruno)
  for (const one of [of, theirs])
    codes.set(one, (await one.done(one.call('GET', '/api/organizations'))).organizacoes[0].codigo)
})
afterAll(() => server.stop())

const list = async (id: string, by = of) =>
  (await by.done(by.call('GET', `/api/experiments/${id}/analyses`))).registros
const cv = (cultura: string, by = of, more = '') =>
  by.done(by.call('GET', `/api/planning/cv?cultura=${cultura}${more}`))
/** Yields that are further from their means, so that the CV is another. */
const spread = (times: number) => YIELDS.map((value, at) => Number(value) + times * ((at * 37) % 11))

describe('a recorded analysis', () => {
  test('keeps options, answer, versions, who and when; a second of its variable says so', async () => {
    const id = await of.planted()
    const body = { teste: 'scott_knott', titulo: ' Título ', conclusao: 'O T3 superou.', alfa: '0.01' }
    const { registro } = await of.done(of.record(id, body))
    expect(registro).toMatchObject({
      ...{ ordem: 1, variavel: 'produtividade', avaliacao: null, teste: 'scott_knott', titulo: 'Título' },
      ...{ conclusao: 'O T3 superou.', opcoes: { alfa: '0.01' }, dados_versao: 1, desatualizada: false },
      ...{ quem: 'Ana Prado', retirada: null },
    })
    expect(registro.motor).toMatch(/^\d+\.\d+\.\d+$/)
    expect(Date.now() - Date.parse(registro.quando)).toBeLessThan(60_000)
    expect(registro.analise).toEqual((await of.analysis(id, '?alfa=0.01')).body.analise)
    expect((await of.done(of.record(id))).registro.ordem).toBe(2)
    expect(
      (await list(id)).map(({ ordem, analise }: { ordem: number; analise?: unknown }) => [ordem, analise]),
    ).toEqual([
      [1, undefined],
      [2, undefined],
    ])
  })

  test('is outdated when a value changes, and holds what it was made of', async () => {
    const id = await of.planted()
    const { registro } = await of.done(of.record(id))
    await of.done(of.patch(id, [{ parcela: 101, variavel: 'produtividade', antes: 3010, valor: 2500 }]))
    expect(await list(id)).toMatchObject([{ id: registro.id, desatualizada: true }])
    const { registro: again } = await of.done(
      of.call('GET', `/api/experiments/${id}/analyses/${registro.id}`),
    )
    expect(again.analise).toEqual(registro.analise)
    expect((await of.done(of.record(id))).registro).toMatchObject({ ordem: 2, dados_versao: 2 })
  })

  test('is withdrawn with a reason and stays listed; a second time changes nothing', async () => {
    const id = await of.planted()
    const { registro } = await of.done(of.record(id))
    const address = `/api/experiments/${id}/analyses/${registro.id}`
    expect((await of.call('DELETE', address, { motivo: 'Variável trocada' })).status).toBe(204)
    expect((await of.call('DELETE', address, { motivo: 'Outro motivo' })).status).toBe(204)
    const [{ retirada }] = await list(id)
    expect(retirada).toMatchObject({ quem: 'Ana Prado', motivo: 'Variável trocada' })
    expect((await of.done(of.record(id))).registro.ordem).toBe(2)
    const unknown = address.replace(registro.id, id)
    for (const method of ['GET', 'DELETE'])
      expect(refusal(await of.call(method, unknown))).toMatchObject({
        status: 404,
        code: 'analysis.not_found',
      })
    const other = await of.planted()
    expect(refusal(await of.call('GET', address.replace(id, other)))).toMatchObject({
      status: 404,
      code: 'analysis.not_found',
    })
    expect((await of.call('GET', `/api/experiments/${id}/analyses/nada`)).status).toBe(404)
  })

  test('is made once of a request that is sent again, also at once, and also when the plots are gone', async () => {
    const id = await of.planted()
    const key = { 'idempotency-key': 'pedido-1' }
    const made = await Promise.all([1, 2, 3].map(() => of.record(id, { titulo: 'Uma' }, key)))
    const ids = new Set(made.map(({ status, body }) => `${status} ${body.registro?.id}`))
    expect([...ids]).toEqual([expect.stringMatching(/^201 /)])
    const other = await of.record(id, { titulo: 'Outra' }, key)
    expect(refusal(other)).toEqual({
      status: 422,
      code: 'request.key_reused',
      detail: 'Esta chave já foi usada com outros dados',
    })
    expect(refusal(await of.record(id, { titulo: 'Uma', alfa: '0.1' }, key)).code).toBe('request.key_reused')
    await of.done(of.call('DELETE', `/api/experiments/${id}/plots`))
    const again = await of.record(id, { titulo: 'Uma' }, key)
    expect(again.body.registro.id).toBe(made[0]?.body.registro.id)
    expect(await list(id)).toHaveLength(1)
    // Of another trial it is another record.
    expect((await of.record(await of.planted(), { titulo: 'Uma' }, key)).status).toBe(201)
    expect((await of.record(id, {}, { 'idempotency-key': 'x'.repeat(201) })).status).toBe(400)
  })

  test('is refused with a test that there is not, or more words than fit', async () => {
    const id = await of.planted()
    const answer = await of.record(id, {
      teste: 'nada',
      titulo: 'x'.repeat(201),
      conclusao: 'x'.repeat(5001),
    })
    expect(answer.status).toBe(422)
    expect(fieldsOf(answer)).toMatchObject({
      teste: 'Escolha o teste',
      titulo: 'Use no máximo 200 caracteres',
      conclusao: 'Use no máximo 5.000 caracteres',
    })
  })
})

describe('other organisations', () => {
  const excluded = { exclusoes: [{ parcela: 101, motivo: 'acamamento' }] }
  const to = () => ({ codigo: codes.get(theirs) })

  test('read a received trial’s plots and records without the names of people, and change nothing', async () => {
    const id = await of.planted(excluded)
    const { registro } = await of.done(of.record(id))
    await of.done(of.call('DELETE', `/api/experiments/${id}/analyses/${registro.id}`, { motivo: 'engano' }))
    const alvo = { experimento: id }
    const { compartilhamento } = await of.done(of.call('POST', '/api/shares', { alvo, para: to() }))
    await theirs.done(theirs.call('POST', `/api/shares/${compartilhamento.id}/accept`))
    const ficha = await theirs.ficha(id)
    expect(ficha.alterada_por).toBe(null)
    expect(ficha.exclusoes).toMatchObject([{ motivo: 'acamamento', quem: null }])
    expect(await list(id, theirs)).toMatchObject([{ quem: null, retirada: { quem: null, motivo: 'engano' } }])
    expect((await theirs.analysis(id)).status).toBe(200)
    const file = await theirs.call('GET', `/api/experiments/${id}/plots/export?formato=csv`)
    expect(file.body).not.toContain('Ana Prado')
    for (const answer of [
      await theirs.put(id, sheet({ versao: 1 })),
      await theirs.patch(id, [{ parcela: 101, variavel: 'produtividade', antes: 3010, valor: 1 }]),
      await theirs.record(id),
      await theirs.call('DELETE', `/api/experiments/${id}/plots`),
      await theirs.call('DELETE', `/api/experiments/${id}/analyses/${registro.id}`),
    ])
      expect(refusal(answer)).toMatchObject({ status: 403, code: 'share.received' })
    await of.done(of.call('DELETE', `/api/shares/${compartilhamento.id}`))
    for (const path of ['plots', 'analysis', 'analyses', `analyses/${registro.id}`])
      expect((await theirs.call('GET', `/api/experiments/${id}/${path}`)).status).toBe(404)
  })

  test('to whom a trial is transferred have its plots and records, not the names of who made them', async () => {
    const id = await of.planted(excluded)
    const { registro } = await of.done(of.record(id, { titulo: 'Antes' }, { 'idempotency-key': 'a' }))
    await of.done(of.call('DELETE', `/api/experiments/${id}/analyses/${registro.id}`, { motivo: 'engano' }))
    const { transferencia } = await of.done(
      of.call('POST', '/api/transfers', { experimentos: [id], para: to() }),
    )
    await theirs.done(theirs.call('POST', `/api/transfers/${transferencia.id}/accept`))
    const ficha = await theirs.ficha(id)
    expect(ficha).toMatchObject({ alterada_por: null, exclusoes: [{ motivo: 'acamamento', quem: null }] })
    const [record] = await list(id, theirs)
    expect(record).toMatchObject({ titulo: 'Antes', quem: null, retirada: { quem: null } })
    expect((await of.call('GET', `/api/experiments/${id}/plots`)).status).toBe(404)
    // From now on it is theirs, with their names.
    await theirs.done(
      theirs.put(id, { ...ficha, exclusoes: [...ficha.exclusoes, { parcela: 102, motivo: 'daninhas' }] }),
    )
    const after = await theirs.ficha(id)
    expect(after.alterada_por).toBe('Bruno Outro')
    expect(after.exclusoes.map(({ quem }: { quem: string }) => quem)).toEqual([null, 'Bruno Outro'])
    const zip = await theirs.call(
      'GET',
      `/api/organizations/${(await server.call('GET', '/api/organizations', { token: bruno.token })).body.ativa}/export`,
    )
    expect(zip.bytes.includes('Ana Prado')).toBe(false)
  })
})

describe('planning', () => {
  test('the CV is the median of the trials of the crop that are seen, each by its latest record that stands', async () => {
    const cultura = 'Cevada'
    const cvs: number[] = []
    for (const times of [0, 10, 30]) {
      const id = await of.planted({ valores: yields(spread(times)) }, { cultura })
      const { registro } = await of.done(of.record(id, times === 10 ? { transformacao: 'nenhuma' } : {}))
      cvs.push(registro.analise.residuos.at(-1).cv)
    }
    const [low = 0, middle = 0, high = 0] = cvs.sort((a, b) => a - b)
    const found = await cv(cultura)
    expect(found.n).toBe(3)
    expect(found.mediana).toBeCloseTo(middle, 9)
    expect(found.p25).toBeCloseTo((low + middle) / 2, 9)
    expect(found.p75).toBeCloseTo((middle + high) / 2, 9)
    expect(await cv(cultura, theirs)).toEqual({ n: 0, mediana: null, p25: null, p75: null })
    expect(await cv('Nada')).toMatchObject({ n: 0, mediana: null })
    expect((await cv(cultura, of, '&variavel=outra')).n).toBe(0)
  })

  test('a record on a transformed scale, or a withdrawn one, tells no CV', async () => {
    const cultura = 'Triticale'
    const id = await of.planted({}, { cultura })
    await of.done(of.record(id, { transformacao: 'log' }))
    expect((await cv(cultura)).n).toBe(0)
    const { registro } = await of.done(of.record(id))
    expect((await cv(cultura)).n).toBe(1)
    await of.done(of.call('DELETE', `/api/experiments/${id}/analyses/${registro.id}`))
    expect((await cv(cultura)).n).toBe(0)
  })

  test('power rises with the repetitions, and the first of 80 % is told', async () => {
    const { poder } = await of.done(
      of.call('GET', '/api/planning/power?delineamento=DBC&tratamentos=6&cv=10&diferenca=15&alfa=0.05'),
    )
    const { linhas, sugerido } = poder
    expect(linhas.map(({ r }: { r: number }) => r)).toEqual(Array.from({ length: 19 }, (_, at) => at + 2))
    expect(linhas.map(({ gl }: { gl: number }) => gl)).toEqual(
      linhas.map(({ r }: { r: number }) => 5 * (r - 1)),
    )
    expect(sugerido).toBe(linhas.find(({ poder_t }: { poder_t: number }) => poder_t >= 0.8).r)
    const rising = (of: number[]) => of.every((one, at) => at === 0 || one >= (of[at - 1] ?? 0))
    expect(rising(linhas.map(({ poder_t }: { poder_t: number }) => poder_t))).toBe(true)
    expect(
      rising(linhas.map(({ dif_detectavel_80 }: { dif_detectavel_80: number }) => -dif_detectavel_80)),
    ).toBe(true)
    for (const wrong of [
      'tratamentos=1&cv=10&diferenca=15',
      'tratamentos=6&cv=0&diferenca=15',
      'tratamentos=6&cv=NaN&diferenca=1e999',
      'tratamentos=6&cv=10',
    ])
      expect((await of.call('GET', `/api/planning/power?${wrong}`)).status, wrong).toBe(422)
    const extremes = [
      'tratamentos=500&cv=1000&diferenca=0.01',
      'tratamentos=500&cv=0.01&diferenca=1000&alfa=0.01',
    ]
    for (const query of extremes)
      expect((await of.call('GET', `/api/planning/power?${query}`)).status, query).toBe(200)
  })
})
