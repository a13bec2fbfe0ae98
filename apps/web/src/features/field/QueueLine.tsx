import { clockSentence, conflictsLeft, queueStatus } from '@ensaio/domain'
import { fieldPath, Link, trialPath } from './address.tsx'
import { useFieldState } from './field.ts'

/** What waits and what was sent, always in words and with the number. */
export function QueueLine({ className = '' }: { className?: string }) {
  const state = useFieldState()
  const { trial } = state
  const contested = trial
    ? [{ experimento: trial.experimento, n: trial.conflicts().length }]
    : state.contested
  const conflicts = contested.reduce((sum, { n }) => sum + n, 0)
  const [first] = contested
  return (
    <p role="status" className={`figures text-small ${className}`}>
      {state.signedOut && state.waiting > 0 ? (
        <Link to={fieldPath} className="text-accent underline underline-offset-4">
          {queueStatus(state)}
        </Link>
      ) : (
        queueStatus(state)
      )}
      {conflicts > 0 && first && (
        <>
          {' · '}
          <Link
            to={trialPath(first.experimento, 'conflitos')}
            className="text-accent underline underline-offset-4"
          >
            {conflictsLeft(conflicts)}
          </Link>
        </>
      )}
    </p>
  )
}

export function ClockLine() {
  const sentence = clockSentence(useFieldState().skewMs)
  return sentence ? <p className="text-small text-warn">{sentence}</p> : null
}
