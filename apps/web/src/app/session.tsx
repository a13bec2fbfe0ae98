import { type Actor, DEFAULT_USER_NAME, ROLES, type Role } from '@ensaio/domain'
import type { Session } from '@supabase/auth-js'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { auth } from '../api/auth.ts'

export type SignedIn = Actor & { name: string; email: string; company: string | null; createdAt: string }
type State = { status: 'loading' } | { status: 'out' } | { status: 'in'; user: SignedIn }

const SessionContext = createContext<State>({ status: 'loading' })

/** Follows auth-js, which tells every tab of sign-in, refresh and sign-out. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<Session | null | undefined>(undefined)
  useEffect(() => {
    const { data } = auth.onAuthStateChange((_event, next) => setSession(next))
    return () => data.subscription.unsubscribe()
  }, [])
  const state = useMemo<State>(() => {
    if (session === undefined) return { status: 'loading' }
    return session ? { status: 'in', user: userOf(session) } : { status: 'out' }
  }, [session])
  return <SessionContext value={state}>{children}</SessionContext>
}

export const useSession = (): State => useContext(SessionContext)

/** The person signed in; only below a protected route. */
export function useUser(): SignedIn {
  const state = useSession()
  if (state.status !== 'in') throw new Error('useUser outside of a protected route')
  return state.user
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
