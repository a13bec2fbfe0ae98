/**
 * Drawing in turn, a few charts a task: a page of charts answers to clicks in between, and is not painted anew for
 * each of them. What is in view comes first.
 */
export type Drawing = { draw: () => void; inView: boolean }

/** A task begins another chart only before this; one takes about ten. */
const TASK_MS = 16

const waiting = new Set<Drawing>()
const { port1, port2 } = new MessageChannel()

port1.onmessage = () => {
  const start = performance.now()
  try {
    while (waiting.size > 0 && performance.now() - start < TASK_MS) {
      const row = [...waiting]
      const next = row.find(({ inView }) => inView) ?? row[0]
      if (next) drawNow(next)
    }
  } finally {
    // Also when one of them fails: the others have their turn.
    if (waiting.size > 0) port2.postMessage(null)
  }
}

/** Puts a drawing into the row; one that waits already keeps its place. */
export function inTurn(drawing: Drawing): void {
  if (waiting.size === 0) port2.postMessage(null)
  waiting.add(drawing)
}

/** Draws it if it waits. */
export function drawNow(drawing: Drawing): void {
  if (waiting.delete(drawing)) drawing.draw()
}

/** Takes it out of the row. */
export function takeBack(drawing: Drawing): void {
  waiting.delete(drawing)
}
