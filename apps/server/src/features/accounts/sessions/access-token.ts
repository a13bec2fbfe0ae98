import { createHash } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKeys } from './signing-keys.ts'

export const ACCESS_TOKEN_LIFE_S = 3600
const AUDIENCE = 'authenticated'
const ALGORITHMS = ['ES256', 'RS256']
/** How many tokens are remembered as verified. */
const REMEMBERED = 10_000

export type Aal = 'aal1' | 'aal2'

export interface AccessClaims {
  userId: string
  sessionId: string
  email: string
  appMetadata: Record<string, unknown>
  userMetadata: Record<string, unknown>
  aal: Aal
  amr: readonly { method: string; timestamp: number; provider?: string }[]
}

const Claims = z.object({ sub: z.uuid(), session_id: z.uuid(), exp: z.number() })

interface Verified {
  userId: string
  sessionId: string
  key: unknown
  kid: string
  expiresAt: number
}

/** Short-lived ES256 tokens that any client can verify by the published keys. */
export function accessTokens({ keys, issuer }: { keys: SigningKeys; issuer: string }) {
  const verify = async (token: string): Promise<Verified | null> => {
    try {
      const { payload, protectedHeader, key } = await jwtVerify(
        token,
        async ({ kid }) => {
          const found = kid === undefined ? null : await keys.verifier(kid)
          if (!found) throw new errors.JWKSNoMatchingKey()
          return found
        },
        { algorithms: ALGORITHMS, audience: AUDIENCE, issuer },
      )
      const { sub, session_id, exp } = Claims.parse(payload)
      return { userId: sub, sessionId: session_id, key, kid: protectedHeader.kid ?? '', expiresAt: exp }
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null
      throw error
    }
  }

  const remembered = new Map<string, Verified>()
  const remember = (digest: string, verified: Verified) => {
    const [oldest] = remembered.keys()
    if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest)
    remembered.set(digest, verified)
  }

  return {
    async sign(claims: AccessClaims): Promise<{ token: string; expiresAt: number }> {
      const { kid, alg, key } = await keys.signer()
      const now = Math.floor(Date.now() / 1000)
      const expiresAt = now + ACCESS_TOKEN_LIFE_S
      const token = await new SignJWT({
        email: claims.email,
        phone: '',
        app_metadata: claims.appMetadata,
        user_metadata: claims.userMetadata,
        // The database's role, which is the same for everybody; the product's stands in app_metadata.
        role: 'authenticated',
        aal: claims.aal,
        amr: claims.amr,
        session_id: claims.sessionId,
        is_anonymous: false,
      })
        .setProtectedHeader({ alg, kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(claims.userId)
        .setAudience(AUDIENCE)
        .setIssuedAt(now)
        .setExpirationTime(expiresAt)
        .sign(key)
      return { token, expiresAt }
    },

    /** Null for anything that is not a live token of ours, whatever is wrong with it. */
    async read(token: string): Promise<{ userId: string; sessionId: string } | null> {
      const digest = createHash('sha256').update(token).digest('base64url')
      const known = remembered.get(digest)
      // A signature holds for as long as its key is ours and the token lives; everything else is asked anew.
      if (known && known.expiresAt > Date.now() / 1000 && (await keys.verifier(known.kid)) === known.key)
        return known
      remembered.delete(digest)
      const verified = await verify(token)
      if (verified) remember(digest, verified)
      return verified
    },
  }
}

export type AccessTokens = ReturnType<typeof accessTokens>
