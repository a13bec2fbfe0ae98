/** As many texts as a report's cells and words have, and their longest. */
const MOST_TEXTS = 6000
const LONGEST = 160

/** What a reading of short texts gave: the words of one report are asked about again and again. */
export function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    if (text.length > LONGEST) return read(text)
    const before = known.get(text)
    if (before !== undefined || known.has(text)) return before as T
    const value = read(text)
    if (known.size >= MOST_TEXTS) known.clear()
    known.set(text, value)
    return value
  }
}
