import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { loadAuth, loadAuthAhead } from '../../api/auth.ts'
import { paths } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner } from '../../ui/Surface.tsx'
import { textLink } from './AccountPage.tsx'

const FAILED = 'Não foi possível enviar o link. Tente novamente.'

/** Said on top of the page that a used or expired link of a letter leads to, with a way to a new one. */
export function DeadLink() {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!email.includes('@')) return setError('Por favor, insira um email válido')
    setError(null)
    setState('busy')
    try {
      const { auth, authErrorSentence } = await loadAuth()
      const { error: failure } = await auth.resend({ type: 'signup', email: email.trim() })
      setError(failure ? authErrorSentence(failure, FAILED) : null)
      setState(failure ? 'idle' : 'sent')
    } catch {
      setError(FAILED)
      setState('idle')
    }
  }
  return (
    <section aria-label="Link inválido" className="page pt-6">
      <Banner tone="warn" title="Este link já foi usado ou expirou">
        <p>
          Se a sua conta já foi confirmada,{' '}
          <Link to={paths.login} className={textLink}>
            entre com a sua senha
          </Link>
          . Se a esqueceu,{' '}
          <Link to={paths.forgotPassword} className={textLink}>
            peça um link para definir outra
          </Link>
          . Para confirmar o seu email, peça aqui um link novo.
        </p>
        {state === 'sent' ? (
          <p className="mt-2 font-medium">
            Se há uma conta à espera de confirmação com este email, um novo link está a caminho.
          </p>
        ) : (
          <form
            noValidate
            onSubmit={submit}
            onInput={loadAuthAhead}
            className="mt-3 flex max-w-md flex-wrap items-end gap-2"
          >
            <Field label="Email da conta" error={error ?? undefined} className="min-w-48 flex-1">
              {(control) => (
                <Input
                  {...control}
                  type="email"
                  autoComplete="email"
                  value={email}
                  onChange={(event) => setEmail(event.target.value)}
                />
              )}
            </Field>
            <Button type="submit" busy={state === 'busy'}>
              Enviar novo link
            </Button>
          </form>
        )}
      </Banner>
    </section>
  )
}
