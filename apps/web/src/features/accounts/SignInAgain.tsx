import { type FormEvent, useState } from 'react'
import { auth, authErrorSentence, signOut } from '../../api/auth-client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, PasswordInput } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'

/** Asks for the password over the page that is open, which stays as it was. */
export function SignInAgain({ email }: { email: string }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    // The page below has forms of its own.
    event.stopPropagation()
    if (!password) return setError('Por favor, preencha todos os campos')
    setBusy(true)
    setError(null)
    const { error: failure } = await auth.signInWithPassword({ email, password })
    setBusy(false)
    if (failure) setError(authErrorSentence(failure, 'Erro ao fazer login. Tente novamente.'))
    else void queryClient.invalidateQueries()
  }
  return (
    <Dialog
      open
      onClose={() => undefined}
      title="Sua sessão expirou"
      description="Entre de novo para continuar de onde parou. Nada do que está na tela foi perdido."
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        {error && <Banner tone="danger">{error}</Banner>}
        <Field label="Email">
          {(control) => (
            <Input {...control} type="email" name="email" autoComplete="username" readOnly value={email} />
          )}
        </Field>
        <Field label="Senha">
          {(control) => (
            <PasswordInput
              {...control}
              autoFocus
              name="password"
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            onClick={async () => {
              await signOut().catch(() => undefined)
              location.assign('/')
            }}
          >
            Sair
          </Button>
          <Button type="submit" variant="primary" busy={busy}>
            Entrar
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
