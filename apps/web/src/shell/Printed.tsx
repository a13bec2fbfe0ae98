import { formatDateTime } from '@ensaio/domain'
import { usePrinting } from '../ui/theme.ts'
import { useUser } from './session.tsx'

/** On paper: when, by whom and from where. */
export function Printed() {
  const { name } = useUser()
  if (!usePrinting()) return null
  return (
    <p className="figures text-small break-all">
      Impresso em {formatDateTime(new Date())} por {name} · {location.href}
    </p>
  )
}
