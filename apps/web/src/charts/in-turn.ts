/**
 * Draws what waits in short tasks: a page of charts answers to clicks in between, and does not spend a frame on
 * each chart.
 */
const BUDGET_MS = 24

const waiting = new Set<() => void>()
const { port1, port2 } = new MessageChannel()

port1.onmessage = () => {
  const deadline = performance.now() + BUDGET_MS
  for (const next of waiting) {
    waiting.delete(next)
    try {
      next()
    } catch (error) {
      reportError(error)
    }
    if (performance.now() > deadline) break
  }
  if (waiting.size > 0) port2.postMessage(null)
}

/** Does the work in its turn; the function that it answers takes the work back. */
export function inTurn(work: () => void): () => void {
  waiting.add(work)
  if (waiting.size === 1) port2.postMessage(null)
  return () => {
    waiting.delete(work)
  }
}
