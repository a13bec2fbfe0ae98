import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { wallOver } from '../../database/wall.ts'
import { diskStore } from '../../storage/disk-store.ts'
import {
  type Answer,
  experimentInput,
  form,
  type Person,
  pdf,
  startTestServer,
  type TestServer,
} from '../../test-server.ts'
import { createDocuments } from './documents.service.ts'

let server: TestServer
let owner: Person
let other: Person
let experimentId: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.person()
  other = await server.person()
  const { body } = await server.call('POST', '/api/experiments', {
    token: owner.token,
    body: experimentInput(),
  })
  experimentId = body.experimento.id
})
afterAll(() => server.stop())

const upload = (file: Blob, filename?: string, token = owner.token) =>
  server.call('POST', '/api/uploads/document', { token, body: form({ pdf: file, experimentId }, filename) })

test.each([
  ['POST', '/api/uploads/document'],
  ['POST', '/api/uploads/bulk'],
  ['GET', '/api/uploads/documents'],
  ['GET', '/api/uploads/documents/0190b3a0-0000-7000-8000-000000000000'],
  ['DELETE', '/api/uploads/documents/0190b3a0-0000-7000-8000-000000000000'],
])('%s %s without a session is refused', async (method, path) => {
  expect((await server.call(method, path)).status).toBe(401)
})

describe('an uploaded document', () => {
  test('comes back byte for byte, under its own name', async () => {
    const content = pdf('conteúdo')
    const { status, body } = await upload(content, 'Relatório São João (final).pdf')
    expect(status).toBe(201)
    const answer = await server.call('GET', `/api/uploads/documents/${body.document.id}`, {
      token: other.token,
    })
    expect(answer.bytes.equals(Buffer.from(await content.arrayBuffer()))).toBe(true)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    const disposition = answer.headers.get('content-disposition')
    expect(disposition).toContain("filename*=UTF-8''Relat%C3%B3rio%20S%C3%A3o%20Jo%C3%A3o%20%28final%29.pdf")
    expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(answer.bytes).digest('hex')}"`)
  })

  test.each([
    ['bytes=0-4', 206, '%PDF-'],
    ['bytes=-6', 206, '%%EOF\n'],
    ['bytes=9999-', 416, ''],
    ['bytes=5-2', 200, null],
    ['linhas=1-2', 200, null],
  ])('answers the range %s with %i', async (range, status, text) => {
    const { body } = await upload(pdf('faixa'))
    const answer = await server.call('GET', `/api/uploads/documents/${body.document.id}`, {
      token: owner.token,
      headers: { range },
    })
    expect(answer.status).toBe(status)
    if (text !== null) expect(answer.bytes.toString()).toBe(text)
  })

  test('is not sent again to who has it', async () => {
    const { body } = await upload(pdf('igual'))
    const path = `/api/uploads/documents/${body.document.id}`
    const first = await server.call('GET', path, { token: owner.token })
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await server.call('GET', path, { token: owner.token, headers })).status).toBe(304)
  })

  test('loses the path in its name', async () => {
    const { body } = await upload(pdf(), '../../etc/C:\\senhas\u0000.pdf')
    expect(body.document.filename).toMatch(/^senhas ?\.pdf$/)
  })

  test('keeps a percent sign in its name, where a form writes quotes as one', async () => {
    const body =
      '--corte\r\ncontent-disposition: form-data; name="pdf"; filename="ensaio %22A%22 100%%0D%0A %2F.pdf"\r\n' +
      `content-type: application/pdf\r\n\r\n${await pdf('nome').text()}\r\n--corte--\r\n`
    const answer = await fetch(`${server.url}/api/uploads/document`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': 'multipart/form-data; boundary=corte',
      },
      body,
    })
    expect(await answer.json()).toMatchObject({ document: { filename: 'ensaio A 100% %2F.pdf' } })
  })

  test('can be found by its hash before it is stored again', async () => {
    const { body } = await upload(pdf('único'))
    const found = await server.call('GET', `/api/uploads/documents?sha256=${body.document.sha256}`, {
      token: other.token,
    })
    expect(found.body.documents).toMatchObject([{ id: body.document.id }])
  })

  test('is deleted by who may edit the experiment', async () => {
    const { body } = await upload(pdf('some'))
    const path = `/api/uploads/documents/${body.document.id}`
    expect((await server.call('DELETE', path, { token: other.token })).status).toBe(403)
    expect((await server.call('DELETE', path, { token: owner.token })).status).toBe(204)
    expect((await server.call('GET', path, { token: owner.token })).status).toBe(404)
  })
})

