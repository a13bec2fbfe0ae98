import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test-server.ts'
import { addFirstKey } from './signing-keys.repository.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

test('servers that start at once on an empty database make one signing key', async () => {
  await sql`delete from auth.signing_keys`.execute(server.handle)
  const key = (n: number) => ({ kid: `k${n}`, private_sealed: Buffer.from('x'), public_jwk: {} })
  await Promise.all(Array.from({ length: 8 }, (_, n) => addFirstKey(server.handle, key(n))))
  const { rows } = await sql<{ n: number }>`select count(*) as n from auth.signing_keys`.execute(
    server.handle,
  )
  expect(rows).toEqual([{ n: 1 }])
})
