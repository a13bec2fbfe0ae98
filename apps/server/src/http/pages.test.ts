import { readFileSync } from 'node:fs'
import { PAGES, RECORD_PAGES, TOKEN_PAGES } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

// The hash is of openssl: printf 'x = 1' | openssl dgst -sha256 -binary | base64
const INLINE = { code: 'x = 1', hash: 'j/Q23vFFEoVZmhsa1wgASTuNyv3ikS4aODRWMwVOTCY=' }
const APPLICATION = `<!doctype html><title>Ensaio</title><script>${INLINE.code}</script>`
const AHEAD = `${APPLICATION}<link rel="modulepreload" href="/assets/a.js">`
const FIELD = '<!doctype html><title>Campo</title>'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    web: {
      'index.html': APPLICATION,
      'favicon.ico': 'icon',
      'manifest.webmanifest': '{}',
      'icon.svg': '<svg/>',
      'profile.html': AHEAD,
      'campo.html': FIELD,
      'sw.js': '1',
      'assets/a.js': '1',
    },
  })
})
afterAll(() => server.stop())

const ask = async (path: string) => {
  const { status, headers, bytes } = await server.call('GET', path)
  return { status, type: headers.get('content-type')?.split(';')[0], text: bytes.toString() }
}

test('a page that asks for its parts ahead is answered as it was built, under its own address only', async () => {
  expect(await ask('/profile')).toEqual({ status: 200, type: 'text/html', text: AHEAD })
  expect(await ask('/profile/')).toEqual({ status: 200, type: 'text/html', text: AHEAD })
  expect(await ask('/profile?a=1')).toEqual({ status: 200, type: 'text/html', text: AHEAD })
  expect((await ask('/profile.html')).status).toBe(404)
})

test('the policy names the script that stands in the page, and files carry no policy of pages', async () => {
  const page = await server.call('GET', '/')
  expect(page.headers.get('content-security-policy')).toContain(
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${INLINE.hash}';`,
  )
  const file = await server.call('GET', '/assets/a.js')
  expect(file.status).toBe(200)
  expect(file.headers.get('content-security-policy')).toBeNull()
  expect(file.headers.get('x-content-type-options')).toBe('nosniff')
  expect(file.headers.get('cache-control')).toContain('immutable')
})

const TRIAL = '0190f000-0000-7000-8000-00000000000a'
test.each([
  '/campo',
  '/campo/',
  '/campo/aparelho',
  '/campo/convite',
  `/campo/${TRIAL}`,
  `/campo/${TRIAL}/coleta`,
  `/campo/${TRIAL}/conflitos`,
  `/campo/${TRIAL}/etiquetas`,
  '/q/7ZK3M9QTV2',
  '/Q/7ZK3M9QTV2',
])("%s is the phone's own page", async (path) => {
  expect(await ask(path)).toEqual({ status: 200, type: 'text/html', text: FIELD })
})

test('a phone may use camera and place on our pages alone, and asks for its worker anew', async () => {
  const { headers } = await server.call('GET', '/campo')
  expect(headers.get('permissions-policy')).toContain('camera=(self), geolocation=(self), microphone=(self)')
  expect(headers.get('content-security-policy')).toContain("media-src 'self' blob:;manifest-src 'self';")
  expect((await server.call('GET', '/sw.js')).headers.get('cache-control')).toBe('no-cache')
})

const plain = [...PAGES].filter((path) => path !== '/profile')
test.each([...plain, '/Login', '/dashboard/', '/login?voltar=%2Fadmin'])('%s is a page', async (path) => {
  expect(await ask(path)).toEqual({ status: 200, type: 'text/html', text: APPLICATION })
})

test.each(['/p/abc-DEF_1', '/convite/abc'])('%s holds a secret', async (path) => {
  expect(await ask(path)).toEqual({ status: 200, type: 'text/html', text: APPLICATION })
  const { headers } = await server.call('GET', path)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('x-robots-tag')).toContain('noindex')
})

test.each([
  '/nada',
  '/dashboard/nada',
  '/wp-admin',
  '/login/x',
  '/p',
  '/p/',
  '/p/a/b',
  '/campo/x',
  '/q',
  '/q/a/b',
])('%s is no page, and the application says so', async (path) => {
  expect(await ask(path)).toEqual({ status: 404, type: 'text/html', text: APPLICATION })
})

test.each([
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ['/manifest.webmanifest', 'application/manifest+json'],
  ['/icon.svg', 'image/svg+xml'],
  ['/robots.txt', 'text/plain'],
])('%s is what it claims to be', async (path, type) => {
  expect(await ask(path)).toMatchObject({ status: 200, type })
})

test.each(['/favicon.png', '/manifest.json', '/assets/antigo.js', '/.env', '/sitemap.xml'])(
  '%s is a file that is not there',
  async (path) => {
    expect(await ask(path)).toEqual({ status: 404, type: 'text/plain', text: 'Não encontrado' })
  },
)

test('every page of the web application is known here', () => {
  const source = readFileSync(new URL('../../../web/src/shell/paths.ts', import.meta.url), 'utf8')
  const [table = ''] = /export const paths = \{[^}]*\}/.exec(source) ?? []
  const theirs = [...table.matchAll(/'(\/[^']*)'/g)].map(([, path = '']) => path)
  // Only in development; and the one that is served after a look at what an application asks.
  const others = ['/dev/gallery', '/oauth/authorize']
  expect(new Set(theirs.filter((path) => !others.includes(path)))).toEqual(
    new Set([...PAGES, ...TOKEN_PAGES, ...RECORD_PAGES]),
  )
})
