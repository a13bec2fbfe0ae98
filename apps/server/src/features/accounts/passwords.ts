import { problem } from '@ensaio/domain'
import { hash, verify } from '@node-rs/argon2'

/** argon2id, the library's default, at OWASP's minimum: 19 MiB, two passes, one lane. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** More at once only makes every one slower; more in line than this and nobody is served in time. */
const AT_ONCE = 2
const IN_LINE = 64

let running = 0
const line: (() => void)[] = []

/** A flood of sign-ins must not take the whole machine: hashing waits in a bounded line. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (line.length >= IN_LINE) throw problem('server.unavailable')
    await new Promise<void>((next) => line.push(next))
  }
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    line.shift()?.()
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, SETTINGS))

let decoy: Promise<string> | undefined

/** Takes the same time whether or not there is a hash to compare with. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('nobody has this password', SETTINGS)
  const against = stored ?? (await decoy)
  const same = await inTurn(() => verify(against, password).catch(() => false))
  return stored !== null && same
}
