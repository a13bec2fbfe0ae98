import { Link } from 'react-router'
import { buttonClasses } from '../ui/Button.tsx'
import { Banner } from '../ui/Surface.tsx'
import { paths } from './paths.ts'

/** A page that this person may not use: says so under its own heading, and leads back. */
export function Refusal({ title, reason }: { title: string; reason: string }) {
  return (
    <div className="page flex max-w-3xl flex-col items-start gap-5 py-8">
      <h1 className="text-display font-semibold">{title}</h1>
      <Banner tone="danger" title="Acesso negado" className="w-full">
        {reason}
      </Banner>
      <Link to={paths.dashboard} className={buttonClasses('primary')}>
        Voltar ao dashboard
      </Link>
    </div>
  )
}
