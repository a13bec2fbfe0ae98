import { FIELD_HEADER, REFRESH_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '@ensaio/domain'
import { AuthClient, type Session } from '@supabase/auth-js'
import { authErrorSentence } from './auth-sentences.ts'
import { lacksSecondFactor, SESSION_KEY, type SessionStorage } from './field-session.ts'

/** Who signed in on this phone. */
export interface FieldPerson {
  id: string
  name: string
  email: string
  /** Came in with who was signed in on the pages of this browser, and leaves with them. */
  withPages?: true
  /** By a field invitation: the phone's own key, of one trial until a day. */
  guest?: { key: string; organizacao: string; experimento: string; convidou: string; ate: string }
}
export type SignedIn = { person: FieldPerson } | { code: true } | { error: string }

/** Signing in on the phone: the session is its own, and is renewed without this client. */
export function createFieldAuth(storage: SessionStorage) {
  const auth = new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey: SESSION_KEY,
    storage,
    flowType: 'pkce',
    autoRefreshToken: false,
    detectSessionInUrl: false,
    headers: { [FIELD_HEADER]: '1' },
    fetch: (input, init) =>
      fetch(input, {
        ...init,
        signal:
          init?.signal ??
          AbortSignal.timeout(
            /refresh_token|\/logout/.test(String(input)) ? REFRESH_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
          ),
      }),
  })
  const answer = (session: Session | null): SignedIn => {
    if (!session) return { error: 'Não foi possível entrar. Tente novamente.' }
    return lacksSecondFactor(session) ? { code: true } : { person: personOf(session) }
  }
  return {
    async signIn(email: string, password: string): Promise<SignedIn> {
      const { data, error } = await auth.signInWithPassword({ email, password })
      if (error) return { error: authErrorSentence(error, 'Não foi possível entrar. Tente novamente.') }
      return answer(data.session)
    },
    /** The code of an authenticator app, where the account asks for one. */
    async confirm(code: string): Promise<SignedIn> {
      const { data } = await auth.mfa.listFactors()
      const factor = data?.totp[0]
      if (!factor) return { error: 'Entre pelo Ensaio no navegador: esta conta pede uma chave de segurança.' }
      const { error } = await auth.mfa.challengeAndVerify({
        factorId: factor.id,
        code: code.replace(/\s/g, ''),
      })
      if (error) return { error: authErrorSentence(error, 'Não foi possível confirmar. Tente novamente.') }
      return answer((await auth.getSession()).data.session)
    },
    async signOut(): Promise<void> {
      await auth.signOut({ scope: 'local' }).catch(() => undefined)
      await storage.removeItem(SESSION_KEY)
    },
  }
}
export type FieldAuth = ReturnType<typeof createFieldAuth>

const personOf = ({ user }: Session): FieldPerson => {
  const { name } = user.user_metadata as { name?: unknown }
  return {
    id: user.id,
    name: typeof name === 'string' && name ? name : (user.email ?? ''),
    email: user.email ?? '',
  }
}
