import { useEffect } from 'react'
import { actingKey } from './acting.ts'
import { open } from './client.ts'
import { experimentsChanged } from './queries.ts'
import { serverEvents } from './server-events.ts'

const LIFE_MS = 30 * 60_000
const PAUSE_MS = 5_000
/** Open dashboards ask again at moments of their own within this time, not all at once. */
const SPREAD_MS = 2_000
/** As old as what is shown without being asked for again. */
const FRESH_MS = 15_000
const KNOWN_MS = 60_000
/** Of the lock and of the channel by which a browser's tabs that act for one organisation share one stream. */
const sharedName = () => `ensaio.events.${actingKey()}`

/**
 * Reads again what is on the screen when anybody has changed an experiment; nothing moves but the figures. A tab
 * that is looked at follows; of several, one holds the stream and tells the others.
 */
export function useLiveExperiments(): void {
  useEffect(() => {
    let following: AbortController | null = null
    let missed = false
    const look = () => {
      if (document.visibilityState === 'hidden') {
        following?.abort()
        following = null
        missed = true
      } else if (!following) {
        following = new AbortController()
        if (missed) void experimentsChanged()
        void follow(following.signal)
      }
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      following?.abort()
    }
  }, [])
}

async function follow(stop: AbortSignal): Promise<void> {
  const again = askAgainSoon(stop)
  const shared = sharedName()
  const channel = 'BroadcastChannel' in window ? new BroadcastChannel(shared) : null
  let leading = false
  let changedAt = Number.NEGATIVE_INFINITY
  channel?.addEventListener('message', ({ data }) => {
    if (data === 'changed') again()
    // What it shows may be of before the last change.
    else if (leading && performance.now() - changedAt < KNOWN_MS) channel.postMessage('changed')
  })
  channel?.postMessage('joined')
  const since = performance.now() - FRESH_MS
  const lead = () => {
    leading = true
    return stream(stop, since, () => {
      changedAt = performance.now()
      again()
      channel?.postMessage('changed')
    })
  }
  try {
    // Over plain HTTP from another machine, or with storage blocked, there are no locks: then each its own.
    await navigator.locks.request(shared, { signal: stop }, lead)
  } catch {
    if (!stop.aborted) await lead()
  }
  channel?.close()
}

/**
 * Until `stop`: asks for the events, and again when they end. What happened after `since`, when what is on the screen
 * may have been read, is told too.
 */
async function stream(stop: AbortSignal, since: number, onChange: () => void): Promise<void> {
  for (let first = true; !stop.aborted; first = false) {
    try {
      const ha = Math.round(Math.min(performance.now() - Math.max(since, 0), KNOWN_MS))
      const response = await open(
        'events',
        { query: first ? { ha } : {} },
        { signal: stop, timeoutMs: LIFE_MS },
      )
      if (!first) onChange()
      for await (const { event } of serverEvents(response)) if (event === 'changed') onChange()
    } catch {
      // The stream ended or the server is away: asked for again below.
    }
    await pause(stop)
  }
}

/** Many changes within the time are one question. */
function askAgainSoon(stop: AbortSignal): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  stop.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return () => {
    if (stop.aborted) return
    timer ??= setTimeout(() => {
      timer = undefined
      void experimentsChanged()
    }, Math.random() * SPREAD_MS)
  }
}

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    const wake = () => {
      clearTimeout(timer)
      resolve()
    }
    if (signal.aborted) wake()
    else signal.addEventListener('abort', wake, { once: true })
  })