describe('the documents of an experiment', () => {
  const create = async (): Promise<string> => {
    const body = form({ dados: JSON.stringify(experimentInput()), pdf: pdf('o primeiro') }, 'primeiro.pdf')
    return (await server.call('POST', '/api/experiments', { token: owner.token, body })).body.experimento.id
  }
  const read = async (id: string) =>
    (await server.call('GET', `/api/experiments/${id}`, { token: owner.token })).body.experimento
  const history = async (id: string) =>
    (await server.call('GET', `/api/experiments/${id}/history`, { token: owner.token })).body.alteracoes
  const add = (id: string, file: Blob, filename: string) =>
    server.call('POST', '/api/uploads/document', {
      token: owner.token,
      body: form({ pdf: file, experimentId: id }, filename),
    })
  const list = async (id: string) =>
    (await server.call('GET', `/api/uploads/documents?experimentId=${id}`, { token: owner.token })).body
      .documents

  test('have a main one as long as there is one', async () => {
    const id = await create()
    await add(id, pdf('o segundo'), 'segundo.pdf')
    await add(id, pdf('o terceiro'), 'terceiro.pdf')
    for (const name of ['primeiro.pdf', 'segundo.pdf', 'terceiro.pdf']) {
      expect((await read(id)).pdf_filename).toBe(name)
      const [main] = await list(id)
      expect(main.filename).toBe(name)
      await server.call('DELETE', `/api/uploads/documents/${main.id}`, { token: owner.token })
    }
    expect((await read(id)).pdf_filename).toBeNull()
    expect(await list(id)).toEqual([])
  })

  test('leave their coming and going in the history, and raise the version', async () => {
    const id = await create()
    const { body } = await add(id, pdf('mais um'), 'mais-um.pdf')
    expect((await read(id)).versao).toBe(2)
    await server.call('DELETE', `/api/uploads/documents/${body.document.id}`, { token: owner.token })
    expect((await read(id)).versao).toBe(3)
    expect(await history(id)).toMatchObject([
      { acao: 'alterado', campos: [{ campo: 'documentos', antes: 'mais-um.pdf', depois: null }] },
      { acao: 'alterado', campos: [{ campo: 'documentos', antes: null, depois: 'mais-um.pdf' }] },
      { acao: 'criado' },
    ])
    const stale = await server.call('PUT', `/api/experiments/${id}`, {
      token: owner.token,
      body: { ...experimentInput(), versao: 1 },
    })
    expect(stale.status).toBe(409)
  })

  test('are never the same bytes twice, however often they are sent', async () => {
    const id = await create()
    const first = await add(id, pdf('igual'), 'a.pdf')
    const again = await add(id, pdf('igual'), 'b.pdf')
    expect(again.body.document.id).toBe(first.body.document.id)
    expect((await read(id)).versao).toBe(2)
    const answers = await Promise.all(
      ['c', 'd', 'e'].map((name) => add(id, pdf('ao mesmo tempo'), `${name}.pdf`)),
    )
    expect(new Set(answers.map(({ body }) => body.document.id)).size).toBe(1)
    expect(await list(id)).toHaveLength(3)
  })

  test('are so many, and so are the loose ones of a person', async () => {
    const id = await create()
    const fill = (experiment: string | null, count: number) =>
      sql`
        insert into documentos (id, experimento_id, filename, armazenado, sha256, tamanho, created_by)
        select gen_random_uuid(), ${experiment}, 'x.pdf', gen_random_uuid() || '.pdf', md5(n::text), 1, ${owner.id}
        from generate_series(1, ${count}) n
      `.execute(server.handle)
    await fill(id, 49)
    expect(await add(id, pdf('um a mais'), 'x.pdf')).toMatchObject({
      status: 422,
      body: { code: 'document.experiment_full' },
    })
    const replaced = await server.call('PUT', `/api/experiments/${id}`, {
      token: owner.token,
      body: form({
        dados: JSON.stringify({ ...experimentInput(), versao: 1 }),
        pdf: pdf('em lugar do primeiro'),
      }),
    })
    expect(replaced.status).toBe(200)
    expect(await list(id)).toHaveLength(50)
    await fill(null, 200)
    const loose = () =>
      server.call('POST', '/api/uploads/document', { token: owner.token, body: form({ pdf: pdf('solto') }) })
    expect(await loose()).toMatchObject({ status: 422, body: { code: 'document.loose_full' } })
    await sql`delete from documentos where experimento_id is null and created_by = ${owner.id}`.execute(
      server.handle,
    )
    expect((await loose()).status).toBe(201)
  })

  test('replaced by the same bytes stay what they were', async () => {
    const id = await create()
    const [before] = await list(id)
    const { status } = await server.call('PUT', `/api/experiments/${id}`, {
      token: owner.token,
      body: form({ dados: JSON.stringify({ ...experimentInput(), versao: 1 }), pdf: pdf('o primeiro') }),
    })
    expect(status).toBe(200)
    expect(await list(id)).toEqual([before])
    const { bytes } = await server.call('GET', `/api/uploads/documents/${before.id}`, { token: owner.token })
    expect(bytes.toString()).toContain('o primeiro')
  })
})

