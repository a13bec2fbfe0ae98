import { PASSWORD_MAX, PASSWORD_MIN } from '@ensaio/domain'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { paths } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { PasswordInput } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { AccountPage } from './AccountPage.tsx'

/** Opened by the mailed link: the session that it brings may set a password without the old one. */
export function ResetPassword() {
  useTitle('Definir nova senha')
  const session = useSession()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const tokenHash = search.get('token_hash')
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'done' | 'dead'>('idle')
  const [checked, setChecked] = useState(tokenHash === null)
  const expired = search.has('error') || location.hash.includes('error=')

  // A dead link is told before a password is asked for. Where that cannot be found out, saving tells.
  useEffect(() => {
    if (checked || !tokenHash) return
    const ask = async () => {
      const { call } = await import('../../api/client.ts')
      const { valid } = await call('checkLink', { body: { token_hash: tokenHash, type: 'recovery' } })
      if (!valid) setState('dead')
    }
    ask()
      .catch(() => undefined)
      .finally(() => setChecked(true))
  }, [checked, tokenHash])

  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(() => navigate(paths.dashboard, { replace: true }), 2_000)
    return () => clearTimeout(timer)
  }, [state, navigate])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password.length < PASSWORD_MIN) return setError('A senha deve ter pelo menos 6 caracteres')
    if (password.length > PASSWORD_MAX)
      return setError(`A senha deve ter no máximo ${PASSWORD_MAX} caracteres`)
    if (password !== confirmation) return setError('As senhas não coincidem')
    setError(null)
    setState('busy')
    const { auth, authErrorSentence } = await loadAuth()
    const failed = (failure: unknown) => {
      setError(authErrorSentence(failure, 'Erro do servidor. Tente novamente mais tarde.'))
      setState('idle')
    }
    if (tokenHash) {
      const { error: failure } = await auth.verifyOtp({ type: 'recovery', token_hash: tokenHash })
      if (failure?.code === 'otp_expired') return setState('dead')
      if (failure) return failed(failure)
      setSearch({}, { replace: true })
    }
    const { error: failure } = await auth.updateUser({ password })
    if (failure) return failed(failure)
    setState('done')
  }

  if (state === 'dead' || (!tokenHash && (expired || session.status === 'out'))) {
    return (
      <AccountPage title="Link inválido" subtitle="O link de recuperação já foi usado ou expirou.">
        <Link to={paths.forgotPassword} className={buttonClasses('primary', 'large')}>
          Pedir um novo link
        </Link>
      </AccountPage>
    )
  }

  if (!checked) {
    return (
      <AccountPage title="Definir nova senha" subtitle="Conferindo o link…">
        <Skeleton className="h-40" />
      </AccountPage>
    )
  }
  return (
    <AccountPage title="Definir nova senha" subtitle="As outras sessões da sua conta serão encerradas.">
      <form noValidate onSubmit={submit} onInput={loadAuthAhead} className="flex flex-col gap-4">
        {state === 'done' && <Banner tone="ok">Senha redefinida com sucesso!</Banner>}
        <Field label="Nova senha" error={error ?? undefined} help="Pelo menos 6 caracteres.">
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Field label="Confirmar nova senha">
          {(control) => (
            <PasswordInput
              {...control}
              name="confirmation"
              autoComplete="new-password"
              value={confirmation}
              onChange={(event) => setConfirmation(event.target.value)}
            />
          )}
        </Field>
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={state === 'busy'}
          disabled={state === 'done'}
        >
          Salvar nova senha
        </Button>
      </form>
    </AccountPage>
  )
}
