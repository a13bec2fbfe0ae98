const AFTER_ENTRY_MS = 2_000
const EVERY_MS = 60_000
const LONGEST_WAIT_S = 300

/** Waits 1, 2, 4 … 300 s, each a little off, so that phones do not come all at once. */
export const waitAfter = (failures: number, random = Math.random()): number =>
  Math.min(LONGEST_WAIT_S, 2 ** Math.max(0, failures - 1)) * (0.75 + random / 2)

/** When to send: after an entry, when there is a network or somebody looks again, at the start, once a minute. */
export function startClock(send: () => void): {
  /** An entry was kept. */
  soon(): void
  /** How a round went: the next one waits the longer the more have failed, or as long as the server said. */
  after(outcome: { failed: boolean; afterS?: number }): void
  /** Whether it is too early to ask again by itself. */
  waits(): boolean
} {
  let [failures, notBefore] = [0, 0]
  let timer: ReturnType<typeof setTimeout> | undefined
  const waits = () => performance.now() < notBefore
  const inTime = () => {
    if (!waits()) send()
  }
  addEventListener('online', () => {
    notBefore = 0
    send()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') inTime()
  })
  setInterval(inTime, EVERY_MS)
  return {
    soon() {
      clearTimeout(timer)
      timer = setTimeout(inTime, AFTER_ENTRY_MS)
    },
    after({ failed, afterS }) {
      failures = failed ? failures + 1 : 0
      if (!failed) return
      const waitMs = (afterS ?? waitAfter(failures)) * 1000
      notBefore = performance.now() + waitMs
      clearTimeout(timer)
      timer = setTimeout(inTime, waitMs + 50)
    },
    waits,
  }
}
