import { counted } from '@ensaio/domain'
import { useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { Banner } from '../ui/Surface.tsx'

/** A second tap that comes at once was meant for the question before. */
const READ_MS = 600

/** Asking again where phones have said that entries wait there: their number, once the server has told it. */
export function useUnsent() {
  const [n, setN] = useState<number | null>(null)
  const toldAt = useRef(0)
  return {
    /** Whether it was refused for that; then the number is told. */
    told(error: unknown): boolean {
      if (!(error instanceof ApiError) || error.code !== 'trial.phones_waiting') return false
      const { n: waiting } = (error.current ?? {}) as { n?: unknown }
      if (typeof waiting !== 'number') return false
      toldAt.current = performance.now()
      setN(waiting)
      return true
    },
    forget: () => setN(null),
    /** Who has been told the number, and had the time to read it, means it. */
    meant: () => n === null || performance.now() - toldAt.current > READ_MS,
    query: () => (n === null ? {} : { mesmo_assim: 'true' as const }),
    confirmLabel: n === null ? 'Excluir' : 'Excluir mesmo assim',
    banner: n !== null && (
      <Banner tone="warn">
        {counted(n, 'registro ainda não foi enviado', 'registros ainda não foram enviados')} pelos celulares
        que levaram este ensaio. Se você excluir, o que for dele fica guardado sem lugar quando chegar.
      </Banner>
    ),
  }
}
