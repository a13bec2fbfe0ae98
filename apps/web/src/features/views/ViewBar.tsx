import { searchable, type View } from '@ensaio/domain'
import { BellPlus, Bookmark, BookmarkPlus, ChevronDown, RotateCcw, Save, Settings2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../api/client.ts'
import { useSource } from '../../api/source.ts'
import { attempt } from '../../shell/attempt.ts'
import { late } from '../../shell/late.tsx'
import { paths } from '../../shell/paths.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, SearchInput } from '../../ui/Input.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Badge } from '../../ui/Surface.tsx'
import { sameState, searchOf, stateOf, VIEW_PARAM } from './state.ts'
import { setDefaultView, useViews, viewsChanged } from './use-views.ts'

const AlertForm = late(async () => (await import('./AlertForm.tsx')).AlertForm, 'over')
const SaveView = late(async () => (await import('./SaveView.tsx')).SaveView, 'over')

/** From so many views on they are searched. */
const MANY = 10

/** Saved views beside the filters: open one, save what stands, and what has changed since one was opened. */
export function ViewBar() {
  const [search, setSearch] = useSearchParams()
  const views = useViews()
  const demo = useSource().name === 'demo'
  const [saving, setSaving] = useState(false)
  const [alerting, setAlerting] = useState(false)
  if (demo || !views.data) return null
  const { vistas, padrao } = views.data
  const current = vistas.find(({ id }) => id === search.get(VIEW_PARAM))
  const state = stateOf(search)
  const modified = current !== undefined && !sameState(current.estado, state)
  const open = (view: View) => setSearch(searchOf(view.estado, view.id))
  const save = async () => {
    if (!current) return
    const { id, nome, alcance } = current
    await attempt(
      () => call('changeView', { params: { id }, body: { nome, alcance, estado: state } }),
      'Vista alterada',
    )
    await viewsChanged()
  }
  return (
    <span className="no-print flex flex-wrap items-center gap-1">
      <ViewList views={vistas} current={current} onOpen={open} />
      {(!current || modified) && (
        <Button
          size="small"
          variant="quiet"
          icon={<BookmarkPlus aria-hidden className="size-4" />}
          onClick={() => setSaving(true)}
        >
          {current ? 'Salvar como' : 'Salvar vista'}
        </Button>
      )}
      {current && modified && (
        <>
          {current.pode_alterar && (
            <Button
              size="small"
              variant="quiet"
              icon={<Save aria-hidden className="size-4" />}
              onClick={() => void save()}
            >
              Salvar
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            icon={<RotateCcw aria-hidden className="size-4" />}
            onClick={() => open(current)}
          >
            Descartar
          </Button>
          <Badge tone="warn">Modificada</Badge>
        </>
      )}
      {current && !modified && (
        <>
          <Button
            size="small"
            variant="quiet"
            icon={<BellPlus aria-hidden className="size-4" />}
            onClick={() => setAlerting(true)}
          >
            Avisar
            <span className="sr-only"> quando um novo ensaio passar por este filtro</span>
          </Button>
          <Checkbox
            label="Abrir o dashboard com esta vista"
            checked={padrao === current.id}
            onChange={(event) => void setDefaultView(event.target.checked ? current : null)}
          />
        </>
      )}
      <Suspense>
        {saving && (
          <SaveView
            state={state}
            onClose={() => setSaving(false)}
            onSaved={(view) => setSearch(searchOf(view.estado, view.id), { replace: true })}
          />
        )}
        {alerting && current && <AlertForm view={current} onClose={() => setAlerting(false)} />}
      </Suspense>
    </span>
  )
}

function ViewList({
  views,
  current,
  onOpen,
}: {
  views: readonly View[]
  current: View | undefined
  onOpen: (view: View) => void
}) {
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const found = views.filter(({ nome }) => searchable(nome).includes(searchable(typed)))
  const groups = [
    { title: 'Só para mim', views: found.filter(({ alcance }) => alcance === 'pessoal') },
    { title: 'Da organização', views: found.filter(({ alcance }) => alcance === 'organizacao') },
  ]
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Vistas salvas"
      trigger={
        <Button
          size="small"
          variant="quiet"
          icon={<Bookmark aria-hidden className="size-4" />}
          className="max-w-64"
        >
          <span className="truncate">{current ? current.nome : 'Vistas'}</span>
          <ChevronDown aria-hidden className="size-4 shrink-0" />
        </Button>
      }
    >
      {views.length >= MANY && (
        <SearchInput className="m-1" label="Buscar vista" value={typed} onValue={setTyped} />
      )}
      {found.length === 0 && (
        <p className="px-3 py-2 text-small text-muted">
          {views.length === 0 ? 'Nenhuma vista salva ainda.' : 'Nenhuma vista com este nome.'}
        </p>
      )}
      {groups.map(
        ({ title, views: own }) =>
          own.length > 0 && (
            <div key={title}>
              <p className="px-3 pt-2 pb-1 text-small text-muted">{title}</p>
              <ul>
                {own.map((view) => (
                  <li key={view.id}>
                    <button
                      type="button"
                      aria-current={view.id === current?.id || undefined}
                      className="flex min-h-10 w-full items-center rounded-md px-3 text-left break-words hover:bg-sunken aria-[current]:font-semibold"
                      onClick={() => {
                        setOpen(false)
                        onOpen(view)
                      }}
                    >
                      {view.nome}
                    </button>
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
      <div className="mt-1 border-t border-line pt-1">
        <button
          type="button"
          className="flex min-h-10 w-full items-center gap-2.5 rounded-md px-3 text-left hover:bg-sunken"
          onClick={() => navigate(paths.views)}
        >
          <Settings2 aria-hidden className="size-4 text-muted" />
          Vistas e avisos
        </button>
      </div>
    </Popover>
  )
}