describe('refused are', () => {
  test.each([
    ['what is no PDF', new Blob(['MZ executável']), 422, 'document.invalid'],
    ['what only begins as a PDF', new Blob(['%PDF-1.7 lixo123']), 422, 'document.invalid'],
    ['an empty file', new Blob([]), 422, 'document.empty'],
    [
      'a byte over 10 MB',
      new Blob(['%PDF-1.7\n', 'x'.repeat(10 * 1024 * 1024 - 8)]),
      413,
      'document.too_large',
    ],
  ])('%s', async (_what, file, status, code) => {
    expect(await upload(file)).toMatchObject({ status, body: { code } })
  })

  test('two files where one belongs, in one field or in two', async () => {
    for (const second of ['pdf', 'anexo']) {
      const body = new FormData()
      body.append('pdf', pdf('um'), 'um.pdf')
      body.append(second, pdf('dois'), 'dois.pdf')
      expect(await server.call('POST', '/api/uploads/document', { token: owner.token, body })).toMatchObject({
        status: 422,
        body: { code: 'document.one_at_a_time', detail: 'Envie um arquivo por vez.' },
      })
    }
  })

  test.each(['document', 'bulk'])('no file at all for %s, in words that suit it', async (path) => {
    const body = new FormData()
    body.append('nota', 'sem arquivo')
    expect(await server.call('POST', `/api/uploads/${path}`, { token: owner.token, body })).toMatchObject({
      status: 422,
      body: { code: 'document.missing', detail: 'Nenhum arquivo PDF foi enviado' },
    })
  })

  test('a file in a field of another name', async () => {
    const body = new FormData()
    body.append('arquivo', pdf('um'), 'um.pdf')
    expect(await server.call('POST', '/api/uploads/document', { token: owner.token, body })).toMatchObject({
      status: 422,
      body: { code: 'document.wrong_field' },
    })
  })

  test('a body that is not multipart', async () => {
    const answer = await server.call('POST', '/api/uploads/document', { token: owner.token, body: {} })
    expect(answer).toMatchObject({ status: 415, body: { code: 'request.unsupported_media' } })
  })

  test('files for somebody else’s experiment', async () => {
    expect(await upload(pdf(), 'x.pdf', other.token)).toMatchObject({ status: 403 })
  })
})

