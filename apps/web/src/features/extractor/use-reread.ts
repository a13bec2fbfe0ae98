import { counted } from '@ensaio/domain'
import { useEffect, useRef, useState } from 'react'
import { reasonOf } from '../../api/client.ts'
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
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [earlier, setEarlier] = useState<readonly ReviewState[]>([])
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const say = async (tables: ReviewTable[]) => {
    const before = state
    running.current?.abort()
    const stop = new AbortController()
    running.current = stop
    setBusy(true)
    onState((now) => ({ ...now, tables }))
    try {
      const result = await extract(file, stop.signal, { tables: given(tables) })
      const count = result.data.tratamentos.length
      const changed = differences(before.data, result.data)
      onState((now) => withTreatments(now, result))
      setEarlier((known) => [...known, before])
      setOutcome({
        tone: 'ok',
        text: `${counted(count, 'tratamento lido', 'tratamentos lidos')} (${before.data.tratamentos.length} antes); ${counted(changed, 'valor mudou', 'valores mudaram')}.`,
      })
    } catch (error) {
      if (stop.signal.aborted) return
      onState(() => before)
      setOutcome({
        tone: 'danger',
        text: `Não foi possível ler de novo; nada mudou. ${reasonOf(error, '')}`,
      })
    } finally {
      if (running.current === stop) setBusy(false)
    }
  }
  const last = earlier.at(-1)
  const undo = last
    ? () => {
        onState((now) => ({
          ...now,
          data: { ...now.data, tratamentos: last.data.tratamentos },
          fields: last.fields,
          tables: last.tables,
          corrected: [
            ...now.corrected.filter((path) => !path.startsWith('tratamentos')),
            ...last.corrected.filter((path) => path.startsWith('tratamentos')),
          ],
        }))
        setEarlier((known) => known.slice(0, -1))
        setOutcome(null)
      }
    : null
  return { busy, outcome, say, undo }
}
