import {
  CircleQuestionMark,
  LayoutDashboard,
  LogOut,
  Menu as MenuIcon,
  Ruler,
  ScanText,
  Shield,
  User,
  X,
} from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import { useSource } from '../api/source.ts'
import { late } from '../shell/late.tsx'
import { useActingIfAny } from '../shell/organization.tsx'
import { paths } from '../shell/paths.ts'
import { type SignedIn, useUser } from '../shell/session.tsx'
import { useLogout } from '../shell/use-logout.ts'
import { IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../ui/Menu.tsx'
import { Badge } from '../ui/Surface.tsx'
import { Logo } from './Logo.tsx'
import { OrganizationMenu } from './OrganizationMenu.tsx'
import { ThemeButton } from './ThemeButton.tsx'

const Notifications = late(
  async () => (await import('../features/views/Notifications.tsx')).Notifications,
  'over',
)

const linksFor = (user: SignedIn) => [
  { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard },
  { to: paths.extractor, label: 'Extrator', icon: ScanText },
  { to: paths.profile, label: 'Perfil', icon: User },
  ...(user.role === 'admin' ? [{ to: paths.admin, label: 'Administração', icon: Shield }] : []),
]

/** From which width on the links stand beside one another; beside an organisation's name they need more. */
const FROM = {
  usual: { flex: 'md:flex', block: 'md:block', hidden: 'md:hidden', name: '' },
  wide: { flex: 'lg:flex', block: 'lg:block', hidden: 'lg:hidden', name: 'max-xl:hidden' },
} as const

/** Shown only to a person signed in. */
export function Header() {
  const user = useUser()
  const logout = useLogout()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const links = linksFor(user)
  const acting = useActingIfAny()
  const at = acting?.several ? FROM.wide : FROM.usual
  const demonstrating = useSource().name === 'demo'
  // biome-ignore lint/correctness/useExhaustiveDependencies: going to another page closes the menu
  useEffect(() => setOpen(false), [pathname])

  return (
    <header className="no-print sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur">
      <div className="page flex h-14 items-center gap-3 md:gap-6">
        <Link to={paths.dashboard} aria-label="Ensaio, ir ao dashboard" className="rounded-md">
          <Logo narrow={demonstrating && acting?.several === true} />
        </Link>
        {acting && <OrganizationMenu />}
        {demonstrating && (
          <span className="shrink-0">
            <Badge tone="warn">
              <span className="max-sm:hidden">Dados de demonstração</span>
              <span className="sm:hidden">Demonstração</span>
            </Badge>
          </span>
        )}
        <nav aria-label="Principal" className={classes('hidden flex-1 gap-1', at.flex)}>
          {links.map((link) => (
            <NavLink
              key={link.to}
              to={link.to}
              className={({ isActive }) =>
                classes(
                  'rounded-md px-3 py-2 font-medium',
                  isActive ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-sunken hover:text-text',
                )
              }
            >
              {link.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          {acting && (
            <Suspense>
              <Notifications />
            </Suspense>
          )}
          <ThemeButton />
          <div className={classes('hidden', at.block)}>
            <Menu
              label="Menu do usuário"
              trigger={
                <button
                  type="button"
                  className="flex min-h-10 items-center gap-2 rounded-md px-2 hover:bg-sunken"
                >
                  <Avatar name={user.name} />
                  <span className="sr-only">Menu do usuário: </span>
                  <span className={classes('max-w-40 truncate font-medium', at.name)}>{user.name}</span>
                </button>
              }
            >
              <MenuLabel>
                <Identity user={user} />
              </MenuLabel>
              <MenuSeparator />
              <MenuItem icon={<User aria-hidden />} onSelect={() => navigate(paths.profile)}>
                Editar Perfil
              </MenuItem>
              <MenuItem icon={<Ruler aria-hidden />} onSelect={() => navigate(paths.planning)}>
                Planejamento
              </MenuItem>
              <MenuItem icon={<CircleQuestionMark aria-hidden />} onSelect={() => navigate(paths.help)}>
                Ajuda
              </MenuItem>
              <MenuItem icon={<LogOut aria-hidden />} onSelect={logout}>
                Sair
              </MenuItem>
            </Menu>
          </div>
          <IconButton
            className={at.hidden}
            label={open ? 'Fechar menu' : 'Abrir menu'}
            aria-expanded={open}
            aria-controls="menu-movel"
            onClick={() => setOpen(!open)}
          >
            {open ? <X aria-hidden /> : <MenuIcon aria-hidden />}
          </IconButton>
        </div>
      </div>
      {open && (
        <nav id="menu-movel" aria-label="Menu móvel" className={classes('border-t border-line', at.hidden)}>
          <div className="page flex flex-col gap-1 py-3">
            <div className="flex items-center gap-3 px-3 pb-2">
              <Avatar name={user.name} />
              <Identity user={user} />
            </div>
            {[
              ...links,
              { to: paths.planning, label: 'Planejamento', icon: Ruler },
              { to: paths.help, label: 'Ajuda', icon: CircleQuestionMark },
            ].map(({ to, label, icon: Icon }) => (
              <NavLink
                key={to}
                to={to}
                className={({ isActive }) =>
                  classes(
                    'flex min-h-11 items-center gap-3 rounded-md px-3 font-medium',
                    isActive ? 'bg-accent-soft text-accent' : 'text-text hover:bg-sunken',
                  )
                }
              >
                <Icon aria-hidden className="size-[18px]" />
                {label}
              </NavLink>
            ))}
            <button
              type="button"
              onClick={logout}
              className="flex min-h-11 items-center gap-3 rounded-md px-3 text-left font-medium hover:bg-sunken"
            >
              <LogOut aria-hidden className="size-[18px]" />
              Sair
            </button>
          </div>
        </nav>
      )}
    </header>
  )
}

function Avatar({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-full bg-accent-soft text-small font-semibold text-accent"
    >
      {[...name.trim()][0]?.toUpperCase() ?? '?'}
    </span>
  )
}

function Identity({ user }: { user: SignedIn }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="truncate font-semibold">{user.name}</span>
      <span className="truncate text-small text-muted">{user.email}</span>
      {user.company && <span className="truncate text-small text-muted">{user.company}</span>}
    </span>
  )
}
