import { AuthorizationRequest, type Organization } from '@ensaio/domain'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Input.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { AccountPage } from './AccountPage.tsx'
import { SecondFactorPage } from './SecondFactor.tsx'
import { SignIn } from './SignIn.tsx'

const ALLOWS = ['Ler ensaios e parcelas', 'Gravar valores e fotos']

type Looked = { asked: AuthorizationRequest; name: string; mustSignIn: boolean } | { refusal: string }

async function look(search: URLSearchParams): Promise<Looked> {
  const { data: asked } = AuthorizationRequest.safeParse(Object.fromEntries(search))
  if (!asked) return { refusal: 'Este aplicativo não está autorizado.' }
  try {
    const { aplicativo, entrar } = await call('lookAtApplication', { query: asked })
    return { asked, name: aplicativo, mustSignIn: entrar }
  } catch (error) {
    return { refusal: reasonOf(error) }
  }
}

/** Where another application sends a person to be let in: they sign in, and say whether it may. */
export function AllowApplication() {
  useTitle('Acesso de aplicativo')
  const [search] = useSearchParams()
  const [looked, setLooked] = useState<Looked | null>(null)
  const [signedIn, setSignedIn] = useState(false)
  const session = useSession()
  useEffect(() => {
    let gone = false
    void look(search).then((found) => !gone && setLooked(found))
    return () => {
      gone = true
    }
  }, [search])

  if (!looked || session.status === 'loading')
    return (
      <AccountPage title="Acesso de aplicativo" subtitle="Um momento…">
        <Skeleton className="h-40" />
      </AccountPage>
    )
  if ('refusal' in looked)
    return (
      <AccountPage title="A entrada não foi aberta" subtitle={looked.refusal}>
        <p className="text-small text-muted">Volte ao aplicativo e tente de novo.</p>
      </AccountPage>
    )
  if (!signedIn && (session.status === 'out' || looked.mustSignIn))
    return (
      <SignIn
        title="Entrar"
        subtitle={`Para usar o ${looked.name} com os seus ensaios.`}
        email={session.status === 'in' ? session.user.email : ''}
        done={false}
        onDone={() => setSignedIn(true)}
      />
    )
  if (session.status === 'out') return null
  if (session.needsSecondFactor) return <SecondFactorPage />
  return (
    <Consent
      {...looked}
      person={session.user.id}
      email={session.user.email}
      onSignIn={() => {
        setSignedIn(false)
        setLooked({ ...looked, mustSignIn: true })
      }}
    />
  )
}

function Consent({
  asked,
  name,
  person,
  email,
  onSignIn,
}: {
  asked: AuthorizationRequest
  name: string
  person: string
  email: string
  onSignIn: () => void
}) {
  const [organizations, setOrganizations] = useState<readonly Organization[] | null>(null)
  const [chosen, setChosen] = useState('')
  const [busy, setBusy] = useState<'yes' | 'no' | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [left, setLeft] = useState<{ to: string; allowed: boolean } | null>(null)

  useEffect(() => {
    let gone = false
    const find = async () => {
      const { organizacoes: mode } = await call('settings', {})
      if (mode !== 'varias') return { organizacoes: [], ativa: '' }
      return call('listOrganizations', {})
    }
    find().then(
      ({ organizacoes, ativa }) => {
        if (gone) return
        setOrganizations(organizacoes)
        setChosen(ativa)
      },
      (reason: unknown) => !gone && setError(reasonOf(reason)),
    )
    return () => {
      gone = true
    }
  }, [])

  const answer = async (allowed: boolean) => {
    setBusy(allowed ? 'yes' : 'no')
    setError(null)
    try {
      const { destino } = await call(
        'answerApplication',
        { body: { pedido: asked, permitir: allowed } },
        { acting: chosen === '' ? null : { person, organization: chosen } },
      )
      setLeft({ to: destino, allowed })
      // A form's answer could not lead there: the page's policy lets forms go to this site alone.
      location.assign(destino)
    } catch (reason) {
      if (reason instanceof ApiError && reason.code === 'application.sign_in') onSignIn()
      else setError(reasonOf(reason))
      setBusy(null)
    }
  }

  if (left)
    return (
      <AccountPage
        title={left.allowed ? 'Acesso permitido' : 'Acesso recusado'}
        subtitle={
          left.allowed
            ? `Volte ao ${name} para continuar. O caminho de volta vale por 1 minuto.`
            : `O ${name} não abre os seus ensaios.`
        }
      >
        <a href={left.to} className={buttonClasses('primary', 'large')}>
          Voltar ao {name}
        </a>
      </AccountPage>
    )
  return (
    <AccountPage title={`Permitir que o ${name} use seus ensaios?`} subtitle={email}>
      {error && <Banner tone="danger">{error}</Banner>}
      {organizations === null ? (
        <Skeleton className="h-24" />
      ) : (
        organizations.length > 0 && (
          <Field label="Em nome de">
            {(control) => (
              <Select
                {...control}
                value={chosen}
                onChange={(event) => setChosen(event.target.value)}
                options={organizations.map(({ id, nome }) => ({ value: id, label: nome }))}
              />
            )}
          </Field>
        )
      )}
      <div className="flex flex-col gap-2">
        <p className="text-small text-muted" id="permite">
          O que ele poderá fazer
        </p>
        <ul className="flex flex-col gap-1.5" aria-labelledby="permite">
          {ALLOWS.map((one) => (
            <li key={one} className="flex items-center gap-2.5">
              <Check aria-hidden className="size-4 shrink-0 text-accent" />
              {one}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col gap-3">
        <div className="grid grid-cols-2 gap-3">
          <Button size="large" busy={busy === 'no'} disabled={busy !== null} onClick={() => answer(false)}>
            Recusar
          </Button>
          <Button
            variant="primary"
            size="large"
            busy={busy === 'yes'}
            disabled={busy !== null || organizations === null}
            onClick={() => answer(true)}
          >
            Permitir
          </Button>
        </div>
        <Button variant="quiet" disabled={busy !== null} onClick={onSignIn}>
          Entrar com outra conta
        </Button>
      </div>
    </AccountPage>
  )
}
