import { isAuthError, isAuthRetryableFetchError } from '@supabase/auth-js'

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
