import { type Experiment, formatDateTime, type RecordedAnalysis, TEST_NAMES } from '@ensaio/domain'
import { useState } from 'react'
import { call, open, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { useSetAddress } from '../../shell/address.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { downloadBlob } from '../../ui/download.ts'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Badge, Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { QUESTION_KEYS } from './question-keys.ts'

type Listed = Omit<RecordedAnalysis, 'analise'>
/** Every part of the question taken off the address. */
const NOTHING_ASKED = Object.fromEntries(QUESTION_KEYS.map((key) => [key, '']))

/** The analyses that were recorded, those that were withdrawn struck out. */
export function Records({ experiment, mayWithdraw }: { experiment: Experiment; mayWithdraw: boolean }) {
  const list = useEndpoint('listAnalyses', { params: { id: experiment.id } })
  const [withdrawn, setWithdrawn] = useState<Listed | null>(null)
  const write = useSetAddress({ replace: false })
  const registros = list.data?.registros ?? []
  if (registros.length === 0) return null
  const file = async (record: Listed, formato: 'pdf' | 'xlsx' | 'csv') => {
    try {
      const answer = await open(
        'analysisFile',
        { params: { id: experiment.id, aid: record.id }, query: { formato } },
        { timeoutMs: 60_000 },
      )
      downloadBlob(`${record.titulo || 'análise'}.${formato}`, await answer.blob())
    } catch (error) {
      toast.error('O arquivo não pôde ser baixado', reasonOf(error))
    }
  }
  return (
    <div className="no-print border-t border-line px-5 py-4">
      <h3 className="pb-2 font-semibold">Análises registradas</h3>
      <ul className="flex flex-col gap-2">
        {registros.map((record) => (
          <li
            key={record.id}
            className="flex flex-wrap items-center justify-between gap-2 rounded-md border border-line px-3 py-2"
          >
            <div className="min-w-0">
              <p className={record.retirada ? 'text-muted line-through' : 'font-medium'}>
                {record.titulo || record.variavel} · {TEST_NAMES[record.teste]}
              </p>
              <p className="figures text-small text-muted">
                {[record.quem, formatDateTime(record.quando)].filter(Boolean).join(' · ')}
                {record.ordem > 1 && ` · ${record.ordem}ª desta variável`}
              </p>
              {record.desatualizada && !record.retirada && (
                <Badge tone="warn">Os dados mudaram depois desta análise</Badge>
              )}
              {record.retirada && (
                <p className="text-small text-muted">
                  Retirada em {formatDateTime(record.retirada.quando)}
                  {record.retirada.motivo && `: ${record.retirada.motivo}`}
                </p>
              )}
            </div>
            <div className="flex flex-wrap gap-1">
              {(['pdf', 'xlsx', 'csv'] as const).map((formato) => (
                <Button key={formato} size="small" variant="quiet" onClick={() => void file(record, formato)}>
                  {formato.toUpperCase()}
                </Button>
              ))}
              {record.desatualizada && !record.retirada && (
                <Button
                  size="small"
                  variant="quiet"
                  onClick={() =>
                    write({
                      ...NOTHING_ASKED,
                      ...Object.fromEntries(
                        Object.entries(record.opcoes).map(([key, value]) => [key, String(value ?? '')]),
                      ),
                    })
                  }
                >
                  Analisar de novo
                </Button>
              )}
              {mayWithdraw && !record.retirada && (
                <Button size="small" variant="quiet" onClick={() => setWithdrawn(record)}>
                  Retirar
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {withdrawn && (
        <WithdrawDialog experiment={experiment} record={withdrawn} onClose={() => setWithdrawn(null)} />
      )}
    </div>
  )
}

function WithdrawDialog({
  experiment,
  record,
  onClose,
}: {
  experiment: Experiment
  record: Listed
  onClose: () => void
}) {
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const withdraw = async () => {
    setBusy(true)
    try {
      await call('withdrawAnalysis', {
        params: { id: experiment.id, aid: record.id },
        body: { motivo: reason },
      })
      toast.success('Análise retirada')
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'listAnalyses' })
      onClose()
    } catch (error) {
      setFailure(reasonOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Retirar análise"
      description="Ela continua na lista, riscada, com o motivo."
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="danger" busy={busy} onClick={() => void withdraw()}>
            Retirar
          </Button>
        </>
      }
    >
      {failure && <Banner tone="danger">{failure}</Banner>}
      <Field label="Motivo">
        {(control) => (
          <Input
            {...control}
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
