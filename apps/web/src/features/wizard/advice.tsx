import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { AdviceNote, type Finding, lookAt } from '../../shell/advice.tsx'
import { useCropRanges } from '../../shell/crop-ranges.ts'
import type { WizardValues } from './form-values.ts'

type Known = { found: readonly Finding[]; correct: (of: NonNullable<Finding['correcao']>) => void }
const AdviceContext = createContext<Known>({ found: [], correct: () => undefined })

/**
 * Looks at the form whenever a field of it is left, and at once where the address names the field that is to be looked
 * at; what is found stands under its field and holds nothing up.
 */
export function WithAdvice({ children }: { children: ReactNode }) {
  const { getValues, setFocus, setValue } = useFormContext<WizardValues>()
  const [found, setFound] = useState<readonly Finding[]>([])
  const faixas = useCropRanges()
  const look = useCallback(
    async () => setFound(await lookAt({ ...getValues(), faixas })),
    [getValues, faixas],
  )
  const named = useSearchParams()[0].get('campo')
  useEffect(() => {
    if (named !== null) void look()
  }, [named, look])
  useEffect(() => {
    if (named !== null) setFocus(named as 'teor_argila')
  }, [named, setFocus])
  const correct: Known['correct'] = ({ valores }) => {
    for (const { campo, valor } of valores)
      setValue(campo as 'teor_argila', valor, { shouldDirty: true, shouldValidate: true })
    void look()
  }
  return (
    <AdviceContext value={{ found, correct }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears fields being left and is no control itself */}
      <div className="contents" onBlur={() => void look()}>
        {children}
      </div>
    </AdviceContext>
  )
}

/** Of one field. */
export function useAdviceAt(name: string): ReactNode {
  const { found, correct } = useContext(AdviceContext)
  const here = found.filter(({ onde }) => onde.campo === name)
  if (here.length === 0) return null
  return here.map((finding) => (
    <AdviceNote key={`${finding.codigo} ${finding.valor}`} finding={finding} onCorrect={correct} />
  ))
}

/** What is found in the treatments and in no single field of them. */
export function AdviceOnTreatments() {
  const { found } = useContext(AdviceContext)
  const here = found.filter(({ onde }) => /^tratamentos(\.\d+\.produtos_aplicados)?$/.test(onde.campo ?? ''))
  return (
    <div aria-live="polite" className="flex flex-col gap-1 text-small empty:hidden">
      {here.map((finding) => (
        <AdviceNote key={`${finding.codigo} ${finding.onde.campo} ${finding.valor}`} finding={finding} />
      ))}
    </div>
  )
}
