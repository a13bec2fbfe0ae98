import { counted, formatNumber, LAYOUT_ALIKE, likeness } from '@ensaio/domain'
import { RotateCcw } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Banner, Card, CardHeader } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { InboxRow } from './InboxRow.tsx'
import { withoutDoubtfulStatistics } from './reported-parts.ts'
import { isChanged } from './review-state.ts'
import { SharedFixes } from './SharedFixes.tsx'
import { saveReading } from './save-reading.ts'
import { findTwins, NO_TWINS } from './twins.ts'
import {
  BATCH_MAX_FILES,
  type Group,
  groupOf,
  type InReview,
  isReady,
  keyOf,
  type useBatch,
} from './use-batch.ts'

type Batch = ReturnType<typeof useBatch>
type Props = {
  batch: Batch
  /** Layouts that were put right and kept while this list is open. */
  learnt: readonly (readonly number[])[]
  onOpen: (id: string, path?: string) => void
}

const GROUPS: readonly (readonly [Group, string, string])[] = [
  ['reading', 'Em leitura', 'Lidos em fila; você pode ir conferindo os que já estão prontos.'],
  ['failed', 'Não lidos', 'O motivo está ao lado; tente de novo ou tire da lista.'],
  ['ready', 'Prontos', 'Completos, lidos com segurança e ainda não cadastrados.'],
  ['incomplete', 'Falta completar', 'Falta um dado obrigatório que o relatório não traz.'],
  ['check', 'Conferir', 'Há valores duvidosos, ou o documento merece um olhar.'],
  ['saved', 'Salvos', 'Já estão no dashboard, cada um com o seu PDF.'],
  ['skipped', 'Pulados', 'Ficam aqui até você retomar ou tirar da lista.'],
]
const UNDO_MS = 8_000

