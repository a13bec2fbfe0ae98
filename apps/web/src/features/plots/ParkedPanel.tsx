import { counted, type ParkedChange, whenSaid } from '@ensaio/domain'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, CardHeader, ErrorState } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { PlaceDialog } from './PlaceDialog.tsx'
import { fitsSomewhere, parkedTitle } from './parked.ts'

/** What came from the field for plots, variables or dates that are gone: an editor says what becomes of each. */
export function ParkedPanel({ id }: { id: string }) {
  const query = useEndpoint('parkedFieldChanges', { params: { id } })
  const [placing, setPlacing] = useState<ParkedChange | null>(null)
  const [leaving, setLeaving] = useState<ParkedChange | null>(null)
  const [busy, setBusy] = useState(false)
  if (query.isError)
    return (
      <ErrorState message={`Registros sem lugar: ${query.error.message}`} onRetry={() => query.refetch()} />
    )
  const parked = query.data?.registros ?? []
  if (parked.length === 0) return null

  const settled = async (sentence: string) => {
    setPlacing(null)
    setLeaving(null)
    toast.success(sentence)
    await Promise.all([query.refetch(), experimentsChanged()])
  }
  const discard = async ({ id: change }: ParkedChange) => {
    setBusy(true)
    try {
      await call('settleFieldChange', { params: { id, change }, body: { acao: 'descartar' } })
      await settled('Registro descartado')
    } catch (error) {
      toast.error('O registro não foi descartado', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Card className="no-print">
      <CardHeader
        title="Registros sem lugar"
        subtitle={`${counted(parked.length, 'registro do campo espera', 'registros do campo esperam')} uma decisão. Nada ${parked.length === 1 ? 'dele' : 'deles'} se perdeu.`}
      />
      <ul className="divide-y divide-line border-t border-line">
        {parked.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4">
            <div className="figures min-w-0 flex-1 basis-64">
              <p className="font-medium break-words">{parkedTitle(one)}</p>
              <p className="text-small text-muted">
                {one.nome ?? one.quem ?? 'Alguém'} · {whenSaid(one)}
              </p>
              {one.razao && <p className="text-small text-muted">{one.razao}.</p>}
            </div>
            <div className="flex flex-wrap gap-2">
              {fitsSomewhere(one) && <Button onClick={() => setPlacing(one)}>Colocar em…</Button>}
              <Button variant="quiet" onClick={() => setLeaving(one)}>
                Descartar
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {placing && (
        <PlaceDialog id={id} parked={placing} onClose={() => setPlacing(null)} onPlaced={settled} />
      )}
      <ConfirmDialog
        open={leaving !== null}
        title="Descartar o registro?"
        message="Ele não entra em nenhuma parcela. O histórico do ensaio continua com ele."
        confirmLabel="Descartar"
        busy={busy}
        onCancel={() => setLeaving(null)}
        onConfirm={() => leaving && void discard(leaving)}
      >
        {leaving && <p className="figures font-medium break-words">{parkedTitle(leaving)}</p>}
      </ConfirmDialog>
    </Card>
  )
}
