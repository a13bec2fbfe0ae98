import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OWNER, REQUESTS } from './roles.ts'

const KEY_BYTES = 32
const fileOf = (dataDir: string) => join(dataDir, 'database.key')

/** The embedded database's passwords, one for each role that may sign in. */
export interface Passwords {
  of(role: typeof OWNER | typeof REQUESTS): string
}

/** Derived from a file of the data folder that only the server's user reads; null when there is none, or no whole one. */
export function knownPasswords(dataDir: string): Passwords | null {
  const file = fileOf(dataDir)
  if (!existsSync(file)) return null
  const key = readFileSync(file)
  // Under an empty key anybody could derive them.
  if (key.length !== KEY_BYTES) return null
  // Hexadecimal, so that it needs no quoting anywhere.
  return { of: (role) => createHmac('sha256', key).update(role).digest('hex') }
}

/** The same, made if need be; two starts at once get the same ones. */
export function ensurePasswords(dataDir: string): Passwords {
  const known = knownPasswords(dataDir)
  if (known) return known
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${fileOf(dataDir)}.${process.pid}`
  writeFileSync(draft, randomBytes(KEY_BYTES), { mode: 0o600, flush: true })
  // What is there is not whole.
  rmSync(fileOf(dataDir), { force: true })
  try {
    // A link never replaces what another start has just made.
    linkSync(draft, fileOf(dataDir))
  } catch (error) {
    if (!existsSync(fileOf(dataDir))) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return ensurePasswords(dataDir)
}
