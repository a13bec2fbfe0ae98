import { deviceName, formatDateTime } from '@ensaio/domain'
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { ApiError, call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** Where one is signed in, each to be ended. */
export function Sessions() {
  const sessions = useEndpoint('listSessions', {}, { staleTime: 0 })
  const [ending, setEnding] = useState<string | null>(null)
  const end = async (id: string) => {
    setEnding(id)
    try {
      await call('revokeSession', { params: { id } })
      toast.success('Sessão encerrada')
      await sessions.refetch()
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : 'Erro do servidor. Tente novamente mais tarde.')
    } finally {
      setEnding(null)
    }
  }
  return (
    <Card>
      <CardHeader title="Sessões ativas" subtitle="Encerre as que você não reconhece." />
      {sessions.isPending ? (
        <Skeleton className="mx-5 mb-5 h-24" />
      ) : sessions.isError ? (
        <ErrorState message={sessions.error.message} onRetry={() => sessions.refetch()} />
      ) : (
        <ul className="flex flex-col gap-2 px-5 pb-6">
          {sessions.data.sessions.map((session) => (
            <li
              key={session.id}
              className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-2.5"
            >
              <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium" title={session.user_agent ?? undefined}>
                  {deviceName(session.user_agent)}
                </span>
                <span className="figures block text-small text-muted">
                  {session.ip ?? 'endereço desconhecido'} · vista em {formatDateTime(session.last_seen_at)}
                </span>
              </span>
              {session.current ? (
                <Badge tone="accent">Esta sessão</Badge>
              ) : (
                <Button size="small" busy={ending === session.id} onClick={() => end(session.id)}>
                  Encerrar
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
