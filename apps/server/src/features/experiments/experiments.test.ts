import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  experimentInput,
  form,
  type Person,
  pdf,
  startTestServer,
  type TestServer,
} from '../../test-server.ts'

let server: TestServer
let owner: Person
let other: Person
let admin: Person

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person({ name: 'Olga Dona' })
  other = await server.person()
  admin = await server.person({ role: 'admin' })
})
afterAll(() => server.stop())

const create = async (change = {}, options = {}) => {
  const { status, body } = await server.call('POST', '/api/experiments', {
    token: owner.token,
    body: experimentInput(change),
    ...options,
  })
  expect(status).toBe(201)
  return body.experimento
}

test.each([
  ['GET', '/api/experiments'],
  ['POST', '/api/experiments'],
  ['GET', '/api/experiments/0190b3a0-0000-7000-8000-000000000000'],
  ['PUT', '/api/experiments/0190b3a0-0000-7000-8000-000000000000'],
  ['DELETE', '/api/experiments/0190b3a0-0000-7000-8000-000000000000'],
  ['POST', '/api/experiments/0190b3a0-0000-7000-8000-000000000000/restore'],
  ['GET', '/api/experiments/0190b3a0-0000-7000-8000-000000000000/history'],
  ['GET', '/api/admin/deleted-experiments'],
])('%s %s without a session is refused', async (method, path) => {
  const { status, body, headers } = await server.call(method, path)
  expect(status).toBe(401)
  expect(body).toMatchObject({ code: 'auth.required', detail: 'Credenciais inválidas' })
  expect(headers.get('content-type')).toContain('application/problem+json')
})

test('an experiment is stored whole, with what the server computes', async () => {
  const made = await create()
  const { status, body } = await server.call('GET', `/api/experiments/${made.id}`, { token: other.token })
  expect(status).toBe(200)
  // Another member reads the same, and may not change it.
  const may = { ...made.permissoes, editar: false, excluir: false }
  expect(body.experimento).toEqual({ ...made, permissoes: may })
  expect(made).toMatchObject({
    ...experimentInput(),
    nome: 'Soja - Agro Cerrado - 2024',
    produtividade_media: 3250,
    custo_total: 180.5,
    n_tratamentos: 2,
    versao: 1,
    created_by: owner.id,
    created_by_name: 'Olga Dona',
    pdf_filename: null,
    analise_estatistica: 'DBC',
  })
})

test('a name in another spelling is the same name, and an unknown one is accepted but not offered', async () => {
  const made = await create({
    cultura: 'SOJA',
    consultoria: 'agro cerrado',
    cidade: 'rio verde',
    marca: 'Marca Nova',
  })
  expect(made).toMatchObject({
    cultura: 'Soja',
    consultoria: 'Agro Cerrado',
    cidade: 'Rio Verde',
    marca: 'Marca Nova',
  })
  const { body } = await server.call('GET', '/api/lookups/marcas')
  expect(body.marcas).toEqual(['Aminoagro', 'Dimicron', 'Maximus', 'Concorrente'])
  const filtered = await server.call('GET', '/api/experiments?marca=Marca+Nova', { token: owner.token })
  expect(filtered.body.total).toBe(1)
})

test('all failing fields are answered at once, each with its sentence', async () => {
  const { status, body } = await server.call('POST', '/api/experiments', {
    token: owner.token,
    body: { ...experimentInput(), consultoria: 'A', cidade: '', latitude: 91, tratamentos: [] },
  })
  expect(status).toBe(422)
  expect(body.code).toBe('validation.failed')
  expect(body.fields).toEqual(
    expect.arrayContaining([
      { path: 'consultoria', message: 'Nome deve ter pelo menos 2 caracteres' },
      { path: 'cidade', message: 'Cidade é obrigatória' },
      { path: 'latitude', message: 'Latitude deve ser entre -90 e 90' },
    ]),
  )
  expect(body.fields.some((field: { path: string }) => field.path === 'tratamentos')).toBe(true)
})

test('no body can name the owner, the id or the computed values', async () => {
  const made = await create({
    id: other.id,
    created_by: other.id,
    versao: 99,
    produtividade_media: 1,
    custo_total: 1,
  } as object)
  expect(made).toMatchObject({
    created_by: owner.id,
    versao: 1,
    produtividade_media: 3250,
    custo_total: 180.5,
  })
  expect(made.id).not.toBe(other.id)
})

