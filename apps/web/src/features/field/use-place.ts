import { useEffect, useState } from 'react'
import type { Trial } from '../../field-store/trial.ts'
import { field } from './field.ts'
import type { Planned } from './plan.ts'

export const placeKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `lugar ${trial.pessoa} ${trial.experimento}`
/** That the camera was opened for a plot, and has not come back. */
const cameraKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `camera ${trial.pessoa} ${trial.experimento}`
const draftKey = (trial: Trial) => `rascunho ${trial.pessoa} ${trial.experimento}`

interface Kept {
  parcela: string
  variavel: string | null
}
/** What is typed and not saved yet, and where. */
interface TypedDraft extends Kept {
  texto: string
}

export interface Place {
  /** Null until it is read. */
  at: number | null
  typed: string
  /** The camera was open when the page was closed. */
  cameraClosedIt: boolean
  move(at: number): void
  type(text: string): void
  /** Before the camera is opened, which may close the page; done when it is on the disk. */
  toCamera(): Promise<void>
  fromCamera(): void
}

/** Where one is on the path, through everything. */
export function usePlace(trial: Trial, planned: Planned | null): Place {
  const [at, setAt] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  const [cameraClosedIt, setClosed] = useState(false)
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
      const [place, draft, camera] = (await Promise.all([
        field.get(placeKey(trial)),
        field.get(draftKey(trial)),
        field.get(cameraKey(trial)),
      ])) as [Kept | undefined, TypedDraft | undefined, Kept | null | undefined]
      if (camera) {
        setClosed(true)
        await field.put(cameraKey(trial), null)
      }
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
    ...{ at, typed, cameraClosedIt },
    move(next) {
      setClosed(false)
      setAt(next)
      setTyped('')
      const kept = placeAt(next)
      if (kept) field.put(placeKey(trial), kept).catch(() => undefined)
      // Of the same place, what was typed there is saved, and does not come back.
      if (kept && next === at) field.put(draftKey(trial), { ...kept, texto: '' }).catch(() => undefined)
    },
    type(text) {
      setTyped(text)
      const kept = at === null ? null : placeAt(at)
      if (kept) field.put(draftKey(trial), { ...kept, texto: text }).catch(() => undefined)
    },
    async toCamera() {
      const kept = at === null ? null : placeAt(at)
      if (!kept) return
      await Promise.all([
        field.put(placeKey(trial), kept),
        field.put(draftKey(trial), { ...kept, texto: typed }),
        field.put(cameraKey(trial), kept),
      ])
    },
    fromCamera() {
      setClosed(false)
      field.put(cameraKey(trial), null).catch(() => undefined)
    },
  }
}
