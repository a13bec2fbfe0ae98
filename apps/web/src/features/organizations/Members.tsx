import {
  formatDate,
  type Member,
  ORGANIZATION_ROLE_NAMES,
  ORGANIZATION_ROLES,
  type Organization,
  type OrganizationRole,
} from '@ensaio/domain'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { actFor } from '../../api/acting.ts'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { attempt } from '../../shell/attempt.ts'
import { WhereOpen } from '../../shell/ClosedNotice.tsx'
import { paths } from '../../shell/paths.ts'
import { useUser } from '../../shell/session.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Invite } from './Invite.tsx'

/** Who is in the organisation, as what; invitations that wait. */
export function Members({ organization }: { organization: Organization }) {
  const { id, papel } = organization
  const user = useUser()
  const members = useEndpoint('listMembers', { params: { id } }, { staleTime: 0 })
  const [leaving, setLeaving] = useState<Member | null>(null)
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()
  const change = async (person: string, next: OrganizationRole) => {
    await attempt(
      () => call('changeMember', { params: { id, person }, body: { papel: next } }),
      'Papel alterado',
    )
    await members.refetch()
    await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listOrganizations' })
  }
  const remove = async () => {
    if (!leaving) return
    setBusy(true)
    const own = leaving.id === user.id
    const done = await attempt(
      () => call('removeMember', { params: { id, person: leaving.id } }),
      own ? `Você saiu de ${organization.nome}` : 'Membro removido',
    )
    setBusy(false)
    setLeaving(null)
    if (done && own) {
      // Nothing that was read in its name stays.
      actFor(user.id, null)
      queryClient.clear()
      navigate(paths.dashboard)
    } else await members.refetch()
  }
  return (
    <div className="flex flex-col gap-6">
      <Card>
        <CardHeader
          title="Membros"
          subtitle="Todos veem os experimentos da organização; o papel diz o que cada um pode alterar."
        />
        {members.isError ? (
          <ErrorState message={members.error.message} onRetry={() => members.refetch()} />
        ) : members.isPending ? (
          <Skeleton className="mx-5 mb-5 h-40" />
        ) : (
          <ul>
            {members.data.membros.map((member) => (
              <li
                key={member.id}
                className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3"
              >
                <span className="min-w-40 flex-1">
                  <span className="flex flex-wrap items-center gap-2 font-medium">
                    <span className="min-w-0 break-words">{member.name}</span>
                    {member.id === user.id && <Badge tone="accent">Você</Badge>}
                    {member.bloqueado && <Badge>Conta bloqueada</Badge>}
                  </span>
                  <span className="block text-small break-words text-muted">
                    {member.email} · desde {formatDate(member.desde)}
                  </span>
                </span>
                <WhereOpen>
                  <RoleOf member={member} papel={papel} onChange={(next) => change(member.id, next)} />
                </WhereOpen>
                {(member.id === user.id || mayRemove(papel, member.papel)) && (
                  <Button size="small" onClick={() => setLeaving(member)}>
                    {member.id === user.id ? 'Sair' : 'Remover'}
                    <span className="sr-only">{member.name}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {(papel === 'dono' || papel === 'gestor') && organization.tipo !== 'pessoal' && (
        <WhereOpen>
          <Invite organization={organization} />
        </WhereOpen>
      )}
      <ConfirmDialog
        open={leaving !== null}
        title={leaving?.id === user.id ? 'Sair da organização?' : 'Remover este membro?'}
        message={
          leaving?.id === user.id
            ? 'Você deixa de ver os experimentos dela agora. O que você registrou fica com a organização.'
            : 'A pessoa deixa de ver os experimentos agora. O que ela registrou fica com a organização.'
        }
        confirmLabel={leaving?.id === user.id ? 'Sair' : 'Remover'}
        busy={busy}
        onCancel={() => setLeaving(null)}
        onConfirm={remove}
      >
        <p className="rounded-md bg-sunken px-3 py-2 text-small break-words">
          {leaving?.id === user.id ? organization.nome : leaving?.name}
        </p>
      </ConfirmDialog>
    </div>
  )
}

const mayRemove = (papel: OrganizationRole, of: OrganizationRole): boolean =>
  papel === 'dono' || (papel === 'gestor' && (of === 'pesquisador' || of === 'leitor'))

type RoleProps = {
  member: Member
  /** Of who looks. */
  papel: OrganizationRole
  onChange: (papel: OrganizationRole) => Promise<void>
}

function RoleOf({ member, papel, onChange }: RoleProps) {
  const [busy, setBusy] = useState(false)
  if (papel !== 'dono')
    return (
      <span title="Só o dono pode fazer isto" className="text-muted">
        {ORGANIZATION_ROLE_NAMES[member.papel]}
      </span>
    )
  return (
    <Select
      aria-label={`Papel de ${member.name}`}
      className="!w-40"
      disabled={busy}
      value={member.papel}
      options={ORGANIZATION_ROLES.map((value) => ({ value, label: ORGANIZATION_ROLE_NAMES[value] }))}
      onChange={async (event) => {
        setBusy(true)
        await onChange(event.target.value as OrganizationRole)
        setBusy(false)
      }}
    />
  )
}