describe('the code of a trial', () => {
  const taken = { path: 'codigo', message: 'Já existe um experimento com este código' }

  const send = (change = {}) =>
    server.call('POST', '/api/experiments', { token: owner.token, body: experimentInput(change) })

  test('is kept as it was given, may be left out, and holds 60 characters', async () => {
    const { body } = await send({ codigo: '  Soja-2024/017 ' })
    expect(body.experimento.codigo).toBe('Soja-2024/017')
    expect((await send()).body.experimento.codigo).toBeNull()
    expect((await send({ codigo: '   ' })).body.experimento.codigo).toBeNull()
    expect((await send({ codigo: 'x'.repeat(60) })).status).toBe(201)
    const { status, body: long } = await send({ codigo: 'x'.repeat(61) })
    expect(status).toBe(422)
    expect(long.fields).toEqual([{ path: 'codigo', message: 'Use no máximo 60 caracteres' }])
  })

  test('is not given twice, whatever the case and accents, in whatever way', async () => {
    const first = (await send({ codigo: 'Ensaio Açúcar 1' })).body.experimento
    const again = await send({ codigo: 'ENSAIO ACUCAR 1' })
    expect({ status: again.status, fields: again.body.fields }).toEqual({ status: 422, fields: [taken] })
    const second = (await send({ codigo: 'Ensaio Açúcar 2' })).body.experimento
    const changed = await server.call('PUT', `/api/experiments/${second.id}`, {
      token: owner.token,
      body: experimentInput({ codigo: 'ensaio açúcar 1', versao: second.versao } as object),
    })
    expect({ status: changed.status, fields: changed.body.fields }).toEqual({ status: 422, fields: [taken] })
    const pdfWith = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({
        dados: JSON.stringify(experimentInput({ codigo: 'ensaio açucar 1' })),
        pdf: pdf('gêmeo'),
      }),
    })
    expect(pdfWith.status).toBe(422)
    // What is deleted holds no code, and comes back only where nobody else has taken it.
    await server.call('DELETE', `/api/experiments/${first.id}`, { token: owner.token })
    expect((await send({ codigo: 'ensaio acucar 1' })).status).toBe(201)
    const back = await server.call('POST', `/api/experiments/${first.id}/restore?desfazer=true`, {
      token: owner.token,
    })
    expect({ status: back.status, fields: back.body.fields }).toEqual({ status: 422, fields: [taken] })
    const two = await Promise.all(Array.from({ length: 6 }, () => send({ codigo: 'de todos' })))
    expect(two.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
  })

  test('is searched by a part of it, stands in the export, and its change in the history', async () => {
    const { experimento } = (await send({ codigo: 'MILHO-Ação-0042' })).body
    const list = async (busca: string) => {
      const path = `/api/experiments?busca=${encodeURIComponent(busca)}`
      return (await server.call('GET', path, { token: owner.token })).body
    }
    for (const busca of ['acao-0042', 'MILHO-AÇÃO', '0042']) {
      const { total, experimentos } = await list(busca)
      expect({ total, ids: experimentos.map(({ id }: { id: string }) => id) }).toEqual({
        total: 1,
        ids: [experimento.id],
      })
    }
    const { bytes } = await server.call('GET', '/api/experiments/export?formato=csv&busca=acao-0042', {
      token: owner.token,
    })
    const [head = '', row = ''] = bytes.toString().split('\r\n')
    expect(row.split(';')[head.split(';').indexOf('Código do ensaio')]).toBe('MILHO-Ação-0042')
    await server.call('PUT', `/api/experiments/${experimento.id}`, {
      token: owner.token,
      body: experimentInput({ codigo: null, versao: experimento.versao } as object),
    })
    const { body } = await server.call('GET', `/api/experiments/${experimento.id}/history`, {
      token: owner.token,
    })
    expect(body.alteracoes[0].campos).toContainEqual({
      campo: 'codigo',
      antes: 'MILHO-Ação-0042',
      depois: null,
    })
  })
})

