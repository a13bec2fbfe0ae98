import type pg from 'pg'

const RECONNECT_MS = 2_000

export interface Subscriber {
  /** With each notice's text, by its channel. */
  heard: Readonly<Record<string, (told: string) => void>>
  closed: () => void
}

export interface Listener {
  /** Calls what hears the channel of a notice, and `closed` when the process stops; answers how to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void
  close(): Promise<void>
}

/** One connection that listens on channels for the whole process; opened for the first subscriber. */
export function listenOn(
  pool: pg.Pool,
  channels: readonly string[],
  log: (error: unknown) => void,
): Listener {
  const subscribers = new Set<Subscriber>()
  let client: pg.PoolClient | null = null
  let opening: Promise<void> | null = null
  let closed = false

  const open = async () => {
    const made = await pool.connect()
    if (closed) return made.release(true)
    made.on('notification', ({ channel, payload = '' }) => {
      for (const subscriber of subscribers) subscriber.heard[channel]?.(payload)
    })
    made.on('error', (error) => {
      log(error)
      if (client !== made) return
      client = null
      made.release(true)
      again()
    })
    for (const channel of channels) await made.query(`listen ${channel}`)
    client = made
  }
  const again = () => {
    if (closed || subscribers.size === 0) return
    setTimeout(() => ensure(), RECONNECT_MS).unref()
  }
  const ensure = () => {
    if (client || opening || closed) return
    opening = open()
      .catch((error: unknown) => {
        log(error)
        again()
      })
      .finally(() => {
        opening = null
      })
  }

  return {
    subscribe(subscriber) {
      subscribers.add(subscriber)
      ensure()
      return () => subscribers.delete(subscriber)
    },
    async close() {
      closed = true
      for (const subscriber of subscribers) subscriber.closed()
      subscribers.clear()
      await opening
      client?.release(true)
      client = null
    },
  }
}
