import { PROBLEMS, type Problem, problem } from '@ensaio/domain'
import {
  CALLS,
  type Call,
  type Entity,
  envelope,
  NOT_OFFERED,
  SEARCHED,
  type Status,
} from '@ensaio/domain/brapi'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validate as isUuid, v5 as uuidOf } from 'uuid'
import type { Handle } from '../../database/handle.ts'
import { buckets } from '../../http/buckets.ts'
import type { Actor } from '../../http/contract-routes.ts'
import { acceptJson } from '../../http/json-body.ts'
import { toProblem } from '../../http/problem-reply.ts'
import { places, shareOf } from '../../places.ts'
import { type Asked, askedByBody, askedByQuery, bothAsked, onPage } from './asked.ts'
import { keepSearch, keptSearch } from './brapi.repository.ts'
import { BrapiError } from './brapi-error.ts'
import type { BrapiImages } from './images.ts'
import { askedById, type BrapiLists } from './lists.ts'
import { serverInfo } from './server-info.ts'
import { asTable, tableType } from './table-text.ts'
import type { Worlds } from './world.ts'

/** Of ids of searches. */
const SEARCHES = '6c1f5f0e-2d7c-5b7e-8a0b-3d1f0c9a7e55'
const BODY_LIMIT = 10 * 1024 * 1024
/** How often one account asks: Field Book's import of a trial is some fifty calls. */
const RATE = { capacity: 600, perSecond: 40 }
/** Few at once, so that whoever reads whole trials here keeps nobody waiting elsewhere. */
const PLACES = { atOnce: 6, perPerson: 3, inLine: 100, perPersonInLine: 30, patienceMs: 20_000 }
const MOST_AT_ONCE = 10_000
const SLOW_MS = 2_000
const RETRY_AFTER_S = 2
const sizeFor = (path: string): number => (/observations(\/|$)/.test(path) ? 10_000 : 1_000)

const searchedOf = (entity: Entity) => ({ known: SEARCHED[entity], most: sizeFor(entity) })

/** Of calls that write, by method and path as the table of calls has them. */
export type BrapiWriter = (
  call: { method: string; path: string; id: string | null },
  actor: Actor,
  body: unknown,
) => Promise<{ rows: unknown[]; status: Status[] }>

