import { REFRESH_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '@ensaio/domain'
import { AuthClient, isAuthApiError, isAuthError, isAuthRetryableFetchError } from '@supabase/auth-js'
import { lasting } from '../storage/browser-storage.ts'
import { arrived, markLeaving, STORAGE_KEY } from './kept-session.ts'

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
})

/** Ends this session, in every tab of this browser. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  markLeaving()
  const { error } = await auth.signOut({ scope })
  // The server could not be told: on this machine the session ends all the same.
  if (error) await forgetSession()
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

/** The sentence for a failed call of `auth/v1`; `fallback` stands for what has no sentence of its own. */
export function authErrorSentence(error: unknown, fallback: string): string {
  if (isAuthRetryableFetchError(error))
    return error.status ? fallback : 'Erro de conexão. Verifique sua internet.'
  if (!isAuthError(error)) return fallback
  return AUTH_SENTENCES[error.code ?? ''] ?? fallback
}

const AUTH_SENTENCES: Readonly<Record<string, string>> = {
  invalid_credentials: 'Email ou senha incorretos',
  email_not_confirmed: 'Confirme seu email antes de entrar. Enviamos um link para a sua caixa de entrada.',
  user_banned: 'Acesso negado',
  weak_password: 'Esta senha é fácil de adivinhar. Escolha outra com pelo menos 6 caracteres.',
  current_password_required: 'Informe a sua senha atual',
  current_password_invalid: 'A senha atual não confere',
  insufficient_aal: 'Confirme o segundo fator para continuar',
  same_password: 'A nova senha deve ser diferente da atual',
  over_request_rate_limit: 'Muitas tentativas. Aguarde um pouco e tente novamente.',
  over_email_send_rate_limit: 'Muitas tentativas. Aguarde um pouco e tente novamente.',
  otp_expired: 'O link é inválido ou já expirou. Peça um novo.',
  mfa_verification_failed: 'Código incorreto',
  validation_failed: 'Dados inválidos',
}
