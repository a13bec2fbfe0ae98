import { errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKeys } from './signing-keys.ts'

export const ACCESS_TOKEN_LIFE_S = 3600
const AUDIENCE = 'authenticated'
const ALGORITHMS = ['ES256', 'RS256']

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

const Claims = z.object({ sub: z.uuid(), session_id: z.uuid() })

/** Short-lived ES256 tokens that any client can verify by the published keys. */
export function accessTokens({ keys, issuer }: { keys: SigningKeys; issuer: string }) {
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
      try {
        const { payload } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = kid === undefined ? null : await keys.verifier(kid)
            if (!key) throw new errors.JWKSNoMatchingKey()
            return key
          },
          { algorithms: ALGORITHMS, audience: AUDIENCE, issuer },
        )
        const { sub, session_id } = Claims.parse(payload)
        return { userId: sub, sessionId: session_id }
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null
        throw error
      }
    },
  }
}

export type AccessTokens = ReturnType<typeof accessTokens>
