import { FIELD_HEADER, REFRESH_TIMEOUT_MS } from '@ensaio/domain'
import type { SignedIn } from './field-auth.ts'
import { askField } from './field-client.ts'

/** Under this the client of `auth/v1` keeps the session. */
export const SESSION_KEY = 'sessao'
const SPARE_S = 60

/** What keeps the session: it lies beside the entries, not where a kill of the browser loses it. */
export interface SessionStorage {
  getItem(key: string): Promise<string | null>
  setItem(key: string, value: string): Promise<void>
  removeItem(key: string): Promise<void>
}
interface KeptSession {
  access_token: string
  refresh_token: string
  expires_at: number
  user?: { factors?: { status: string }[] | undefined }
}

/** Whether a code is still asked for: nothing is to be sent in its name until then. */
export function lacksSecondFactor({
  access_token,
  user,
}: Pick<KeptSession, 'access_token' | 'user'>): boolean {
  if (!user?.factors?.some(({ status }) => status === 'verified')) return false
  try {
    const claims = access_token.split('.')[1] ?? ''
    const { aal } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { aal?: string }
    return aal !== 'aal2'
  } catch {
    return true
  }
}

/** A token of the kept session, renewed where it has run out; null where there is none, or not proven enough. */
export async function sessionToken(
  storage: Pick<SessionStorage, 'getItem' | 'setItem'>,
  renew: boolean,
): Promise<string | null | undefined> {
  const text = await storage.getItem(SESSION_KEY)
  if (text === null) return null
  const held = JSON.parse(text) as KeptSession
  const tokenOf = (session: KeptSession) => (lacksSecondFactor(session) ? null : session.access_token)
  if (!renew && held.expires_at - SPARE_S > Date.now() / 1000) return tokenOf(held)
  // A page that renews it at the same time is answered as well: the token before the newest one is good.
  try {
    const answer = await fetch('/auth/v1/token?grant_type=refresh_token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', [FIELD_HEADER]: '1' },
      body: JSON.stringify({ refresh_token: held.refresh_token }),
      redirect: 'error',
      signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
    })
    const given = (await answer.json()) as Partial<KeptSession>
    // What the server says of it is looked at by the page, where somebody can sign in again.
    if (!answer.ok || typeof given.access_token !== 'string')
      return answer.status < 500 && answer.status !== 429 ? null : undefined
    const renewed = { ...held, ...given }
    await storage.setItem(SESSION_KEY, JSON.stringify(renewed))
    return tokenOf(renewed)
  } catch {
    return undefined
  }
}

/**
 * A session of the phone's own beside that of the pages of this browser, proven as that one is: kept as the client of
 * `auth/v1` keeps it, which need not be loaded for it.
 */
export async function sessionBesidePages(
  storage: Pick<SessionStorage, 'setItem'>,
  refreshToken: string,
): Promise<SignedIn> {
  const answer = await askField(
    'openOnPhone',
    { body: { refresh_token: refreshToken } },
    { token: null, organization: null },
    (given) => typeof (given as { refresh_token?: unknown } | null)?.refresh_token === 'string',
  )
  if (answer.kind === 'none') return { error: 'Erro de conexão. Verifique sua internet.' }
  if (answer.kind === 'refused') return { error: answer.detail }
  const { user, ...held } = answer.body
  const { id, email, name } = user
  const kept = { ...held, token_type: 'bearer', user: { id, email, user_metadata: { name } } }
  await storage.setItem(SESSION_KEY, JSON.stringify(kept))
  return { person: { id, name, email, withPages: true } }
}
