import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskStore } from './disk-store.ts'
import type { DocumentStore } from './document-store.ts'
import { s3Store } from './s3-store.ts'

/** As much of the S3 protocol as a store of whole objects needs; signatures must be there. */
function fakeS3(): Server {
  const objects = new Map<string, { bytes: Buffer; at: Date }>()
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3')
    const key = decodeURIComponent(url.pathname.split('/').slice(2).join('/'))
    const end = (status: number, body: string | Buffer = '', headers = {}) =>
      response.writeHead(status, headers).end(body)
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return end(403)
    if (request.method === 'PUT') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      objects.set(key, { bytes: Buffer.concat(chunks), at: new Date() })
      return end(200)
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return end(204)
    }
    if (key === '') return end(200, listing(objects, url.searchParams), { 'content-type': 'application/xml' })
    const found = objects.get(key)
    if (!found) {
      const missing = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'
      return end(404, missing, { 'content-type': 'application/xml' })
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined || to === undefined) return end(200, found.bytes)
    return end(206, found.bytes.subarray(Number(from), Number(to) + 1))
  })
}

/** Two keys a page, so that paging is needed. */
function listing(objects: Map<string, { at: Date }>, query: URLSearchParams): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort()
  const from = Number(query.get('continuation-token') ?? 0)
  const page = keys.slice(from, from + 2)
  const more = from + 2 < keys.length
  const contents = page.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>${objects.get(key)?.at.toISOString()}</LastModified></Contents>`,
  )
  return `<?xml version="1.0"?><ListBucketResult>${contents.join('')}<IsTruncated>${more}</IsTruncated>${
    more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
  }</ListBucketResult>`
}

const folder = mkdtempSync(join(tmpdir(), 'ensaio-store-'))
const server = fakeS3()
const stores: Record<string, () => DocumentStore> = {
  disk: () => diskStore(folder),
  s3: () => s3Store(`s3://chave:segredo@127.0.0.1:${(server.address() as AddressInfo).port}/ensaio?tls=off`),
}

beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  rmSync(folder, { recursive: true, force: true })
})

const text = async (stream: Readable) => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe.each(Object.entries(stores))('a store on %s', (_kind, open) => {
  test('gives back what it was given, whole or in part', async () => {
    const store = open()
    await store.put('um-ab.pdf', Buffer.from('%PDF-1.7 conteúdo'))
    expect(await text(await store.read('um-ab.pdf'))).toBe('%PDF-1.7 conteúdo')
    expect(await text(await store.read('um-ab.pdf', { start: 0, end: 4 }))).toBe('%PDF-')
  })

  test('forgets what is removed, and removing twice is no error', async () => {
    const store = open()
    await store.put('dois-ab.pdf', Buffer.from('x'))
    await store.remove('dois-ab.pdf')
    await store.remove('dois-ab.pdf')
    await expect(store.read('dois-ab.pdf')).rejects.toThrow()
  })

  test('lists everything with its age', async () => {
    const store = open()
    for (const name of ['a-00.pdf', 'b-01.pdf', 'c-02.pdf']) await store.put(name, Buffer.from('x'))
    const names: string[] = []
    for await (const { name, modifiedAt } of store.entries()) {
      names.push(name)
      expect(Date.now() - modifiedAt.getTime()).toBeLessThan(60_000)
    }
    expect(names).toEqual(expect.arrayContaining(['a-00.pdf', 'b-01.pdf', 'c-02.pdf', 'um-ab.pdf']))
  })
})

test('a name that is no stored name never reaches the disk', async () => {
  await expect(diskStore(folder).put('../fora.pdf', Buffer.from('x'))).rejects.toThrow()
})
