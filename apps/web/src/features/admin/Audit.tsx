import { AUDIT_ACTIONS, type AuditEntry, formatDateTime, ROLE_NAMES } from '@ensaio/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { actingKey } from '../../api/acting.ts'
import { type ApiError, call } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

/** Security events, the latest first; nothing in it can be changed. */
export function Audit() {
  const audit = useInfiniteQuery({
    queryKey: [actingKey(), 'adminAudit'],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('adminAudit', { query: { limit: 50, cursor: pageParam } }, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 0,
  })
  const events = audit.data?.pages.flatMap((page) => page.events) ?? []
  return (
    <Card>
      <CardHeader title="Auditoria" subtitle="Eventos de segurança" />
      {audit.isError ? (
        <ErrorState message={(audit.error as ApiError).message} onRetry={() => audit.refetch()} />
      ) : audit.isPending ? (
        <Skeleton className="mx-5 mb-5 h-64" />
      ) : events.length === 0 ? (
        <EmptyState title="Nenhum evento" />
      ) : (
        <Table label="Lista de acontecimentos">
          <thead>
            <tr>
              <Head>Quando</Head>
              <Head>Evento</Head>
              <Head>Quem</Head>
              <Head>Sobre quem</Head>
              <Head>Endereço</Head>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <Row key={event.id}>
                <Cell className="figures whitespace-nowrap">{formatDateTime(event.at)}</Cell>
                <Cell title={event.action}>{told(event)}</Cell>
                <Cell>{event.actor ?? '–'}</Cell>
                <Cell>{event.subject ?? '–'}</Cell>
                <Cell className="figures">{event.ip ?? '–'}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {audit.hasNextPage && (
        <div className="flex justify-center border-t border-line py-3">
          <Button busy={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            Mostrar mais
          </Button>
        </div>
      )}
    </Card>
  )
}

const ACTIONS = new Map<string, string>(Object.entries(AUDIT_ACTIONS))
const ROLES_BY_KEY = new Map<unknown, string>(Object.entries(ROLE_NAMES))

function told({ action, details }: AuditEntry): string {
  const name = ACTIONS.get(action) ?? action
  const role = ROLES_BY_KEY.get(details['role'])
  return role ? `${name}: ${role}` : name
}
