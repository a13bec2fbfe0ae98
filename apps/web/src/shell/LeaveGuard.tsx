import { useEffect } from 'react'
import { type Location, useBlocker } from 'react-router'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { useStable } from './stable.ts'

type Props = {
  /** Asked at the moment of leaving. */
  unsaved: () => boolean
  /** Whether the way from here to there loses what is unsaved. */
  leaves: (from: Location, to: Location) => boolean
  title: string
  message: string
  confirmLabel: string
}

/** Asks before what is unsaved is left, by a link, the browser's buttons or its closing. */
export function LeaveGuard({ unsaved, leaves, title, message, confirmLabel }: Props) {
  const asked = useStable(unsaved)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => leaves(currentLocation, nextLocation) && asked(),
  )
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (asked()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [asked])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={title}
      message={message}
      confirmLabel={confirmLabel}
      onCancel={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
    />
  )
}