/** The trials of an organisation for the tools that agronomists have, in the words of BrAPI v2.1. */
export function brapiV2({
  authenticate,
  handleOf,
  worlds,
  lists,
  images,
  write,
  origins,
  siteUrl,
  limited,
}: {
  /** By a bearer token alone: a cookie never counts here, so any page may ask in its user's name and gets nothing. */
  authenticate(request: FastifyRequest): Promise<Actor & { readOnly?: boolean }>
  handleOf(actor: Actor): Handle
  worlds: Pick<Worlds, 'forList'>
  lists: BrapiLists
  images: BrapiImages
  write: BrapiWriter
  /** Pages that may read the answers; null: every one. */
  origins: readonly string[] | null
  siteUrl: string
  limited: boolean
}) {
  const take = buckets(RATE)
  const line = places(PLACES)

  const known = new WeakMap<FastifyRequest, Actor>()

  /** Before a body is read. @throws BrapiError when they have asked too often */
  const enter = async (request: FastifyRequest, writing: boolean): Promise<void> => {
    const actor = await authenticate(request)
    if (writing && actor.readOnly) throw new BrapiError(403, 'Acesso negado')
    const wait = limited ? take(actor.id) : 0
    if (wait > 0) throw new BrapiError(429, PROBLEMS['request.too_many'].detail)
    known.set(request, actor)
  }
  /** A place is given back before the answer goes out: who reads slowly holds none. */
  const inPlace = <T>(actor: Actor, work: () => Promise<T>): Promise<T> =>
    line.run(work, actor.id, shareOf(actor))
  const actorOf = (request: FastifyRequest): Actor => {
    const actor = known.get(request)
    if (!actor) throw problem('auth.required')
    return actor
  }

  const listed = (actor: Actor, entity: string, asked: Asked) =>
    inPlace(actor, async () => {
      const { world, total, ...narrowed } = await worlds.forList(actor, entity, asked)
      const found = await lists.list(world, entity, narrowed.asked)
      return { rows: found.rows, total: total ?? found.total }
    })

  const list = async (reply: FastifyReply, actor: Actor, entity: string, asked: Asked) => {
    const { rows, total } = await listed(actor, entity, asked)
    return answer(reply, { data: rows }, { asked, total, rows: rows.length })
  }

  const search = async (request: FastifyRequest, reply: FastifyReply, entity: Entity) => {
    const actor = actorOf(request)
    const body = request.body ?? {}
    const asked = askedByBody(body, request.query as Record<string, unknown>, searchedOf(entity))
    const began = performance.now()
    const { rows, total } = await listed(actor, entity, asked)
    const soon = total <= MOST_AT_ONCE && performance.now() - began < SLOW_MS
    // The same asked again is the same search.
    const id = uuidOf(JSON.stringify([actor.id, actor.organization, entity, body]), SEARCHES)
    await keepSearch(handleOf(actor), { id, person: actor.id, entity, asked: body })
    // BrAPI.js comes back for the rows by that id, whether or not it was given them.
    const result = soon ? { data: rows, searchResultsDbId: id } : { searchResultsDbId: id }
    reply.code(soon ? 200 : 202)
    return answer(reply, result, { asked, total, rows: rows.length })
  }

  /** What a search was asked for that is kept. @throws BrapiError where it is not, or is somebody else's */
  const searchOf = async (request: FastifyRequest, entity: Entity, id: string): Promise<Asked> => {
    const kept = isUuid(id) ? await keptSearch(handleOf(actorOf(request)), { id, entity }) : null
    if (!kept) throw new BrapiError(404, PROBLEMS['request.not_found'].detail)
    return askedByBody(kept.pedido, request.query as Record<string, unknown>, searchedOf(entity))
  }

  const found = async (request: FastifyRequest, reply: FastifyReply, entity: Entity, id: string) => {
    const actor = actorOf(request)
    const asked = await searchOf(request, entity, id)
    const { rows, total } = await listed(actor, entity, asked)
    return answer(reply, { data: rows }, { asked, total, rows: rows.length })
  }

  /** What a query says that is not known of its call. */
  const unknownIn = (request: FastifyRequest, { params = [] }: Call): Asked =>
    askedByQuery(
      Object.fromEntries(
        Object.entries(request.query as Record<string, unknown>).filter(([name]) => !params.includes(name)),
      ),
      [],
      1,
    )

  const one = async (request: FastifyRequest, reply: FastifyReply, call: Call, id: string) => {
    const actor = actorOf(request)
    const [entity = ''] = call.path.split('/')
    const row = await inPlace(actor, async () => {
      const asked = askedById(entity, id)
      if (entity === 'images') asked.filters.set('studyDbId', await images.trialsOf(actor, id))
      const { world, ...narrowed } = await worlds.forList(actor, entity, asked)
      return (await lists.one(world, entity, narrowed.asked))[0]
    })
    if (row === undefined) throw new BrapiError(404, PROBLEMS['request.not_found'].detail)
    return answer(reply, row, { asked: unknownIn(request, call), total: 1, rows: 1 })
  }

  const read = async (request: FastifyRequest, reply: FastifyReply, { path, params = [], tables }: Call) => {
    const actor = actorOf(request)
    const query = request.query as Record<string, unknown>
    const plain = askedByQuery(query, params, sizeFor(path))
    const [entity = ''] = path.split('/')
    if (!tables) return list(reply, actor, entity, plain)
    // Given empty it asks for nothing, as every parameter.
    const { searchResultsDbId: kept } = query
    const asked = kept ? bothAsked(plain, await searchOf(request, entity as Entity, String(kept))) : plain
    const table = await inPlace(actor, async () => {
      const { world } = await worlds.forList(actor, entity, asked)
      return lists.table(world, asked, entity === 'observations')
    })
    const total = table.data.length
    // Whole, but for who asks for pages: that one comes back for the others.
    const whole = query.pageSize === undefined
    const page = whole ? { ...asked, page: 0, size: Math.max(1, total) } : asked
    const data = onPage(table.data, page)
    const type = tableType(request.headers.accept)
    if (type === null) return answer(reply, { ...table, data }, { asked: page, total, rows: data.length })
    const text = asTable({ ...table, data }, type === 'text/csv' ? ',' : '\t')
    return reply.type(`${type}; charset=utf-8`).send(text)
  }

  const handlerOf = (call: Call) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, path } = call
    const id = Object.values(request.params as Record<string, string>)[0] ?? null
    const [first = '', second = ''] = path.split('/')
    if (path === 'serverinfo') {
      // The second is the first one's name before v2.1.
      const { contentType, dataType } = request.query as Record<string, unknown>
      const types = [contentType, dataType].flat().flatMap((type) => (type ? [String(type)] : []))
      return answer(reply, serverInfo(siteUrl, types), { asked: unknownIn(request, call), total: 1, rows: 1 })
    }
    if (first === 'search')
      return method === 'POST'
        ? search(request, reply, second as Entity)
        : found(request, reply, second as Entity, id ?? '')
    if (method === 'GET') return id === null ? read(request, reply, call) : one(request, reply, call, id)
    const actor = actorOf(request)
    const into = first === 'images' ? images.write : write
    const done = await inPlace(actor, () => into({ method, path, id }, actor, request.body))
    const { rows } = done
    const status = [...warningsOf(unknownIn(request, call)), ...done.status]
    return reply.send(
      id === null
        ? envelope(
            { data: rows },
            { page: 0, size: Math.max(1, rows.length), total: rows.length, rows: rows.length },
            status,
          )
        : envelope(rows[0] ?? null, null, status),
    )
  }

  return async (app: FastifyInstance): Promise<void> => {
    acceptJson(app, { lists: true })
    app.addContentTypeParser(/^image\//, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.setErrorHandler(replyBrapi)
    app.setNotFoundHandler((request, reply) => replyBrapi(new BrapiError(404, NOT_OFFERED), request, reply))
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      letRead(request, reply, origins)
      if (request.is404) throw new BrapiError(404, NOT_OFFERED)
    })
    app.options('/*', async (_request, reply) => reply.code(204).send())
    for (const call of CALLS)
      app.route({
        method: call.method,
        url: `/${call.path.replace(/\{(\w+)\}/g, ':$1')}`,
        exposeHeadRoute: false,
        bodyLimit: BODY_LIMIT,
        onRequest: async (request) => {
          if (call.path !== 'serverinfo') await enter(request, writes(call))
        },
        handler: handlerOf(call),
      })
  }
}

