import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

type Objects = Map<string, { bytes: Buffer; at: Date }>

export interface FakeS3 {
  /** For STORAGE_URL. */
  address: string
  objects: Objects
  stop(): Promise<void>
  /** Again at the same address, with what it held. */
  start(): Promise<void>
}

/** An S3 endpoint in this process, with one bucket. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects: Objects = new Map()
  const server = fakeS3(objects)
  const listen = (port: number) => new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    address: `s3://chave:segredo@127.0.0.1:${port}/ensaio?tls=off`,
    objects,
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
    start: () => listen(port),
  }
}

/** As much of the S3 protocol as a store of whole objects needs; signatures must be there. */
function fakeS3(objects: Objects): Server {
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
