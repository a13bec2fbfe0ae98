import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Handle } from '../database/handle.ts'
import { sharedSecret } from './shared-secret.repository.ts'

/** Keys for every purpose, derived from one secret that a copy of the database does not hold. */
export interface ServerSecret {
  derive(purpose: string, salt?: Uint8Array): Buffer
  mac(purpose: string, text: string): Buffer
  /** AES-256-GCM: nonce, tag, ciphertext. */
  seal(purpose: string, text: string): Buffer
  open(purpose: string, sealed: Buffer): string
}

const BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export function serverSecret(root: Buffer): ServerSecret {
  const derive = (purpose: string, salt: Uint8Array = new Uint8Array()) =>
    Buffer.from(hkdfSync('sha256', root, salt, purpose, BYTES))
  return {
    derive,
    mac: (purpose, text) => createHmac('sha256', derive(purpose)).update(text).digest(),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', derive(purpose), nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', derive(purpose), sealed.subarray(0, NONCE_BYTES))
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}

/** The secret that all keys come from, and where this server has it from. */
export interface RootSecret {
  bytes: Buffer
  origin: 'environment' | 'database' | 'file'
}

/**
 * The root secret: AUTH_SECRET; else a file beside the embedded database; else, for several servers on one
 * external database, a row that they share.
 */
export async function loadRootSecret(
  config: Pick<Config, 'auth' | 'dataDir' | 'databaseUrl'>,
  handle: Handle,
): Promise<RootSecret> {
  if (config.auth.secret) return { bytes: Buffer.from(config.auth.secret), origin: 'environment' }
  if (config.databaseUrl) return { bytes: await sharedSecret(handle, randomBytes(BYTES)), origin: 'database' }
  return { bytes: secretFile(config.dataDir), origin: 'file' }
}

export async function loadServerSecret(
  config: Pick<Config, 'auth' | 'dataDir' | 'databaseUrl'>,
  handle: Handle,
): Promise<ServerSecret> {
  return serverSecret((await loadRootSecret(config, handle)).bytes)
}

/** Tells whether two servers have the same secret, and nothing else about it. */
export const fingerprintOf = (root: Buffer): string =>
  serverSecret(root).mac('fingerprint', 'ensaio').toString('hex')

const fileOf = (dataDir: string) => join(dataDir, 'secret')

function secretFile(dataDir: string): Buffer {
  const file = fileOf(dataDir)
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, randomBytes(BYTES), { mode: 0o600, flush: true })
    // A link never replaces a file that another start has just made.
    if (!existsSync(file)) linkSync(draft, file)
    rmSync(draft)
  }
  const secret = readFileSync(file)
  if (secret.length !== BYTES) throw new WrongSecret()
  return secret
}

/** For the person at the terminal. */
export class WrongSecret extends Error {
  constructor() {
    super(
      'O segredo do servidor (o arquivo secret da pasta de dados, ou AUTH_SECRET) não é o deste banco de dados. Ponha de volta o que ele tinha, ou restaure uma cópia de segurança.',
    )
  }
}

/** Puts a secret in the place of the folder's own. @returns how to take that back */
export function replaceSecretFile(dataDir: string, bytes: Buffer): () => void {
  const file = fileOf(dataDir)
  const before = existsSync(file) ? readFileSync(file) : null
  const put = (secret: Buffer) => {
    writeFileSync(`${file}.${process.pid}`, secret, { mode: 0o600, flush: true })
    renameSync(`${file}.${process.pid}`, file)
  }
  put(bytes)
  return () => (before ? put(before) : rmSync(file, { force: true }))
}
