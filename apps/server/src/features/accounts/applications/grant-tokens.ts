import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { SigningKeys } from '../sessions/signing-keys.ts'

const AUDIENCE = 'brapi'
const TYPE = 'at+jwt'
const ALGORITHMS = ['ES256', 'RS256']

export interface Granted {
  grant: string
  person: string
  organization: string
  client: string
  device: string
}

const Claims = z.object({
  ...{ sub: z.uuid(), jti: z.uuid(), org: z.uuid(), client_id: z.string().max(100), device: z.string() },
})

/** Tokens of other applications: of another audience, issuer and type than a session's, by the same keys. */
export function grantTokens({ keys, issuer }: { keys: SigningKeys; issuer: string }) {
  const verify = async (
    token: string,
    { audience, typ, expired }: { audience?: string; typ: string; expired?: boolean },
  ) => {
    const { payload } = await jwtVerify(
      token,
      async ({ kid }) => {
        const found = kid === undefined ? null : await keys.verifier(kid)
        if (!found) throw new errors.JWKSNoMatchingKey()
        return found
      },
      {
        ...{ algorithms: ALGORITHMS, issuer, typ },
        ...(audience !== undefined && { audience }),
        ...(expired && { currentDate: new Date(0) }),
      },
    )
    return payload
  }
  const sign = async (
    claims: Record<string, unknown>,
    { typ, audience, person, until }: { typ: string; audience: string; person: string; until: Date },
  ): Promise<string> => {
    const { kid, alg, key } = await keys.signer()
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid, typ })
      .setIssuer(issuer)
      .setSubject(person)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime(until)
      .sign(key)
  }

  return {
    access: ({ grant, person, organization, client, device }: Granted, until: Date) =>
      sign(
        { jti: grant, org: organization, client_id: client, device },
        { typ: TYPE, audience: AUDIENCE, person, until },
      ),

    /** Tells the application who signed in, and nothing more than the id that values carry too. */
    identity: (
      { grant, person, organization, client }: Granted,
      { nonce, until }: { nonce: string | null; until: Date },
    ) =>
      sign(
        { sid: grant, org: organization, ...(nonce !== null && { nonce }) },
        { typ: 'JWT', audience: client, person, until },
      ),

    /** Null for anything that is not a live access token of ours, whatever is wrong with it. */
    async read(token: string): Promise<Granted | null> {
      try {
        const payload = await verify(token, { audience: AUDIENCE, typ: TYPE })
        const {
          sub: person,
          jti: grant,
          org: organization,
          client_id: client,
          device,
        } = Claims.parse(payload)
        return { grant, person, organization, client, device }
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null
        throw error
      }
    },

    /** Whose grant an identity token of ours is of; one that is over says so too. */
    async readIdentity(
      token: string,
    ): Promise<Pick<Granted, 'grant' | 'person' | 'organization' | 'client'> | null> {
      try {
        const payload = await verify(token, { typ: 'JWT', expired: true })
        const { sub: person, sid: grant, org: organization, aud: client } = Identity.parse(payload)
        return { grant, person, organization, client }
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof z.ZodError) return null
        throw error
      }
    },
  }
}
const Identity = z.object({ sub: z.uuid(), sid: z.uuid(), org: z.uuid(), aud: z.string().max(100) })

export type GrantTokens = ReturnType<typeof grantTokens>

/** Whether a token says that it is one of an application; nothing of it is believed yet. */
export function saysApplication(token: string): boolean {
  try {
    return decodeJwt(token).aud === AUDIENCE
  } catch {
    return false
  }
}
