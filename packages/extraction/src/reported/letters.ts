import type { Page } from '../read/page.ts'
import type { Draft, Found } from '../treatments/draft.ts'
import type { TreatmentTable } from '../treatments/table-rows.ts'
import { GROUPS } from '../values/headings.ts'
import { fold } from '../values/text.ts'

/** 'a', 'ab', 'bcd', 'A', 'aB', with what encloses them. */
const LETTERS = /^\(?([a-z]{1,5}|[A-Z]{1,3}|[a-z]{1,3}[A-Z]{1,2}|[A-Z]{1,2}[a-z]{1,3})['’]?\)?[*.;,]?$/
const BEHIND =
  /^[+]?\d[\d.,]*(?:\(?)([a-z]{1,5}|[A-Z]{1,3}|[a-z]{1,3}[A-Z]{1,2}|[A-Z]{1,2}[a-z]{1,3})\)?[*.;,]?$/
/** Units and marks that stand behind means as letters do. */
const NO_LETTERS = /^(?:kg|t|sc|ha|g|l|ml|ns|x|cv|sd|bag|m)$/i

/** The letters of a test beside each mean, as printed; null beside all where they are hardly those of a test. */
export function lettersOf(
  drafts: readonly Draft[],
  pages: readonly Page[],
  tables: readonly (TreatmentTable | null)[],
): (Found<string> | null)[] {
  const beside = drafts.map(({ produtividade }) => (produtividade ? besideMean(produtividade, pages) : null))
  const letters = beside.some((one) => one !== null) ? beside : inColumn(drafts, tables)
  const printed = letters.filter((one) => one !== null)
  const means = drafts.filter(({ produtividade }) => produtividade !== null)
  if (printed.length < 2 || printed.length < 0.6 * means.length) return drafts.map(() => null)
  const texts = printed.map(({ value }) => value)
  // Every test has a group a; letters of a test begin with those next to it.
  if (!texts.some((text) => /^a/i.test(text)) || texts.some((text) => !countsOn(text, texts)))
    return drafts.map(() => null)
  const best = drafts.reduce<number>(
    (top, { produtividade }, at) =>
      produtividade && produtividade.value > (drafts[top]?.produtividade?.value ?? -Infinity) ? at : top,
    0,
  )
  // The largest mean is of the first group, whichever test it is.
  const lead = /a/i.test(letters[best]?.value ?? '') ? 1 : 0.6
  const whole = printed.length === means.length ? 1 : 0.85
  return letters.map((one) => one && { ...one, score: one.score * lead * whole })
}

/** Whether each of its letters follows on one that stands somewhere: c without b is no letter of a test. */
function countsOn(text: string, all: readonly string[]): boolean {
  const known = new Set(all.join('').toLowerCase())
  return [...text.toLowerCase()].every((letter) => letter === 'a' || known.has(previous(letter)))
}
const previous = (letter: string): string => String.fromCharCode(letter.charCodeAt(0) - 1)

function besideMean(mean: Found<number>, pages: readonly Page[]): Found<string> | null {
  // A mean of plots has no letters, a spaced number has two words.
  if (mean.words.length === 0 || mean.words.length > 2) return null
  const word = mean.words.at(-1)
  if (!word) return null
  const own = BEHIND.exec(word.text)?.[1]
  if (own && !NO_LETTERS.test(own)) return { value: own, words: [word], score: 0.95, method: mean.method }
  if (own) return null
  const page = pages.find(({ index }) => index === word.page)
  const right = page?.words
    .filter(
      (other) =>
        other.x0 > word.x1 - 1.5 &&
        other.x0 - word.x1 < 9 * word.size &&
        other.y0 < word.y1 - 0.25 * (word.y1 - word.y0) &&
        other.y1 > word.y0 + 0.1 * (word.y1 - word.y0),
    )
    .sort((a, b) => a.x0 - b.x0)
  const [next, after] = right ?? []
  const text = next && LETTERS.exec(next.text)?.[1]
  if (!next || !text || NO_LETTERS.test(text)) return null
  const gap = (next.x0 - word.x1) / word.size
  // 'de 3.150 a 4.020' has no letter, nor has the text that goes on behind a figure.
  if (after && after.x0 - next.x1 < 0.45 * word.size && mean.method !== 'table') return null
  if (mean.method !== 'table' && gap > 1) return null
  return { value: text, words: [next], score: gap < 1.6 ? 0.93 : 0.8, method: mean.method }
}

/** Letters in a column of their own, behind the means in another unit. */
function inColumn(
  drafts: readonly Draft[],
  tables: readonly (TreatmentTable | null)[],
): (Found<string> | null)[] {
  return drafts.map(({ produtividade }) => {
    const mean = produtividade?.words[0]
    if (!mean) return null
    for (const table of tables) {
      const row = table?.lines.find(({ row }) => row.some((cell) => cell?.words.includes(mean)))?.row
      if (!table || !row) continue
      const at = row.findIndex((cell) => cell?.words.includes(mean))
      const behind = table.columns.findIndex(
        (column, c) => c > at && GROUPS.test(fold(column.header)) && LETTERS.test(row[c]?.text ?? ''),
      )
      const between = table.columns.slice(at + 1, behind)
      const cell = row[behind]
      const value = LETTERS.exec(cell?.text ?? '')?.[1]
      if (cell && value && between.every(({ role }) => role === 'yield'))
        return { value, words: cell.words, score: 0.8, method: 'table' }
    }
    return null
  })
}
