import { lazy, Suspense } from 'react'
import { Link, Navigate, Outlet, ScrollRestoration, useLocation } from 'react-router'
import { Skeleton } from '../ui/Surface.tsx'
import { Toaster } from '../ui/toast.tsx'
import { Header, ThemeButton } from './Header.tsx'
import { Logo } from './Logo.tsx'
import { loginFor, paths } from './paths.ts'
import { useSession } from './session.tsx'

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
      <Toaster />
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
        <Outlet />
      </div>
      <Footer />
    </div>
  )
}

const SignInAgain = lazy(async () => ({
  default: (await import('../features/accounts/SignInAgain.tsx')).SignInAgain,
}))
const SecondFactorPage = lazy(async () => ({
  default: (await import('../features/accounts/SecondFactor.tsx')).SecondFactorPage,
}))

/** Without a session there is only the way to /login, which leads back here. */
export function ProtectedLayout() {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'out') return <Navigate to={loginFor(pathname + search)} replace />
  const open = session.status === 'in' && !session.needsSecondFactor
  return (
    <div className="flex min-h-dvh flex-col">
      {open ? <Header /> : <div className="h-14 border-b border-line bg-surface" />}
      <main id="conteudo" className="flex-1 pb-16">
        <Suspense fallback={<PageSkeleton />}>
          {open ? <Outlet /> : session.status === 'in' ? <SecondFactorPage /> : <PageSkeleton />}
        </Suspense>
      </main>
      {session.status === 'in' && session.expired && (
        <Suspense>
          <SignInAgain email={session.user.email} />
        </Suspense>
      )}
    </div>
  )
}

function PageSkeleton() {
  return (
    <div className="page flex flex-col gap-6 py-8" aria-busy="true">
      <p className="sr-only">Carregando</p>
      <Skeleton className="h-9 w-72" />
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-96" />
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
          <Link to={paths.terms} className="hover:text-text hover:underline">
            Termos de uso
          </Link>
          <Link to={paths.privacy} className="hover:text-text hover:underline">
            Política de privacidade
          </Link>
        </nav>
      </div>
    </footer>
  )
}