/** A search is sent as a body and changes nothing. */
const writes = ({ method, path }: Call): boolean => method !== 'GET' && !path.startsWith('search/')

function letRead(request: FastifyRequest, reply: FastifyReply, origins: readonly string[] | null): void {
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || (origins !== null && !origins.includes(origin))) return
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  })
}

const warningsOf = ({ warnings }: Asked): Status[] =>
  warnings.map((message): Status => ({ messageType: 'WARNING', message }))

function answer(
  reply: FastifyReply,
  result: unknown,
  paging: { asked: Asked; total: number; rows: number } | null,
): FastifyReply {
  const status = paging ? warningsOf(paging.asked) : []
  return reply.send(
    envelope(
      result,
      paging && { page: paging.asked.page, size: paging.asked.size, total: paging.total, rows: paging.rows },
      status,
    ),
  )
}

/** A refusal in BrAPI's own form; what it may tell is one sentence. */
export function replyBrapi(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = error instanceof BrapiError ? error : told(toProblem(error))
  // A flood that is refused does not fill the log; what is away is no fault of ours.
  if (status === 503) request.log.info({ reason: error instanceof Error ? error.message : '' }, message)
  else if (status >= 500) request.log.error({ err: error }, message)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (status === 429 || status === 503) reply.header('retry-after', String(RETRY_AFTER_S))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(envelope(null, { page: 0, size: 1, total: 0, rows: 0 }, [{ messageType: 'ERROR', message }]))
}

/** What one has no right to is told in one way, whosever it is. */
const DENIED: readonly Problem['code'][] = ['permission.denied', 'share.received']

function told(problem: Problem): { status: number; message: string } {
  const { status, detail } = PROBLEMS[problem.code]
  if (DENIED.includes(problem.code)) return { status: 403, message: 'Acesso negado' }
  return {
    status: problem.code === 'validation.failed' ? 400 : (problem.extras.status ?? status),
    message: problem.extras.detail ?? detail,
  }
}
