import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type ExperimentInput, type Role, UNGIVEN } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { buildApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import type { Handle } from './database/handle.ts'
import { forRequests, openPool, type Pool } from './database/pool.ts'
import { createTestDatabase } from './database/test-database.ts'
import { wallOver } from './database/wall.ts'
import type { Extractor } from './features/extraction/extraction.service.ts'
import { documentedPath } from './http/openapi.ts'
import { watchConformance } from './http/test-conformance.ts'
import { chooseTransport } from './mail/choose-transport.ts'
import { folderTransport } from './mail/transport.ts'
import { diskStore } from './storage/disk-store.ts'
import type { DocumentStore } from './storage/document-store.ts'

export interface TestServer {
  url: string
  config: Config
  /** Of the owner: a test may look at and change everything. */
  handle: Handle
  /** Of requests. */
  pool: Pool
  owner: Pool
  store: DocumentStore
  dataDir: string
  /** Every registered address: 'GET /api/experiments/{id}'. */
  routes: string[]
  /** A call of the API; a plain object becomes a JSON body. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A new person with a live session. */
  person(options?: { role?: Role; name?: string }): Promise<Person>
  /** What the person's organisation sees. */
  inNameOf(person: Person): Promise<Handle>
  stop(): Promise<void>
}

export interface CallOptions {
  token?: string
  body?: unknown
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape
  body: any
  bytes: Buffer
}

export interface Person {
  id: string
  email: string
  password: string
  token: string
  refreshToken: string
}

export const PASSWORD = 'correta-cavalo-bateria'

/** The whole server on a port of its own, over a fresh database on the run's PostgreSQL. */
export async function startTestServer(
  options: {
    env?: Record<string, string>
    extractor?: Extractor
    /** Files of a built web application, by their names. */
    web?: Record<string, string>
  } = {},
): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ensaio-data-'))
  const database = await createTestDatabase(inject('databaseServer'))
  const owner = openPool(database.owner, console.error)
  const pool = openPool({ ...database.requests, ...forRequests }, console.error)
  const config = readConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    SITE_URL: 'http://localhost:3000',
    DATA_DIR: dataDir,
    LIMITS: 'off',
    LOG_LEVEL: 'error',
    ...options.env,
  })
  // Below a folder that is called as the hashed files' own: what is told of those is told by their place in it.
  const webFolder = join(dataDir, 'assets', 'web')
  for (const [name, text] of Object.entries(options.web ?? {})) {
    mkdirSync(dirname(join(webFolder, name)), { recursive: true })
    writeFileSync(join(webFolder, name), text)
  }
  const store = diskStore(join(dataDir, 'documents'))
  const app = await buildApp({
    config,
    pool,
    owner,
    store,
    extractor: options.extractor ?? { extract: () => Promise.reject(new Error('no extractor in this test')) },
    deliver: config.smtpUrl
      ? chooseTransport(config)
      : folderTransport({ folder: join(dataDir, 'outbox'), show: () => {} }),
    webFolder,
  })
  const deviations = watchConformance(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  const call = async (method: string, path: string, { token, body, headers = {} }: CallOptions = {}) => {
    const plain = body !== undefined && !(body instanceof FormData) && typeof body !== 'string'
    const answer = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(plain || typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: plain ? JSON.stringify(body) : (body as string | FormData) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const json = /json/.test(answer.headers.get('content-type') ?? '') && bytes.length > 0
    return {
      status: answer.status,
      headers: answer.headers,
      body: json ? JSON.parse(bytes.toString()) : bytes.toString(),
      bytes,
    }
  }

  let people = 0
  return {
    url,
    config,
    handle: owner.handle,
    pool,
    owner,
    store,
    dataDir,
    routes: routesOf(app),
    call,
    async person({ role = 'user', name = 'Ana Prado' } = {}) {
      people += 1
      const email = `pessoa${people}@exemplo.com.br`
      const { status, body } = await call('POST', '/auth/v1/signup', {
        body: { email, password: PASSWORD, data: { name } },
      })
      if (status !== 200) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`)
      if (role !== 'user')
        await sql`update auth.users set app_role = ${role} where id = ${body.user.id}`.execute(owner.handle)
      return {
        id: body.user.id,
        email,
        password: PASSWORD,
        token: body.access_token,
        refreshToken: body.refresh_token,
      }
    },
    async inNameOf({ id, token }) {
      const { body } = await call('GET', '/api/organizations', { token })
      return wallOver(pool.raw).for({ id, organization: body.ativa })
    },
    async stop() {
      await app.close()
      await pool.close()
      await owner.close()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
      // Whatever a test looked at: what it was answered is what the document promises.
      if (deviations.length > 0)
        throw new Error(
          `answers that are not in the OpenAPI document:\n${[...new Set(deviations)].join('\n')}`,
        )
    },
  }
}

/** From the router's own listing, a tree of path segments with `(METHOD, METHOD)` behind those that answer. */
function routesOf(app: FastifyInstance): string[] {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', segment = '', methods = ''] =
        /^(.*?)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
      const depth = indent.length / 4
      above.splice(depth, above.length, segment)
      const path = documentedPath(above.join(''))
      return methods.split(', ').map((method) => `${method} ${path}`)
    })
    .filter((route) => /^[A-Z]+ /.test(route) && !/^(HEAD|OPTIONS) /.test(route))
}

/** A small PDF of one empty page; its content does not matter here. */
export const pdf = (text = 'relatório'): Blob =>
  new Blob([`%PDF-1.7\n% ${text}\n${EMPTY_PAGE}`], { type: 'application/pdf' })

const EMPTY_PAGE = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>\nendobj
trailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n`

export function form(parts: Record<string, string | Blob>, filename = 'relatório.pdf'): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, value, filename)
  }
  return data
}

export function experimentInput(change: Partial<ExperimentInput> = {}): ExperimentInput {
  return {
    ...UNGIVEN,
    consultoria: 'Agro Cerrado',
    marca: 'Aminoagro',
    bu: 'BU1',
    regional: 'Centro-Oeste',
    cidade: 'Rio Verde',
    estado: 'GO',
    latitude: -17.7923,
    longitude: -50.9191,
    teor_argila: 42.5,
    teor_materia_organica: 3.1,
    cultura: 'Soja',
    cultivar: 'BMX Bônus IPRO',
    ano: 2024,
    tratamentos: [
      {
        nome: 'Testemunha',
        modalidade: 'Controle',
        produtividade: 3000,
        custo: 0,
        produtos_aplicados: [],
        analises_adicionais: [],
      },
      {
        nome: 'T2',
        modalidade: 'Foliar',
        produtividade: 3500,
        custo: 180.5,
        produtos_aplicados: [{ nome: 'Amino Foliar', dose: 1.5, unidade: 'L/ha', custo: 90 }],
        analises_adicionais: [{ nome: 'Altura de plantas', valor: 92.4, unidade: 'cm' }],
      },
    ],
    tipo_estatistica: 'DBC',
    custo_protocolo: 250,
    roi: 410.75,
    ...change,
  }
}
