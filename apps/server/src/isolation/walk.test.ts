import { contract, ENDPOINTS, type Endpoint, urlOf } from '@ensaio/domain'
import { validate as isUuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentedPath } from '../http/openapi.ts'
import { type Answer, startTestServer, type TestServer } from '../test-server.ts'
import { foundIn, textOf } from './test-canaries.ts'
import type { Ask, Row } from './test-row.ts'
import { ACCOUNT_ROWS } from './test-rows-accounts.ts'
import { AUTH_ROWS } from './test-rows-auth-v1.ts'
import { BRAPI_ROWS } from './test-rows-brapi.ts'
import { DOCUMENT_ROWS } from './test-rows-documents.ts'
import { EXPERIMENT_ROWS } from './test-rows-experiments.ts'
import { FIELD_ROWS } from './test-rows-field.ts'
import { IMPORT_ROWS } from './test-rows-imports.ts'
import { OAUTH_ROWS } from './test-rows-oauth.ts'
import { ORGANIZATION_ROWS } from './test-rows-organizations.ts'
import { REST_ROWS } from './test-rows-rest.ts'
import { SHARING_ROWS } from './test-rows-sharing.ts'
import { SYNTHESIS_ROWS } from './test-rows-synthesis.ts'
import { TRIAL_ROWS } from './test-rows-trials.ts'
import { VIEW_ROWS } from './test-rows-views.ts'
import { buildWorld, CALLERS, type Caller, reader, secretsTo, type World } from './test-world.ts'

const ROWS: Row[] = [
  ...EXPERIMENT_ROWS,
  ...DOCUMENT_ROWS,
  ...SHARING_ROWS,
  ...TRIAL_ROWS,
  ...SYNTHESIS_ROWS,
  ...FIELD_ROWS,
  ...BRAPI_ROWS,
  ...IMPORT_ROWS,
  ...VIEW_ROWS,
  ...ORGANIZATION_ROWS,
  ...REST_ROWS,
  ...ACCOUNT_ROWS,
  ...AUTH_ROWS,
  ...OAUTH_ROWS,
]

const UNKNOWN = '01900000-0000-7000-8000-00000000ffff'

let server: TestServer
let world: World

beforeAll(async () => {
  server = await startTestServer({ extractor: reader() })
  world = await buildWorld(server, await server.person({ role: 'admin', name: 'Adm' }))
})
afterAll(() => server.stop())

/** What the row's endpoint is called by the server. */
const registered = ({ endpoint }: Row): string => {
  if (endpoint.includes(' ')) return endpoint
  const { method, path }: { method: string; path: string } = ENDPOINTS[endpoint as keyof typeof ENDPOINTS]
  return `${method} ${documentedPath(path)}`
}

/** Asks once, as the row says; of what is not there for the caller it asks again by an id that nobody has. */
async function walk(row: Row, caller: Caller): Promise<{ status: number; told: string[] }> {
  const ask = await row.ask(world, caller)
  const { status, told, body } = await once(row, caller, ask)
  const unknown = Object.entries(ask.params ?? {}).map(([name, value]) => [
    name,
    isUuid(value) ? UNKNOWN : value,
  ])
  if (status === 404 && Object.values(ask.params ?? {}).some(isUuid)) {
    const other = await once(row, caller, { ...ask, params: Object.fromEntries(unknown) })
    expect({ status: other.status, body: other.body }).toEqual({ status, body })
    // BrAPI's refusals have no code.
    if (ask.method !== 'HEAD' && !registered(row).includes(' /brapi/'))
      expect(body.code).toMatch(kindOf(registered(row)))
  }
  return { status, told }
}

async function once(
  row: Row,
  caller: Caller,
  { params, query, body, headers, token, method, path, stream }: Ask,
): Promise<{ status: number; told: string[]; body: Answer['body'] }> {
  const [verb = '', address = ''] = registered(row).split(' ')
  const of: { path: string } = row.endpoint.includes(' ')
    ? { path: path ?? address }
    : contract[row.endpoint as keyof typeof contract]
  const url = urlOf(of, { params, query })
  const said = `${url} ${body instanceof FormData ? '' : JSON.stringify(body ?? '')} ${JSON.stringify(headers ?? '')}`
  const secrets = secretsTo(caller, world).filter((canary) => !row.tells(canary, caller))
  if (stream) return { status: await begun(url, caller), told: [], body: null }
  const answer = await world.ask(caller, method ?? verb, url, {
    ...(body !== undefined && { body }),
    ...(headers && { headers }),
    ...(token && { token }),
  })
  return { status: answer.status, told: foundIn(textOf(answer), secrets, said), body: answer.body }
}

/** The code of what is not there. */
function kindOf(address: string): RegExp {
  const [, of = ''] = /^[A-Z]+ \/api\/(?:uploads\/|public\/)?(\w+)/.exec(address) ?? []
  if (address.includes('/public/')) return /^link\.not_found$/
  if (/photos\/[:{]/.test(address)) return /^photo\.not_found$/
  const kind = of === 'syntheses' ? 'synthesis' : of.replace(/s$/, '')
  if (address.includes('/import-templates')) return /^import\.template_not_found$/
  if (kind === 'organization') return /^(organization|member|invitation)\.not_found$/
  return kind === 'admin' || kind === 'profile' ? /not_found$/ : new RegExp(`^${kind}\\.not_found$`)
}

/** The status of an answer that would go on for ever. */
async function begun(path: string, caller: Caller): Promise<number> {
  const stop = new AbortController()
  const { status } = await fetch(`${server.url}${path}`, {
    headers: caller === 'V' ? {} : { authorization: `Bearer ${world.people[caller].token}` },
    signal: stop.signal,
  })
  stop.abort()
  return status
}

test('every endpoint of the contract and every address of the server has a row', () => {
  const names = new Set(ROWS.map(({ endpoint }) => endpoint))
  expect(Object.keys(contract).filter((name) => !names.has(name as keyof typeof contract))).toEqual([])
  const addresses = new Set(ROWS.map(registered))
  expect(server.routes.filter((route) => !addresses.has(route))).toEqual([])
  const known = new Set([
    ...server.routes,
    ...Object.values<Endpoint>(contract).map(({ method, path }) => `${method} ${documentedPath(path)}`),
  ])
  expect([...addresses].filter((address) => !known.has(address))).toEqual([])
})

describe.each(ROWS.map((row) => [`${row.endpoint}: ${row.what}`, row] as const))('%s', (_name, row) => {
  for (const caller of CALLERS) {
    const expected = row.status[caller]
    const fault = row.faults[caller]
    const check = async () => {
      const { status, told } = await walk(row, caller)
      expect({ status: [status], told }).toEqual({
        status: expected.includes(status) ? [status] : expected,
        told: [],
      })
    }
    if (fault) test.fails(`${caller} (${fault})`, check)
    else test(caller, check)
  }
})
