import type { FastifyReply } from 'fastify'
import { onceClosed } from './once-closed.ts'

const KEEP_ALIVE_MS = 15_000

export interface EventStream {
  send(event: string, data: unknown): void
  end(): void
}

/** Opens a stream of server-sent events on the reply; comments keep proxies from closing it. */
export function eventStream(reply: FastifyReply): EventStream {
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(': pronto\n\n')
  const timer = setInterval(() => raw.write(': \n\n'), KEEP_ALIVE_MS)
  onceClosed(reply, () => clearInterval(timer))
  return {
    send: (event, data) => void raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: () => {
      clearInterval(timer)
      raw.end()
    },
  }
}
