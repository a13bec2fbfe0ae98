import {
  can,
  type Endpoint,
  fieldProblems,
  type OrganizationRole,
  type OutputOf,
  type ProblemCode,
  problem,
  type Role,
  tooLarge,
} from '@ensaio/domain'
import type {} from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FreeSpace } from '../storage/free-space.ts'
import { subscriber } from './client-address.ts'
import { liveStreams } from './live-streams.ts'
import { writeShares } from './write-share.ts'

/** Who asks, by a live session. */
export interface Actor {
  id: string
  name: string | null
  role: Role
  sessionId: string
  /** The organisation that they act for, and what they may do in it. */
  organization: string
  papel: OrganizationRole
  /** It is closed to changes. */
  closed: boolean
  /** The installation is of several organisations. */
  several: boolean
  /** A phone by a field invitation: in the name of who invited, of one trial, as one device. */
  guest?: { id: string; name: string; experiment: string; device: string }
}

/** The id of who has none: a public link is read in the name of the organisation that made it (migration 0027). */
export const NOBODY = '00000000-0000-0000-0000-000000000000'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined

export interface Asked<E extends Endpoint> {
  actor: E['access'] extends 'public' ? null : Actor
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  /** Undefined when the request is multipart, which only an endpoint that says so gets. */
  body: Parsed<E['body']>
  request: FastifyRequest
  reply: FastifyReply
}

export interface RouteOptions {
  /** What an unusable id in the path means. */
  notFound?: ProblemCode
  bodyLimit?: number
  /** Asked before the body is read, as whether this address has asked too often. */
  before?: (request: FastifyRequest) => Promise<void>
}

/** What a body is counted for that does not say how long it is. */
const UNTOLD_LENGTH = 64 * 1024
/** What a visitor may send: no form of theirs is longer. */
const VISITOR_BODY_LIMIT = 64 * 1024

export type Route = <E extends Endpoint>(
  endpoint: E,
  /** Its answer is checked against the contract and stripped of everything else. */
  handle: (asked: Asked<E>) => Promise<OutputOf<E> | FastifyReply>,
  options?: RouteOptions,
) => void

/** Registers handlers by the contract: session, input and output are checked here, in this order. */
export function contractRoutes(input: {
  app: FastifyInstance
  authenticate(request: FastifyRequest): Promise<Actor>
  /** The same, by the key of a field invitation too: for what says so alone. */
  authenticateGuest(request: FastifyRequest): Promise<Actor>
  /** Of the disk that experiments and documents are written to, when it is ours. */
  space: FreeSpace | null
  /** @throws Problem when a person brings more files than they may */
  mayBring(userId: string): Promise<void>
  /** Nobody writes without end. */
  limited: boolean
}): Route {
  const streams = liveStreams()
  const shares = input.limited ? writeShares() : null
  return (endpoint, handle, { notFound = 'request.not_found', bodyLimit, before } = {}) => {
    const limit = bodyLimit ?? (endpoint.access === 'public' ? VISITOR_BODY_LIMIT : undefined)
    const streamed = endpoint.media?.includes('text/event-stream') === true
    input.app.route({
      method: endpoint.method,
      url: endpoint.path,
      exposeHeadRoute: !NO_HEAD.test(endpoint.path),
      ...(limit !== undefined && { bodyLimit: limit }),
      // Before the body is read: nobody without a session gets to upload.
      onRequest: async (request) => {
        // What says of itself that it is too long costs nobody a look at anything.
        const { 'content-length': length, 'content-type': type = '' } = request.headers
        const multipart = /^multipart\//i.test(type)
        const open = endpoint.access === 'public'
        if (limit !== undefined && Number(length) > limit && (open || !multipart))
          throw problem('request.too_large')
        if (streamed) streams.recall(request)
        await before?.(request)
        if (endpoint.access === 'public') return
        const actor = await (endpoint.guests ? input.authenticateGuest(request) : input.authenticate(request))
        if (endpoint.access === 'admin' && !can(actor, 'admin').allowed) throw problem('permission.denied')
        actors.set(request, actor)
        if (actor.closed && changesRecords(endpoint)) throw problem('organization.closed')
        if (!takesRoom(endpoint)) return
        if (await input.space?.short()) throw problem('server.storage_full')
        if (multipart) await input.mayBring(actor.id)
        else if (shares) {
          const retryAfter = shares.take(actor.guest?.id ?? actor.id, Number(length ?? UNTOLD_LENGTH))
          if (retryAfter > 0) throw problem('request.too_many', { retryAfter })
        }
      },
      handler: async (request, reply) => {
        const params = endpoint.params?.safeParse(request.params)
        if (params && !params.success) throw problem(notFound)
        if (request.isMultipart() && !endpoint.multipart) throw problem('request.unsupported_media')
        const asked = {
          actor: actors.get(request) ?? null,
          params: params?.data,
          query: parse(endpoint.query, request.query),
          body: request.isMultipart() ? undefined : parse(endpoint.body, request.body ?? {}),
          request,
          reply,
        }
        if (asked.actor && streamed) {
          const { id, organization } = asked.actor
          streams.watch(reply, id, async () => {
            const now = await input.authenticate(request)
            // Removed, it would go on in the name of another of theirs.
            if (now.organization !== organization) throw problem('organization.not_found')
          })
        }
        // The parsed members have the endpoint's own types, which a generic function cannot show.
        const answer = await handle(asked as never)
        // A handler that sent its own answer, whole or until its reader went away: awaiting the reply, a
        // thenable, has lost its identity.
        if (reply.sent || reply.raw.headersSent || reply.raw.destroyed) return reply
        reply.code(endpoint.status)
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
        if (!endpoint.output) return reply.send()
        return endpoint.output.parse(answer)
      },
    })
  }
}

/** HEAD would do all of their work in nobody's place, and send nothing of it. */
const NO_HEAD = /\/(export|events)$/

/** What adds records and files; signing in, reading and deleting go on. */
const takesRoom = ({ method, path }: Endpoint) =>
  (method === 'POST' || method === 'PUT') && /^\/api\/(experiments|uploads|imports|field|reports)/.test(path)

/** What a closed organisation does no more: its records and what they are shown to stay as they are. */
const changesRecords = ({ method, path }: Endpoint) =>
  method !== 'GET' &&
  /^\/api\/(experiments|uploads|extractions|layouts|imports|import-templates|collections|shares|links|comments|transfers|views|alerts)(\/|$)/.test(
    path,
  )

const actors = new WeakMap<FastifyRequest, Actor>()

/** The account of a request with a session. */
export const accountOf = (request: FastifyRequest): string | null => {
  const actor = actors.get(request)
  // A guest has a share of their own: who invited loses none of theirs.
  return actor?.guest?.id ?? actor?.id ?? null
}

/** For shares: the account of a request with a session, else where it comes from. */
export const whoAsks = (request: FastifyRequest): string => accountOf(request) ?? subscriber(request.ip)

/** Who asks, of a request that only comes with a session. */
export function actorOf(request: FastifyRequest): Actor {
  const actor = actors.get(request)
  if (!actor) throw problem('auth.required')
  return actor
}

function parse(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const detail = tooLarge(result.error)
  throw detail
    ? problem('request.too_large', { detail })
    : problem('validation.failed', { fields: fieldProblems(result.error) })
}
