import { searchable } from './format.ts'

/** Further words of a name, and codes of more words, are not looked at. */
const MOST_WORDS = 12
const LONGEST_RUN = 5
const LONGEST_CODE = 60

/**
 * What may be a trial's code in a file's name, as codes are told apart, the longest first: 'Soja-2024-017 final.pdf'
 * may hold 'soja-2024-017', '2024-017', 'soja' and so on. A slash, which no file's name can have, may stand for any
 * sign between two words: 'soja-2024/017' is among them.
 */
export function codesInName(filename: string): string[] {
  const name = searchable(filename.replace(/\.pdf$/i, ''))
  const words = [...name.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, MOST_WORDS)
  const found = new Set<string>()
  for (const [at, first] of words.entries()) {
    let runs = [first[0]]
    let end = first.index + first[0].length
    for (const text of runs) found.add(text)
    for (const { index, 0: word } of words.slice(at + 1, at + LONGEST_RUN)) {
      const between = name.slice(end, index)
      runs = [between, '/'].flatMap((sign) => runs.map((run) => `${run}${sign}${word}`))
      end = index + word.length
      for (const text of runs) found.add(text)
    }
  }
  return [...found].filter(({ length }) => length <= LONGEST_CODE).sort((a, b) => b.length - a.length)
}
