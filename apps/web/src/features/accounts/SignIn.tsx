import { loginProblem } from '@ensaio/domain'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { rememberSession } from '../../api/kept-session.ts'
import { late } from '../../shell/late.tsx'
import { paths } from '../../shell/paths.ts'
import { keepsAnything } from '../../storage/browser-storage.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { AccountPage, textLink } from './AccountPage.tsx'

const SecondFactorForm = late(async () => (await import('./SecondFactor.tsx')).SecondFactorForm)
const FAILED = 'Erro ao fazer login. Tente novamente.'

/** Email, password and the second factor where there is one. */
export function SignIn({
  title,
  subtitle,
  email: given,
  done,
  onDone,
  before,
  children,
}: {
  title: string
  subtitle: ReactNode
  email: string
  done: boolean
  onDone: () => void
  /** Above the fields; it may depend on whether the form is on its way. */
  before?: ReactNode | ((busy: boolean) => ReactNode)
  children?: ReactNode
}) {
  const [email, setEmail] = useState(given)
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'factor'>('idle')
  const [forgetful] = useState(() => !keepsAnything())

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const problem = loginProblem({ email, password })
    setError(problem)
    if (problem) {
      const failing = email.includes('@') ? 'password' : 'email'
      event.currentTarget.querySelector<HTMLElement>(`[name="${failing}"]`)?.focus()
    }
    if (problem || state !== 'idle' || done) return
    setState('busy')
    try {
      rememberSession(remember)
      const { auth, authErrorSentence } = await loadAuth()
      const { error: failure } = await auth.signInWithPassword({ email: email.trim(), password })
      if (failure) {
        setError(authErrorSentence(failure, FAILED))
        setState('idle')
        return
      }
      const { data: level } = await auth.mfa.getAuthenticatorAssuranceLevel()
      if (level && level.nextLevel !== level.currentLevel) setState('factor')
      else onDone()
    } catch {
      setError(FAILED)
      setState('idle')
    }
  }

  if (state === 'factor' && !done) {
    return (
      <AccountPage title="Segundo fator" subtitle="Sua conta pede uma confirmação além da senha.">
        <Suspense>
          <SecondFactorForm onDone={onDone} />
        </Suspense>
      </AccountPage>
    )
  }

  return (
    <AccountPage title={title} subtitle={subtitle}>
      <form noValidate onSubmit={submit} onInput={loadAuthAhead} className="flex flex-col gap-4">
        {typeof before === 'function' ? before(state !== 'idle') : before}
        {forgetful && (
          <Banner tone="warn">
            Este navegador não guarda dados deste site: a sessão termina quando esta página for fechada ou
            recarregada.
          </Banner>
        )}
        {error && <Banner tone="danger">{error}</Banner>}
        <Field label="Email">
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="username"
              placeholder="voce@empresa.com.br"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Field label="Senha">
          {(control) => (
            <PasswordInput
              {...control}
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Checkbox
            name="remember"
            label="Lembrar senha"
            checked={remember}
            onChange={(event) => setRemember(event.target.checked)}
          />
          <Link to={paths.forgotPassword} className={`text-small ${textLink}`}>
            Esqueceu a senha?
          </Link>
        </div>
        <Button type="submit" variant="primary" size="large" busy={state === 'busy' && !done} disabled={done}>
          Entrar
        </Button>
      </form>
      {children}
    </AccountPage>
  )
}
