import { PROBLEMS, Problem } from '@ensaio/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import { buckets } from '../../http/buckets.ts'
import { subscriber } from '../../http/client-address.ts'
import { isDatabaseAway, toProblem } from '../../http/problem-reply.ts'
import { type PlaceLimits, places } from '../../places.ts'
import type { AccountsFeature } from '../accounts/accounts.feature.ts'
import type { Table } from './parse-filter.ts'
import { parseQuery } from './parse-query.ts'
import { type RestRole, readRows } from './rest.repository.ts'
import { badRange, RestError } from './rest-error.ts'
import { TABLES } from './tables.ts'

const SINGLE = 'application/vnd.pgrst.object+json'
const ARRAY = 'application/json'
const READABLE =
  /^(\*\/\*|application\/\*|application\/json|application\/vnd\.pgrst\.(object|array)(\+json)?)$/
const RETRY_AFTER_S = 2

/**
 * Few connections, so that whoever asks here keeps nobody waiting elsewhere, and a visitor nobody here. With those
 * in line they are fewer than the places of one address: a full line here leaves it some for the rest.
 */
const PLACES: Record<RestRole, PlaceLimits> = {
  anon: { atOnce: 2, perPerson: 1, inLine: 60, perPersonInLine: 8, patienceMs: 3_000 },
  authenticated: { atOnce: 4, perPerson: 2, inLine: 60, perPersonInLine: 8, patienceMs: 3_000 },
}
/** How often one address asks, or one account. */
const RATES: Record<RestRole, { capacity: number; perSecond: number }> = {
  anon: { capacity: 120, perSecond: 10 },
  authenticated: { capacity: 300, perSecond: 30 },
}

/** Who asks: a visitor is known by address, others by account. */
interface Asking {
  role: RestRole
  who: string
  /** Who reads what belongs to somebody. */
  reader?: Reader
}

/** The published tables, read-only, in the dialect that the public client speaks. */
export function restV1({
  handle,
  wall,
  authenticate,
  limited,
}: {
  /** For visitors: it shows the lists, and nothing that belongs to anybody. */
  handle: Handle
  wall: Wall
  authenticate: AccountsFeature['authenticate']
  /** Whether anybody is told to come back later for having asked too often. */
  limited: boolean
}) {
  const lines = { anon: places(PLACES.anon), authenticated: places(PLACES.authenticated) }
  const take = { anon: buckets(RATES.anon), authenticated: buckets(RATES.authenticated) }

  /** @throws RestError when they have asked too often */
  const asking = async (request: FastifyRequest): Promise<Asking> => {
    const by = await askingOf(authenticate, request)
    const wait = limited ? take[by.role](by.who) : 0
    if (wait > 0) throw new RestError(429, '54000', 'Too many requests', { retryAfterS: wait })
    return by
  }

  return async (app: FastifyInstance): Promise<void> => {
    const known = new WeakMap<FastifyRequest, Asking>()
    const by = (request: FastifyRequest): Asking => known.get(request) ?? { role: 'anon', who: '' }
    app.setErrorHandler(replyRestError)
    app.setNotFoundHandler((request, reply) => replyRestError(noPath(), request, reply))
    // Before a body is read: nothing here takes one.
    app.addHook('onRequest', async (request) => {
      known.set(request, await asking(request))
      if (request.is404) throw noPath()
    })

    app.route({
      method: ['GET', 'HEAD'],
      url: '/:table',
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        const { role, who, reader } = by(request)
        const table = tableOf(request)
        const media = mediaOf(request)
        const counted = /count=(exact|planned|estimated)/.exec(header(request, 'prefer'))?.[1]
        const raw = request.raw.url?.split('?').slice(1).join('?') ?? ''
        const query = parseQuery(table, raw, header(request, 'range') || undefined)
        const leave = await lines[role].enter(who)
        const rows = await readRows(reader ? wall.for(reader) : handle, {
          table,
          query,
          role,
          counted: counted !== undefined,
        }).finally(leave)
        if (rows.total !== null && query.offset > rows.total)
          throw badRange(`An offset of ${query.offset} was requested, but there are only ${rows.total} rows.`)
        const total = rows.total ?? '*'
        const last = query.offset + rows.count - 1
        reply.header('content-range', rows.count > 0 ? `${query.offset}-${last}/${total}` : `*/${total}`)
        reply.header('content-profile', 'public').header('cache-control', 'no-store')
        if (counted) reply.header('preference-applied', `count=${counted}`)
        if (media === SINGLE && rows.count !== 1) throw notSingle(rows.count)
        reply.code(rows.total !== null && rows.count < rows.total ? 206 : 200)
        reply.type(`${media}; charset=utf-8`)
        // One row: the array's brackets come off.
        const body = media === SINGLE ? rows.body.slice(1, -1) : rows.body
        return reply.serializer((text: unknown) => String(text)).send(request.method === 'HEAD' ? '' : body)
      },
    })

    app.route({
      method: ['POST', 'PATCH', 'PUT', 'DELETE'],
      url: '/:table',
      onRequest: async (request) => {
        const { name } = tableOf(request)
        throw new RestError(
          by(request).role === 'anon' ? 401 : 403,
          '42501',
          `permission denied for table ${name}`,
        )
      },
      handler: refused,
    })

    app.route({
      method: ['GET', 'POST'],
      url: '/rpc/:name',
      onRequest: async (request) => {
        const { name } = request.params as { name: string }
        throw new RestError(
          404,
          'PGRST202',
          `Could not find the function public.${name.slice(0, 80)} in the schema cache`,
        )
      },
      handler: refused,
    })
  }
}

