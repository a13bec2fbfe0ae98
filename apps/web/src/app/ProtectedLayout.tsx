import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { actAsAddressed, useActingKey } from '../api/acting.ts'
import { isLeaving } from '../api/kept-session.ts'
import { keepAnswersFor, queryClient } from '../api/query-client.ts'
import { EmptyBar, PageSkeleton } from '../shell/frame.tsx'
import { late } from '../shell/late.tsx'
import { OrganizationProvider } from '../shell/organization.tsx'
import { loginFor, paths } from '../shell/paths.ts'
import { useSession } from '../shell/session.tsx'
import { Header } from './HeaderBar.tsx'

const SignInAgain = late(
  async () => (await import('../features/accounts/SignInAgain.tsx')).SignInAgain,
  'over',
)
const SecondFactorPage = late(
  async () => (await import('../features/accounts/SecondFactor.tsx')).SecondFactorPage,
)

/** Without a session there is only the way to /login, which leads back here. */
export function ProtectedLayout() {
  const session = useSession()
  // Before anything below asks.
  if (session.status === 'in') {
    keepAnswersFor(session.user.id)
    actAsAddressed(session.user.id)
  }
  const acting = useActingKey()
  const { pathname, search } = useLocation()
  if (session.status === 'out')
    return <Navigate to={isLeaving() ? paths.landing : loginFor(pathname + search)} replace />
  const open = session.status === 'in' && !session.needsSecondFactor
  return (
    <QueryClientProvider client={queryClient}>
      <div className="flex min-h-dvh flex-col">
        {open ? (
          <OrganizationProvider>
            <Header />
            <main id="conteudo" className="flex-1 pb-16">
              <Suspense fallback={<PageSkeleton />}>
                {/* Nothing of one organisation stays on the page of another. */}
                <Outlet key={acting} />
              </Suspense>
            </main>
          </OrganizationProvider>
        ) : (
          <>
            <EmptyBar />
            <main id="conteudo" className="flex-1 pb-16">
              <Suspense fallback={<PageSkeleton />}>
                {session.status === 'in' ? <SecondFactorPage /> : <PageSkeleton />}
              </Suspense>
            </main>
          </>
        )}
        {session.status === 'in' && session.expired && (
          <Suspense>
            <SignInAgain email={session.user.email} />
          </Suspense>
        )}
      </div>
    </QueryClientProvider>
  )
}
