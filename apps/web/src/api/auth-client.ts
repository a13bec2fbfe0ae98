import { REFRESH_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '@ensaio/domain'
import { AuthClient, isAuthApiError } from '@supabase/auth-js'
import { lasting } from '../storage/browser-storage.ts'
import { arrived, hasLeft, markLeaving, STORAGE_KEY } from './kept-session.ts'

const fetchInTime: typeof fetch = (input, init) => {
  const limit = /grant_type=refresh_token|\/logout/.test(String(input))
    ? REFRESH_TIMEOUT_MS
    : REQUEST_TIMEOUT_MS
  return fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(limit) })
}

/** The one client of `auth/v1`; its events drive every tab. */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: STORAGE_KEY,
  storage: { ...lasting, setItem: (key, value) => void lasting.setItem(key, value) },
  flowType: 'pkce',
  fetch: fetchInTime,
})

auth.onAuthStateChange((event) => {
  if (event === 'SIGNED_IN') arrived()
  if (event === 'SIGNED_OUT') hasLeft()
})

let leftElsewhere: () => Promise<void> = () => Promise.resolve()
/** What else of this browser is to be left with the pages; it is waited for, but never for long. */
export function whenLeaving(leave: () => Promise<void>): void {
  leftElsewhere = leave
}
const LEAVING_MS = 3_000

/** Ends this session, in every tab of this browser. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  markLeaving()
  try {
    await Promise.race([
      leftElsewhere().catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, LEAVING_MS)),
    ])
    const { error } = await auth.signOut({ scope })
    // The server could not be told: on this machine the session ends all the same.
    if (error) await forgetSession()
  } finally {
    hasLeft()
  }
}

async function forgetSession(): Promise<void> {
  lasting.removeItem(STORAGE_KEY)
  await auth.signOut({ scope: 'local' })
}

let renewing: Promise<boolean> | undefined

/**
 * Changes a token that the server does not take for another, once for all calls that failed with it. Where the
 * server renews nothing the session has ended; the app hears of it and asks for the password in place.
 */
export function renewSession(): Promise<boolean> {
  const renew = async () => {
    const { data, error } = await auth.refreshSession()
    if (isAuthApiError(error) && error.status < 404) await forgetSession()
    return data.session !== null
  }
  renewing ??= renew().finally(() => {
    renewing = undefined
  })
  return renewing
}

export { authErrorSentence } from './auth-sentences.ts'
