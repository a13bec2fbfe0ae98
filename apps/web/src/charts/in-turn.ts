/** One piece of drawing a task: a page of charts answers to clicks between one chart and the next. */
const waiting = new Set<() => void>()
const { port1, port2 } = new MessageChannel()

port1.onmessage = () => {
  const [next] = waiting
  if (!next) return
  waiting.delete(next)
  if (waiting.size > 0) port2.postMessage(null)
  next()
}

/** Does the work in its turn; the function that it answers takes the work back. */
export function inTurn(work: () => void): () => void {
  waiting.add(work)
  if (waiting.size === 1) port2.postMessage(null)
  return () => {
    waiting.delete(work)
  }
}
