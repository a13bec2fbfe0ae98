interface Bucket {
  tokens: number
  at: number
}

/** So many callers are remembered; whoever asked longest ago is forgotten, with a full bucket for the next time. */
const REMEMBERED = 20_000

/**
 * Buckets that refill steadily, in this process: for what is asked often and costs little, where a row in the
 * database would cost more than the answer.
 * @returns how to take a token: seconds to wait when there is none, else 0
 */
export function buckets({ capacity, perSecond }: { capacity: number; perSecond: number }) {
  const known = new Map<string, Bucket>()
  return (who: string, now = performance.now()): number => {
    const before = known.get(who) ?? { tokens: capacity, at: now }
    const tokens = Math.min(capacity, before.tokens + ((now - before.at) / 1000) * perSecond)
    const taken = tokens >= 1
    known.delete(who)
    known.set(who, { tokens: taken ? tokens - 1 : tokens, at: now })
    const [oldest] = known.keys()
    if (known.size > REMEMBERED && oldest !== undefined) known.delete(oldest)
    return taken ? 0 : (1 - tokens) / perSecond
  }
}
