import { CLOSED_ORGANIZATION_DAYS, formatDate, PROBLEMS } from '@ensaio/domain'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { classes } from '../ui/classes.ts'
import { Banner } from '../ui/Surface.tsx'
import { useActingIfAny } from './organization.tsx'
import { paths } from './paths.ts'

const CLOSED = PROBLEMS['organization.closed'].detail

/** When what was closed at that moment is destroyed. */
export const destroyedAt = (closed: string): Date =>
  new Date(Date.parse(closed) + CLOSED_ORGANIZATION_DAYS * 86_400_000)

/** Above a page of a closed organisation: why nothing on it is changed, and until when it can be opened again. */
export function ClosedNotice() {
  const closed = useActingIfAny()?.organization?.fecha_em
  if (!closed) return null
  return (
    <Banner tone="warn" title={CLOSED} className="no-print">
      Excluída em {formatDate(destroyedAt(closed))}. Até lá um dono pode reabri-la, em{' '}
      <Link to={`${paths.organization}?aba=dados`} className="underline underline-offset-4">
        Dados
      </Link>
      .
    </Banner>
  )
}

/** What a closed organisation changes no more: read as before, switched off all at once, with the reason. */
export function WhereOpen({ className, children }: { className?: string; children: ReactNode }) {
  const closed = Boolean(useActingIfAny()?.organization?.fecha_em)
  return (
    <fieldset disabled={closed} title={closed ? CLOSED : undefined} className={classes('min-w-0', className)}>
      {children}
    </fieldset>
  )
}
