import { lasting } from '../storage/browser-storage.ts'

/** Where the client of `auth/v1` keeps the session. */
export const STORAGE_KEY = 'ensaio.auth.token'
const REMEMBER_KEY = 'ensaio.auth.remember'
/** A cookie without a date ends with the browser: while it is there, an unremembered session still holds. */
const BROWSER_COOKIE = 'ensaio_browser'

const browserIsStillOpen = () => document.cookie.split('; ').includes(`${BROWSER_COOKIE}=1`)
if (lasting.getItem(STORAGE_KEY) && !lasting.getItem(REMEMBER_KEY) && !browserIsStillOpen()) {
  lasting.removeItem(STORAGE_KEY)
}

/** Ticked, the session outlives the browser; not ticked, it ends with it. The password is never kept. */
export function rememberSession(remember: boolean): void {
  if (remember) lasting.setItem(REMEMBER_KEY, '1')
  else {
    lasting.removeItem(REMEMBER_KEY)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
    document.cookie = `${BROWSER_COOKIE}=1; path=/; SameSite=Strict`
  }
}

/** Who is signed in on this browser's pages, and what renews that session; null where nobody is. */
export function sessionOfThePages(): { id: string; email: string; refreshToken: string } | null {
  try {
    const held = JSON.parse(lasting.getItem(STORAGE_KEY) ?? 'null') as {
      refresh_token?: unknown
      user?: { id?: unknown; email?: unknown }
    } | null
    const { id, email } = held?.user ?? {}
    if (typeof held?.refresh_token !== 'string' || typeof id !== 'string') return null
    return { id, email: typeof email === 'string' ? email : '', refreshToken: held.refresh_token }
  } catch {
    return null
  }
}

const FIELD_KEY = 'ensaio.field'
/** Whether somebody of these pages came into the field application, and has not left it. */
export const cameWithPages = (): boolean => lasting.getItem(FIELD_KEY) !== null
export function noteInField(there: boolean): void {
  if (there) lasting.setItem(FIELD_KEY, '1')
  else lasting.removeItem(FIELD_KEY)
}

const SIGN_OUT_KEY = 'ensaio.signed-out-at'
const SIGN_OUT_WINDOW_MS = 10_000

let leaving = false
let asking = new AbortController()

/** Ends when the person leaves: what is read until the session is gone would only be refused. */
export const whileSignedIn = (): AbortSignal => asking.signal
export const hasLeft = (): void => {
  if (asking.signal.aborted) asking = new AbortController()
}
/** Whether the person has just asked, in this tab, to leave: then the start is next, not the login page. */
export const isLeaving = (): boolean => leaving
export const arrived = (): void => {
  leaving = false
}
export function markLeaving(): void {
  leaving = true
  asking.abort()
  lasting.setItem(SIGN_OUT_KEY, String(Date.now()))
}

/** Whether the sign-out just heard of was asked for, in this tab or another. */
export const signedOutOnPurpose = (): boolean =>
  Date.now() - Number(lasting.getItem(SIGN_OUT_KEY) ?? 0) < SIGN_OUT_WINDOW_MS
