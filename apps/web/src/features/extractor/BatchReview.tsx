import { Check, ChevronLeft, ChevronRight } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { late } from '../../shell/late.tsx'
import { useStable } from '../../shell/stable.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { withoutDoubtfulStatistics } from './reported-parts.ts'
import type { ReviewState } from './review-state.ts'
import { type Refusal, rememberLayout, saveReading } from './save-reading.ts'
import { findTwins, type Twins } from './twins.ts'
import { keyOf, type Ready } from './use-batch.ts'

const Review = late(async () => (await import('./Review.tsx')).Review)

type Props = {
  item: Ready
  position: string
  /** The field that it is opened for. */
  focus: string | null
  onState: (change: (before: ReviewState) => ReviewState) => void
  onTwins: (twins: Twins) => void
  onRefusal: (refusal: Refusal) => void
  onSaved: (experimentId: string) => void
  onSend: () => void
  onLearnt: (layout: readonly number[]) => void
  onForgotten: (layout: readonly number[]) => void
  onSkip: () => void
  onStep: (by: 1 | -1) => void
  onClose: () => void
}

/** One report of many: saved and on to the next by one click, or by Ctrl and Enter. */
export function BatchReview({
  item,
  position,
  focus,
  onState,
  onTwins,
  onRefusal,
  onSaved,
  onSend,
  onLearnt,
  onForgotten,
  onSkip,
  onStep,
  onClose,
}: Props) {
  const { result, review, twins, refusal } = item.state
  const [busy, setBusy] = useState(false)
  const [rereading, setRereading] = useState(false)
  const title = useRef<HTMLParagraphElement>(null)
  const tellTwins = useStable(onTwins)

  // One of the others may have been saved since this one was read.
  useEffect(() => {
    let gone = false
    void findTwins(item.file, result.data).then((found) => !gone && tellTwins(found))
    return () => {
      gone = true
    }
  }, [item.file, result.data, tellTwins])

  const save = async () => {
    if (busy || rereading) return
    setBusy(true)
    onSend()
    const outcome = await saveReading(item.file, withoutDoubtfulStatistics(review), keyOf(item))
    if ('sentence' in outcome) {
      setBusy(false)
      return onRefusal(outcome)
    }
    toast.success('Experimento criado com sucesso!')
    const layout = result.metadata.layout ?? []
    void rememberLayout(item.file, review, result, () => onForgotten(layout)).then(
      (id) => id && onLearnt(layout),
    )
    onSaved(outcome.id)
  }
  // The next report begins where the eye is, not where the last button was.
  useEffect(() => {
    if (!focus) title.current?.focus()
  }, [focus])
  const onKey = useStable((event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else if (event.altKey && event.code === 'KeyJ') onStep(1)
    else if (event.altKey && event.code === 'KeyK') onStep(-1)
    else return
    event.preventDefault()
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onKey])

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p ref={title} tabIndex={-1} className="truncate font-semibold outline-none">
            {item.file.name}
          </p>
          <p className="figures text-small text-muted">
            Relatório {position}
            <span className="hidden lg:inline">
              {' '}
              · Ctrl+Enter confirma, Alt+J e Alt+K trocam de relatório
            </span>
          </p>
        </div>
        <div className="flex items-center gap-1">
          <IconButton label="Relatório anterior" onClick={() => onStep(-1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label="Próximo relatório" onClick={() => onStep(1)}>
            <ChevronRight aria-hidden />
          </IconButton>
          <Button size="small" onClick={onClose}>
            Voltar à lista
          </Button>
        </div>
      </div>
      {[...twins.file, ...twins.trial].length > 0 && (
        <Banner tone="warn" title="Talvez já esteja cadastrado">
          <ul>
            {[...twins.file, ...twins.trial].map((twin) => (
              <li key={twin}>{twin}</li>
            ))}
          </ul>
        </Banner>
      )}
      {refusal && <Banner tone="danger">{refusal.sentence}</Banner>}
      <Suspense fallback={<Skeleton className="h-[60dvh]" />}>
        <Review
          file={item.file}
          result={result}
          state={review}
          onState={onState}
          focus={focus}
          onBusy={setRereading}
          errors={refusal?.errors ?? {}}
          actions={
            <>
              <Button onClick={onSkip}>Pular</Button>
              <Button
                variant="primary"
                busy={busy}
                disabled={rereading}
                icon={<Check aria-hidden className="size-4" />}
                onClick={() => void save()}
              >
                Confirmar e próximo
              </Button>
            </>
          }
        />
      </Suspense>
    </div>
  )
}
