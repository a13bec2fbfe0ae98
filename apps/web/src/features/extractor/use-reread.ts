import { counted } from '@ensaio/domain'
import { useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../api/client.ts'
import { useStable } from '../../shell/stable.ts'
import { differences, type ReviewState, type ReviewTable, withTreatments } from './review-state.ts'
import { given } from './review-tables.ts'
import { extract } from './use-extraction.ts'

type Outcome = { text: string; tone: 'ok' | 'danger' }

/** Reads the report again each time that the person says something else of its tables, and tells what changed. */
export function useReread(
  file: File,
  state: ReviewState,
  onState: (change: (before: ReviewState) => ReviewState) => void,
) {
  /** What the person says, until it has been read. */
  const [pending, setPending] = useState<readonly ReviewTable[] | null>(null)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [earlier, setEarlier] = useState<readonly ReviewState[]>([])
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const now = useStable(() => state)

  const say = async (tables: readonly ReviewTable[]) => {
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setPending(tables)
    try {
      const result = await extract(file, stop.signal, { tables: given(tables) })
      // What was typed meanwhile is kept, but for the treatments, which are read anew.
      const before = now()
      const replaced = before.corrected.filter((path) => path.startsWith('tratamentos')).length
      onState((current) => withTreatments(current, tables, result))
      setEarlier((known) => [...known, before])
      setOutcome({ tone: 'ok', text: told(before, result.data, replaced) })
    } catch (error) {
      if (stop.signal.aborted) return
      setOutcome({
        tone: 'danger',
        text: `Não foi possível ler de novo; nada mudou. ${reasonOf(error, '')}`,
      })
    }
    if (running.current === stop) setPending(null)
  }
  const last = earlier.at(-1)
  const undo = last
    ? () => {
        const ofTreatments = (path: string): boolean => path.startsWith('tratamentos')
        const pick = (paths: ReviewState['corrected'], from: ReviewState['corrected']): string[] => [
          ...paths.filter((path) => !ofTreatments(path)),
          ...from.filter(ofTreatments),
        ]
        onState((current) => ({
          ...current,
          data: { ...current.data, tratamentos: last.data.tratamentos },
          fields: last.fields,
          tables: last.tables,
          corrected: pick(current.corrected, last.corrected),
          shared: pick(current.shared, last.shared),
        }))
        setEarlier((known) => known.slice(0, -1))
        setOutcome(null)
      }
    : null
  return { busy: pending !== null, tables: pending ?? state.tables, outcome, say, undo }
}

function told(before: ReviewState, after: ReviewState['data'], replaced: number): string {
  const read = counted(after.tratamentos.length, 'tratamento lido', 'tratamentos lidos')
  const changed = counted(differences(before.data, after), 'valor mudou', 'valores mudaram')
  const lost =
    replaced > 0
      ? ` ${counted(replaced, 'correção sua nos tratamentos foi substituída', 'correções suas nos tratamentos foram substituídas')}.`
      : ''
  return `${read} (${before.data.tratamentos.length} antes); ${changed}.${lost}`
}
