import { useEffect, useState } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { field } from './field.ts'
import type { Planned } from './plan.ts'

export const placeKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `lugar ${trial.pessoa} ${trial.experimento}`
const draftKey = (trial: Trial) => `rascunho ${trial.pessoa} ${trial.experimento}`

interface Kept {
  parcela: string
  variavel: string | null
}
/** What is typed and not saved yet, and where. */
interface TypedDraft extends Kept {
  texto: string
}

/** Where one is on the path, through everything; null until it is read. */
export function usePlace(
  trial: Trial,
  planned: Planned | null,
): { at: number | null; typed: string; move(at: number): void; type(text: string): void } {
  const [at, setAt] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  const ready = planned !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read once
  useEffect(() => {
    if (!planned) return
    const find = ({ parcela, variavel }: Kept): number =>
      planned.steps.findIndex((step) => {
        const place = planned.placeOf(step)
        return place.parcela === parcela && (variavel === null || place.variavel === variavel)
      })
    const read = async () => {
      const [place, draft] = (await Promise.all([
        field.get(placeKey(trial)),
        field.get(draftKey(trial)),
      ])) as [Kept | undefined, TypedDraft | undefined]
      const kept = place ? find(place) : -1
      const first = planned.steps.findIndex((step) => !planned.filled(step))
      const start = kept >= 0 ? kept : Math.max(0, first)
      if (draft && find(draft) === start) setTyped(draft.texto)
      setAt(start)
    }
    read().catch(() => setAt(0))
    field.put('ultimo', trial.experimento).catch(() => undefined)
  }, [ready])
  const placeAt = (step: number): Kept | null => {
    const one = planned?.steps[step]
    return one && planned ? planned.placeOf(one) : null
  }
  return {
    ...{ at, typed },
    move(next) {
      setAt(next)
      setTyped('')
      const kept = placeAt(next)
      if (kept) field.put(placeKey(trial), kept).catch(() => undefined)
    },
    type(text) {
      setTyped(text)
      const kept = at === null ? null : placeAt(at)
      if (kept) field.put(draftKey(trial), { ...kept, texto: text }).catch(() => undefined)
    },
  }
}
