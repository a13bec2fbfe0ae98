import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startTestServer, type TestServer } from '../../test-server.ts'
import { pngOf } from '../photos/test-pictures.ts'
import { asking } from '../trials/test-trials.ts'

let server: TestServer
let ana: Person
let lia: Person
let plots: { id: string; numero: number }[]
let others: { id: string }[]
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.person({ name: 'Ana Prado' })
  lia = await server.person({ name: 'Lia Reis' })
  await sql`update membros set papel = 'leitor' where pessoa_id = ${lia.id}`.execute(server.handle)
  const of = asking(server, ana)
  const plotsOf = async (change: Record<string, unknown>) => {
    const id = await of.planted({}, change)
    return (await of.done(of.call('GET', `/api/experiments/${id}/field-package`))).parcelas
  }
  plots = await plotsOf({})
  others = await plotsOf({ ano: 2020, consultoria: 'Outra Consultoria' })
})
afterAll(() => server.stop())

const ask = (method: string, path: string, body?: unknown, by = ana) =>
  server.call(method, `/brapi/v2/${path}`, { token: by.token, ...(body !== undefined && { body }) })
const put = async (id: string, bytes: Buffer, type = 'image/png', by = ana) => {
  const answer = await fetch(`${server.url}/brapi/v2/images/${id}/imagecontent`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': type },
    body: new Uint8Array(bytes),
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer of the server, looked at by the tests
  return { status: answer.status, body: (await answer.json()) as any }
}
const described = (given: object = {}) => ({
  ...{ observationUnitDbId: plots[0]?.id, imageName: 'Folha', imageFileName: 'folha.png' },
  ...{ imageTimeStamp: '2026-03-12T12:00:00-03:00', description: 'Ferrugem na folha' },
  ...{ descriptiveOntologyTerms: ['ferrugem'], copyright: 'Ana Prado' },
  imageLocation: { type: 'Feature', geometry: { type: 'Point', coordinates: [-55.25, -12.5] } },
  externalReferences: [{ referenceId: 'foto-1', referenceSource: 'Field Book Upload' }],
  ...given,
})
const made = async (given?: object): Promise<string> => {
  const { status, body } = await ask('POST', 'images', [described(given)])
  expect(status, JSON.stringify(body)).toBe(200)
  return body.result.data[0].imageDbId
}
const found = async (query: string, by = ana): Promise<string[]> =>
  (await ask('GET', `images?${query}`, undefined, by)).body.result.data.map(
    ({ imageDbId }: { imageDbId: string }) => imageDbId,
  )

test('images are found by where they were taken', async () => {
  const id = await made({ imageName: 'Lugar', imageFileName: 'lugar.png' })
  await made({ imageName: 'Sem lugar', imageFileName: 'sem.png', imageLocation: null })
  const search = async (geometry: unknown) => {
    const body = { imageNames: ['Lugar', 'Sem lugar'], imageLocation: { type: 'Feature', geometry } }
    const answer = await ask('POST', 'search/images', body)
    return answer.status === 200
      ? answer.body.result.data.map(({ imageDbId }: { imageDbId: string }) => imageDbId)
      : answer.status
  }
  const square = (x: number, y: number, half: number) =>
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
    ].map(([dx = 0, dy = 0]) => [x + dx * half, y + dy * half])
  const [around, hole] = [square(-55.25, -12.5, 0.5), square(-55.25, -12.5, 0.1)]
  expect(await search({ type: 'Polygon', coordinates: [around] })).toEqual([id])
  expect(await search({ type: 'Polygon', coordinates: [around, hole] })).toEqual([])
  expect(await search({ type: 'Polygon', coordinates: [square(-50, -12.5, 0.5)] })).toEqual([])
  expect(await search({ type: 'Point', coordinates: [-55.2501, -12.5001] })).toEqual([id])
  expect(await search({ type: 'Point', coordinates: [-55.26, -12.5] })).toEqual([])
  for (const bad of [null, { type: 'Point', coordinates: [200, 0] }, { type: 'Circle', coordinates: [] }])
    expect(await search(bad)).toBe(400)
})