describe('with its document', () => {
  test('a multipart create makes both', async () => {
    const { status, body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf('ambos') }, 'ensaio nº 1.pdf'),
    })
    expect(status).toBe(201)
    expect(body.experimento.pdf_filename).toBe('ensaio nº 1.pdf')
    const documents = await server.call('GET', `/api/uploads/documents?experimentId=${body.experimento.id}`, {
      token: other.token,
    })
    expect(documents.body.documents).toMatchObject([{ filename: 'ensaio nº 1.pdf' }])
  })

  test('neither comes to be when the form fails', async () => {
    const before = await server.call('GET', '/api/experiments', { token: owner.token })
    const { status } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify({ ...experimentInput(), ano: 1999 }), pdf: pdf() }),
    })
    expect(status).toBe(422)
    const after = await server.call('GET', '/api/experiments', { token: owner.token })
    expect(after.body.total).toBe(before.body.total)
  })

  test('a form without its report is refused, field and sentence', async () => {
    const answer = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(experimentInput()) }),
    })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'document.missing',
        detail: 'O upload do arquivo PDF é obrigatório para finalizar o experimento',
        fields: [
          { path: 'pdf', message: 'O upload do arquivo PDF é obrigatório para finalizar o experimento' },
        ],
      },
    })
  })

  test('what is no PDF by its first bytes is refused', async () => {
    const { status, body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(experimentInput()), pdf: new Blob(['MZ\u0090 exe']) }),
    })
    expect(status).toBe(422)
    expect(body.code).toBe('document.invalid')
  })
})

describe('a repeated request', () => {
  test('with the same key makes one experiment, also when both come at once', async () => {
    const ask = () =>
      server.call('POST', '/api/experiments', {
        token: owner.token,
        body: experimentInput({ consultoria: 'Uma Vez' }),
        headers: { 'idempotency-key': 'chave-1' },
      })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.experimento.id)).size).toBe(1)
    const { body } = await server.call('GET', '/api/experiments?consultoria=Uma+Vez', { token: owner.token })
    expect(body.total).toBe(1)
  })

  test('with the same key and other content is refused', async () => {
    const headers = { 'idempotency-key': 'chave-2' }
    await create({}, { headers })
    const { status, body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: experimentInput({ ano: 2025 }),
      headers,
    })
    expect(status).toBe(422)
    expect(body.code).toBe('request.key_reused')
  })
})

