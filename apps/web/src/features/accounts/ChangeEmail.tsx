import { type FormEvent, useState } from 'react'
import { auth, authErrorSentence } from '../../api/auth-client.ts'
import { openedByDeadLink } from '../../shell/dead-link.ts'
import { paths } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'

/** Nothing changes until both addresses have been confirmed. */
export function ChangeEmail({ current }: { current: string }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) return setError('Email inválido')
    if (email.trim().toLowerCase() === current) return setError('Este já é o email da sua conta')
    setError(null)
    setState('busy')
    const { error: failure } = await auth.updateUser(
      { email: email.trim(), current_password: password },
      { emailRedirectTo: `${location.origin}${paths.profile}` },
    )
    if (failure) {
      const taken = 'code' in failure && failure.code === 'email_exists'
      setError(
        taken
          ? 'Este email já está cadastrado'
          : authErrorSentence(failure, 'Não foi possível trocar o email. Tente novamente.'),
      )
      setState('idle')
    } else {
      setPassword('')
      setState('sent')
    }
  }
  return (
    <Card>
      <CardHeader title="Email" subtitle={`Hoje: ${current}`} />
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-5 pb-6">
        {openedByDeadLink && state === 'idle' && (
          <Banner tone="warn" title="Este link já foi usado ou expirou">
            Se o endereço acima ainda não é o novo, peça a troca outra vez: os dois endereços recebem links
            novos.
          </Banner>
        )}
        {error && <Banner tone="danger">{error}</Banner>}
        {state === 'sent' && (
          <Banner tone="info">
            Enviamos uma confirmação ao endereço atual e outra ao novo. O email muda quando as duas forem
            abertas.
          </Banner>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Novo email">
            {(control) => (
              <Input
                {...control}
                type="email"
                name="newEmail"
                autoComplete="email"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <Field label="Senha, para confirmar">
            {(control) => (
              <PasswordInput
                {...control}
                name="emailPassword"
                autoComplete="current-password"
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="self-end" busy={state === 'busy'}>
          Trocar email
        </Button>
      </form>
    </Card>
  )
}
