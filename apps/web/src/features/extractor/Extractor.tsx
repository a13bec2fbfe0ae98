import {
  counted,
  EXTRACTION_HINT_MS,
  type ExtractionProgress,
  type FoundField,
  formatBytes,
  formatNumber,
} from '@ensaio/domain'
import { Suspense, useEffect, useRef, useState } from 'react'
import type { Location } from 'react-router'
import type { Handoff } from '../../shell/handoff.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { late } from '../../shell/late.tsx'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { SeveralReports } from '../../shell/SeveralReports.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Banner, Card, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { FoundFields } from './FoundFields.tsx'
import { useExtraction } from './use-extraction.ts'

const Review = late(async () => (await import('./Review.tsx')).Review)

type Props = { onConfirm: (handoff: Handoff) => void; onCancel?: () => void }

/** From the drop to the confirmed data: idle, processing, review. */
export function Extractor({ onConfirm, onCancel }: Props) {
  const { state, start, reset } = useExtraction(
    (sentence) => toast.error(sentence),
    ({ metadata }) =>
      toast.success(`Dados extraídos com ${formatNumber(metadata.confidence * 100, 0)}% de confiança`),
  )
  const corrected = useRef(false)
  const [dropping, setDropping] = useState(false)
  const drop = () => {
    corrected.current = false
    setDropping(false)
    reset()
  }
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
      <>
        <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
          <Review
            file={state.file}
            result={state.result}
            onCorrect={() => {
              corrected.current = true
            }}
            onConfirm={(result) => {
              corrected.current = false
              toast.success('Dados importados automaticamente!')
              onConfirm({ file: state.file, result })
            }}
            onCancel={() => {
              if (onCancel) onCancel()
              else if (corrected.current) setDropping(true)
              else drop()
            }}
          />
        </Suspense>
        <LeaveGuard {...LOSS} unsaved={() => corrected.current} leaves={elsewhere} />
        <ConfirmDialog {...LOSS} open={dropping} onCancel={() => setDropping(false)} onConfirm={drop} />
      </>
    )
  return (
    <div className="flex flex-col gap-4">
      {state.error && <Banner tone="danger">{state.error}</Banner>}
      <PdfDropZone onFiles={([file]) => file && void start(file)} severalAt={<SeveralReports />} />
      <p className="text-small text-muted">
        A leitura acontece neste servidor. Nada é salvo até você confirmar e salvar o experimento.
      </p>
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
