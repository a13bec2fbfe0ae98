// A process that attacks a server on this machine until it is ended: node test-attack.ts NAME URL TOKEN COUNT
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const [name = '', url = '', token = '', countText = '1'] = process.argv.slice(2)
const count = Number(countText)
const { port } = new URL(url)
/** The longest that any of them goes on: whoever started it may be gone. */
const LONGEST_MS = 120_000

// What it asks for is the attack, not the processor of this machine that it takes itself.
setPriority(constants.priority.PRIORITY_LOW)
setTimeout(() => process.exit(0), LONGEST_MS)
process.on('disconnect', () => process.exit(0))

type Ask = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array }

/** Asks and takes whatever comes. */
const ask = (path: string, { method = 'GET', headers = {}, body }: Ask = {}): Promise<void> =>
  new Promise((done) => {
    const asking = request(`${url}${path}`, { method, headers }, (answer) => {
      answer.resume()
      answer.once('close', done)
    })
    asking.once('error', () => done())
    asking.end(body)
  })

/** So many at once, again and again. */
async function again(act: (lane: number) => Promise<void>): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, lane) => {
      for (;;) {
        await act(lane)
        await sleep(5)
      }
    }),
  )
}

const bearer = { authorization: `Bearer ${token}` }
const BIG = 200_000

const ATTACKS: Record<string, () => Promise<void>> = {
  'hostile texts': () =>
    again((lane) => {
      const path = ['login', 'register', 'forgot-password'][lane % 3]
      const email = `a@${'a.'.repeat(BIG / 2)}@`
      const body = JSON.stringify({ email, password: 'x', name: 'Fulano' })
      return ask(`/api/auth/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    }),
  'slow uploads': () =>
    again(
      () =>
        new Promise((done) => {
          const upload = request(`${url}/api/extractions`, {
            method: 'POST',
            headers: {
              ...bearer,
              'content-type': 'multipart/form-data; boundary=x',
              'content-length': 5_000_000,
            },
          })
          upload.once('error', () => done())
          upload.once('close', () => done())
          upload.on('response', (answer) => answer.resume())
          upload.write('--x\r\ncontent-disposition: form-data; name="pdf"; filename="a.pdf"\r\n\r\n%PDF-1.7')
          const dribble = setInterval(() => upload.write('x'), 3_000)
          upload.once('close', () => clearInterval(dribble))
        }),
    ),
  'idle connections': () =>
    again(
      () =>
        new Promise((done) => {
          const socket = connect(Number(port), '127.0.0.1')
          socket.on('error', () => {})
          socket.once('close', () => setTimeout(done, 200))
        }),
    ),
  'event streams': () =>
    again(async () => {
      await ask('/api/events', { headers: { ...bearer, accept: 'text/event-stream' } })
      // As a browser that was refused or lost its stream.
      await sleep(2_000)
    }),
  'visitor patterns': () =>
    again(async () => {
      const nested = encodeURIComponent('(((((((a{0,250}){0,120}){0,2})*)*)*)*)*b0')
      const simple = encodeURIComponent('a*b*c*d*e*f*g*h*i*j*k*l*m*n*o*p*')
      const filters = Array.from({ length: 12 }, () => `nome=not.imatch.${nested}`).join('&')
      await ask(`/rest/v1/fabricantes?${filters}`)
      await ask(`/rest/v1/culturas?nome_cultura=imatch.${simple}`)
      await ask(`/rest/v1/culturas?select=${'a'.repeat(15_000)}`)
      await sleep(50)
    }),
  'many scans': () => {
    const scan = readFileSync(
      new URL('../../../../packages/extraction/test/samples/s3_digitalizado.pdf', import.meta.url),
    )
    let files = 0
    return again((lane) => {
      files += 1
      const head = '--x\r\ncontent-disposition: form-data; name="pdf"; filename="a.pdf"\r\n\r\n'
      const body = Buffer.concat([Buffer.from(head), scan, Buffer.from(`\n% ${lane} ${files}\r\n--x--\r\n`)])
      return ask('/api/extractions', {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'multipart/form-data; boundary=x' },
        body,
      })
    })
  },
}

const attack = ATTACKS[name]
if (!attack) throw new Error(`there is no attack ${name}`)
await attack()