test('exactly 10 MB pass', async () => {
  const whole = pdf()
  const { status } = await upload(new Blob([whole, 'x'.repeat(10 * 1024 * 1024 - whole.size)]))
  expect(status).toBe(201)
})

test('many at once are answered one by one', async () => {
  const body = new FormData()
  body.set('experimentId', experimentId)
  body.append('pdf', pdf('um'), 'um.pdf')
  body.append('pdf', new Blob(['não é']), 'dois.pdf')
  const { status, body: answer } = await server.call('POST', '/api/uploads/bulk', {
    token: owner.token,
    body,
  })
  expect(status).toBe(200)
  expect(answer.results).toMatchObject([
    { filename: 'um.pdf', error: null },
    { filename: 'dois.pdf', document: null, error: 'Documento inválido' },
  ])
  const many = new FormData()
  for (let n = 0; n < 21; n += 1) many.append('pdf', pdf(String(n)), `${n}.pdf`)
  const refused = await server.call('POST', '/api/uploads/bulk', { token: owner.token, body: many })
  expect(refused).toMatchObject({ status: 422, body: { code: 'document.too_many' } })
})

describe('a bulk upload', () => {
  beforeAll(async () => {
    const { body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: experimentInput(),
    })
    experimentId = body.experimento.id
  })
  const twenty = (text: string) => {
    const body = new FormData()
    body.set('experimentId', experimentId)
    for (let n = 0; n < 20; n += 1) body.append('pdf', pdf(`${text} ${n}`), `${n}.pdf`)
    return body
  }
  const bulk = (body: FormData) => server.call('POST', '/api/uploads/bulk', { token: owner.token, body })
  const stored = () =>
    readdirSync(join(server.dataDir, 'documents'), { recursive: true }).filter((name) =>
      String(name).endsWith('.pdf'),
    ).length

  test('that is repeated adds nothing, and answers what is there', async () => {
    const first = await bulk(twenty('de novo'))
    const files = stored()
    const again = await bulk(twenty('de novo'))
    const ids = ({ body }: Answer) =>
      body.results.map((result: { document: { id: string } }) => result.document.id)
    expect(new Set(ids(first)).size).toBe(20)
    expect(ids(again)).toEqual(ids(first))
    expect(stored()).toBe(files)
  })

  test('of loose files adds each once to its person, and to another too', async () => {
    const loose = () => {
      const body = new FormData()
      for (const name of ['a', 'b']) body.append('pdf', pdf('solto e igual'), `${name}.pdf`)
      return body
    }
    const send = async (token: string) => {
      const { body } = await server.call('POST', '/api/uploads/bulk', { token, body: loose() })
      return body.results.map((result: { document: { id: string } }) => result.document.id)
    }
    const [a, b] = await send(owner.token)
    expect(b).toBe(a)
    expect(await send(owner.token)).toEqual([a, a])
    expect(await send(other.token)).not.toContain(a)
  })

  test('goes to the store file by file, and adds nothing when it is cut off', async () => {
    const before = stored()
    const whole = new Response(twenty('cortado'))
    const type = whole.headers.get('content-type') ?? ''
    const bytes = Buffer.from(await whole.arrayBuffer())
    const sending = request(`${server.url}/api/uploads/bulk`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': type,
        'content-length': bytes.length,
      },
    })
    sending.on('error', () => undefined)
    sending.write(bytes.subarray(0, bytes.length / 2))
    await vi.waitFor(() => expect(stored()).toBeGreaterThan(before + 5), 5_000)
    sending.destroy()
    await vi.waitFor(() => expect(stored()).toBe(before), 5_000)
    const { body } = await server.call('GET', `/api/uploads/documents?experimentId=${experimentId}`, {
      token: owner.token,
    })
    expect(JSON.stringify(body)).not.toContain('cortado')
  })

  test('to a store that is away adds nothing and says so', async () => {
    const folder = join(server.dataDir, 'documents')
    renameSync(folder, `${folder}.away`)
    writeFileSync(folder, '')
    const { status, body } = await bulk(twenty('longe'))
    rmSync(folder)
    renameSync(`${folder}.away`, folder)
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'server.storage_away' })
    expect((await bulk(twenty('longe'))).body.results).toHaveLength(20)
  })
})

