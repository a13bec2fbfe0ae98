import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverSecret } from '../../../secret/server-secret.ts'
import { type Person, startTestServer, type TestServer } from '../../../test-server.ts'
import { signingKeys } from '../sessions/signing-keys.ts'
import { runCommand } from './admin-commands.ts'

const SECRET = Buffer.from('um segredo de teste com mais de 32 letras')

let server: TestServer
let person: Person
let run: (...words: string[]) => Promise<string[]>

beforeAll(async () => {
  server = await startTestServer({ env: { AUTH_SECRET: SECRET.toString() } })
  person = await server.person({ name: 'Rita' })
  const { handle } = server
  const services = { handle, secret: serverSecret(SECRET), siteUrl: 'http://localhost:3000', tokenHours: 12 }
  run = (...words) => runCommand(words, services)
})
afterAll(() => server.stop())

test('an administrator is made and unmade, but the last one stays', async () => {
  expect(await run('list')).toEqual(['Não há administradores.'])
  expect(await run('grant', person.email.toUpperCase())).toEqual(['Rita agora tem o papel admin.'])
  expect(await run('list')).toEqual([`${person.email}  Rita`])
  await expect(run('revoke', person.email)).rejects.toThrow('O último administrador não pode ser removido')
  const other = await server.person()
  await run('grant', other.email)
  expect(await run('revoke', person.email)).toEqual(['Rita agora tem o papel user.'])
})

test('a reset link opens the account once', async () => {
  const [line = ''] = await run('reset-password', person.email)
  const token_hash = new URL(line).searchParams.get('token_hash')
  const reset = () =>
    server.call('POST', '/api/auth/reset-password', { body: { token_hash, password: 'senha-da-operadora' } })
  expect((await reset()).status).toBe(200)
  expect((await reset()).status).toBe(403)
})

test('a new signing key is published before it signs, and the old one still verifies', async () => {
  const { token } = await server.person()
  const [old] = (await server.call('GET', '/auth/v1/.well-known/jwks.json')).body.keys
  await run('rotate-keys')
  const reloaded = signingKeys({ handle: server.handle, secret: serverSecret(SECRET), fixedJwk: null })
  const { keys } = await reloaded.published()
  expect(keys).toHaveLength(2)
  expect(keys.map(({ kid }) => kid)).toContain(old.kid)
  expect((await reloaded.signer()).kid).toBe(old.kid)
  expect((await server.call('GET', '/api/profile', { token })).status).toBe(200)
})

test.each([
  [[], 'Uso: npm run admin'],
  [['grant'], 'Uso: npm run admin'],
  [['grant', 'ninguem@exemplo.com.br'], 'Não há conta com o email'],
  [['explode', 'x'], 'Uso: npm run admin'],
])('%j explains itself', async (words, sentence) => {
  await expect(run(...words)).rejects.toThrow(sentence)
})
