import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { experimentInput, type Person, startTestServer, type TestServer } from '../test-server.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'silent' } })
  person = await server.person()
  await server.call('POST', '/api/experiments', { token: person.token, body: experimentInput() })
})
afterAll(() => server.stop())

/** Asks and goes away after so many milliseconds. */
function askAndGo(path: string, afterMs: number): Promise<void> {
  return new Promise((done) => {
    const asking = request(`${server.url}${path}`, { headers: { authorization: `Bearer ${person.token}` } })
    asking.once('error', () => done())
    asking.once('response', (answer) => answer.resume().once('close', done))
    asking.end()
    setTimeout(() => {
      asking.destroy()
      done()
    }, afterMs)
  })
}

test.each(['/api/experiments/export?formato=csv', '/api/profile/export', '/api/events'])(
  'who asks for %s and goes away at any moment takes no place along',
  async (path) => {
    for (let round = 0; round < 4; round += 1)
      await Promise.all(Array.from({ length: 20 }, (_, n) => askAndGo(path, n)))
    await sleep(300)
    const answer = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
  },
  60_000,
)

test.each([
  ['POST', '/rest/v1/rpc/x', 404],
  ['POST', '/rest/v1/fabricantes', 401],
  ['PATCH', '/rest/v1/nothing/here', 404],
  ['POST', '/auth/v1/nothing', 404],
  ['POST', '/api/nothing', 404],
  ['POST', '/nothing', 404],
  ['PUT', '/api/experiments', 405],
  ['POST', '/api/experiments', 401],
])('%s %s is answered before its body is sent: nothing reads it', async (method, path, status) => {
  const answered = await new Promise<number | undefined>((done, fail) => {
    const asking = request(
      `${server.url}${path}`,
      { method, headers: { 'content-type': 'application/json', 'content-length': 1_000_000 } },
      (answer) => {
        done(answer.statusCode)
        asking.destroy()
      },
    )
    asking.once('error', fail)
    asking.flushHeaders()
  })
  expect(answered).toBe(status)
})
