import { useEffect, useRef, useState } from 'react'
import { draftsKey } from '../../field-store/packages.ts'
import type { CellPlace, Trial } from '../../field-store/trial.ts'
import { lasting } from '../../storage/browser-storage.ts'
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
/** The last thing typed, until the store has it: a store that answers later may not outlive the page, this does. */
const echoKey = (trial: Pick<Trial, 'pessoa' | 'experimento'>): string =>
  `ensaio.campo.rascunho.${trial.pessoa}.${trial.experimento}`

function echoed(text: string | null): readonly [cell: string, text: string] | null {
  try {
    const read: unknown = JSON.parse(text ?? 'null')
    if (!Array.isArray(read)) return null
    const [cell, typed] = read as unknown[]
    return typeof cell === 'string' && typeof typed === 'string' ? [cell, typed] : null
  } catch {
    return null
  }
}

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
  /**
   * What was typed at a step is on the disk: it is no draft any more. What was typed behind it meanwhile is of the step
   * that comes now.
   */
  saved(at: number, text: string, then: number): void
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
  const keep = async (cell: string, text: string): Promise<void> => {
    const echo = JSON.stringify([cell, text])
    lasting.setItem(echoKey(trial), echo)
    // Of one cell alone: another tab may type into others.
    await field.change(draftsKey(trial), (held) => withDraft((held ?? {}) as Drafts, cell, text))
    if (lasting.getItem(echoKey(trial)) === echo) lasting.removeItem(echoKey(trial))
  }
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
      const echo = echoed(lasting.getItem(echoKey(trial)))
      newest.current = echo ? withDraft(kept ?? {}, ...echo) : (kept ?? {})
      setDrafts(newest.current)
      if (echo) await keep(...echo)
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
    return keep(cell, text)
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
    saved(step, text, then) {
      const place = placeAt(step)
      const now = place ? (newest.current[cellKey(place)] ?? '') : ''
      const behind = now.startsWith(text) ? now.slice(text.length) : now
      if (step !== then) void draft(step, '').catch(() => undefined)
      if (step === then || behind !== '') void draft(then, behind).catch(() => undefined)
    },
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
