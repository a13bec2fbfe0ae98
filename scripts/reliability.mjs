// The fault tests at their full size, one after the other, with their figures: npm run reliability
// What `npm test` does small is the same code; docs/reliability.md says what each figure means.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, node, root } from './lib.mjs'

const SIZES = {
  kill: { FAULT_ROUNDS: '100' },
  'disk-full': {},
  away: { FAULT_FROZEN: '1' },
  clock: {},
  slow: { FAULT_SLOW_CONNECTIONS: '1000', FAULT_DROPPED: '600' },
  'bad-requests': { FAULT_REQUESTS: '10000' },
  load: { FAULT_LOAD_SECONDS: '600' },
  attacks: { FAULT_ATTACK_FULL: '1', FAULT_ATTACK_REQUESTS: '200' },
}

install()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in SIZES))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${Object.keys(SIZES).join(', ')}.`)
  process.exit(1)
}
let failed = 0
for (const [name, env] of Object.entries(SIZES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const { status } = spawnSync(
    node,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', `apps/server/src/faults/${name}.test.ts`],
    { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  if (status !== 0) failed += 1
}
process.exit(failed > 0 ? 1 : 0)
