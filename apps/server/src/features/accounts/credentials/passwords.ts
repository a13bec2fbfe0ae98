import { hash, verify } from '@node-rs/argon2'
import { places } from '../../../places.ts'

/** argon2id, the library's default, at OWASP's minimum: 19 MiB, two passes, one lane. */
const SETTINGS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
/** A flood of sign-ins must not take the whole machine. */
const { run: inTurn } = places({ atOnce: 2, inLine: 64 })

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, SETTINGS))

let decoy: Promise<string> | undefined

/** Takes the same time whether or not there is a hash to compare with. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('nobody has this password', SETTINGS)
  const against = stored ?? (await decoy)
  const same = await inTurn(() => verify(against, password).catch(() => false))
  return stored !== null && same
}
