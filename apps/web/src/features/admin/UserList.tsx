import { type AdminUser, formatDate, ROLE_NAMES, ROLES, type Role } from '@ensaio/domain'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Input.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Badge } from '../../ui/Surface.tsx'
import { Cell, Head, Row, Table } from '../../ui/Table.tsx'

type Actions = { onRole: (user: AdminUser, role: Role) => void; onBlock: (user: AdminUser) => void }
type Props = Actions & { users: readonly AdminUser[]; me: string }

/** People with their role and state: a table, or on a phone a card for each. */
export function UserList({ users, me, ...actions }: Props) {
  // Its seven columns need a wide window.
  const narrow = useNarrow('64rem')
  if (narrow)
    return (
      <ul className="border-t border-line">
        {users.map((user) => (
          <li key={user.id} className="flex flex-col gap-2.5 border-b border-line px-4 py-3 last:border-0">
            <div className="flex items-start justify-between gap-3">
              <Name user={user} />
              <Situation user={user} />
            </div>
            <p className="figures text-small text-muted">
              {user.company ? `${user.company} · ` : ''}desde {formatDate(user.createdAt)} · último acesso{' '}
              {formatDate(user.lastSignInAt)}
            </p>
            <div className="flex items-center gap-2">
              <RoleSelect user={user} {...actions} />
              {user.id !== me && <BlockButton user={user} {...actions} />}
            </div>
          </li>
        ))}
      </ul>
    )
  return (
    <Table label="Lista de contas">
      <thead>
        <tr>
          <Head>Nome</Head>
          <Head>Empresa</Head>
          <Head>Papel</Head>
          <Head>Membro desde</Head>
          <Head>Último acesso</Head>
          <Head>Situação</Head>
          <Head>Ações</Head>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <Row key={user.id}>
            <Cell>
              <Name user={user} />
            </Cell>
            <Cell>{user.company ?? '–'}</Cell>
            <Cell className="min-w-48">
              <RoleSelect user={user} {...actions} />
            </Cell>
            <Cell className="figures">{formatDate(user.createdAt)}</Cell>
            <Cell className="figures">{formatDate(user.lastSignInAt)}</Cell>
            <Cell>
              <Situation user={user} />
            </Cell>
            <Cell>{user.id !== me && <BlockButton user={user} {...actions} />}</Cell>
          </Row>
        ))}
      </tbody>
    </Table>
  )
}

type Of = { user: AdminUser }

const Name = ({ user }: Of) => (
  <span className="min-w-0">
    <span className="block font-medium">{user.name}</span>
    <span className="block text-small break-words text-muted">{user.email}</span>
  </span>
)

function Situation({ user }: Of) {
  if (user.blocked) return <Badge tone="danger">Bloqueado</Badge>
  return user.confirmed ? <Badge tone="ok">Ativo</Badge> : <Badge tone="warn">Email não confirmado</Badge>
}

const RoleSelect = ({ user, onRole }: Of & Actions) => (
  <Select
    aria-label={`Papel de ${user.name}`}
    options={ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
    value={user.role}
    onChange={(event) => onRole(user, event.target.value as Role)}
  />
)

const BlockButton = ({ user, onBlock }: Of & Actions) => (
  <Button size="small" onClick={() => onBlock(user)}>
    {user.blocked ? 'Desbloquear' : 'Bloquear'}
  </Button>
)
