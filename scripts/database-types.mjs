// Writes the types of the database's tables as the migrations make them: npm run types:database
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openPool } from '../apps/server/src/database/pool.ts'
import { schemaTypes } from '../apps/server/src/database/schema-types.ts'
import { createTestDatabase, setup } from '../apps/server/src/database/test-database.ts'
import { root } from './lib.mjs'

let server
const stop = await setup({ provide: (_, value) => (server = value) })
try {
  const { owner } = await createTestDatabase(server)
  const pool = openPool(owner, () => undefined)
  const file = join(root, 'apps/server/src/database/schema.generated.ts')
  writeFileSync(file, await schemaTypes(pool.handle))
  await pool.close()
} finally {
  await stop()
}
