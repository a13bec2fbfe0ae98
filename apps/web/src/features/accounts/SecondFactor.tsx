import type { Factor } from '@supabase/auth-js'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useState } from 'react'
import { auth, authErrorSentence, signOut } from '../../api/auth-client.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { AccountPage } from './AccountPage.tsx'

/** Stands in for a protected page until the session has shown its second factor. */
export function SecondFactorPage() {
  useTitle('Segundo fator')
  return (
    <AccountPage title="Segundo fator" subtitle="Sua conta pede uma confirmação além da senha.">
      <SecondFactorForm onDone={() => undefined} />
    </AccountPage>
  )
}

/** Asks for the code of an authenticator app, or for a security key. */
export function SecondFactorForm({ onDone }: { onDone: () => void }) {
  const [factors, setFactors] = useState<Factor[] | null>(null)
  const [factorId, setFactorId] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    void auth.mfa.listFactors().then(({ data, error: failure }) => {
      const verified = data?.all.filter(({ status }) => status === 'verified') ?? []
      setFactors(verified)
      setFactorId(verified[0]?.id ?? '')
      if (failure) setError(authErrorSentence(failure, 'Erro do servidor. Tente novamente mais tarde.'))
    })
  }, [])

  const chosen = factors?.find(({ id }) => id === factorId)
  const attempt = async (work: () => Promise<{ error: unknown }>) => {
    setBusy(true)
    setError(null)
    try {
      const { error: failure } = await work()
      if (failure) setError(authErrorSentence(failure, 'Não foi possível confirmar. Tente novamente.'))
      else onDone()
    } catch {
      setError('Não foi possível confirmar. Tente novamente.')
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => auth.mfa.challengeAndVerify({ factorId, code: code.replace(/\s/g, '') }))
  }

  if (!factors) return <Skeleton className="h-40" />
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      {error && chosen?.factor_type === 'webauthn' && <Banner tone="danger">{error}</Banner>}
      {factors.length > 1 && (
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 text-small font-medium">Confirmar com</legend>
          {factors.map((factor) => (
            <label key={factor.id} className="flex items-center gap-2.5">
              <input
                type="radio"
                name="factor"
                checked={factor.id === factorId}
                onChange={() => setFactorId(factor.id)}
                className="size-[18px] accent-(--accent)"
              />
              {factor.friendly_name ||
                (factor.factor_type === 'totp' ? 'Aplicativo autenticador' : 'Chave de segurança')}
            </label>
          ))}
        </fieldset>
      )}
      {chosen?.factor_type === 'webauthn' ? (
        <Button
          variant="primary"
          size="large"
          busy={busy}
          icon={<KeyRound aria-hidden className="size-4" />}
          onClick={() => attempt(() => auth.mfa.webauthn.authenticate({ factorId }))}
        >
          Usar chave de segurança
        </Button>
      ) : (
        <>
          <Field
            label="Código de 6 dígitos"
            error={error ?? undefined}
            help="Abra o aplicativo autenticador no seu celular."
          >
            {(control) => (
              <Input
                {...control}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={7}
                value={code}
                onChange={(event) => setCode(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" size="large" busy={busy}>
            Confirmar
          </Button>
        </>
      )}
      <Button variant="quiet" onClick={() => void signOut()}>
        Sair
      </Button>
      <p className="text-small text-muted">
        Perdeu o acesso a todos os fatores? Peça a um administrador da instalação para redefinir a sua conta.
      </p>
    </form>
  )
}
