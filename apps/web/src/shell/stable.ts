import { useCallback, useRef } from 'react'

/** One function for a component's whole life that does what the latest one would: who is given it need not draw again. */
export function useStable<A extends unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  const latest = useRef(run)
  latest.current = run
  return useCallback((...args: A) => latest.current(...args), [])
}
