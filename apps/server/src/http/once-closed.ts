import type { FastifyReply } from 'fastify'

/**
 * Does it when the answer is over, sent or given up: at once where it is over already. Who asked may have gone while
 * something was waited for, and the event of that comes only once.
 */
export function onceClosed({ raw }: Pick<FastifyReply, 'raw'>, act: () => void): void {
  if (raw.closed || raw.destroyed) act()
  else raw.once('close', act)
}
