import { readFileSync } from 'node:fs'
import { PAGES } from '@ensaio/domain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../test-server.ts'

const APPLICATION = '<!doctype html><title>Ensaio</title>'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    web: {
      'index.html': APPLICATION,
      'favicon.ico': 'icon',
      'manifest.webmanifest': '{}',
      'icon.svg': '<svg/>',
    },
  })
})
afterAll(() => server.stop())

const ask = async (path: string) => {
  const { status, headers, bytes } = await server.call('GET', path)
  return { status, type: headers.get('content-type')?.split(';')[0], text: bytes.toString() }
}

test.each([...PAGES, '/Login', '/dashboard/', '/login?voltar=%2Fadmin'])('%s is a page', async (path) => {
  expect(await ask(path)).toEqual({ status: 200, type: 'text/html', text: APPLICATION })
})

test.each(['/nada', '/dashboard/nada', '/wp-admin', '/login/x'])(
  '%s is no page, and the application says so',
  async (path) => {
    expect(await ask(path)).toEqual({ status: 404, type: 'text/html', text: APPLICATION })
  },
)

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
  const source = readFileSync(new URL('../../../web/src/app/paths.ts', import.meta.url), 'utf8')
  const [table = ''] = /export const paths = \{[^}]*\}/.exec(source) ?? []
  const theirs = [...table.matchAll(/'(\/[^']*)'/g)].map(([, path = '']) => path)
  // Only in development.
  expect(new Set(theirs.filter((path) => path !== '/dev/gallery'))).toEqual(PAGES)
})
