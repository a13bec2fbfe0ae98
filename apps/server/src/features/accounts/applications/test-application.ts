import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Person, TestServer } from '../../../test-server.ts'

export const FIELD_BOOK = 'fieldbook://app/auth'
export const VERIFIER = randomBytes(32).toString('base64url')
export type Params = Record<string, string | undefined>

interface Consent {
  by?: Person
  permitir?: boolean
  headers?: Record<string, string>
}

const given = (params: Params): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** What Field Book's AppAuth sends to be let in. */
export const request = (more: Params = {}): Record<string, string> =>
  given({
    ...{ client_id: 'fieldbook', redirect_uri: FIELD_BOOK, response_type: 'code', scope: 'openid' },
    ...{ state: 'estado-1', nonce: 'nonce-1', prompt: 'login' },
    ...{ code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256' },
    ...more,
  })

/** An application that asks this server for access, in the steps of Field Book. */
export function application(server: TestServer, owner: Person) {
  const authorize = (more: Params = {}) =>
    server.call('GET', `/oauth/authorize?${new URLSearchParams(request(more))}`)
  const allow = ({ by = owner, permitir = true, headers = {} }: Consent = {}, more: Params = {}) =>
    server.call('POST', '/api/applications', {
      ...{ token: by.token, body: { pedido: request(more), permitir }, headers },
    })
  const code = async (...of: Parameters<typeof allow>): Promise<string> => {
    const { status, body } = await allow(...of)
    expect(status, JSON.stringify(body)).toBe(200)
    return new URL(body.destino).searchParams.get('code') ?? ''
  }
  const post = (path: string, form: string | Record<string, string>) =>
    server.call('POST', path, {
      body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  const exchange = (text: string, more: Params = {}) =>
    post(
      '/oauth/token',
      given({
        ...{ grant_type: 'authorization_code', code: text, redirect_uri: FIELD_BOOK },
        ...{ client_id: 'fieldbook', code_verifier: VERIFIER, ...more },
      }),
    )
  const tokenOf = async (...of: Parameters<typeof allow>): Promise<string> => {
    const { status, body } = await exchange(await code(...of))
    expect(status, JSON.stringify(body)).toBe(200)
    return body.access_token
  }
  const studies = (token: string) => server.call('GET', '/brapi/v2/studies', { token })
  return { authorize, allow, code, post, exchange, tokenOf, studies }
}
