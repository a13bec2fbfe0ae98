import { LOGIN_REDIRECT_MS, loginProblem } from '@ensaio/domain'
import { type FormEvent, Suspense, useEffect, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { rememberSession } from '../../api/kept-session.ts'
import { late } from '../../shell/late.tsx'
import { paths, returnPath } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { keepsAnything } from '../../storage/browser-storage.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Checkbox, Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { AccountPage, AlreadyIn, textLink } from './AccountPage.tsx'

const SecondFactorForm = late(async () => (await import('./SecondFactor.tsx')).SecondFactorForm)

export function Login() {
  useTitle('Entrar')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [email, setEmail] = useState(search.get('email') ?? '')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'factor' | 'done'>('idle')
  const next = returnPath(search)
  const [forgetful] = useState(() => !keepsAnything())

  useEffect(() => {
    if (state !== 'done') return
    const timer = setTimeout(() => navigate(next, { replace: true }), LOGIN_REDIRECT_MS)
    return () => clearTimeout(timer)
  }, [state, next, navigate])

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const problem = loginProblem({ email, password })
    setError(problem)
    if (problem) {
      const failing = email.includes('@') ? 'password' : 'email'
      event.currentTarget.querySelector<HTMLElement>(`[name="${failing}"]`)?.focus()
    }
    if (problem || state !== 'idle') return
    setState('busy')
    try {
      rememberSession(remember)
      const { auth, authErrorSentence } = await loadAuth()
      const { error: failure } = await auth.signInWithPassword({ email: email.trim(), password })
      if (failure) {
        setError(authErrorSentence(failure, 'Erro ao fazer login. Tente novamente.'))
        setState('idle')
        return
      }
      const { data: level } = await auth.mfa.getAuthenticatorAssuranceLevel()
      setState(level && level.nextLevel !== level.currentLevel ? 'factor' : 'done')
    } catch {
      setError('Erro ao fazer login. Tente novamente.')
      setState('idle')
    }
  }

  if (state === 'factor') {
    return (
      <AccountPage title="Segundo fator" subtitle="Sua conta pede uma confirmação além da senha.">
        <Suspense>
          <SecondFactorForm onDone={() => setState('done')} />
        </Suspense>
      </AccountPage>
    )
  }

  return (
    <AccountPage title="Entrar" subtitle="Acesse seus experimentos e relatórios.">
      <form noValidate onSubmit={submit} onInput={loadAuthAhead} className="flex flex-col gap-4">
        {state === 'idle' && <AlreadyIn />}
        {forgetful && (
          <Banner tone="warn">
            Este navegador não guarda dados deste site: a sessão termina quando esta página for fechada ou
            recarregada.
          </Banner>
        )}
        {error && <Banner tone="danger">{error}</Banner>}
        {state === 'done' && <Banner tone="ok">Login realizado com sucesso! Redirecionando...</Banner>}
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
        <Button
          type="submit"
          variant="primary"
          size="large"
          busy={state === 'busy'}
          disabled={state === 'done'}
        >
          Entrar
        </Button>
      </form>
      <p className="text-center text-small text-muted">
        Ainda não tem conta?{' '}
        <Link to={paths.register} className={textLink}>
          Cadastrar
        </Link>
      </p>
    </AccountPage>
  )
}