const noPath = () => new RestError(404, 'PGRST125', 'Invalid path specified in request URL')
/** Behind a check that lets nobody pass. */
const refused = async (): Promise<never> => {
  throw noPath()
}

const header = (request: FastifyRequest, name: string): string => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : ''
}

/** Nobody, or the publishable key, is a visitor; anything else has to be a live session. */
async function askingOf(
  authenticate: AccountsFeature['authenticate'],
  request: FastifyRequest,
): Promise<Asking> {
  const bearer = /^bearer (\S+)$/i.exec(header(request, 'authorization'))?.[1]
  if (bearer === undefined || bearer.startsWith('sb_publishable_'))
    return { role: 'anon', who: subscriber(request.ip) }
  try {
    const actor = await authenticate(request)
    return { role: 'authenticated', who: actor.id, reader: actor }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === 'auth.required') {
      const [code, message] = isExpired(bearer)
        ? ['PGRST303', 'JWT expired']
        : ['PGRST301', 'No suitable key or wrong key type, or the session has ended']
      throw new RestError(401, code, message)
    }
    throw new RestError(403, '42501', 'permission denied')
  }
}

function isExpired(token: string): boolean {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    if (typeof claims !== 'object' || claims === null || !('exp' in claims)) return false
    return typeof claims.exp === 'number' && claims.exp * 1000 <= Date.now()
  } catch {
    return false
  }
}

function tableOf(request: FastifyRequest): Table {
  const profile = header(request, 'accept-profile') || header(request, 'content-profile')
  if (profile !== '' && profile !== 'public')
    throw new RestError(406, 'PGRST106', `Invalid schema: ${profile.slice(0, 80)}`, {
      hint: 'Only the following schemas are exposed: public',
    })
  const { table: name } = request.params as { table: string }
  const columns = Object.hasOwn(TABLES, name) ? TABLES[name] : undefined
  if (!columns)
    throw new RestError(
      404,
      'PGRST205',
      `Could not find the table 'public.${name.slice(0, 80)}' in the schema cache`,
    )
  return { name, columns }
}

function mediaOf(request: FastifyRequest): string {
  const accepted = (header(request, 'accept') || '*/*')
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
  if (accepted.some((type) => type.startsWith('application/vnd.pgrst.object'))) return SINGLE
  if (accepted.some((type) => READABLE.test(type))) return ARRAY
  throw new RestError(
    406,
    'PGRST107',
    `None of these media types are available: ${accepted.join(', ').slice(0, 200)}`,
  )
}

const notSingle = (count: number) =>
  new RestError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${count} rows`,
  })

function replyRestError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toRestError(error)
  // A flood that is refused fills no log; the metrics count it.
  if (error instanceof Problem && error.code === 'server.busy') request.log.info(known.code)
  else if (known.status === 503) request.log.warn({ reason: known.message }, known.code)
  else if (known.status >= 500) request.log.error({ err: error }, known.message)
  const retryAfterS = known.retryAfterS ?? (known.status === 503 ? RETRY_AFTER_S : null)
  if (retryAfterS !== null) reply.header('retry-after', String(Math.ceil(retryAfterS)))
  if (known.code.startsWith('PGRST30')) reply.header('www-authenticate', 'Bearer error="invalid_token"')
  const { code, details, hint, message, status } = known
  return reply
    .code(status)
    .header('proxy-status', `PostgREST; error=${code}`)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send({ code, details, hint, message })
}

function toRestError(error: unknown): RestError {
  if (error instanceof RestError) return error
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
  const message = error instanceof Error ? error.message : ''
  // A value that the column's type cannot hold, or a pattern that cannot be read or takes for ever.
  if (/^22|^57014$/.test(code)) return new RestError(400, code, message)
  if (isDatabaseAway(error) || PROBLEMS[toProblem(error).code].status === 503)
    return new RestError(503, 'PGRST001', 'Database client error. Retrying the connection.')
  if (
    error instanceof Problem ||
    (error instanceof Error && 'statusCode' in error && Number(error.statusCode) < 500)
  )
    return new RestError(400, 'PGRST102', 'Invalid request')
  return new RestError(500, 'XX000', 'Unexpected failure')
}
