import {
  counted,
  draftOfExtraction,
  ExperimentInput,
  type ExtractionResult,
  fieldProblems,
  formatBytes,
  formatNumber,
} from '@ensaio/domain'
import { CircleAlert, CircleCheck, Clock, FileText, LoaderCircle, RotateCcw } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { ApiError, call, reasonOf } from '../../api/client.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { late } from '../../shell/late.tsx'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Banner, Card, CardHeader, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import type { Corrections } from './Review.tsx'
import { findTwins } from './twins.ts'
import { BATCH_MAX_FILES, type BatchItem, useBatch } from './use-batch.ts'

const Review = late(async () => (await import('./Review.tsx')).Review)

/** Many reports: all are read in a queue, and reviewed and saved one after the other. */
export function Batch() {
  const batch = useBatch()
  const { items } = batch
  const unsaved = items.filter(({ state }) => state.phase === 'ready').length
  const open = items.filter(({ state }) => ['waiting', 'reading', 'ready'].includes(state.phase)).length
  return (
    <>
      <Inbox batch={batch} />
      <LeaveGuard
        unsaved={() => open > 0}
        leaves={(from, to) => from.pathname !== to.pathname || from.search !== to.search}
        title="Sair do lote?"
        message={`${unsaved > 0 ? `${counted(unsaved, 'relatório lido ainda não foi salvo', 'relatórios lidos ainda não foram salvos')}` : 'A leitura ainda não terminou'}. Ao sair, a lista e as suas correções são perdidas.`}
        confirmLabel="Sair do lote"
      />
    </>
  )
}

