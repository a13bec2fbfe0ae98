import { lasting } from '../storage/browser-storage.ts'
import { STORAGE_KEY } from './kept-session.ts'

/**
 * The client of `auth/v1` is large: it comes when somebody signs in, or at once where a session is stored or the
 * address brings one.
 */
type AuthModule = typeof import('./auth-client.ts')

let loading: Promise<AuthModule> | undefined
const followers = new Set<() => void>()

/** The client of `auth/v1` with its sentences, loaded once. */
export function loadAuth(): Promise<AuthModule> {
  loading ??= import('./auth-client.ts').then(
    (module) => {
      for (const follow of followers) follow()
      return module
    },
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}

/** For the first letter typed into a form that will need it. */
export const loadAuthAhead = (): void => {
  loadAuth().catch(() => undefined)
}

/** Calls back when there may be a session to follow: at once, when this page signs in, or when another tab has. */
export function whenSessionPossible(follow: () => void): () => void {
  const brought = /[?&#](code|access_token|error)=/.test(location.search + location.hash)
  if (loading || brought || lasting.getItem(STORAGE_KEY)) follow()
  const elsewhere = ({ key, newValue }: StorageEvent) => {
    if (key === STORAGE_KEY && newValue) follow()
  }
  followers.add(follow)
  window.addEventListener('storage', elsewhere)
  return () => {
    followers.delete(follow)
    window.removeEventListener('storage', elsewhere)
  }
}
