import { formatDate, ORGANIZATION_ROLE_NAMES, type OrganizationRole } from '@ensaio/domain'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { actFor } from '../../api/acting.ts'
import { type ApiError, call, reasonOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { paths } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { useTitle } from '../../shell/title.ts'
import { useLogout } from '../../shell/use-logout.ts'
import { Button, buttonClasses } from '../../ui/Button.tsx'
import { Banner, Card, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

interface Offered {
  organizacao: string
  papel: OrganizationRole
  email: string
  expira_em: string
}

/** What a mailed invitation offers, to be accepted by the address that it was sent to. */
export function InvitationPage() {
  useTitle('Convite')
  const { token = '' } = useParams()
  const [offered, setOffered] = useState<Offered | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    const leave = new AbortController()
    call('getInvitation', { params: { token } }, { signal: leave.signal }).then(
      ({ convite }) => setOffered(convite),
      (error: unknown) => leave.signal.aborted || setFailure(reasonOf(error)),
    )
    return () => leave.abort()
  }, [token])
  return (
    <main id="conteudo" className="page flex justify-center py-10 sm:py-16">
      <Card className="flex w-full max-w-md flex-col gap-6 self-start px-6 py-7 sm:px-8">
        <h1 className="text-display font-semibold">Convite</h1>
        {failure ? (
          <>
            <Banner tone="danger">{failure}</Banner>
            <Link to={paths.landing} className={buttonClasses()}>
              Ir para o início
            </Link>
          </>
        ) : offered ? (
          <Offer offered={offered} token={token} />
        ) : (
          <Skeleton className="h-48" />
        )}
      </Card>
    </main>
  )
}

function Offer({ offered, token }: { offered: Offered; token: string }) {
  const session = useSession()
  const { organizacao, papel, email, expira_em } = offered
  return (
    <>
      <p>
        Você foi convidado para <strong className="break-words">{organizacao}</strong>.
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <Fact name="Papel">{ORGANIZATION_ROLE_NAMES[papel]}</Fact>
        <Fact name="Email">{email}</Fact>
        <Fact name="Vale até">{formatDate(expira_em)}</Fact>
      </dl>
      {session.status === 'in' ? (
        <Answer token={token} person={session.user.id} />
      ) : session.status === 'out' ? (
        <Enter token={token} email={email} />
      ) : (
        <Skeleton className="h-10" />
      )}
    </>
  )
}

/** With the address filled in; the link itself proves it. */
function Enter({ token, email }: { token: string; email: string }) {
  const back = `${paths.invitation}/${token}`
  const search = new URLSearchParams({ email, voltar: back })
  const registering = new URLSearchParams({ email, convite: token })
  return (
    <div className="flex flex-wrap gap-2">
      <Link to={`${paths.login}?${search}`} className={buttonClasses('primary')}>
        Entrar
      </Link>
      <Link to={`${paths.register}?${registering}`} className={buttonClasses()}>
        Cadastrar
      </Link>
    </div>
  )
}

function Answer({ token, person }: { token: string; person: string }) {
  const navigate = useNavigate()
  const logout = useLogout()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<ApiError | null>(null)
  const answer = async (accepted: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      if (accepted) {
        const { organizacao } = await call('acceptInvitation', { params: { token } })
        actFor(person, organizacao.id)
        toast.success(`Agora você faz parte de ${organizacao.nome}`)
      } else {
        await call('declineInvitation', { params: { token } })
        toast.success('Convite recusado')
      }
      // What the pages know of the person's organisations is from before.
      queryClient.clear()
      navigate(paths.dashboard)
    } catch (error) {
      setFailure(error as ApiError)
      setBusy(false)
    }
  }
  const another = async () => {
    await logout()
    navigate(`${paths.invitation}/${token}`, { replace: true })
  }
  return (
    <div className="flex flex-col gap-4">
      {failure && <Banner tone="danger">{reasonOf(failure)}</Banner>}
      {failure?.code === 'invitation.other_address' ? (
        <Button onClick={another}>Sair e entrar com o outro email</Button>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" busy={busy} onClick={() => answer(true)}>
            Aceitar
          </Button>
          <Button disabled={busy} onClick={() => answer(false)}>
            Recusar
          </Button>
        </div>
      )}
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-small text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
