import type { Word } from '../read/page.ts'
import { foldInPlace } from '../values/text.ts'
import { isExponent } from './lines.ts'

/** Text with the way back to the words that it came from. */
export interface Run {
  text: string
  /** Same length as `text`, lower case without accents. */
  folded: string
  spans: { start: number; end: number; word: Word }[]
}

/** So many pieces tell what an exponent stands behind: 'kg', ' ', 'ha-'. */
const LOOKED_BACK = 6

export function makeRun(words: readonly Word[]): Run {
  // Put together at the end: to look back into what grows copies it, word after word.
  const parts: string[] = []
  let length = 0
  const add = (part: string): void => {
    parts.push(part)
    length += part.length
  }
  const spans: Run['spans'] = []
  let previous: Word | undefined
  for (const word of words) {
    if (previous) {
      const sameLine = Math.abs(word.base - previous.base) < 0.5 * word.size && word.page === previous.page
      const before = parts.at(-1) ?? ''
      if (!sameLine && /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(word.text)) {
        parts[parts.length - 1] = before.slice(0, -1)
        length--
      } else if (isExponent(parts.slice(-LOOKED_BACK).join(''), word.text)) add('')
      else if (
        !sameLine ||
        word.ocr !== undefined ||
        word.x0 - previous.x1 >= 0.06 * Math.max(word.size, previous.size) ||
        word.x0 <= previous.x0
      )
        add(' ')
    }
    spans.push({ start: length, end: length + word.text.length, word })
    add(word.text)
    previous = word
  }
  const text = parts.join('')
  return { text, folded: foldInPlace(text), spans }
}

const runs = new WeakMap<object, Run>()

/** The text of a block, put together once however often the document is read. */
export function runOf(block: { readonly segments: readonly { readonly words: readonly Word[] }[] }): Run {
  const known = runs.get(block.segments)
  if (known) return known
  const run = makeRun(block.segments.flatMap(({ words }) => words))
  runs.set(block.segments, run)
  return run
}

/** The words that a stretch of the text came from. */
export function wordsIn({ spans }: Run, start: number, end: number): Word[] {
  let [from, to] = [0, spans.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((spans[middle]?.end ?? 0) > start) to = middle
    else from = middle + 1
  }
  const words: Word[] = []
  for (let i = from; i < spans.length && (spans[i]?.start ?? end) < end; i++) {
    const word = spans[i]?.word
    if (word) words.push(word)
  }
  return words
}

export function sliceRun(run: Run, start: number, end: number): Run {
  return makeRun(wordsIn(run, start, end))
}
