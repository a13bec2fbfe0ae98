import { formatDateTime, formatNumber, type Notification } from '@ensaio/domain'
import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { call } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { answerIs } from '../../api/query-client.ts'
import { paths, recordPage } from '../../shell/paths.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Popover } from '../../ui/Popover.tsx'

const EVERY_MS = 60_000

/** What alerts told, with how many of it were not read. */
export function Notifications() {
  const query = useEndpoint('listNotifications', {}, { ofServer: true, staleTime: EVERY_MS })
  const [open, setOpen] = useState(false)
  const { refetch } = query
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), EVERY_MS)
    return () => clearInterval(timer)
  }, [refetch])
  const notices = query.data?.notificacoes ?? []
  const unread = query.data?.nao_lidas ?? 0
  const read = async () => {
    const [latest] = notices
    if (!latest) return
    const { nao_lidas } = await call('readNotifications', { body: { ate: latest.quando } })
    answerIs(keyOf('listNotifications', {}), () => ({
      notificacoes: notices.map((notice) => ({ ...notice, lida: true })),
      nao_lidas,
    }))
  }
  const opened = ({ alerta, experimento, lida }: Notification) => {
    setOpen(false)
    if (lida) return
    // What was opened is read; where that cannot be said, it is said again at the next look.
    call('readNotifications', { body: { um: { alerta, experimento: experimento.id } } })
      .then(() => refetch())
      .catch(() => undefined)
  }
  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next)
        if (next) void refetch()
      }}
      label="Avisos recebidos"
      align="end"
      trigger={
        <IconButton label={unread > 0 ? `Avisos: ${unread} não lidos` : 'Avisos'} className="relative">
          <Bell aria-hidden />
          {unread > 0 && (
            <span
              aria-hidden
              className="figures absolute top-0.5 right-0.5 min-w-4 rounded-full bg-accent px-1 text-center text-[11px] leading-4 font-semibold text-on-accent"
            >
              {unread > 99 ? '99+' : unread}
            </span>
          )}
        </IconButton>
      }
    >
      <div className="flex items-center justify-between gap-3 px-3 py-2">
        <p className="font-semibold">Avisos</p>
        {unread > 0 && (
          <button
            type="button"
            className="text-small text-accent hover:underline"
            onClick={() => void read()}
          >
            Marcar tudo como lido
          </button>
        )}
      </div>
      {query.isError && <p className="px-3 pb-2 text-small text-danger">{query.error.message}</p>}
      {query.data && notices.length === 0 && (
        <p className="max-w-72 px-3 pb-3 text-small text-muted">
          Nada por enquanto. Um aviso em uma vista conta aqui de cada novo ensaio que passa por ela.
        </p>
      )}
      <ul className="max-w-96">
        {notices.map((notice) => (
          <Notice
            key={`${notice.alerta} ${notice.experimento.id}`}
            notice={notice}
            onOpen={() => opened(notice)}
          />
        ))}
      </ul>
      <div className="mt-1 border-t border-line pt-1">
        <Link
          to={paths.views}
          onClick={() => setOpen(false)}
          className="flex min-h-10 items-center rounded-md px-3 text-text no-underline hover:bg-sunken"
        >
          Vistas e avisos
        </Link>
      </div>
    </Popover>
  )
}

function Notice({
  notice: { experimento, vista, quando, lida },
  onOpen,
}: {
  notice: Notification
  onOpen: () => void
}) {
  const { id, nome, cidade, estado, produtividade_media, diferenca_percent: more } = experimento
  const told = [
    `${cidade}-${estado}`,
    ...(produtividade_media === null ? [] : [`${formatNumber(produtividade_media, 0)} kg/ha`]),
    ...(more === null ? [] : [`${more > 0 ? '+' : ''}${formatNumber(more, 1)} % sobre a Testemunha`]),
  ]
  return (
    <li>
      <Link
        to={recordPage(id)}
        onClick={onOpen}
        className="block rounded-md px-3 py-2 text-text no-underline hover:bg-sunken"
      >
        <span className="flex items-start gap-2">
          {!lida && <span aria-hidden className="mt-2 size-2 shrink-0 rounded-full bg-accent" />}
          <span className="min-w-0">
            <span className={lida ? 'block' : 'block font-semibold'}>
              {nome}
              {!lida && <span className="sr-only"> (não lido)</span>}
            </span>
            <span className="block text-small text-muted">{told.join(' · ')}</span>
            <span className="block text-small text-muted">
              “{vista.nome}” · {formatDateTime(quando)}
            </span>
          </span>
        </span>
      </Link>
    </li>
  )
}
