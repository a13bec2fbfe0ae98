import { useEffect } from 'react'
import { open } from './client.ts'
import { experimentsChanged } from './queries.ts'
import { serverEvents } from './server-events.ts'

const LIFE_MS = 30 * 60_000
const PAUSE_MS = 5_000

/** Reads again what is on the screen when anybody has changed an experiment; nothing moves but the figures. */
export function useLiveExperiments(): void {
  useEffect(() => {
    const stop = new AbortController()
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          const response = await open('events', {}, { signal: stop.signal, timeoutMs: LIFE_MS })
          for await (const { event } of serverEvents(response))
            if (event === 'changed') void experimentsChanged()
        } catch {
          // The stream ended or the server is away: asked for again below.
        }
        await pause(stop.signal)
      }
    }
    void follow()
    return () => stop.abort()
  }, [])
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
