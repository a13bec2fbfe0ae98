import { formatDateTime, ROLE_NAMES } from '@ensaio/domain'
import { Inbox } from 'lucide-react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'

export function RoleRequests() {
  const requests = useEndpoint('adminRoleRequests', {}, { staleTime: 0 })
  const decide = async (id: string, granted: boolean) => {
    await attempt(
      () => call('adminDecideRole', { params: { id }, body: { granted } }),
      granted ? 'Papel concedido' : 'Solicitação recusada',
    )
    await requests.refetch()
  }
  return (
    <Card>
      <CardHeader title="Solicitações de papel" subtitle="Pedidos feitos no cadastro ou no perfil" />
      {requests.isError ? (
        <ErrorState message={requests.error.message} onRetry={() => requests.refetch()} />
      ) : requests.isPending ? (
        <Skeleton className="mx-5 mb-5 h-32" />
      ) : requests.data.requests.length === 0 ? (
        <EmptyState icon={<Inbox aria-hidden />} title="Nenhuma solicitação à espera" />
      ) : (
        <ul className="flex flex-col">
          {requests.data.requests.map(({ id, role, created_at, user }) => (
            <li key={id} className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-3">
              <span className="min-w-0 flex-1">
                <span className="block font-medium">
                  {user.name} <span className="font-normal text-muted">pede para ser</span> {ROLE_NAMES[role]}
                </span>
                <span className="figures block text-small text-muted">
                  {user.email} · hoje {ROLE_NAMES[user.role]} · {formatDateTime(created_at)}
                </span>
              </span>
              <Button size="small" onClick={() => decide(id, false)}>
                Recusar
              </Button>
              <Button size="small" variant="primary" onClick={() => decide(id, true)}>
                Conceder
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
