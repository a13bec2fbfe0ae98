import { type Actor, DEFAULT_USER_NAME, ROLES, type Role } from '@ensaio/domain'
import type { Session } from '@supabase/auth-js'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { loadAuth, whenSessionPossible } from '../api/auth.ts'
import { signedOutOnPurpose } from '../api/kept-session.ts'

export type SignedIn = Pick<Actor, 'id' | 'role'> & {
  name: string
  email: string
  company: string | null
  createdAt: string
}
type State =
  | { status: 'loading' }
  | { status: 'out' }
  /** `expired`: the session ended by itself; the person is asked for the password in place. */
  | { status: 'in'; user: SignedIn; expired: boolean; needsSecondFactor: boolean }

const SessionContext = createContext<State>({ status: 'loading' })

/** Follows the client of `auth/v1`, which tells every tab of sign-in, refresh and sign-out. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null | undefined>(undefined)
  const [expired, setExpired] = useState(false)
  useEffect(() => {
    let stop: (() => void) | undefined
    let following = false
    const follow = async () => {
      if (following) return
      following = true
      try {
        const { auth } = await loadAuth()
        const { data } = auth.onAuthStateChange((event, next) => {
          // A session that nobody ended keeps its page open until the person has signed in again.
          if (event === 'SIGNED_OUT' && !signedOutOnPurpose()) {
            setExpired(true)
            setSession((before) => before ?? null)
            return
          }
          setExpired(false)
          setSession(next)
        })
        stop = () => data.subscription.unsubscribe()
      } catch {
        following = false
        setSession((before) => before ?? null)
      }
    }
    const forget = whenSessionPossible(follow)
    if (!following) setSession(null)
    return () => {
      forget()
      stop?.()
    }
  }, [])
  const state = useMemo<State>(() => {
    if (session === undefined) return { status: 'loading' }
    if (!session) return { status: 'out' }
    return {
      status: 'in',
      user: userOf(session),
      expired,
      needsSecondFactor: !expired && lacksSecondFactor(session),
    }
  }, [session, expired])
  return <SessionContext value={state}>{children}</SessionContext>
}

export const useSession = (): State => useContext(SessionContext)

/** The person signed in; only below a protected route. */
export function useUser(): SignedIn {
  const state = useSession()
  if (state.status !== 'in') throw new Error('useUser outside of a protected route')
  return state.user
}

/** The account has a verified factor and this session has not shown it yet. */
function lacksSecondFactor({ access_token, user }: Session): boolean {
  if (!user.factors?.some(({ status }) => status === 'verified')) return false
  const claims = access_token.split('.')[1] ?? ''
  try {
    const { aal } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { aal?: string }
    return aal !== 'aal2'
  } catch {
    return true
  }
}

function userOf({ user }: Session): SignedIn {
  const role: unknown = user.app_metadata['role']
  const { name, company } = user.user_metadata as { name?: unknown; company?: unknown }
  return {
    id: user.id,
    role: ROLES.includes(role as Role) ? (role as Role) : 'user',
    name: typeof name === 'string' && name ? name : DEFAULT_USER_NAME,
    email: user.email ?? '',
    company: typeof company === 'string' && company ? company : null,
    createdAt: user.created_at,
  }
}
