import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { AccountPage, textLink } from './AccountPage.tsx'

const FAILED = 'Erro ao enviar email de recuperação. Tente novamente.'

export function ForgotPassword() {
  useTitle('Recuperar senha')
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (state === 'busy') return
    const problem = !email.trim()
      ? 'Este campo é obrigatório'
      : email.includes('@')
        ? null
        : 'Por favor, insira um email válido'
    setError(problem)
    if (problem) return event.currentTarget.querySelector('input')?.focus()
    setState('busy')
    try {
      const { auth, authErrorSentence } = await loadAuth()
      const { error: failure } = await auth.resetPasswordForEmail(email.trim(), {
        redirectTo: `${location.origin}${paths.resetPassword}`,
      })
      if (failure) {
        setError(authErrorSentence(failure, FAILED))
        setState('idle')
      } else setState('sent')
    } catch {
      setError(FAILED)
      setState('idle')
    }
  }

  return (
    <AccountPage title="Recuperar senha" subtitle="Enviaremos um link para você definir uma nova senha.">
      <form noValidate onSubmit={submit} onInput={loadAuthAhead} className="flex flex-col gap-4">
        {state === 'sent' && (
          <Banner tone="ok">Email de recuperação enviado! Verifique sua caixa de entrada.</Banner>
        )}
        <Field label="Email" error={error ?? undefined}>
          {(control) => (
            <Input
              {...control}
              type="email"
              name="email"
              autoComplete="email"
              placeholder="voce@empresa.com.br"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" size="large" busy={state === 'busy'}>
          {state === 'sent' ? 'Enviar de novo' : 'Enviar link de recuperação'}
        </Button>
      </form>
      <p className="text-center text-small">
        <Link to={paths.login} className={textLink}>
          Voltar para o login
        </Link>
      </p>
    </AccountPage>
  )
}
