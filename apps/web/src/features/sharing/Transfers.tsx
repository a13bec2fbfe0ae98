import { counted, formatDate, type Transfer } from '@ensaio/domain'
import { ArrowLeftRight } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'

const STATES: Readonly<Record<Transfer['estado'], string>> = {
  pendente: 'Aguarda resposta',
  aceita: 'Aceita',
  recusada: 'Encerrada',
  vencida: 'Vencida',
}

/** Trials that change hands for good. */
export function Transfers() {
  const transfers = useEndpoint('listTransfers', {}, { staleTime: 0 })
  const [busy, setBusy] = useState<string | null>(null)
  const act = async (id: string, work: () => Promise<unknown>, success: string) => {
    setBusy(id)
    await attempt(work, success)
    await Promise.all([transfers.refetch(), experimentsChanged()])
    setBusy(null)
  }
  return (
    <Card>
      <CardHeader
        title="Transferências"
        subtitle="Quem aceita passa a ser dono dos experimentos; a oferta vale por 14 dias."
      />
      {transfers.isError ? (
        <ErrorState message={transfers.error.message} onRetry={() => transfers.refetch()} />
      ) : transfers.isPending ? (
        <Skeleton className="mx-5 mb-5 h-40" />
      ) : transfers.data.transferencias.length === 0 ? (
        <EmptyState icon={<ArrowLeftRight aria-hidden />} title="Nenhuma transferência">
          Marque experimentos na lista do dashboard e escolha “Transferir”.
        </EmptyState>
      ) : (
        <ul>
          {transfers.data.transferencias.map(({ id, direcao, estado, n, organizacao, expira_em }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3"
            >
              <span className="min-w-56 flex-1">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  <span className="figures">{counted(n, 'experimento', 'experimentos')}</span>
                  <Badge tone={estado === 'pendente' ? 'warn' : 'plain'}>{STATES[estado]}</Badge>
                </span>
                <span className="block text-small break-words text-muted">
                  {direcao === 'enviada' ? 'para' : 'de'} {organizacao.nome}
                  {estado === 'pendente' && ` · vale até ${formatDate(expira_em)}`}
                </span>
              </span>
              {estado === 'pendente' && (
                <span className="flex flex-wrap gap-2">
                  <Button
                    size="small"
                    disabled={busy !== null}
                    onClick={() =>
                      act(id, () => call('removeTransfer', { params: { id } }), 'Transferência encerrada')
                    }
                  >
                    {direcao === 'enviada' ? 'Retirar' : 'Recusar'}
                  </Button>
                  {direcao === 'recebida' && (
                    <Button
                      size="small"
                      variant="primary"
                      busy={busy === id}
                      onClick={() =>
                        act(
                          id,
                          () => call('acceptTransfer', { params: { id } }),
                          'Transferência aceita: os experimentos são desta organização',
                        )
                      }
                    >
                      Aceitar
                    </Button>
                  )}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
