import { formatDateTime } from '@ensaio/domain'
import { RotateCcw } from 'lucide-react'
import { call } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'

/** Experiments deleted within the last thirty days. */
export function Deleted() {
  const deleted = useEndpoint('listDeletedExperiments', {}, { staleTime: 0 })
  const restore = async (id: string) => {
    await attempt(() => call('restoreExperiment', { params: { id } }), 'Experimento restaurado')
    await Promise.all([deleted.refetch(), experimentsChanged()])
  }
  return (
    <Card>
      <CardHeader title="Experimentos excluídos" subtitle="Podem ser restaurados por 30 dias" />
      {deleted.isError ? (
        <ErrorState message={deleted.error.message} onRetry={() => deleted.refetch()} />
      ) : deleted.isPending ? (
        <Skeleton className="mx-5 mb-5 h-32" />
      ) : deleted.data.experimentos.length === 0 ? (
        <EmptyState icon={<RotateCcw aria-hidden />} title="Nenhum experimento excluído" />
      ) : (
        <ul>
          {deleted.data.experimentos.map((experiment) => (
            <li
              key={experiment.id}
              className="flex flex-wrap items-center gap-3 border-t border-line px-5 py-3"
            >
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{experiment.nome}</span>
                <span className="figures block text-small text-muted">
                  excluído por {experiment.deleted_by_name ?? 'conta excluída'} em{' '}
                  {formatDateTime(experiment.deleted_at)}
                </span>
              </span>
              <Button size="small" onClick={() => restore(experiment.id)}>
                Restaurar
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