test('what is told of an image comes first, then its bytes; its address opens it without signing in', async () => {
  const id = await made()
  // Sent again, where the answer was lost, it is the same image.
  expect(await made()).toBe(id)
  const before = (await ask('GET', `images/${id}`)).body.result
  expect(before).toMatchObject({
    ...{ imageDbId: id, imageURL: null, imageFileSize: null, mimeType: 'image/jpeg' },
    ...{ observationUnitDbId: plots[0]?.id, imageName: 'Folha', description: 'Ferrugem na folha' },
    ...{ imageTimeStamp: '2026-03-12T15:00:00.000Z', descriptiveOntologyTerms: ['ferrugem'] },
    imageLocation: { type: 'Feature', geometry: { type: 'Point', coordinates: [-55.25, -12.5] } },
  })
  const { status, body } = await put(id, pngOf(800, 600))
  expect(status).toBe(200)
  expect(body.result).toMatchObject({ imageWidth: 800, imageHeight: 600 })
  const url = new URL(body.result.imageURL)
  expect(url.origin).toBe(new URL(server.config.siteUrl).origin)
  const answer = await fetch(server.url + url.pathname + url.search)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('image/jpeg')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  // Signed for this image and this hour alone.
  for (const [key, value] of [
    ['ate', String(Number(url.searchParams.get('ate')) + 3_600_000)],
    ['sinal', 'A'.repeat(43)],
    ['ensaio', id],
  ]) {
    const forged = new URL(url)
    forged.searchParams.set(key ?? '', value ?? '')
    expect((await fetch(server.url + forged.pathname + forged.search)).status).toBe(404)
  }
  const other = await made({ imageFileName: 'outra.png' })
  await put(other, pngOf(10, 10))
  expect((await fetch(`${server.url}/api/photos/${other}${url.search}`)).status).toBe(404)
})

test('images are found by what they are of', async () => {
  const mine = await made({ imageFileName: 'a.png', imageName: 'Raiz', descriptiveOntologyTerms: ['raiz'] })
  const theirs = await made({
    ...{ observationUnitDbId: others[0]?.id, imageFileName: 'b.png', imageName: 'Espiga' },
    ...{ descriptiveOntologyTerms: [], externalReferences: [] },
  })
  expect(await found('imageName=Raiz')).toEqual([mine])
  expect(await found('descriptiveOntologyTerm=raiz')).toEqual([mine])
  expect(await found(`observationUnitDbId=${others[0]?.id}`)).toEqual([theirs])
  expect(await found(`imageDbId=${mine}`)).toEqual([mine])
  const { body: programs } = await ask('GET', 'programs?programName=Outra%20Consultoria')
  expect(await found(`programDbId=${programs.result.data[0].programDbId}`)).toEqual([theirs])
  expect(await found('externalReferenceId=nenhuma')).toEqual([])
  expect((await found('externalReferenceId=foto-1')).includes(mine)).toBe(true)
  await put(mine, pngOf(300, 200))
  const searched = async (body: object) =>
    (await ask('POST', 'search/images', body)).body.result.data.map(
      ({ imageDbId }: { imageDbId: string }) => imageDbId,
    )
  expect(await searched({ imageDbIds: [mine, theirs], imageWidthMin: 250 })).toEqual([mine])
  expect(await searched({ imageDbIds: [mine, theirs], imageWidthMax: 250 })).toEqual([])
  expect(await searched({ imageNames: ['Espiga'], mimeTypes: ['image/jpeg'] })).toEqual([theirs])
  expect(await searched({ imageDbIds: [mine], imageTimeStampRangeStart: '2026-03-13T00:00:00Z' })).toEqual([])
  expect(await searched({ imageDbIds: [mine], imageTimeStampRangeEnd: '2026-03-13T00:00:00Z' })).toEqual([
    mine,
  ])
})

