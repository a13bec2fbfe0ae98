import { REFRESH_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '@ensaio/domain'
import { AuthClient, isAuthError, isAuthRetryableFetchError } from '@supabase/auth-js'

const STORAGE_KEY = 'ensaio.auth.token'
const REMEMBER_KEY = 'ensaio.auth.remember'
/** A cookie without a date ends with the browser: while it is there, an unremembered session still holds. */
const BROWSER_COOKIE = 'ensaio_browser'

const browserIsStillOpen = () => document.cookie.split('; ').includes(`${BROWSER_COOKIE}=1`)
if (localStorage.getItem(STORAGE_KEY) && !localStorage.getItem(REMEMBER_KEY) && !browserIsStillOpen()) {
  localStorage.removeItem(STORAGE_KEY)
}

/** Ticked, the session outlives the browser; not ticked, it ends with it. The password is never kept. */
export function rememberSession(remember: boolean): void {
  if (remember) localStorage.setItem(REMEMBER_KEY, '1')
  else {
    localStorage.removeItem(REMEMBER_KEY)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere yet
    document.cookie = `${BROWSER_COOKIE}=1; path=/; SameSite=Strict`
  }
}

const fetchInTime: typeof fetch = (input, init) => {
  const limit = String(input).includes('grant_type=refresh_token') ? REFRESH_TIMEOUT_MS : REQUEST_TIMEOUT_MS
  return fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(limit) })
}

/** The one client of `auth/v1`; its events drive every tab. */
export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: STORAGE_KEY,
  storage: localStorage,
  flowType: 'pkce',
  fetch: fetchInTime,
})

const SIGN_OUT_KEY = 'ensaio.signed-out-at'
const SIGN_OUT_WINDOW_MS = 10_000

let leaving = false

/** Whether the person has just asked, in this tab, to leave: then the start is next, not the login page. */
export const isLeaving = (): boolean => leaving
auth.onAuthStateChange((event) => {
  if (event === 'SIGNED_IN') leaving = false
})

/** Ends this session, in every tab of this browser. */
export async function signOut(scope: 'local' | 'global' = 'local'): Promise<void> {
  leaving = true
  localStorage.setItem(SIGN_OUT_KEY, String(Date.now()))
  await auth.signOut({ scope })
}

/** Whether the sign-out just heard of was asked for, in this tab or another. */
export const signedOutOnPurpose = (): boolean =>
  Date.now() - Number(localStorage.getItem(SIGN_OUT_KEY) ?? 0) < SIGN_OUT_WINDOW_MS

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
