import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Time to read an answer that came before the request was sent to its end. */
const LINGER_MS = 2_000
const SWEEP_MS = 50

/**
 * A request may be answered before its body has come, as when the session is missing. The rest of such a body
 * would hold its connection, and a stop, for as long as the sender likes. And a connection that was at work
 * when the stop began is idle a moment later, which nobody would notice.
 */
export function endConnections(app: FastifyInstance): void {
  const unread = new Set<IncomingMessage>()
  let stopping: NodeJS.Timeout | undefined
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
