import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../shell/paths.ts'
import { useSession } from '../../shell/session.tsx'
import { Banner, Card } from '../../ui/Surface.tsx'

/** The narrow frame of the pages about signing in. */
export function AccountPage({
  title,
  subtitle,
  children,
}: {
  title: string
  subtitle: ReactNode
  children: ReactNode
}) {
  return (
    <main id="conteudo" className="page flex justify-center py-10 sm:py-16">
      <Card className="flex w-full max-w-md flex-col gap-6 self-start px-6 py-7 sm:px-8">
        <div className="flex flex-col gap-1">
          <h1 className="text-display font-semibold">{title}</h1>
          <p className="text-muted">{subtitle}</p>
        </div>
        {children}
      </Card>
    </main>
  )
}

export const textLink = 'font-medium text-accent underline-offset-4 hover:underline'

/** For somebody who is signed in already; another account may still be entered with. */
export function AlreadyIn() {
  const session = useSession()
  if (session.status !== 'in') return null
  return (
    <Banner tone="info">
      Você já entrou como {session.user.email}.{' '}
      <Link to={paths.dashboard} className={textLink}>
        Ir para o dashboard
      </Link>
    </Banner>
  )
}
