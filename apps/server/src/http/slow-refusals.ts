import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const SHORTEST_MS = 150
const LONGEST_MS = 10_000
/** Of one asker: each that waits already makes the next wait longer. */
const EACH_MS = 5

/**
 * Who has asked too often hears of it a little later, and the later the more of their refusals wait: a flood that
 * asks again at each answer slows itself down, at the price of a timer. Connections bound how many wait.
 */
export function slowRefusals(app: FastifyInstance, who: (request: FastifyRequest) => string): void {
  const waiting = new Map<string, number>()
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 429) return payload
    const asker = who(request)
    const before = waiting.get(asker) ?? 0
    waiting.set(asker, before + 1)
    await sleep(Math.min(LONGEST_MS, SHORTEST_MS + before * EACH_MS), undefined, { ref: false })
    const left = (waiting.get(asker) ?? 1) - 1
    if (left > 0) waiting.set(asker, left)
    else waiting.delete(asker)
    return payload
  })
}
