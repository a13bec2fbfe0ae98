import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the ports that a system gives to whoever asks for any: none of them becomes somebody's meanwhile. */
const [LOWEST, HIGHEST] = [12_000, 32_000]

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const probe = createServer()
    const free = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false))
      probe.listen(port, () => done(true))
    })
    if (!free) continue
    await new Promise((done) => probe.close(done))
    return port
  }
}
