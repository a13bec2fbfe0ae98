import { formatDate, PROFILE_ROLES, ROLE_NAMES, type Role, type User } from '@ensaio/domain'
import { LogOut, Pencil } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { auth } from '../../api/auth-client.ts'
import { ApiError, call } from '../../api/client.ts'
import { keyOf, useEndpoint } from '../../api/queries.ts'
import { answerIs } from '../../api/query-client.ts'
import { useFreshRole } from '../../shell/fresh-role.ts'
import { useTitle } from '../../shell/title.ts'
import { useLogout } from '../../shell/use-logout.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, Select } from '../../ui/Input.tsx'
import { Badge, Banner, Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { Applications } from './Applications.tsx'
import { ChangeEmail } from './ChangeEmail.tsx'
import { ChangePassword } from './ChangePassword.tsx'
import { Devices } from './Devices.tsx'
import { OwnData } from './OwnData.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { Sessions } from './Sessions.tsx'
import { WeeklyDigest } from './WeeklyDigest.tsx'

export function Profile() {
  useTitle('Editar Perfil')
  const profile = useEndpoint('getProfile', {})
  const logout = useLogout()
  useFreshRole()
  const [passwordChanges, setPasswordChanges] = useState(0)
  return (
    <div className="page flex max-w-3xl flex-col gap-6 py-8">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-display font-semibold">Editar Perfil</h1>
        <Button icon={<LogOut aria-hidden className="size-4" />} onClick={logout}>
          Sair
        </Button>
      </div>
      {profile.isPending ? (
        <Skeleton className="h-80" />
      ) : profile.isError ? (
        <Card>
          <ErrorState message={profile.error.message} onRetry={() => profile.refetch()} />
        </Card>
      ) : (
        <>
          <ProfileCard user={profile.data.user} />
          <ChangeEmail current={profile.data.user.email} />
          <ChangePassword key={passwordChanges} onChanged={() => setPasswordChanges(passwordChanges + 1)} />
          <WeeklyDigest />
          <SecondFactors />
          <Sessions key={`sessions-${passwordChanges}`} />
          <Devices />
          <Applications />
          <OwnData />
        </>
      )}
    </div>
  )
}

function ProfileCard({ user }: { user: User }) {
  const [editing, setEditing] = useState(false)
  const [note, setNote] = useState<string | null>(null)
  return (
    <Card>
      <CardHeader
        title="Perfil"
        actions={
          !editing && (
            <Button
              size="small"
              icon={<Pencil aria-hidden className="size-4" />}
              onClick={() => {
                setEditing(true)
                setNote(null)
              }}
            >
              Editar
            </Button>
          )
        }
      />
      {note && (
        <Banner tone="info" className="mx-5 mb-4">
          {note}
        </Banner>
      )}
      {editing ? (
        <ProfileForm
          user={user}
          onDone={(message) => {
            setEditing(false)
            setNote(message)
          }}
        />
      ) : (
        <dl className="grid gap-x-8 gap-y-5 px-5 pb-6 sm:grid-cols-2">
          <Fact name="Nome">{user.name}</Fact>
          <Fact name="Email">{user.email}</Fact>
          <Fact name="Empresa">{user.company ?? '–'}</Fact>
          <Fact name="Tipo de usuário">
            <span className="flex flex-wrap items-center gap-2">
              {ROLE_NAMES[user.role]}
              {user.requestedRole && user.requestedRole !== user.role && (
                <Badge tone="warn">{ROLE_NAMES[user.requestedRole]} solicitado</Badge>
              )}
            </span>
          </Fact>
          <Fact name="Membro desde">{formatDate(user.createdAt)}</Fact>
        </dl>
      )}
    </Card>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-small text-muted">{name}</dt>
    <dd className="font-medium break-words">{children}</dd>
  </div>
)

function ProfileForm({ user, onDone }: { user: User; onDone: (note: string | null) => void }) {
  const [name, setName] = useState(user.name)
  const [company, setCompany] = useState(user.company ?? '')
  const [role, setRole] = useState<Role>(user.role)
  const [error, setError] = useState<ApiError | null>(null)
  const [busy, setBusy] = useState(false)
  const fieldError = (path: string) => error?.fields.find((field) => field.path === path)?.message
  const choices: readonly Role[] = PROFILE_ROLES.some((choice) => choice === user.role)
    ? PROFILE_ROLES
    : [user.role, ...PROFILE_ROLES]

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      const { user: saved, message } = await call('updateProfile', {
        body: { name, company: company || null, ...(role === user.role ? {} : { role }) },
      })
      answerIs(keyOf('getProfile', {}), () => ({ user: saved }))
      await auth.refreshSession()
      toast.success('Perfil atualizado com sucesso!')
      onDone(message === 'Perfil atualizado com sucesso!' ? null : message)
    } catch (failure) {
      setError(
        failure instanceof ApiError ? failure : new ApiError('Erro ao atualizar perfil. Tente novamente.'),
      )
    } finally {
      setBusy(false)
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 px-5 pb-6">
      {error && <Banner tone="danger">Erro ao atualizar perfil. Tente novamente.</Banner>}
      <Field label="Nome" required error={fieldError('name')}>
        {(control) => (
          <Input
            {...control}
            name="name"
            autoComplete="name"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <Field label="Email" help="O email tem uma seção própria, abaixo.">
        {(control) => <Input {...control} name="email" type="email" readOnly value={user.email} />}
      </Field>
      <Field label="Empresa" error={fieldError('company')}>
        {(control) => (
          <Input
            {...control}
            name="company"
            autoComplete="organization"
            value={company}
            onChange={(event) => setCompany(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Tipo de usuário"
        error={fieldError('role')}
        help={
          role !== user.role && user.role !== 'admin'
            ? 'A mudança precisa da aprovação de um administrador.'
            : undefined
        }
      >
        {(control) => (
          <Select
            {...control}
            name="role"
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
            options={choices.map((value) => ({ value, label: ROLE_NAMES[value] }))}
          />
        )}
      </Field>
      <div className="flex flex-wrap justify-end gap-2 pt-2">
        <Button onClick={() => onDone(null)}>Cancelar</Button>
        <Button type="submit" variant="primary" busy={busy}>
          Salvar
        </Button>
      </div>
    </form>
  )
}
