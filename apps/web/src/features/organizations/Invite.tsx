import { formatDate, ORGANIZATION_ROLE_NAMES, type Organization, type OrganizationRole } from '@ensaio/domain'
import { type FormEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { CopyOnce } from '../../shell/CopyOnce.tsx'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** What a gestor may make of others is less than what they are. */
const GIVEN: Readonly<Record<'dono' | 'gestor', readonly OrganizationRole[]>> = {
  dono: ['pesquisador', 'leitor', 'gestor', 'dono'],
  gestor: ['pesquisador', 'leitor'],
}
const WHAT: Readonly<Record<OrganizationRole, string>> = {
  dono: 'Pode tudo, também mudar papéis, transferir experimentos e fechar a organização.',
  gestor: 'Altera qualquer experimento, compartilha e convida.',
  pesquisador: 'Registra experimentos e altera os próprios.',
  leitor: 'Lê tudo e não altera nada.',
}

export function Invite({ organization: { id, papel } }: { organization: Organization }) {
  const waiting = useEndpoint('listInvitations', { params: { id } }, { staleTime: 0 })
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<OrganizationRole>('pesquisador')
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const [link, setLink] = useState<{ url: string; email: string } | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setProblems({})
    setLink(null)
    try {
      const { message, convite } = await call('invite', {
        params: { id },
        body: { email: email.trim(), papel: role },
      })
      toast.success(message)
      setEmail('')
      if (convite.url) setLink({ url: convite.url, email: convite.email })
      await waiting.refetch()
    } catch (error) {
      setProblems(problemsOf(error))
    }
    setBusy(false)
  }
  const revoke = async (invitation: string) => {
    await attempt(() => call('revokeInvitation', { params: { id, invitation } }), 'Convite revogado')
    await waiting.refetch()
  }
  const open = waiting.data?.convites ?? []
  return (
    <Card>
      <CardHeader title="Convidar" subtitle="O convite vale por 7 dias e uma vez." />
      <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-5 pb-5">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
          <Field label="Email" required error={problems['email']}>
            {(control) => (
              <Input
                {...control}
                type="email"
                name="convidado"
                autoComplete="off"
                placeholder="voce@empresa.com.br"
                value={email}
                onChange={(event) => setEmail(event.target.value)}
              />
            )}
          </Field>
          <Field label="Papel" error={problems['papel']}>
            {(control) => (
              <Select
                {...control}
                name="papel"
                options={GIVEN[papel === 'dono' ? 'dono' : 'gestor'].map((value) => ({
                  value,
                  label: ORGANIZATION_ROLE_NAMES[value],
                }))}
                value={role}
                onChange={(event) => setRole(event.target.value as OrganizationRole)}
              />
            )}
          </Field>
        </div>
        <p className="text-small text-muted">{WHAT[role]}</p>
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            Enviar convite
          </Button>
        </div>
        {link && (
          <CopyOnce url={link.url} label="Link do convite">
            Copie o link e envie a {link.email}.
          </CopyOnce>
        )}
      </form>
      {waiting.isError ? (
        <ErrorState message={waiting.error.message} onRetry={() => waiting.refetch()} />
      ) : waiting.isPending ? (
        <Skeleton className="mx-5 mb-5 h-12" />
      ) : (
        open.length > 0 && (
          <section aria-labelledby="convites-abertos" className="border-t border-line">
            <h3 id="convites-abertos" className="px-5 pt-4 pb-2 font-semibold">
              Convites em aberto
            </h3>
            <ul>
              {open.map((invitation) => (
                <li
                  key={invitation.id}
                  className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3"
                >
                  <span className="min-w-40 flex-1">
                    <span className="block font-medium break-words">{invitation.email}</span>
                    <span className="block text-small text-muted">
                      {ORGANIZATION_ROLE_NAMES[invitation.papel]} · vale até{' '}
                      {formatDate(invitation.expira_em)}
                    </span>
                  </span>
                  <Button size="small" onClick={() => revoke(invitation.id)}>
                    Revogar
                    <span className="sr-only">{invitation.email}</span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )
      )}
    </Card>
  )
}
