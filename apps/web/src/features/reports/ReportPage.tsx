import { useState } from 'react'
import { useParams } from 'react-router'
import { reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Card, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { saveReport } from './ManyReport.tsx'

/** A consolidated report that a letter told of. */
export function ReportPage() {
  useTitle('Relatório consolidado')
  const { id = '' } = useParams()
  const query = useEndpoint('getReport', { params: { id } }, { ofServer: true })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const report = query.data?.relatorio
  const save = async () => {
    if (!report) return
    setBusy(true)
    setFailure(null)
    try {
      await saveReport(report)
    } catch (error) {
      setFailure(reasonOf(error, 'O relatório não pôde ser baixado'))
    }
    setBusy(false)
  }
  return (
    <div className="page flex max-w-xl flex-col gap-4 py-12">
      <h1 className="text-display font-semibold">Relatório consolidado</h1>
      {query.isError ? (
        <Card>
          <ErrorState message={query.error.message} onRetry={() => query.refetch()} />
        </Card>
      ) : !report ? (
        <Skeleton className="h-32" />
      ) : (
        <Card className="flex flex-col items-start gap-4 p-5">
          {report.estado === 'pronto' ? (
            <>
              <p>O relatório está pronto e fica guardado por 7 dias.</p>
              <Button variant="primary" busy={busy} onClick={() => void save()}>
                Baixar
              </Button>
            </>
          ) : (
            <p>
              {report.estado === 'fazendo'
                ? 'O relatório ainda está sendo feito.'
                : 'O relatório não pôde ser feito. Peça-o de novo no dashboard.'}
            </p>
          )}
          {failure && (
            <Banner tone="danger" className="w-full">
              {failure}
            </Banner>
          )}
        </Card>
      )}
    </div>
  )
}
