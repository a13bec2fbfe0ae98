import { type FormEvent, useId, useState } from 'react'
import type { SignedIn } from '../../api/field-auth.ts'
import { field, useFieldState } from './field.ts'
import { OthersWaiting } from './OthersWaiting.tsx'
import { Notice, Page, Touch } from './parts.tsx'
import { QueueLine } from './QueueLine.tsx'

export function SignIn({ title = 'Campo' }: { title?: string }) {
  const { revoked } = useFieldState()
  return (
    <Page title={title} status={revoked && <QueueLine />}>
      <p>Entre uma vez com internet. Depois, a coleta funciona sem ela.</p>
      <OthersWaiting />
      <SignInForm />
    </Page>
  )
}

/** Also where the session has ended: what was recorded stays, and goes out behind it. */
export function SignInForm({ onPerson }: { onPerson?: (id: string) => void }) {
  const { onPages, person, signedOut } = useFieldState()
  const [asksCode, setAsksCode] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<SignedIn>) => {
    setBusy(true)
    setError(null)
    try {
      const outcome = await work()
      if ('error' in outcome) setError(outcome.error)
      setAsksCode('code' in outcome)
      if ('person' in outcome) onPerson?.(outcome.person.id)
    } catch {
      setError('Erro de conexão. Verifique sua internet.')
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const text = (name: string) => String(given.get(name) ?? '')
    void attempt(() =>
      asksCode ? field.confirm(text('code')) : field.signIn(text('email').trim(), text('password')),
    )
  }
  return (
    <>
      {onPages !== null && (
        <Touch busy={busy} className="max-w-md" onClick={() => void attempt(field.comeWithPages)}>
          Continuar como {onPages}
        </Touch>
      )}
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {asksCode ? (
          <Labelled
            name="code"
            label="Código de 6 dígitos"
            inputMode="numeric"
            autoComplete="one-time-code"
          />
        ) : (
          <>
            <Labelled
              name="email"
              label="Email"
              type="email"
              autoComplete="username"
              defaultValue={signedOut ? (person?.email ?? '') : ''}
            />
            <Labelled name="password" label="Senha" type="password" autoComplete="current-password" />
          </>
        )}
        {error && <Notice tone="danger">{error}</Notice>}
        <Touch type="submit" variant="primary" busy={busy} className="touch-main">
          {asksCode ? 'Confirmar' : 'Entrar'}
        </Touch>
      </form>
    </>
  )
}

type LabelledProps = React.InputHTMLAttributes<HTMLInputElement> & { label: string; name: string }

export function Labelled({ label, className = '', ...rest }: LabelledProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={`touch w-full rounded-md border border-line-strong bg-surface px-3 text-text ${className}`}
      />
    </div>
  )
}
