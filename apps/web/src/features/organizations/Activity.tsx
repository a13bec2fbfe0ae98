import {
  ACTIVITY,
  type ActivityEntry,
  counted,
  formatDateTime,
  formatDay,
  ORGANIZATION_ROLE_NAMES,
  type OrganizationRole,
} from '@ensaio/domain'
import { useInfiniteQuery } from '@tanstack/react-query'
import { actingKey } from '../../api/acting.ts'
import { type ApiError, call } from '../../api/client.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

/** Who joined, what was shared, opened and ended, the latest first; nothing in it can be changed. */
export function Activity({ id }: { id: string }) {
  const activity = useInfiniteQuery({
    queryKey: [actingKey(), 'organizationAudit', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      call('organizationAudit', { params: { id }, query: { limit: 50, cursor: pageParam } }, { signal }),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    staleTime: 0,
  })
  const events = activity.data?.pages.flatMap((page) => page.eventos) ?? []
  return (
    <Card>
      <CardHeader title="Atividade" subtitle="Quem entrou, o que foi aberto a outros e o que se encerrou" />
      {activity.isError ? (
        <ErrorState message={(activity.error as ApiError).message} onRetry={() => activity.refetch()} />
      ) : activity.isPending ? (
        <Skeleton className="mx-5 mb-5 h-64" />
      ) : events.length === 0 ? (
        <EmptyState title="Nada aconteceu ainda" />
      ) : (
        <Table label="Atividade da organização">
          <thead>
            <tr>
              <Head>Quando</Head>
              <Head>O quê</Head>
              <Head>Quem</Head>
              <Head>Sobre</Head>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <Row key={event.id}>
                <Cell className="figures whitespace-nowrap">{formatDateTime(event.quando)}</Cell>
                <Cell>{ACTIONS.get(event.acao) ?? event.acao}</Cell>
                <Cell>{event.quem ?? '–'}</Cell>
                <Cell>{about(event) || '–'}</Cell>
              </Row>
            ))}
          </tbody>
        </Table>
      )}
      {activity.hasNextPage && (
        <div className="flex justify-center border-t border-line py-3">
          <Button busy={activity.isFetchingNextPage} onClick={() => activity.fetchNextPage()}>
            Mostrar mais
          </Button>
        </div>
      )}
    </Card>
  )
}

const ACTIONS = new Map<string, string>(Object.entries(ACTIVITY))

/** What is known of it: a name, a role, how many trials. */
function about({ detalhes }: ActivityEntry): string {
  const text = (key: string) => (typeof detalhes[key] === 'string' ? (detalhes[key] as string) : '')
  const role = ORGANIZATION_ROLE_NAMES[(text('papel') || text('para')) as OrganizationRole]
  const n = detalhes['n']
  return [
    text('sobre'),
    role,
    typeof n === 'number' ? counted(n, 'experimento', 'experimentos') : '',
    text('ate') && `até ${formatDay(text('ate'))}`,
  ]
    .filter(Boolean)
    .join(' · ')
}
