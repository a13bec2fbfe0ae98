import { Suspense } from 'react'
import { Link, Outlet, ScrollRestoration } from 'react-router'
import { openedByDeadLink } from '../shell/dead-link.ts'
import { late } from '../shell/late.tsx'
import { paths } from '../shell/paths.ts'
import { useSession } from '../shell/session.tsx'
import { Toasts } from '../ui/toast.tsx'
import { Header } from './HeaderBar.tsx'
import { Logo } from './Logo.tsx'
import { ThemeButton } from './ThemeButton.tsx'

const DeadLink = late(async () => (await import('../features/accounts/DeadLink.tsx')).DeadLink)

/** What every page has. */
export function Root() {
  return (
    <>
      <a
        href="#conteudo"
        className="sr-only z-50 rounded-md bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Pular para o conteúdo
      </a>
      <Outlet />
      <Toasts />
      <ScrollRestoration />
    </>
  )
}

/** Pages for anybody; a person signed in keeps the header. */
export function PublicLayout() {
  const session = useSession()
  return (
    <div className="flex min-h-dvh flex-col">
      {session.status === 'in' ? <Header /> : <PublicHeader />}
      <div className="flex-1">
        {openedByDeadLink && (
          <Suspense>
            <DeadLink />
          </Suspense>
        )}
        <Outlet />
      </div>
      <Footer />
    </div>
  )
}

function PublicHeader() {
  return (
    <header className="border-b border-line bg-surface">
      <div className="page flex h-14 items-center justify-between">
        <Link to={paths.landing} aria-label="Ensaio, ir ao início" className="rounded-md">
          <Logo />
        </Link>
        <ThemeButton />
      </div>
    </header>
  )
}

function Footer() {
  return (
    <footer className="border-t border-line">
      <div className="page flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-5 text-small text-muted">
        <span>Ensaio · experimentos agrícolas de campo</span>
        <nav aria-label="Rodapé" className="flex flex-wrap gap-x-5 gap-y-1">
          <Link to={paths.help} className="hover:text-text hover:underline">
            Ajuda
          </Link>
          <Link to={paths.terms} className="hover:text-text hover:underline">
            Termos de uso
          </Link>
          <Link to={paths.privacy} className="hover:text-text hover:underline">
            Política de privacidade
          </Link>
          <Link to={paths.apiDocs} className="hover:text-text hover:underline">
            API
          </Link>
        </nav>
      </div>
    </footer>
  )
}
