import {
  ORGANIZATION_ROLE_NAMES,
  ORGANIZATION_TYPE_NAMES,
  type Organization,
  type OrganizationType,
} from '@ensaio/domain'
import {
  Building2,
  Check,
  ChevronsUpDown,
  Factory,
  Handshake,
  Mail,
  Plus,
  Sprout,
  UserRound,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { late } from '../shell/late.tsx'
import { useActingFor, useSwitchOrganization } from '../shell/organization.tsx'
import { paths } from '../shell/paths.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/Menu.tsx'

const CreateOrganization = late(
  async () => (await import('../features/organizations/CreateOrganization.tsx')).CreateOrganization,
  'over',
)
const OwnInvitations = late(
  async () => (await import('../features/organizations/OwnInvitations.tsx')).OwnInvitations,
  'over',
)

const ICONS: Readonly<Record<OrganizationType, ReactNode>> = {
  consultoria: <Building2 aria-hidden />,
  fabricante: <Factory aria-hidden />,
  fazenda: <Sprout aria-hidden />,
  pessoal: <UserRound aria-hidden />,
}

/** In whose name one acts, and the way to act in another's; only where there are several organisations. */
export function OrganizationMenu() {
  const { several, organization, organizations, invitations } = useActingFor()
  const switchTo = useSwitchOrganization()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'create' | 'invitations' | null>(null)
  if (!several || !organization) return null
  const waiting = invitations.length
  return (
    <>
      <Menu
        label="Organização"
        align="start"
        trigger={
          <button
            type="button"
            className="relative flex min-h-10 min-w-0 items-center gap-2 rounded-md border border-line px-2.5 hover:bg-sunken [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
          >
            {ICONS[organization.tipo]}
            <span className="sr-only">Organização: </span>
            <span className="max-w-28 truncate font-medium sm:max-w-44 lg:max-w-56">{organization.nome}</span>
            <ChevronsUpDown aria-hidden className="max-sm:hidden" />
            {waiting > 0 && (
              <span className="absolute -top-1 -right-1 size-2.5 rounded-full bg-accent">
                <span className="sr-only">há convites</span>
              </span>
            )}
          </button>
        }
      >
        <MenuLabel>
          <span className="text-muted">Você age em nome de</span>
        </MenuLabel>
        {organizations.map((each) => (
          <MenuItem
            key={each.id}
            icon={ICONS[each.tipo]}
            onSelect={() => each.id !== organization.id && void switchTo(each.id)}
          >
            <Named organization={each} />
            {each.id === organization.id && (
              <Check aria-label="atual" className="ml-auto size-4 text-accent" />
            )}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<UsersRound aria-hidden />} onSelect={() => navigate(paths.organization)}>
          Membros e organização
        </MenuItem>
        <MenuItem icon={<Handshake aria-hidden />} onSelect={() => navigate(paths.sharing)}>
          Compartilhamento
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Plus aria-hidden />} onSelect={() => setOpen('create')}>
          Criar organização
        </MenuItem>
        <MenuItem icon={<Mail aria-hidden />} onSelect={() => setOpen('invitations')}>
          Convites ({waiting})
        </MenuItem>
      </Menu>
      <Suspense>
        {open === 'create' && <CreateOrganization onClose={() => setOpen(null)} />}
        {open === 'invitations' && <OwnInvitations onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  )
}

const Named = ({ organization: { nome, tipo, papel, fecha_em } }: { organization: Organization }) => (
  <span className="flex min-w-0 max-w-72 flex-col py-1">
    <span className="truncate font-medium">{nome}</span>
    <span className="text-small text-muted">
      {ORGANIZATION_TYPE_NAMES[tipo]} · {ORGANIZATION_ROLE_NAMES[papel]}
      {fecha_em && ' · fechada'}
    </span>
  </span>
)
