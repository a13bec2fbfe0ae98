import { counted } from '@ensaio/domain'
import { ApiError } from '../api/client.ts'
import { Banner } from '../ui/Surface.tsx'

/** How many entries phones have said are waiting there, where that is why a thing was not done yet. */
export function unsentIn(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'trial.phones_waiting') return null
  const { n } = (error.current ?? {}) as { n?: unknown }
  return typeof n === 'number' ? n : null
}

/** Who has been told the number asks again, and means it. */
export const evenSo = (told: number | null) => (told === null ? {} : { mesmo_assim: 'true' as const })

export function UnsentBanner({ n }: { n: number }) {
  return (
    <Banner tone="warn">
      {counted(n, 'registro ainda não foi enviado', 'registros ainda não foram enviados')} pelos celulares que
      levaram este ensaio. Se você excluir, eles ficam guardados sem lugar quando chegarem.
    </Banner>
  )
}
