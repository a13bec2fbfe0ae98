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

export function makeRun(words: readonly Word[]): Run {
  let text = ''
  const spans: Run['spans'] = []
  let previous: Word | undefined
  for (const word of words) {
    if (previous) {
      const sameLine = Math.abs(word.base - previous.base) < 0.5 * word.size && word.page === previous.page
      if (!sameLine && /\p{Ll}-$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(word.text))
        text = text.slice(0, -1)
      else if (isExponent(text, word.text)) text += ''
      else if (
        !sameLine ||
        word.ocr !== undefined ||
        word.x0 - previous.x1 >= 0.06 * Math.max(word.size, previous.size) ||
        word.x0 <= previous.x0
      )
        text += ' '
    }
    spans.push({ start: text.length, end: text.length + word.text.length, word })
    text += word.text
    previous = word
  }
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
export function wordsIn(run: Run, start: number, end: number): Word[] {
  return run.spans.filter((span) => span.start < end && span.end > start).map((span) => span.word)
}

export function sliceRun(run: Run, start: number, end: number): Run {
  return makeRun(wordsIn(run, start, end))
}
