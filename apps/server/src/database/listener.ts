import type pg from 'pg'

const RECONNECT_MS = 2_000
/** What was heard so long ago is still known to who subscribes late. */
export const REMEMBERED_MS = 60_000
const REMEMBERED_NOTICES = 10_000

export interface Subscriber {
  /** With each notice's text, by its channel. */
  heard: Readonly<Record<string, (told: string) => void>>
  /** Listening has begun, or begun again: until now notices may have gone unheard. */
  missed: () => void
  closed: () => void
}

export interface Listener {
  /** Calls what hears the channel of a notice, and `closed` when the process stops; answers how to unsubscribe. */
  subscribe(subscriber: Subscriber): () => void
  /** What the channel was told in the last `ms`; null where that is not known for all of the time. */
  heardWithin(channel: string, ms: number): string[] | null
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
  let remembered: { at: number; channel: string; told: string }[] = []
  /** From when on everything was heard and is remembered; null while nobody listens. */
  let knownSince: number | null = null

  const remember = (channel: string, told: string) => {
    const now = Date.now()
    remembered.push({ at: now, channel, told })
    if (remembered.length <= REMEMBERED_NOTICES) return
    remembered = remembered.filter(({ at }) => now - at <= REMEMBERED_MS).slice(-REMEMBERED_NOTICES / 2)
    knownSince = Math.max(knownSince ?? now, remembered[0]?.at ?? now)
  }
  const open = async () => {
    const made = await pool.connect()
    if (closed) return made.release(true)
    made.on('notification', ({ channel, payload = '' }) => {
      remember(channel, payload)
      for (const subscriber of subscribers) subscriber.heard[channel]?.(payload)
    })
    made.on('error', (error) => {
      log(error)
      if (client !== made) return
      client = null
      knownSince = null
      made.release(true)
      again()
    })
    for (const channel of channels) await made.query(`listen ${channel}`)
    client = made
    knownSince = Date.now()
    for (const subscriber of subscribers) subscriber.missed()
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
    heardWithin(channel, ms) {
      const from = Date.now() - ms
      if (knownSince === null || knownSince > from) return null
      return remembered.flatMap((one) => (one.channel === channel && one.at >= from ? [one.told] : []))
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