function Inbox({ batch: { items, add, set, clear } }: { batch: ReturnType<typeof useBatch> }) {
  const [openId, setOpenId] = useState<number | null>(null)
  const [corrections, setCorrections] = useState<ReadonlyMap<number, Corrections>>(new Map())
  const open = items.find(({ id, state }) => id === openId && state.phase === 'ready')
  const next = (after: number | null) =>
    items.find(({ id, state }) => id !== after && state.phase === 'ready')?.id ?? null
  const done = items.filter(({ state }) => state.phase === 'saved').length
  const working = items.some(({ state }) => state.phase === 'waiting' || state.phase === 'reading')
  const [clearing, setClearing] = useState(false)
  const unsaved = items.filter(({ state }) => state.phase === 'ready')

  if (open && open.state.phase === 'ready') {
    return (
      <BatchReview
        key={open.id}
        item={open}
        result={open.state.result}
        corrections={corrections.get(open.id)}
        onCorrect={(made) => setCorrections((before) => new Map(before).set(open.id, made))}
        position={`${items.indexOf(open) + 1} de ${items.length}`}
        onSaved={(experimentId) => {
          set(open.id, { phase: 'saved', experimentId })
          setOpenId(next(open.id))
        }}
        onSkip={() => {
          set(open.id, { phase: 'skipped' })
          setOpenId(next(open.id))
        }}
        onClose={() => setOpenId(null)}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <PdfDropZone maxFiles={BATCH_MAX_FILES} onFiles={add} />
      {items.length > 0 && (
        <Card>
          <CardHeader
            title={counted(items.length, 'relatório', 'relatórios')}
            subtitle={`${formatNumber(done, 0)} salvos · leitura ${working ? 'em andamento' : 'concluída'}`}
            actions={
              <>
                <Button size="small" onClick={() => (unsaved.length > 0 ? setClearing(true) : clear())}>
                  {working ? 'Cancelar tudo' : 'Limpar lista'}
                </Button>
                <Button
                  size="small"
                  variant="primary"
                  disabled={next(null) === null}
                  onClick={() => setOpenId(next(null))}
                >
                  Revisar
                </Button>
              </>
            }
          />
          <ul>
            {items.map((item) => (
              <li
                key={item.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-t border-line px-5 py-2.5"
              >
                <FileText aria-hidden className="size-5 shrink-0 text-muted" />
                <span className="min-w-40 flex-1">
                  <span className="block truncate font-medium">{item.file.name}</span>
                  <span className="figures text-small text-muted">{formatBytes(item.file.size)}</span>
                </span>
                <Status item={item} corrected={corrections.get(item.id)?.paths.size ?? 0} />
                {item.state.phase === 'ready' && (
                  <Button size="small" onClick={() => setOpenId(item.id)}>
                    Revisar este
                  </Button>
                )}
                {item.state.phase === 'failed' && (
                  <IconButton
                    label={`Ler de novo ${item.file.name}`}
                    onClick={() => set(item.id, { phase: 'waiting' })}
                  >
                    <RotateCcw aria-hidden />
                  </IconButton>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <ConfirmDialog
        open={clearing}
        title={working ? 'Cancelar tudo?' : 'Limpar a lista?'}
        message={`${counted(unsaved.length, 'relatório lido ainda não foi salvo', 'relatórios lidos ainda não foram salvos')}: os dados lidos e as suas correções são perdidos.`}
        confirmLabel={working ? 'Cancelar tudo' : 'Limpar lista'}
        onCancel={() => setClearing(false)}
        onConfirm={() => {
          setClearing(false)
          clear()
        }}
      >
        <ul className="max-h-40 overflow-auto rounded-md bg-sunken px-3 py-2 text-small">
          {unsaved.map(({ id, file }) => (
            <li key={id} className="truncate">
              {file.name}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </div>
  )
}

const STAGES = {
  queued: 'na fila',
  read: 'lendo',
  ocr: 'reconhecendo texto',
  layout: 'entendendo a página',
  tables: 'montando tabelas',
  fields: 'reconhecendo campos',
} as const

function Status({ item: { state }, corrected }: { item: BatchItem; corrected: number }) {
  const line = (icon: ReactNode, text: string, colour: string) => (
    <span className={classes('figures flex items-center gap-1.5 text-small [&>svg]:size-4', colour)}>
      {icon}
      {text}
    </span>
  )
  switch (state.phase) {
    case 'waiting':
      return line(<Clock aria-hidden />, 'na fila', 'text-muted')
    case 'reading': {
      const { progress, found } = state
      const page = progress?.page && progress.pages ? ` ${progress.page}/${progress.pages}` : ''
      const ahead = progress?.ahead ? `, ${progress.ahead} na frente` : ''
      return line(
        <LoaderCircle aria-hidden className="animate-spin" />,
        `${progress ? STAGES[progress.stage] : 'enviando'}${page}${ahead}${found > 0 ? ` · ${counted(found, 'campo', 'campos')}` : ''}`,
        'text-info',
      )
    }
    case 'ready':
      if (state.result.metadata.held)
        return line(<CircleAlert aria-hidden />, 'não parece ser um único ensaio', 'text-warn')
      return line(
        <CircleCheck aria-hidden />,
        `lido, ${formatNumber(state.result.metadata.confidence * 100, 0)}% de confiança${corrected > 0 ? ` · ${counted(corrected, 'campo corrigido', 'campos corrigidos')}` : ''}`,
        'text-ok',
      )
    case 'failed':
      return line(<CircleAlert aria-hidden />, state.message, 'text-danger')
    case 'saved':
      return line(<CircleCheck aria-hidden />, 'salvo', 'text-ok')
    case 'skipped':
      return line(<Clock aria-hidden />, 'pulado', 'text-muted')
  }
}

type ReviewProps = {
  item: BatchItem
  result: ExtractionResult
  corrections: Corrections | undefined
  onCorrect: (corrections: Corrections) => void
  position: string
  onSaved: (experimentId: string) => void
  onSkip: () => void
  onClose: () => void
}

function BatchReview({
  item,
  result,
  corrections,
  onCorrect,
  position,
  onSaved,
  onSkip,
  onClose,
}: ReviewProps) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState<string | null>(null)
  const [twins, setTwins] = useState<string[]>([])
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    let gone = false
    void findTwins(item.file, result.data).then((found) => !gone && setTwins(found))
    return () => {
      gone = true
    }
  }, [item.file, result.data])

  const save = async (confirmed: ExtractionResult) => {
    setFailure(null)
    const parsed = ExperimentInput.safeParse(draftOfExtraction(confirmed.data))
    if (!parsed.success) {
      const problems = fieldProblems(parsed.error)
      setErrors(Object.fromEntries(problems.map(({ path, message }) => [bracketed(path), message])))
      setFailure(`Falta completar: ${[...new Set(problems.map(({ message }) => message))].join('; ')}.`)
      return
    }
    setErrors({})
    setBusy(true)
    try {
      const form = new FormData()
      const dados = JSON.stringify(parsed.data)
      form.append('dados', dados)
      form.append('pdf', item.file, item.file.name)
      const { experimento } = await call(
        'createExperiment',
        {},
        { form, headers: { 'idempotency-key': item.keyFor(dados) }, timeoutMs: 120_000 },
      )
      toast.success('Experimento criado com sucesso!')
      void experimentsChanged()
      onSaved(experimento.id)
    } catch (error) {
      const refused = error instanceof ApiError ? error.fields : []
      setErrors(Object.fromEntries(refused.map(({ path, message }) => [bracketed(path), message])))
      setFailure(`Erro ao salvar experimento. Tente novamente. ${reasonOf(error, '')}`)
      setBusy(false)
    }
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="block truncate font-semibold">{item.file.name}</span>
          <span className="figures text-small text-muted">Relatório {position}</span>
        </p>
        <Button size="small" onClick={onClose}>
          Voltar à lista
        </Button>
      </div>
      {twins.length > 0 && (
        <Banner tone="warn" title="Talvez já esteja cadastrado">
          <ul>
            {twins.map((twin) => (
              <li key={twin}>{twin}</li>
            ))}
          </ul>
        </Banner>
      )}
      {failure && <Banner tone="danger">{failure}</Banner>}
      <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
        <Review
          file={item.file}
          result={result}
          errors={errors}
          corrections={corrections}
          onCorrect={onCorrect}
          busy={busy}
          confirmLabel="Confirmar e próximo"
          cancelLabel="Pular"
          onConfirm={(confirmed) => void save(confirmed)}
          onCancel={onSkip}
        />
      </Suspense>
    </div>
  )
}

/** 'tratamentos.1.nome' as the evidence names it, 'tratamentos[1].nome'. */
const bracketed = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
