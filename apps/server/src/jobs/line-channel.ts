import type { Duplex } from 'node:stream'

export interface LineChannel {
  /** One message; undefined members are left out. */
  send(message: unknown): void
}

/**
 * Messages as lines of JSON over a plain pipe. Node's own channel between processes would trust the other side: one
 * line that is no JSON, or an order of its own protocol, ends the process that hears it. Here a line that is too
 * long or no JSON is told once, as `onBroken`, and nothing is heard after it.
 */
export function lineChannel(
  pipe: Duplex,
  on: {
    message(message: unknown): void
    broken(): void
    /** The other side is gone. */
    end?(): void
  },
  /** Bytes of a line, and of all lines since the last call of `renew`. */
  bounds: { line: number; all: number },
): LineChannel & { renew(): void } {
  let chunks: Buffer[] = []
  let held = 0
  let all = 0
  let over = false
  const stop = () => {
    over = true
    chunks = []
    pipe.destroy()
    on.broken()
  }
  pipe.on('data', (chunk: Buffer) => {
    if (over) return
    all += chunk.length
    if (all > bounds.all) return stop()
    let from = 0
    for (let at = chunk.indexOf(10); at >= 0 && !over; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...chunks, chunk.subarray(from, at)])
      chunks = []
      held = 0
      from = at + 1
      const message = line.length > bounds.line ? undefined : parsed(line)
      if (message === undefined) return stop()
      on.message(message)
    }
    chunks.push(chunk.subarray(from))
    held += chunk.length - from
    if (held > bounds.line) stop()
  })
  // Whoever ends it is told by its own end.
  pipe.on('error', () => {})
  pipe.once('close', () => {
    if (!over) on.end?.()
  })
  return {
    send(message) {
      if (!pipe.destroyed) pipe.write(`${JSON.stringify(message)}\n`)
    },
    renew() {
      all = 0
    },
  }
}

/** Undefined for what is no JSON, which is no value of JSON. */
function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}