test('a file that no row names is swept once it is old and was seen before, others stay', async () => {
  const { body } = await upload(pdf('fica'))
  const store = diskStore(join(server.dataDir, 'documents'))
  await store.put('orfao-velho-aa.pdf', Buffer.from('%PDF-'))
  await store.put('orfao-novo-aa.pdf', Buffer.from('%PDF-'))
  const folder = join(server.dataDir, 'documents', 'aa')
  const old = new Date(Date.now() - 7_200_000)
  utimesSync(join(folder, 'orfao-velho-aa.pdf'), old, old)
  const documents = createDocuments({ wall: wallOver(server.pool.raw), owner: server.handle, store })
  expect(await documents.sweep()).toBe(0)
  const later = performance.now() + 3_600_000
  expect(await documents.sweep({ uptimeMs: later })).toBe(1)
  expect(readdirSync(folder)).not.toContain('orfao-velho-aa.pdf')
  expect(readdirSync(folder)).toContain('orfao-novo-aa.pdf')
  const kept = await server.call('GET', `/api/uploads/documents/${body.document.id}`, { token: owner.token })
  expect(kept.status).toBe(200)
})

describe('reports are matched with trials by the code in their names', () => {
  const match = (nomes: unknown, token = owner.token) =>
    server.call('POST', '/api/uploads/match', { token, body: { nomes } })
  const coded = async (codigo: string, token = owner.token): Promise<string> => {
    const body = experimentInput({ codigo })
    return (await server.call('POST', '/api/experiments', { token, body })).body.experimento.id
  }

  test('whatever its case, accents and what is around it; the longest code counts', async () => {
    const [short, long, slashed] = [
      await coded('Açaí 7'),
      await coded('Açaí 7-B'),
      await coded('Açaí-2024/017'),
    ]
    const { status, body } = await match([
      'Relatório final ACAI 7 (2).pdf',
      'açaí 7-b.PDF',
      'acai-2024-017_v2.pdf',
      'acai-2024.pdf',
      'outro.pdf',
    ])
    expect(status).toBe(200)
    expect(body.experimentos.map((one: { id: string } | null) => one?.id ?? null)).toEqual([
      ...[short, long, slashed],
      ...[null, null],
    ])
    expect(body.experimentos[2]).toMatchObject({
      ...{ codigo: 'Açaí-2024/017', tem_relatorio: false, permitido: true },
      nome: expect.stringMatching(/^.+ - .+ - \d{4}$/),
    })
    await server.call('POST', '/api/uploads/document', {
      token: owner.token,
      body: form({ pdf: pdf('relatório'), experimentId: short }, 'acai 7.pdf'),
    })
    expect((await match(['acai 7.pdf'])).body.experimentos[0]).toMatchObject({ tem_relatorio: true })
    expect((await match(['acai 7.pdf'], other.token)).body.experimentos[0]).toMatchObject({
      permitido: false,
    })
  })

  test('nothing, too much and what is no name is refused', async () => {
    expect((await match([])).body).toEqual({ experimentos: [] })
    expect((await match([''])).body).toEqual({ experimentos: [null] })
    for (const nomes of [null, 'a.pdf', [1], ['x'.repeat(301)], Array(51).fill('a.pdf')])
      expect((await match(nomes)).status, JSON.stringify(nomes)?.slice(0, 40)).toBe(422)
    expect((await match([`${'a '.repeat(140)}.pdf`])).body).toEqual({ experimentos: [null] })
  })
})
