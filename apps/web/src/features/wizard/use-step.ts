import { WIZARD_PAGES } from '@ensaio/domain'
import { type RefObject, useCallback, useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { reachableStep, type WizardValues } from './form-values.ts'

/** The page that is open, kept in the address. One ahead of a page that does not validate cannot be opened. */
export function useStep(values: () => WizardValues, first: number, frame: RefObject<HTMLElement | null>) {
  const [search, setSearch] = useSearchParams()
  const asked = Number(search.get('passo') ?? first)
  const known = Number.isInteger(asked) && asked >= 1 && asked <= WIZARD_PAGES.length ? asked : 1
  const step = known === 1 ? 1 : Math.min(known, reachableStep(values()))

  const goTo = useCallback(
    (next: number, { replace = false } = {}) => {
      setSearch(
        (before) => {
          const after = new URLSearchParams(before)
          after.set('passo', String(next))
          return after
        },
        { replace },
      )
      frame.current?.scrollIntoView({ block: 'start' })
    },
    [setSearch, frame],
  )
  useEffect(() => {
    if (step !== asked) goTo(step, { replace: true })
  }, [step, asked, goTo])

  return { step, goTo }
}
