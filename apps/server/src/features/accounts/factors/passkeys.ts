import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { StoredCredential } from './factors.repository.ts'

type RegistrationResponse = Parameters<typeof verifyRegistrationResponse>[0]['response']
type AuthenticationResponse = Parameters<typeof verifyAuthenticationResponse>[0]['response']
type Transports = NonNullable<AuthenticationCredential['transports']>
type AuthenticationCredential = Parameters<typeof verifyAuthenticationResponse>[0]['credential']

/** WebAuthn ceremonies for this site; what the client says about the site is not asked. */
export function passkeys({ siteUrl }: { siteUrl: string }) {
  const { hostname, origin } = new URL(siteUrl)
  return {
    creationOptions: (
      user: { id: string; email: string; name: string },
      known: readonly StoredCredential[],
    ) =>
      generateRegistrationOptions({
        rpName: 'Ensaio',
        rpID: hostname,
        userID: new TextEncoder().encode(user.id),
        userName: user.email,
        userDisplayName: user.name,
        attestationType: 'none',
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { userVerification: 'preferred', residentKey: 'preferred' },
      }),

    requestOptions: (credential: StoredCredential) =>
      generateAuthenticationOptions({
        rpID: hostname,
        userVerification: 'preferred',
        allowCredentials: [{ id: credential.id, transports: credential.transports as Transports }],
      }),

    /** The credential that was made, or null when the answer does not prove it. */
    async created(response: unknown, challenge: string): Promise<StoredCredential | null> {
      try {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          // Checked member by member by the library.
          response: response as RegistrationResponse,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification: false,
        })
        if (!verified || !registrationInfo) return null
        const { id, publicKey, counter, transports } = registrationInfo.credential
        return {
          id,
          publicKey: Buffer.from(publicKey).toString('base64url'),
          counter,
          transports: transports ?? [],
        }
      } catch {
        return null
      }
    },

    /** The credential with its new counter, or null. */
    async used(
      response: unknown,
      challenge: string,
      credential: StoredCredential,
    ): Promise<StoredCredential | null> {
      try {
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: response as AuthenticationResponse,
          expectedChallenge: challenge,
          expectedOrigin: origin,
          expectedRPID: hostname,
          requireUserVerification: false,
          credential: {
            id: credential.id,
            publicKey: new Uint8Array(Buffer.from(credential.publicKey, 'base64url')),
            counter: credential.counter,
          },
        })
        return verified ? { ...credential, counter: authenticationInfo.newCounter } : null
      } catch {
        return null
      }
    },
  }
}

export type Passkeys = ReturnType<typeof passkeys>
