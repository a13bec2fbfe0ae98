import {
  ALERT_FREQUENCY_NAMES,
  type Alert,
  conditionText,
  formatDate,
  MOST_ALERTS,
  type View,
} from '@ensaio/domain'
import { BellPlus, BellRing, Bookmark, Pause, Pencil, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Checkbox } from '../../ui/Input.tsx'
import { Badge, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { AlertForm } from './AlertForm.tsx'
import { SaveView } from './SaveView.tsx'
import { alertsChanged, setDefaultView, useViews, viewsChanged } from './use-views.ts'

type Open =
  | { kind: 'rename' | 'remove' | 'alert'; view: View }
  | { kind: 'change' | 'end'; alert: Alert }
  | null

/** Saved views, and alerts on them. */
export function ViewsPage() {
  useTitle('Vistas e avisos')
  const views = useViews()
  const alerts = useEndpoint('listAlerts', {}, { ofServer: true })
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <div className="page flex max-w-4xl flex-col gap-6 py-8">
      <header>
        <h1 className="text-display font-semibold">Vistas e avisos</h1>
        <p className="text-muted">
          Uma vista guarda filtros e gráficos do dashboard; um aviso conta de cada novo ensaio que passa por
          ela.
        </p>
      </header>
      <Card>
        <CardHeader title="Vistas salvas" />
        {views.isError ? (
          <ErrorState message={views.error.message} onRetry={() => views.refetch()} />
        ) : !views.data ? (
          <Skeleton className="mx-5 mb-5 h-24" />
        ) : views.data.vistas.length === 0 ? (
          <EmptyState title="Nenhuma vista salva" icon={<Bookmark aria-hidden />}>
            Escolha filtros no <Link to={paths.dashboard}>dashboard</Link> e use ‘Salvar vista’.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line border-t border-line">
            {views.data.vistas.map((view) => (
              <ViewRow
                key={view.id}
                view={view}
                isDefault={views.data.padrao === view.id}
                onOpen={(kind) => setOpen({ kind, view })}
              />
            ))}
          </ul>
        )}
      </Card>
      <Card>
        <CardHeader
          title="Avisos"
          subtitle={alerts.data && `${alerts.data.alertas.length} de ${MOST_ALERTS}`}
        />
        {alerts.isError ? (
          <ErrorState message={alerts.error.message} onRetry={() => alerts.refetch()} />
        ) : !alerts.data ? (
          <Skeleton className="mx-5 mb-5 h-24" />
        ) : alerts.data.alertas.length === 0 ? (
          <EmptyState title="Nenhum aviso" icon={<BellRing aria-hidden />}>
            Use o sino ao lado de uma vista para saber de cada novo ensaio que passa por ela.
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line border-t border-line">
            {alerts.data.alertas.map((alert) => (
              <AlertRow key={alert.id} alert={alert} onOpen={(kind) => setOpen({ kind, alert })} />
            ))}
          </ul>
        )}
      </Card>
      {open?.kind === 'rename' && <SaveView view={open.view} state={open.view.estado} onClose={close} />}
      {open?.kind === 'alert' && <AlertForm view={open.view} onClose={close} />}
      {open?.kind === 'change' && <AlertForm view={open.alert.vista} alert={open.alert} onClose={close} />}
      {open?.kind === 'remove' && (
        <ConfirmDialog
          open
          onCancel={close}
          title={`Apagar a vista “${open.view.nome}”?`}
          confirmLabel="Apagar"
          message="Os avisos sobre ela terminam também."
          onConfirm={async () => {
            const { id } = open.view
            close()
            await attempt(() => call('removeView', { params: { id } }), 'Vista apagada')
            await Promise.all([viewsChanged(), alertsChanged()])
          }}
        />
      )}
      {open?.kind === 'end' && (
        <ConfirmDialog
          open
          onCancel={close}
          title={`Encerrar o aviso em “${open.alert.vista.nome}”?`}
          confirmLabel="Encerrar"
          message="O que ele já contou sai do sino."
          onConfirm={async () => {
            const { id } = open.alert
            close()
            await attempt(() => call('removeAlert', { params: { id } }), 'Aviso encerrado')
            await alertsChanged()
          }}
        />
      )}
    </div>
  )
}

function ViewRow({
  view,
  isDefault,
  onOpen,
}: {
  view: View
  isDefault: boolean
  onOpen: (kind: 'rename' | 'remove' | 'alert') => void
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <Link to={`${paths.view}/${view.id}`} className="font-medium break-words">
          {view.nome}
        </Link>
        <p className="flex flex-wrap items-center gap-2 text-small text-muted">
          {view.alcance === 'organizacao' && <Badge>Da organização</Badge>}
          Alterada em {formatDate(view.updated_at)}
        </p>
        <Checkbox
          className="pt-1.5"
          label={
            <>
              Abrir o dashboard com esta vista<span className="sr-only">: {view.nome}</span>
            </>
          }
          checked={isDefault}
          onChange={(event) => void setDefaultView(event.target.checked ? view : null)}
        />
      </div>
      <div className="flex gap-1">
        <IconButton label={`Avisar de novos ensaios em ${view.nome}`} onClick={() => onOpen('alert')}>
          <BellPlus aria-hidden />
        </IconButton>
        {view.pode_alterar && (
          <>
            <IconButton label={`Alterar a vista ${view.nome}`} onClick={() => onOpen('rename')}>
              <Pencil aria-hidden />
            </IconButton>
            <IconButton label={`Apagar a vista ${view.nome}`} onClick={() => onOpen('remove')}>
              <Trash2 aria-hidden />
            </IconButton>
          </>
        )}
      </div>
    </li>
  )
}

function AlertRow({ alert, onOpen }: { alert: Alert; onOpen: (kind: 'change' | 'end') => void }) {
  const { id, vista, frequencia, condicao, pausado } = alert
  const turn = async () => {
    await attempt(
      () => call('changeAlert', { params: { id }, body: { ativo: pausado !== null } }),
      pausado === null ? 'Aviso pausado' : 'Aviso retomado',
    )
    await alertsChanged()
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium break-words">{vista.nome}</p>
        <p className="text-small text-muted">
          {ALERT_FREQUENCY_NAMES[frequencia]}
          {condicao && ` · ${conditionText(condicao)}`}
        </p>
        {pausado !== null && (
          <p className="flex flex-wrap items-center gap-2 pt-1 text-small">
            <Badge tone="warn">Pausado</Badge>
            {pausado}
          </p>
        )}
      </div>
      <div className="flex gap-1">
        <IconButton
          label={`${pausado === null ? 'Pausar' : 'Retomar'} o aviso em ${vista.nome}`}
          onClick={() => void turn()}
        >
          {pausado === null ? <Pause aria-hidden /> : <Play aria-hidden />}
        </IconButton>
        <IconButton label={`Alterar o aviso em ${vista.nome}`} onClick={() => onOpen('change')}>
          <Pencil aria-hidden />
        </IconButton>
        <IconButton label={`Encerrar o aviso em ${vista.nome}`} onClick={() => onOpen('end')}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}
