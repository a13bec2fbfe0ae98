import {
  completenessOf,
  counted,
  EXTRACTION_HINT_MS,
  type ExtractionProgress,
  type ExtractionResult,
  type FoundField,
  formatBytes,
  formatNumber,
} from '@ensaio/domain'
import { Check, Save } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Location } from 'react-router'
import { createRequestKey } from '../../api/request-key.ts'
import type { Handoff } from '../../shell/handoff.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { late } from '../../shell/late.tsx'
import { useMay } from '../../shell/organization.tsx'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { SeveralReports } from '../../shell/SeveralReports.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Banner, Card, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { FoundFields } from './FoundFields.tsx'
import { withoutDoubtfulStatistics } from './reported-parts.ts'
import { confirmed, isChanged, type ReviewState } from './review-state.ts'
import { type Refusal, rememberLayout, saveReading } from './save-reading.ts'
import { useExtraction } from './use-extraction.ts'

const Review = late(async () => (await import('./Review.tsx')).Review)

type Props = {
  onConfirm: (handoff: Handoff) => void
  /** The experiment was saved without the wizard. */
  onSaved: () => void
  onCancel?: () => void
}

/** From the drop to the confirmed data: idle, processing, review. */
export function Extractor({ onConfirm, onSaved, onCancel }: Props) {
  const create = useMay()('experiment.create')
  const { state, start, reset } = useExtraction(
    (sentence) => toast.error(sentence),
    ({ metadata }) =>
      toast.success(`Dados extraídos com ${formatNumber(metadata.confidence * 100, 0)}% de confiança`),
  )
  if (state.phase === 'processing')
    return (
      <Processing
        file={state.file}
        startedAt={state.startedAt}
        progress={state.progress}
        found={state.found}
        onCancel={reset}
      />
    )
  if (state.phase === 'review')
    return (
      <Reviewing
        {...state}
        onConfirm={onConfirm}
        onSaved={onSaved}
        onDrop={reset}
        {...(onCancel ? { onCancel } : {})}
      />
    )
  return (
    <div className="flex flex-col gap-4">
      {!create.allowed && <Banner tone="info">{create.reason}.</Banner>}
      {state.error && <Banner tone="danger">{state.error}</Banner>}
      <PdfDropZone
        onFiles={([file]) => file && void start(file)}
        severalAt={(files) => <SeveralReports files={files} />}
      />
      <p className="text-small text-muted">
        A leitura acontece neste servidor. Nada é salvo até você confirmar e salvar o experimento.
      </p>
    </div>
  )
}

type ReviewingProps = Props & {
  file: File
  result: ExtractionResult
  review: ReviewState
  onDrop: () => void
}

/** One report: confirmed into the wizard, or saved as it is. */
function Reviewing({ file, result, review, onConfirm, onSaved, onCancel, onDrop }: ReviewingProps) {
  const [state, setState] = useState(review)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const [rereading, setRereading] = useState(false)
  const [dropping, setDropping] = useState(false)
  const left = useRef(false)
  const [keyFor] = useState(createRequestKey)
  const create = useMay()('experiment.create')
  const refused = create.allowed ? undefined : create.reason
  const complete = completenessOf(state.data).problems.length === 0

  const save = async () => {
    setBusy(true)
    const outcome = await saveReading(file, withoutDoubtfulStatistics(state), keyFor)
    setBusy(false)
    if ('sentence' in outcome) return setRefusal(outcome)
    left.current = true
    toast.success('Experimento criado com sucesso!')
    void rememberLayout(file, state, result)
    onSaved()
  }
  return (
    <div className="flex flex-col gap-4">
      {refusal && <Banner tone="danger">{refusal.sentence}</Banner>}
      <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
        <Review
          file={file}
          result={result}
          state={state}
          onState={setState}
          errors={refusal?.errors ?? {}}
          onBusy={setRereading}
          actions={
            <>
              <Button
                onClick={() => {
                  if (onCancel) onCancel()
                  else if (isChanged(state)) setDropping(true)
                  else onDrop()
                }}
              >
                Cancelar
              </Button>
              <Button
                variant={complete ? 'secondary' : 'primary'}
                icon={<Check aria-hidden className="size-4" />}
                disabled={busy || rereading || !create.allowed}
                title={refused}
                onClick={() => {
                  left.current = true
                  toast.success('Dados importados automaticamente!')
                  void rememberLayout(file, state, result)
                  onConfirm({ file, result: confirmed(state, result) })
                }}
              >
                Confirmar Dados
              </Button>
              <Button
                variant={complete ? 'primary' : 'secondary'}
                busy={busy}
                disabled={rereading || !create.allowed}
                title={refused}
                icon={<Save aria-hidden className="size-4" />}
                onClick={() => void save()}
              >
                {busy ? 'Salvando...' : 'Salvar Experimento'}
              </Button>
            </>
          }
        />
      </Suspense>
      <LeaveGuard {...LOSS} unsaved={() => isChanged(state) && !left.current} leaves={elsewhere} />
      <ConfirmDialog {...LOSS} open={dropping} onCancel={() => setDropping(false)} onConfirm={onDrop} />
    </div>
  )
}

const LOSS = {
  title: 'Descartar as correções?',
  message: 'O relatório lido e o que você corrigiu nele são perdidos.',
  confirmLabel: 'Descartar',
}
const elsewhere = (from: Location, to: Location) => from.pathname !== to.pathname || from.search !== to.search

const STAGES: Readonly<Record<ExtractionProgress['stage'], string>> = {
  queued: 'Na fila',
  read: 'Lendo as páginas',
  ocr: 'Reconhecendo o texto digitalizado',
  layout: 'Entendendo a disposição da página',
  tables: 'Montando as tabelas',
  fields: 'Reconhecendo os campos',
}

type ProcessingProps = {
  file: File
  startedAt: number
  progress: ExtractionProgress | null
  found: ReadonlyMap<string, FoundField>
  onCancel: () => void
}

function Processing({ file, startedAt, progress, found, onCancel }: ProcessingProps) {
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const elapsedMs = Math.max(0, now - startedAt)
  const pages = progress?.page && progress.pages ? ` · página ${progress.page} de ${progress.pages}` : ''
  return (
    <Card className="flex flex-col items-center gap-4 px-6 py-10 text-center">
      <progress
        aria-label="Andamento da leitura"
        className="progress h-1.5 w-full max-w-sm"
        {...(progress?.page && progress.pages ? { value: progress.page, max: progress.pages } : {})}
      />
      <div>
        <p className="font-semibold" aria-live="polite">
          {progress ? STAGES[progress.stage] : 'Enviando o arquivo'}
          {progress?.ahead ? ` · ${counted(progress.ahead, 'relatório', 'relatórios')} na frente` : ''}
          {pages}
        </p>
        <p className="text-small text-muted">
          {file.name} · {formatBytes(file.size)}
        </p>
      </div>
      <p className="figures text-small text-muted">
        {counted(Math.floor(elapsedMs / 1000), 'segundo', 'segundos')}
      </p>
      <FoundFields found={found} />
      {elapsedMs >= EXTRACTION_HINT_MS && (
        <Banner tone="info">A extração pode levar até 3 minutos. Você pode aguardar nesta tela.</Banner>
      )}
      <Button onClick={onCancel}>Cancelar</Button>
    </Card>
  )
}
