import type { FastifyReply } from 'fastify'
import { onceClosed } from './once-closed.ts'

const LOOK_EVERY_MS = 15_000
/** A slow line of a phone takes as much. */
const LEAST_BYTES = 150_000

/** While others wait for the place, a reader who takes next to nothing is cut off. */
export function keepReading(reply: FastifyReply, othersWait: () => boolean): void {
  const { socket } = reply.raw
  if (!socket) return
  let before = socket.bytesWritten
  const timer = setInterval(() => {
    if (othersWait() && socket.bytesWritten - before < LEAST_BYTES) reply.raw.destroy()
    before = socket.bytesWritten
  }, LOOK_EVERY_MS)
  onceClosed(reply, () => clearInterval(timer))
}
