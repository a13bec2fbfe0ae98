import type { AdviceFacts, Finding } from '@ensaio/domain/advice'
import { TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'

import { useCropRanges } from './crop-ranges.ts'

export type { AdviceFacts, Finding }

const NONE: readonly Finding[] = []

/** The rules come when the first value is looked at: no page waits for them. Where they cannot come, nothing is said. */
export async function lookAt(facts: AdviceFacts): Promise<readonly Finding[]> {
  try {
    const { adviseOn } = await import('@ensaio/domain/advice')
    return adviseOn(facts).filter(({ peso }) => peso !== 'nota')
  } catch {
    return NONE
  }
}

/** What the rules find once a value rests. */
export function useAdvice(facts: AdviceFacts | null): readonly Finding[] {
  const [found, setFound] = useState(NONE)
  const faixas = useCropRanges()
  useEffect(() => {
    if (!facts) return setFound(NONE)
    let asked = true
    const timer = setTimeout(async () => {
      const next = await lookAt({ ...facts, faixas })
      if (asked) setFound(next)
    }, REST_MS)
    return () => {
      asked = false
      clearTimeout(timer)
    }
  }, [facts, faixas])
  return found
}
const REST_MS = 300

/** A finding under its field: amber, with an icon, and never in the way; one click puts right what can be. */
export function AdviceNote({
  finding: { texto, correcao },
  onCorrect,
}: {
  finding: Finding
  onCorrect?: ((correction: NonNullable<Finding['correcao']>) => void) | undefined
}) {
  return (
    <span className="flex items-start gap-1.5 text-warn">
      <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
      <span>
        {texto}
        {correcao && onCorrect && (
          <>
            {' '}
            <button
              type="button"
              className="font-medium underline underline-offset-4"
              onClick={() => onCorrect(correcao)}
            >
              {correcao.rotulo}
            </button>
          </>
        )}
      </span>
    </span>
  )
}
