import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Handle } from '../../../database/handle.ts'
import { type ServerSecret, WrongSecret } from '../../../secret/server-secret.ts'
import { addFirstKey, addNextKey, currentKeys } from './signing-keys.repository.ts'

const ALGORITHM = 'ES256'
const PURPOSE = 'signing-key'
/** How long another server's rotation may go unnoticed. */
const REFRESH_MS = 60_000
const UNKNOWN_KEY_MS = 5_000
/** Clients keep the published keys for ten minutes: a new key is shown that long before it signs. */
const PUBLISH_AHEAD_MS = 15 * 60_000
const TOKEN_LIFE_MS = 3_600_000

export interface SigningKeys {
  signer(): Promise<{ kid: string; alg: string; key: CryptoKey | Uint8Array }>
  /** Null for a key that never was ours or has retired. */
  verifier(kid: string): Promise<CryptoKey | Uint8Array | null>
  /** The public keys, as JWKS. */
  published(): Promise<{ keys: JWK[] }>
}

interface Loaded {
  at: number
  keys: { kid: string; publicJwk: JWK; privateJwk: JWK; signsFrom: number }[]
}

/** ES256 keys of this installation: made on first use, sealed in the database, or given by AUTH_SIGNING_JWK. */
export function signingKeys(input: {
  handle: Handle
  secret: ServerSecret
  fixedJwk: string | null
}): SigningKeys {
  let loaded: Loaded | undefined
  let loading: Promise<Loaded> | undefined

  const unsealed = (sealed: Buffer): JWK => {
    try {
      return JSON.parse(input.secret.open(PURPOSE, sealed)) as JWK
    } catch {
      throw new WrongSecret()
    }
  }
  const load = async (): Promise<Loaded> => {
    if (input.fixedJwk !== null) return { at: Date.now(), keys: [fixedKey(input.fixedJwk)] }
    let stored = await currentKeys(input.handle)
    if (!stored.some((key) => key.signs_from.getTime() <= Date.now())) {
      await addFirstKey(input.handle, await makeKey(input.secret))
      stored = await currentKeys(input.handle)
    }
    const keys = stored.map((key) => ({
      kid: key.kid,
      publicJwk: key.public_jwk as JWK,
      privateJwk: unsealed(key.private_sealed),
      signsFrom: key.signs_from.getTime(),
    }))
    return { at: Date.now(), keys }
  }
  const reload = (): Promise<Loaded> => {
    loading ??= load()
      .then((fresh) => {
        loaded = fresh
        return fresh
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  /** Never waits for the database once there are keys: the caller may be holding its last connection. */
  const current = async (): Promise<Loaded> => {
    if (!loaded) return reload()
    if (Date.now() - loaded.at > REFRESH_MS) reload().catch(() => undefined)
    return loaded
  }

  return {
    async signer() {
      const { keys } = await current()
      // The oldest when none signs yet by our clock, which may be behind the one that dated the keys.
      const key = keys.find(({ signsFrom }) => signsFrom <= Date.now()) ?? keys.at(-1)
      if (!key) throw new Error('no signing key')
      return { kid: key.kid, alg: key.privateJwk.alg ?? ALGORITHM, key: await imported(key.privateJwk) }
    },
    async verifier(kid) {
      const { keys, at } = await current()
      const find = (among: Loaded['keys']) => among.find((candidate) => candidate.kid === kid)
      // Perhaps another server has just rotated; made-up names do not make us ask all the time.
      const key = find(keys) ?? (Date.now() - at > UNKNOWN_KEY_MS ? find((await reload()).keys) : undefined)
      return key ? imported(key.publicJwk) : null
    },
    async published() {
      const { keys } = await current()
      return {
        keys: keys.map(({ publicJwk, kid }) => ({
          ...publicJwk,
          kid,
          alg: publicJwk.alg ?? ALGORITHM,
          use: 'sig',
          key_ops: ['verify'],
        })),
      }
    },
  }
}

/** Publishes a new key that takes over in a quarter of an hour, while the old one's tokens live on. */
export async function rotateSigningKeys(
  handle: Handle,
  secret: ServerSecret,
  /** The life of what other applications hold, in hours. */
  tokenHours: number,
): Promise<{ signsFrom: Date }> {
  const signsFrom = new Date(Date.now() + PUBLISH_AHEAD_MS)
  const oldRetireAt = new Date(signsFrom.getTime() + (tokenHours + 1) * TOKEN_LIFE_MS)
  await addNextKey(handle, { ...(await makeKey(secret)), signsFrom, oldRetireAt })
  return { signsFrom }
}

async function makeKey(secret: ServerSecret) {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true })
  return {
    kid: randomUUID(),
    private_sealed: secret.seal(PURPOSE, JSON.stringify(await exportJWK(pair.privateKey))),
    public_jwk: { ...(await exportJWK(pair.publicKey)), alg: ALGORITHM },
  }
}

function fixedKey(text: string) {
  // WebCrypto refuses a private key that also lists `verify`.
  const { key_ops: _, ...privateJwk } = JSON.parse(text) as JWK
  const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...publicJwk } = privateJwk
  return { kid: privateJwk.kid ?? 'fixed', privateJwk, publicJwk, signsFrom: 0 }
}

const cache = new WeakMap<JWK, Promise<CryptoKey | Uint8Array>>()
function imported(jwk: JWK): Promise<CryptoKey | Uint8Array> {
  const known = cache.get(jwk)
  if (known) return known
  const key = importJWK(jwk, jwk.alg ?? ALGORITHM)
  cache.set(jwk, key)
  return key
}
