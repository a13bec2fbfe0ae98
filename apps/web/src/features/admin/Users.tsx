import { type AdminUser, formatNumber, ROLE_NAMES, type Role } from '@ensaio/domain'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { useRested } from '../../shell/rested.ts'
import { useUser } from '../../shell/session.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { SearchInput } from '../../ui/Input.tsx'
import { Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { UserList } from './UserList.tsx'

const PAGE = 50

export function Users() {
  const me = useUser()
  const [search, setSearch] = useState('')
  const searched = useRested(search.trim())
  const [cursors, setCursors] = useState<string[]>([])
  const [doomed, setDoomed] = useState<AdminUser | null>(null)
  const users = useEndpoint(
    'adminUsers',
    {
      query: {
        limit: PAGE,
        ...(searched ? { busca: searched } : {}),
        ...(cursors.length > 0 ? { cursor: cursors.at(-1) } : {}),
      },
    },
    { keep: true, staleTime: 0 },
  )

  const setRole = async (user: AdminUser, role: Role) => {
    await attempt(
      () => call('adminSetRole', { params: { id: user.id }, body: { role } }),
      `${user.name} agora é ${ROLE_NAMES[role]}`,
    )
    await users.refetch()
  }
  const setBlocked = async (user: AdminUser, blocked: boolean) => {
    await attempt(
      () => call('adminSetBlocked', { params: { id: user.id }, body: { blocked } }),
      blocked ? `${user.name} foi bloqueado` : `${user.name} foi desbloqueado`,
    )
    setDoomed(null)
    await users.refetch()
  }

  return (
    <Card>
      <CardHeader
        title={`Pessoas (${users.data ? formatNumber(users.data.total, 0) : '…'})`}
        actions={
          <SearchInput
            label="Buscar pessoas"
            placeholder="Nome, email ou empresa"
            value={search}
            onValue={(value) => {
              setSearch(value)
              setCursors([])
            }}
            className="w-full sm:w-72"
          />
        }
      />
      {users.isError ? (
        <ErrorState message={users.error.message} onRetry={() => users.refetch()} />
      ) : users.isPending ? (
        <Skeleton className="mx-5 mb-5 h-64" />
      ) : users.data.users.length === 0 ? (
        <EmptyState title="Ninguém encontrado" />
      ) : (
        <UserList
          users={users.data.users}
          me={me.id}
          onRole={setRole}
          onBlock={(user) => (user.blocked ? setBlocked(user, false) : setDoomed(user))}
        />
      )}
      <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
        <Button
          size="small"
          disabled={cursors.length === 0}
          onClick={() => setCursors((before) => before.slice(0, -1))}
        >
          Página anterior
        </Button>
        <Button
          size="small"
          disabled={!users.data?.next_cursor}
          onClick={() => {
            const next = users.data?.next_cursor
            if (next) setCursors((before) => [...before, next])
          }}
        >
          Próxima página
        </Button>
      </div>
      <ConfirmDialog
        open={doomed !== null}
        title="Bloquear esta pessoa?"
        message="As sessões dela são encerradas agora, e ela não entra até ser desbloqueada. Os experimentos dela ficam."
        confirmLabel="Bloquear"
        onCancel={() => setDoomed(null)}
        onConfirm={() => doomed && setBlocked(doomed, true)}
      >
        <p className="rounded-md bg-sunken px-3 py-2 text-small">
          {doomed?.name} · {doomed?.email}
        </p>
      </ConfirmDialog>
    </Card>
  )
}
