import { counted } from '@ensaio/domain'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'

/** One organisation for everybody, or several that do not see each other. */
export function Mode() {
  const installation = useEndpoint('getInstallation', {}, { staleTime: 0 })
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const now = installation.data?.instalacao
  const several = now?.organizacoes === 'varias'
  const choose = async () => {
    setBusy(true)
    await attempt(
      () => call('setInstallation', { body: { organizacoes: several ? 'uma' : 'varias' } }),
      'Alteração salva',
    )
    setBusy(false)
    setAsking(false)
    // What everybody sees is another from now on.
    await queryClient.resetQueries()
  }
  return (
    <Card>
      <CardHeader
        title="Várias organizações"
        subtitle={several ? 'Cada organização vê somente o que é seu e o que recebe.' : 'Todos veem tudo.'}
      />
      {installation.isError ? (
        <ErrorState message={installation.error.message} onRetry={() => installation.refetch()} />
      ) : now ? (
        <div className="flex flex-col items-start gap-3 px-5 pb-5">
          {several ? (
            <>
              <p className="figures">{counted(now.total, 'organização', 'organizações')}</p>
              <Button onClick={() => setAsking(true)}>Voltar a uma só organização</Button>
            </>
          ) : (
            <Button variant="primary" onClick={() => setAsking(true)}>
              Permitir várias organizações
            </Button>
          )}
          <ConfirmDialog
            open={asking}
            title={several ? 'Voltar a uma só organização?' : 'Permitir várias organizações?'}
            message={
              several
                ? 'Todas as contas voltam a ver todos os experimentos. Só é possível enquanto uma só organização tem experimentos.'
                : `Cada organização passa a ver somente os próprios experimentos e os que receber. As contas que já existem continuam na organização “${now.nome}”.`
            }
            confirmLabel={several ? 'Voltar' : 'Permitir'}
            busy={busy}
            onCancel={() => setAsking(false)}
            onConfirm={choose}
          />
        </div>
      ) : (
        <Skeleton className="mx-5 mb-5 h-16" />
      )}
    </Card>
  )
}
