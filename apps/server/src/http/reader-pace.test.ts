import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { afterAll, expect, test, vi } from 'vitest'
import { keepReading } from './reader-pace.ts'

vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
afterAll(() => vi.useRealTimers())

test.each([
  ['while others wait', true],
  ['while nobody waits', false],
])('a reader who takes next to nothing %s', async (_when, othersWait) => {
  const app = Fastify({ forceCloseConnections: true })
  app.get('/', (_request, reply) => {
    keepReading(reply, () => othersWait)
    return reply.send(
      Readable.from(
        (function* () {
          for (;;) yield 'x'.repeat(65_536)
        })(),
      ),
    )
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  socket.on('error', () => undefined)
  let cut = false
  socket.once('close', () => {
    cut = true
  })
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  // Takes the first bytes and then no more.
  await once(socket, 'data')
  socket.pause()
  await new Promise((done) => setTimeout(done, 300))
  await vi.advanceTimersByTimeAsync(45_000)
  socket.resume()
  await new Promise((done) => setTimeout(done, 100))
  expect(cut).toBe(othersWait)
  socket.destroy()
  await app.close()
})
