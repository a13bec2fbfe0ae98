import { entries } from '@ensaio/domain'
import { useFieldState } from './field.ts'
import { Notice } from './parts.tsx'

/** What other accounts have not sent from this phone: whose it is and how much, and nothing of it. */
export function OthersWaiting() {
  const { others } = useFieldState()
  return others.map(({ email, waiting }) => (
    <Notice key={email} tone="warn">
      Há {entries(waiting)} de {email} neste aparelho. Entre com essa conta para{' '}
      {waiting === 1 ? 'enviá-lo' : 'enviá-los'}.
    </Notice>
  ))
}
