import { counted, formatDateTime } from '@ensaio/domain'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** The phones that took trials to the field, each to be shut out when it is lost. */
export function Devices() {
  const devices = useEndpoint('listDevices', {}, { staleTime: 0 })
  const [lost, setLost] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const revoke = async (id: string) => {
    setBusy(true)
    try {
      await call('revokeDevice', { params: { id } })
      toast.success('Aparelho revogado')
      await devices.refetch()
    } catch (error) {
      toast.error(reasonOf(error))
    } finally {
      setBusy(false)
      setLost(null)
    }
  }
  return (
    <Card>
      <CardHeader title="Aparelhos" subtitle="Celulares com ensaios no campo. Revogue o que se perdeu." />
      {devices.isPending ? (
        <Skeleton className="mx-5 mb-5 h-24" />
      ) : devices.isError ? (
        <ErrorState message={devices.error.message} onRetry={() => devices.refetch()} />
      ) : devices.data.aparelhos.length === 0 ? (
        <p className="px-5 pb-6 text-small text-muted">
          Nenhum ensaio foi levado para o campo com esta conta.
        </p>
      ) : (
        <ul className="flex flex-col gap-2 px-5 pb-6">
          {devices.data.aparelhos.map(({ id, contato_em, ensaios, pendentes, revogado_em }) => (
            <li
              key={id}
              className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-2.5"
            >
              <Smartphone aria-hidden className="size-5 shrink-0 text-muted" />
              <span className="figures min-w-0 flex-1">
                <span className="block truncate font-medium">Aparelho {id.slice(-6).toUpperCase()}</span>
                <span className="block text-small text-muted">
                  último contato em {formatDateTime(contato_em)} · {counted(ensaios, 'ensaio', 'ensaios')} ·{' '}
                  {counted(pendentes, 'registro por enviar', 'registros por enviar')}
                </span>
              </span>
              {revogado_em ? (
                <Badge tone="danger">Revogado</Badge>
              ) : (
                <Button size="small" onClick={() => setLost(id)}>
                  Revogar aparelho
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={lost !== null}
        onCancel={() => setLost(null)}
        onConfirm={() => lost && void revoke(lost)}
        busy={busy}
        title="Revogar aparelho"
        message="No próximo contato, os ensaios e o que já foi enviado são apagados dele. O que não foi enviado fica fechado até você entrar de novo nele."
        confirmLabel="Revogar aparelho"
      />
    </Card>
  )
}
