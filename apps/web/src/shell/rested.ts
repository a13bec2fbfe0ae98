import { useEffect, useState } from 'react'

const REST_MS = 300

/** A text once its typing rests: what is asked by it is asked once, not for every key. Emptied, at once. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), text ? REST_MS : 0)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

const FRAME_REST_MS = 120

/** What changes with every frame once it rests: for what is too large to follow a finger. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), FRAME_REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
