import { useEffect } from 'react'

const AWAKE_MS = 5 * 60_000

/** The screen stays on for five minutes after the last touch, where the browser lets it. */
export function useAwake(): void {
  useEffect(() => {
    let held: WakeLockSentinel | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let [asking, gone] = [false, false]
    const release = () => {
      void held?.release().catch(() => undefined)
      held = null
    }
    const touched = async () => {
      clearTimeout(timer)
      timer = setTimeout(release, AWAKE_MS)
      if (asking || (held && !held.released) || !('wakeLock' in navigator)) return
      asking = true
      held = await navigator.wakeLock.request('screen').catch(() => null)
      asking = false
      if (gone) release()
    }
    const listen = () => void touched()
    listen()
    document.addEventListener('pointerdown', listen)
    document.addEventListener('keydown', listen)
    return () => {
      gone = true
      clearTimeout(timer)
      release()
      document.removeEventListener('pointerdown', listen)
      document.removeEventListener('keydown', listen)
    }
  }, [])
}