describe('an update', () => {
  test('replaces everything and is remembered field by field', async () => {
    const made = await create()
    const { status, body } = await server.call('PUT', `/api/experiments/${made.id}`, {
      token: owner.token,
      body: { ...experimentInput({ roi: null, cultivar: 'TMG 2383 IPRO' }), versao: 1 },
    })
    expect(status).toBe(200)
    expect(body.experimento).toMatchObject({ roi: null, cultivar: 'TMG 2383 IPRO', versao: 2 })
    const history = await server.call('GET', `/api/experiments/${made.id}/history`, { token: other.token })
    expect(history.body.alteracoes[0]).toMatchObject({ acao: 'alterado', quem: 'Olga Dona' })
    expect(history.body.alteracoes[0].campos).toEqual([
      { campo: 'cultivar', antes: 'BMX Bônus IPRO', depois: 'TMG 2383 IPRO' },
      { campo: 'roi', antes: 410.75, depois: null },
    ])
    expect(history.body.alteracoes[1]).toMatchObject({ acao: 'criado' })
  })

  test('may bring names that nobody has used before', async () => {
    const made = await create()
    const input = experimentInput({ consultoria: 'Consultoria Recém-Chegada', cidade: 'Vila Recém-Fundada' })
    const [control, treated] = input.tratamentos
    const products = [{ nome: 'Produto Recém-Lançado', dose: 1, unidade: 'L/ha', custo: 9 }]
    const { status, body } = await server.call('PUT', `/api/experiments/${made.id}`, {
      token: owner.token,
      body: { ...input, tratamentos: [control, { ...treated, produtos_aplicados: products }], versao: 1 },
    })
    expect(status).toBe(200)
    expect(body.experimento).toMatchObject({
      consultoria: 'Consultoria Recém-Chegada',
      cidade: 'Vila Recém-Fundada',
      tratamentos: [{ nome: control?.nome }, { produtos_aplicados: products }],
    })
  })

  test('from a stale version is refused and the current one is shown', async () => {
    const made = await create()
    await server.call('PUT', `/api/experiments/${made.id}`, {
      token: owner.token,
      body: { ...experimentInput({ ano: 2025 }), versao: 1 },
    })
    const { status, body } = await server.call('PUT', `/api/experiments/${made.id}`, {
      token: admin.token,
      body: { ...experimentInput({ ano: 2026 }), versao: 1 },
    })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'experiment.stale',
      current: { experimento: { ano: 2025, versao: 2 } },
    })
  })

  test('by somebody else is refused, by an administrator it is not', async () => {
    const made = await create()
    const change = { ...experimentInput({ ano: 2023 }), versao: 1 }
    const refused = await server.call('PUT', `/api/experiments/${made.id}`, {
      token: other.token,
      body: change,
    })
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'permission.denied', detail: 'Acesso negado' })
    const allowed = await server.call('PUT', `/api/experiments/${made.id}`, {
      token: admin.token,
      body: change,
    })
    expect(allowed.status).toBe(200)
  })

  test('a conclusion is kept from the version that was read, told in the history, and stays when the rest changes', async () => {
    const { id } = await create()
    const conclude = (texto: string, versao: number, token = owner.token) =>
      server.call('PUT', `/api/experiments/${id}/conclusion`, { token, body: { texto, versao } })
    const { body } = await conclude('  O T2 pagou.\nVale repetir.  ', 1)
    expect(body.experimento).toMatchObject({ conclusao: 'O T2 pagou.\nVale repetir.', versao: 2 })
    // The same again, because its answer was lost, is the same; something else from an older version is not.
    expect((await conclude('O T2 pagou.\nVale repetir.', 1)).body.experimento.versao).toBe(2)
    expect((await conclude('Outra', 1)).body).toMatchObject({
      code: 'experiment.stale',
      current: { experimento: { versao: 2 } },
    })
    expect((await conclude('x'.repeat(5001), 2)).body.fields).toMatchObject([
      { message: 'Use no máximo 5.000 caracteres' },
    ])
    expect((await conclude('De outro', 2, other.token)).status).toBe(403)
    const changed = await server.call('PUT', `/api/experiments/${id}`, {
      token: owner.token,
      body: { ...experimentInput({ ano: 2025 }), versao: 2 },
    })
    expect(changed.body.experimento.conclusao).toBe('O T2 pagou.\nVale repetir.')
    const { alteracoes } = (
      await server.call('GET', `/api/experiments/${id}/history`, { token: owner.token })
    ).body
    expect(alteracoes.flatMap(({ campos }: { campos: unknown[] }) => campos)).toContainEqual({
      campo: 'conclusao',
      antes: null,
      depois: 'O T2 pagou.\nVale repetir.',
    })
    expect((await conclude('   ', 3)).body.experimento.conclusao).toBeNull()
  })

  test('with a new PDF replaces the old one', async () => {
    const first = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(experimentInput()), pdf: pdf('um') }, 'um.pdf'),
    })
    const { id } = first.body.experimento
    const { body } = await server.call('PUT', `/api/experiments/${id}`, {
      token: owner.token,
      body: form(
        { dados: JSON.stringify({ ...experimentInput(), versao: 1 }), pdf: pdf('dois') },
        'dois.pdf',
      ),
    })
    expect(body.experimento.pdf_filename).toBe('dois.pdf')
    const documents = await server.call('GET', `/api/uploads/documents?experimentId=${id}`, {
      token: owner.token,
    })
    expect(documents.body.documents).toHaveLength(1)
  })
})

