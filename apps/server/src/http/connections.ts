import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { problem } from '@ensaio/domain'
import type { FastifyInstance } from 'fastify'
import { subscriber } from './client-address.ts'
import { onceClosed } from './once-closed.ts'

/** Time to read an answer that came before the request was sent to its end. */
const LINGER_MS = 2_000
const SWEEP_MS = 50
/** A form is sent in a moment; files have a watch of their own. */
const LONGEST_BODY_MS = 30_000
const LISTENERS = 30

/**
 * A request may be answered before its body has come, as when the session is missing. The rest of such a body
 * would hold its connection, and a stop, for as long as the sender likes. And a connection that was at work
 * when the stop began is idle a moment later, which nobody would notice.
 */
export function endConnections(app: FastifyInstance): void {
  const unread = new Set<IncomingMessage>()
  let stopping: NodeJS.Timeout | undefined
  app.addHook('onRequest', async (request, reply) => {
    const { raw } = request
    // Several parts of the server wait for the end of each answer.
    reply.raw.setMaxListeners(LISTENERS)
    if (raw.complete || /^multipart\//i.test(raw.headers['content-type'] ?? '')) return
    const tooSlow = setTimeout(() => {
      if (!raw.complete) raw.destroy()
    }, LONGEST_BODY_MS)
    onceClosed(reply, () => clearTimeout(tooSlow))
  })
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete || raw.destroyed) return
    unread.add(raw)
    const cut = setTimeout(() => raw.destroy(), stopping ? 0 : LINGER_MS)
    raw.once('close', () => {
      unread.delete(raw)
      clearTimeout(cut)
    })
  })
  app.addHook('preClose', async () => {
    for (const raw of unread) raw.destroy()
    stopping = setInterval(() => app.server.closeIdleConnections(), SWEEP_MS)
  })
  app.addHook('onClose', async () => clearInterval(stopping))
}

export interface ConnectionLimits {
  most: number
  /** From here on whoever has been idle for the longest makes room. */
  crowded: number
  /** Connections of one address, where that address is the visitor's own and no proxy's. */
  perAddress: number
  /** Requests of one visitor that wait for their answer, event streams included. */
  perVisitor: number
}

/** Nobody keeps others out by holding connections open, with or without a request on them. */
export function boundConnections(
  app: FastifyInstance,
  { most, crowded, perAddress, perVisitor }: ConnectionLimits,
): void {
  app.server.maxConnections = most
  makeRoom(app.server, crowded)
  const ofAddress = counter()
  app.server.on('connection', (socket: Socket) => {
    const leave = ofAddress.enter(subscriber(socket.remoteAddress), perAddress)
    if (leave) socket.once('close', leave)
    else socket.destroy()
  })
  const ofVisitor = counter()
  app.addHook('onRequest', async (request, reply) => {
    const leave = ofVisitor.enter(subscriber(request.ip), perVisitor)
    if (!leave) throw problem('server.busy')
    onceClosed(reply, leave)
  })
}

/** When it is crowded, each new connection takes the place of the one that has been idle for the longest. */
function makeRoom(server: Server, crowded: number): void {
  /** The longest idle first. */
  const idle = new Set<Socket>()
  const atWork = new Map<Socket, number>()
  let open = 0
  server.on('connection', (socket: Socket) => {
    open += 1
    const [longest] = idle
    if (open > crowded) longest?.destroy()
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
      atWork.delete(socket)
    })
  })
  server.on('request', ({ socket }: IncomingMessage, answer) => {
    idle.delete(socket)
    atWork.set(socket, (atWork.get(socket) ?? 0) + 1)
    answer.once('close', () => {
      const left = (atWork.get(socket) ?? 1) - 1
      atWork.set(socket, left)
      if (left === 0 && !socket.destroyed) idle.add(socket)
    })
  })
}

/** Counts by key; the answer gives the place back, null when there is none. */
function counter() {
  const counts = new Map<string, number>()
  return {
    enter(key: string, most: number): (() => void) | null {
      const count = counts.get(key) ?? 0
      if (count >= most) return null
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