test('what is told of one is changed, and what is not said stays', async () => {
  const id = await made({ imageFileName: 'c.png' })
  const { body } = await ask('PUT', `images/${id}`, { description: 'Outra frase' })
  expect(body.result).toMatchObject({
    ...{ imageDbId: id, description: 'Outra frase', imageName: 'Folha' },
    ...{ observationUnitDbId: plots[0]?.id, imageTimeStamp: '2026-03-12T15:00:00.000Z' },
  })
})

test('an image that is none, too large or of no plot is refused in words, and nothing of it is kept', async () => {
  const id = await made({ imageFileName: 'd.png' })
  const sentence = (body: { metadata: { status: { message: string }[] } }) => body.metadata.status[0]?.message
  for (const [bytes, type] of [
    [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    [Buffer.from('\0\0\0\x18ftypheic'), 'image/heic'],
    [pngOf(8, 8).subarray(0, 40), 'image/png'],
  ] as const) {
    const answer = await put(id, bytes, type)
    expect([answer.status, sentence(answer.body)]).toEqual([415, 'Envie JPEG, PNG ou WebP'])
  }
  expect((await ask('PUT', `images/${id}/imagecontent`, { a: 1 })).status).toBe(415)
  expect((await put(id, Buffer.alloc(11 * 1024 * 1024))).status).toBe(413)
  const wrong = async (...given: unknown[]) => {
    const { status, body } = await ask('POST', 'images', given)
    return [status, sentence(body)]
  }
  const before = (await found('')).length
  expect(await wrong(described(), described({ observationUnitDbId: id }))).toEqual([
    ...[400, 'Registro 2: a parcela não existe'],
  ])
  expect(await wrong({})).toEqual([400, 'Registro 1: valor inválido em observationUnitDbId'])
  expect(await wrong(described({ imageTimeStamp: 'ontem' }))).toEqual([
    ...[400, 'Registro 1: valor inválido em imageTimeStamp'],
  ])
  expect((await ask('POST', 'images', {})).status).toBe(400)
  expect((await found('')).length).toBe(before)
  expect((await ask('GET', 'images/nada')).status).toBe(404)
  expect((await ask('PUT', `images/${plots[0]?.id}`, described())).status).toBe(404)
})

test('who only reads sees them and sends none', async () => {
  const id = await made({ imageFileName: 'e.png' })
  expect(await found(`imageDbId=${id}`, lia)).toEqual([id])
  expect((await ask('POST', 'images', [described({ imageFileName: 'f.png' })], lia)).status).toBe(403)
  expect((await ask('PUT', `images/${id}`, described(), lia)).status).toBe(403)
  expect((await put(id, pngOf(10, 10), 'image/png', lia)).status).toBe(403)
})

test('a photo stays in its trial, and another’s is changed by who may change the plots alone', async () => {
  const id = await made({ imageFileName: 'g.png' })
  await put(id, pngOf(20, 10))
  expect((await ask('PUT', `images/${id}`, { observationUnitDbId: others[0]?.id })).status).toBe(400)
  expect((await ask('PUT', `images/${id}`, { observationUnitDbId: plots[1]?.id })).body.result).toMatchObject(
    {
      ...{ imageDbId: id, observationUnitDbId: plots[1]?.id, imageWidth: 20 },
    },
  )
  // Of the field team, a reader records photos of her own and leaves those of others as they are.
  const trial = (await ask('GET', `observationunits/${plots[0]?.id}`)).body.result.studyDbId
  const team = await server.call('PUT', `/api/experiments/${trial}/field-team/${lia.id}`, {
    token: ana.token,
  })
  expect(team.status).toBe(204)
  const { body } = await ask('POST', 'images', [described({ imageFileName: 'h.png' })], lia)
  const hers = body.result.data[0].imageDbId
  expect((await put(hers, pngOf(10, 10), 'image/png', lia)).status).toBe(200)
  expect((await put(id, pngOf(10, 10), 'image/png', lia)).status).toBe(403)
  expect((await ask('PUT', `images/${id}`, { description: 'Minha' }, lia)).status).toBe(403)
  expect((await ask('GET', `images/${id}`)).body.result).toMatchObject({ imageWidth: 20 })
  expect((await put(hers, pngOf(30, 10))).status).toBe(200)
})