describe('a deleted experiment', () => {
  test('is gone for everybody until an administrator restores it', async () => {
    const made = await create()
    const path = `/api/experiments/${made.id}`
    expect((await server.call('DELETE', path, { token: other.token })).status).toBe(403)
    expect((await server.call('DELETE', path, { token: owner.token })).status).toBe(204)
    expect((await server.call('GET', path, { token: owner.token })).body).toMatchObject({
      code: 'experiment.not_found',
      detail: 'Experimento não encontrado',
    })
    expect((await server.call('DELETE', path, { token: owner.token })).status).toBe(404)
    expect((await server.call('POST', `${path}/restore`, { token: other.token })).status).toBe(403)
    const deleted = await server.call('GET', '/api/admin/deleted-experiments', { token: admin.token })
    expect(deleted.body.experimentos[0]).toMatchObject({ id: made.id, deleted_by_name: 'Olga Dona' })
    expect((await server.call('POST', `${path}/restore`, { token: admin.token })).status).toBe(200)
    expect((await server.call('GET', path, { token: other.token })).status).toBe(200)
  })

  test('is taken back by who has just deleted it, and by nobody else but an administrator', async () => {
    const made = await create()
    const path = `/api/experiments/${made.id}`
    const restored = async (person: Person, query = '') =>
      (await server.call('POST', `${path}/restore${query}`, { token: person.token })).status
    const undone = (person: Person) => restored(person, '?desfazer=true')
    await server.call('DELETE', path, { token: owner.token })
    expect(await undone(other)).toBe(403)
    // To restore is not for who only made it; to take back one's own slip is.
    expect(await restored(owner)).toBe(403)
    expect(await undone(owner)).toBe(200)
    await server.call('DELETE', path, { token: admin.token })
    expect(await undone(owner)).toBe(403)
    expect(await restored(admin)).toBe(200)
    await server.call('DELETE', path, { token: owner.token })
    await sql`update experimentos set deleted_at = now() - interval '10 minutes' where id = ${made.id}`.execute(
      server.handle,
    )
    expect(await undone(owner)).toBe(403)
    expect(await restored(admin)).toBe(200)
  })
})

test('an id that is none is an experiment that is not there', async () => {
  const { status, body } = await server.call('GET', '/api/experiments/1%27%20or%201=1', {
    token: owner.token,
  })
  expect(status).toBe(404)
  expect(body.code).toBe('experiment.not_found')
})

describe('the list', () => {
  const list = async (query: string) =>
    (await server.call('GET', `/api/experiments?${query}`, { token: owner.token })).body

  beforeAll(async () => {
    for (const [index, cidade] of ['Sorriso', 'Água Boa', 'Itiquira'].entries()) {
      await create({
        consultoria: 'Lista',
        cidade,
        estado: 'MT',
        roi: index === 0 ? null : index * 100,
        ano: 2021,
      })
    }
  })

  test('finds by part of consultoria, cidade, cultura or marca, whatever case and accents', async () => {
    expect(
      (await list('consultoria=Lista&busca=AGUA')).experimentos.map((e: { cidade: string }) => e.cidade),
    ).toEqual(['Água Boa'])
    expect((await list('consultoria=Lista&busca=100%25')).total).toBe(0)
  })

  test('filters by product of any treatment', async () => {
    expect((await list('consultoria=Lista&produto=amino+fol')).total).toBe(3)
    expect((await list('consultoria=Lista&produto=inexistente')).total).toBe(0)
  })

  test.each([
    'created_at',
    'consultoria',
    'regional',
    'cultura',
    'marca',
    'produtividade_media',
    'roi',
    'ano',
  ])('pages by %s without losing or repeating a row, in either direction', async (ordem) => {
    for (const sentido of ['asc', 'desc']) {
      const whole = await list(`ordem=${ordem}&sentido=${sentido}&limit=100`)
      const paged: string[] = []
      let cursor = ''
      do {
        const page = await list(`ordem=${ordem}&sentido=${sentido}&limit=2&cursor=${cursor}`)
        paged.push(...page.experimentos.map((e: { id: string }) => e.id))
        cursor = page.next_cursor ?? ''
      } while (cursor)
      expect(paged).toEqual(whole.experimentos.map((e: { id: string }) => e.id))
      expect(whole.total).toBe(paged.length)
    }
  })

  test('puts unknown values last in either direction', async () => {
    for (const sentido of ['asc', 'desc']) {
      const { experimentos } = await list(`consultoria=Lista&ordem=roi&sentido=${sentido}`)
      expect(experimentos.at(-1).roi).toBeNull()
    }
  })

  test('refuses a made-up page', async () => {
    expect((await server.call('GET', '/api/experiments?cursor=abc', { token: owner.token })).status).toBe(422)
  })
})