/** The reports at hand, by what each still needs. */
export function Inbox({ batch, learnt, onOpen }: Props) {
  const { items, add, put, set, remove, lasts, current } = batch
  const [clearing, setClearing] = useState(false)
  const [saving, setSaving] = useState<{ done: number; of: number } | null>(null)
  const groups = Map.groupBy(items, groupOf)
  const clean = (groups.get('ready') ?? []).filter(isReady)
  const unsaved = items.filter(({ state }) => state.phase === 'ready' || state.phase === 'skipped')
  const working = items.some(({ state }) => state.phase === 'waiting' || state.phase === 'reading')
  const first = items.find(isReady)
  const alike = items
    .filter(isReady)
    .filter(
      ({ state }) =>
        !isChanged(state.review) &&
        state.result.metadata.template === undefined &&
        learnt.some((layout) => likeness(layout, state.result.metadata.layout ?? []) >= LAYOUT_ALIKE),
    )

  const saveClean = async () => {
    let saved = 0
    for (const [at, { id }] of clean.entries()) {
      setSaving({ done: at, of: clean.length })
      const item = current(id)
      if (!item || !isReady(item) || groupOf(item) !== 'ready') continue
      // One of the list may be another's twin; what was sent before finds itself, and is answered as then.
      const twins = item.state.sent ? NO_TWINS : await findTwins(item.file, item.state.review.data)
      const change = (to: Partial<InReview>) =>
        set(id, (before) => (before.phase === 'ready' ? { ...before, ...to } : before))
      change({ twins, sent: twins.file.length === 0 })
      if (twins.file.length > 0) continue
      const outcome = await saveReading(item.file, withoutDoubtfulStatistics(item.state.review), keyOf(item))
      if ('sentence' in outcome) change({ refusal: outcome })
      else {
        saved += 1
        set(id, { phase: 'saved', experimentId: outcome.id })
      }
    }
    setSaving(null)
    if (saved > 0) toast.success(counted(saved, 'experimento salvo', 'experimentos salvos'))
    if (saved < clean.length)
      toast.error(
        counted(clean.length - saved, 'relatório não foi salvo', 'relatórios não foram salvos'),
        'Veja o motivo na lista',
      )
  }

  return (
    <div className="flex flex-col gap-4">
      <PdfDropZone maxFiles={BATCH_MAX_FILES} onFiles={add} />
      <p className="text-small text-muted">
        {lasts
          ? 'A lista fica guardada neste navegador por 30 dias, com os arquivos, até você salvar ou limpar.'
          : 'Este navegador não guarda a lista: ela se perde quando a página é fechada.'}
      </p>
      {items.length > 0 && (
        <Card>
          <CardHeader
            title={counted(items.length, 'relatório', 'relatórios')}
            subtitle={`${counted(groups.get('saved')?.length ?? 0, 'salvo', 'salvos')} · leitura ${working ? 'em andamento' : 'concluída'}`}
            actions={
              <>
                <Button
                  size="small"
                  disabled={saving !== null}
                  onClick={() => (unsaved.length > 0 ? setClearing(true) : remove(items.map(({ id }) => id)))}
                >
                  {working ? 'Cancelar tudo' : 'Limpar lista'}
                </Button>
                <Button
                  size="small"
                  disabled={!first || saving !== null}
                  onClick={() => first && onOpen(first.id)}
                >
                  Revisar
                </Button>
                {clean.length > 0 && (
                  <Button
                    size="small"
                    variant="primary"
                    busy={saving !== null}
                    onClick={() => void saveClean()}
                  >
                    {saving
                      ? `Salvando ${saving.done + 1} de ${saving.of}`
                      : clean.length === 1
                        ? 'Salvar o relatório pronto'
                        : `Salvar os ${formatNumber(clean.length, 0)} prontos`}
                  </Button>
                )}
              </>
            }
          />
          {alike.length > 0 && (
            <Banner
              tone="info"
              className="mx-5 mb-3"
              title={`${counted(alike.length, 'relatório tem', 'relatórios têm')} o layout que você corrigiu`}
              action={
                <Button
                  size="small"
                  disabled={saving !== null}
                  icon={<RotateCcw aria-hidden className="size-4" />}
                  onClick={() => {
                    for (const { id } of alike) set(id, { phase: 'waiting' })
                  }}
                >
                  Ler de novo
                </Button>
              }
            >
              Ao ler de novo, o que você corrigiu lá já vem certo aqui. O que você confirmou não muda.
            </Banner>
          )}
          <div role="group" aria-label="Relatórios por situação" onKeyDown={stepByKeys}>
            {GROUPS.map(([group, title, lead]) => {
              const own = groups.get(group)
              if (!own) return null
              return (
                <section key={group} aria-label={title} className="border-t border-line">
                  <header className="bg-sunken/60 px-5 py-2">
                    <h3 className="figures text-small font-semibold">
                      {title} <span className="font-normal text-muted">({own.length})</span>
                    </h3>
                    <p className="text-small text-muted">{lead}</p>
                  </header>
                  {group === 'incomplete' && (
                    <SharedFixes
                      items={own.filter(isReady)}
                      onFill={(ids, change) => {
                        for (const id of ids)
                          set(id, (before) =>
                            before.phase === 'ready' ? { ...before, review: change(before.review) } : before,
                          )
                      }}
                    />
                  )}
                  <ul>
                    {own.map((item) => (
                      <InboxRow
                        key={item.id}
                        item={item}
                        busy={saving !== null}
                        onOpen={(path) => onOpen(item.id, path)}
                        onRead={() => set(item.id, { phase: 'waiting' })}
                        onResume={() =>
                          set(item.id, (before) =>
                            before.phase === 'skipped' ? { ...before, phase: 'ready' } : before,
                          )
                        }
                        onRemove={() => {
                          remove([item.id])
                          toast.success('Relatório tirado da lista', {
                            label: 'Desfazer',
                            run: () =>
                              put(
                                item.state.phase === 'reading'
                                  ? { ...item, state: { phase: 'waiting' } }
                                  : item,
                              ),
                            forMs: UNDO_MS,
                          })
                        }}
                      />
                    ))}
                  </ul>
                </section>
              )
            })}
          </div>
          <p className="hidden border-t border-line px-5 py-2 text-small text-muted lg:block">
            Na lista: J e K vão ao próximo e ao anterior, Enter abre.
          </p>
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
          remove(items.map(({ id }) => id))
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

/** J and K among the reports, while the list has the focus. */
function stepByKeys(event: KeyboardEvent<HTMLElement>): void {
  const by = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0
  const from = event.target
  if (by === 0 || event.ctrlKey || event.altKey || event.metaKey) return
  if (!(from instanceof HTMLElement) || from.closest('input, select, textarea')) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-open]')]
  const row = from.closest('li')
  const at = stops.findIndex((stop) => stop.closest('li') === row)
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus()
  event.preventDefault()
}
