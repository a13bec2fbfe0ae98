import { useEffect, useState } from 'react'
import { filesForInbox } from '../../shell/handoff.ts'
import { LeaveGuard } from '../../shell/LeaveGuard.tsx'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { BatchReview } from './BatchReview.tsx'
import { Inbox } from './Inbox.tsx'
import { isReady, useBatch } from './use-batch.ts'

const UNDO_MS = 8_000

/** Many reports: all are read in a queue; the clean ones are saved at once, the others looked at one by one. */
export function Batch() {
  const { keeper, formerKeeper } = useActingFor()
  const create = useMay()('experiment.create')
  const batch = useBatch(keeper, formerKeeper)
  const { items, set, add, lasts, loaded, mine } = batch
  const [openId, setOpenId] = useState<string | null>(null)
  const [focus, setFocus] = useState<string | null>(null)
  const [learnt, setLearnt] = useState<readonly (readonly number[])[]>([])
  const open = items.find(({ id }) => id === openId)
  const reviewable = items.filter(isReady)
  const unsaved = items.filter(({ state }) => ['waiting', 'reading', 'ready'].includes(state.phase)).length

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the kept list is there
  useEffect(() => {
    if (!loaded || !mine) return
    const files = filesForInbox()
    if (files.length > 0) add(files)
  }, [loaded])

  const step = (from: string, by: 1 | -1): string | null => {
    const at = reviewable.findIndex(({ id }) => id === from)
    return reviewable[at + by]?.id ?? null
  }
  /** The next that is not saved yet, from this one on and then from the top. */
  const after = (id: string): string | null =>
    step(id, 1) ?? reviewable.find((item) => item.id !== id)?.id ?? null

  const goTo = (id: string | null) => {
    setFocus(null)
    setOpenId(id)
  }
  const skip = (id: string) => {
    const next = after(id)
    set(id, (before) => (before.phase === 'ready' ? { ...before, phase: 'skipped' } : before))
    goTo(next)
    toast.success('Relatório pulado', {
      label: 'Desfazer',
      run: () => set(id, (before) => (before.phase === 'skipped' ? { ...before, phase: 'ready' } : before)),
      forMs: UNDO_MS,
    })
  }

  if (!mine)
    return (
      <Banner tone="info" title="A lista está aberta em outra aba">
        Continue lá, ou feche aquela aba e recarregue esta página.
      </Banner>
    )
  if (!loaded) return <Skeleton className="h-64" />
  return (
    <>
      {!create.allowed && <Banner tone="info">{create.reason}.</Banner>}
      {open && isReady(open) ? (
        <BatchReview
          key={open.id}
          item={open}
          position={`${items.indexOf(open) + 1} de ${items.length}`}
          focus={focus}
          onState={(change) =>
            set(open.id, (before) =>
              before.phase === 'ready'
                ? { ...before, review: change(before.review), refusal: undefined }
                : before,
            )
          }
          onTwins={(twins) =>
            set(open.id, (before) => (before.phase === 'ready' ? { ...before, twins } : before))
          }
          onRefusal={(refusal) =>
            set(open.id, (before) => (before.phase === 'ready' ? { ...before, refusal } : before))
          }
          onSaved={(experimentId) => {
            const next = after(open.id)
            set(open.id, { phase: 'saved', experimentId })
            goTo(next)
          }}
          onSend={() =>
            set(open.id, (before) => (before.phase === 'ready' ? { ...before, sent: true } : before))
          }
          onLearnt={(layout) => setLearnt((before) => [...before, layout])}
          onForgotten={(layout) => setLearnt((before) => before.filter((known) => known !== layout))}
          onSkip={() => skip(open.id)}
          onStep={(by) => {
            const to = step(open.id, by)
            if (to) goTo(to)
          }}
          onClose={() => setOpenId(null)}
        />
      ) : (
        <Inbox
          batch={batch}
          learnt={learnt}
          onOpen={(id, path) => {
            setFocus(path ?? null)
            setOpenId(id)
          }}
        />
      )}
      <LeaveGuard
        unsaved={() => unsaved > 0 && !lasts}
        leaves={(from, to) => from.pathname !== to.pathname || from.search !== to.search}
        title="Sair do lote?"
        message="Este navegador não guarda a lista: ao sair, o que foi lido e as suas correções são perdidos."
        confirmLabel="Sair do lote"
      />
    </>
  )
}
