/**
 * Makes the key that lets the server answer a repeated request with its first result: the same payload keeps
 * its key, another payload gets a new one.
 */
export function createRequestKey(): (payload: string) => string {
  let last: { payload: string; key: string } | null = null
  return (payload) => {
    if (last?.payload !== payload) last = { payload, key: randomKey() }
    return last.key
  }
}

// Not crypto.randomUUID: it is missing where the page comes over plain HTTP from another machine.
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
