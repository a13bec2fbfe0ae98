import { useEffect, useRef, useState } from 'react'
import { draftsKey } from '../../field-store/packages.ts'
import type { CellPlace, Trial } from '../../field-store/trial.ts'
import { field } from './field.ts'
import type { Planned } from './plan.ts'

export const placeKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `lugar ${trial.pessoa} ${trial.experimento}`
/** That the camera was opened for a plot, and has not come back. */
const cameraKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `camera ${trial.pessoa} ${trial.experimento}`

interface Kept {
  parcela: string
  variavel: string | null
}
/** What is typed and not saved yet, by its cell, the latest last: whoever walks on finds it there. */
type Drafts = Readonly<Record<string, string>>
const cellKey = ({ parcela, variavel, avaliacao }: CellPlace): string =>
  `${parcela} ${variavel} ${avaliacao ?? ''}`
/** Somebody who leaves more of them behind has the first ones forgotten. */
const MOST_DRAFTS = 100

function withDraft(drafts: Drafts, cell: string, text: string): Drafts {
  const { [cell]: _, ...others } = drafts
  const kept = Object.entries(text === '' ? others : { ...others, [cell]: text })
  return Object.fromEntries(kept.slice(-MOST_DRAFTS))
}

export interface Place {
  /** Null until it is read. */
  at: number | null
  typed: string
  /** Cells elsewhere in which something is typed and not saved. */
  unsaved: readonly { at: number; text: string }[]
  /** The camera was open when the page was closed. */
  cameraClosedIt: boolean
  move(at: number): void
  type(text: string): void
  /** What was typed at a step is on the disk: it is no draft any more. */
  saved(at: number): void
  /** Before the camera is opened, which may close the page; done when it is on the disk. */
  toCamera(): Promise<void>
  fromCamera(): void
}

/** Where one is on the path, through everything. */
export function usePlace(trial: Trial, planned: Planned | null): Place {
  const [at, setAt] = useState<number | null>(null)
  const [drafts, setDrafts] = useState<Drafts>({})
  const newest = useRef<Drafts>({})
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
      const [place, kept, camera] = (await Promise.all([
        field.get(placeKey(trial)),
        field.get(draftsKey(trial)),
        field.get(cameraKey(trial)),
      ])) as [Kept | undefined, Drafts | undefined, Kept | null | undefined]
      if (camera) {
        setClosed(true)
        await field.put(cameraKey(trial), null)
      }
      const last = place ? find(place) : -1
      const first = planned.steps.findIndex((step) => !planned.filled(step))
      newest.current = kept ?? {}
      setDrafts(newest.current)
      setAt(last >= 0 ? last : Math.max(0, first))
    }
    read().catch(() => setAt(0))
    field.put('ultimo', trial.experimento).catch(() => undefined)
  }, [ready])
  const placeAt = (step: number | null): CellPlace | null => {
    const one = step === null ? undefined : planned?.steps[step]
    return one && planned ? planned.placeOf(one) : null
  }
  const draft = (step: number | null, text: string): Promise<void> => {
    const place = placeAt(step)
    if (!place) return Promise.resolve()
    const cell = cellKey(place)
    newest.current = withDraft(newest.current, cell, text)
    setDrafts(newest.current)
    // Of one cell alone: another tab may type into others.
    return field.change(draftsKey(trial), (held) => withDraft((held ?? {}) as Drafts, cell, text))
  }
  const here = placeAt(at)
  const typed = here ? (drafts[cellKey(here)] ?? '') : ''
  const keys = Object.keys(drafts).filter((key) => !here || key !== cellKey(here))
  const unsaved =
    keys.length === 0 || !planned
      ? []
      : planned.steps.flatMap((step, place) => {
          const text = drafts[cellKey(planned.placeOf(step))]
          return text === undefined || place === at ? [] : [{ at: place, text }]
        })
  return {
    ...{ at, typed, unsaved, cameraClosedIt },
    move(next) {
      setClosed(false)
      setAt(next)
      const kept = placeAt(next)
      if (kept) field.put(placeKey(trial), kept).catch(() => undefined)
    },
    type: (text) => void draft(at, text).catch(() => undefined),
    saved: (step) => void draft(step, '').catch(() => undefined),
    async toCamera() {
      const kept = placeAt(at)
      if (!kept) return
      await Promise.all([
        field.put(placeKey(trial), kept),
        draft(at, typed),
        field.put(cameraKey(trial), kept),
      ])
    },
    fromCamera() {
      setClosed(false)
      field.put(cameraKey(trial), null).catch(() => undefined)
    },
  }
}
