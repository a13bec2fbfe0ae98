import type { Experiment } from '@ensaio/domain'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { onLeaving } from '../../storage/leaving.ts'
import { dropDraft, writeDraft } from './draft.ts'
import type { WizardValues } from './form-values.ts'

type Of = {
  keeper: string
  editing: Experiment | null
  step: number
  file: File | null
  /** What stands in the form from the start is not saved anywhere else. */
  touched: boolean
}

/** Keeps what is typed between visits. */
export function useDraft(form: UseFormReturn<WizardValues>, { keeper, editing, step, file, ...from }: Of) {
  const saved = useRef(false)
  const touched = useRef(from.touched)
  const [lasts, setLasts] = useState(true)
  const experimentId = editing?.id ?? null
  const versao = editing?.versao ?? null

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const keep = () => {
      if (saved.current) return
      const draft = { values: form.getValues(), step, filename: file?.name ?? null, versao }
      setLasts(writeDraft(keeper, experimentId, draft))
    }
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        touched.current = true
        clearTimeout(timer)
        timer = setTimeout(keep, 250)
      },
    })
    if (touched.current) keep()
    const stay = onLeaving(() => touched.current && keep())
    return () => {
      stop()
      clearTimeout(timer)
      stay()
      if (touched.current) keep()
    }
  }, [form, keeper, experimentId, versao, step, file])

  const unsaved = useCallback(() => touched.current && !saved.current, [])
  const touch = useCallback(() => {
    touched.current = true
  }, [])
  const finish = useCallback(() => {
    saved.current = true
    dropDraft(keeper, experimentId)
  }, [keeper, experimentId])
  return { unsaved, touch, finish, lasts }
}
