import type { PageLayout } from '../document.ts'
import { groupLines, type Line, makeLines } from '../layout/lines.ts'
import { makeRun } from '../layout/run.ts'
import type { Table } from '../tables/table.ts'
import type { Pair } from './pair.ts'

const MARK = /^(?:[☑☒✓✔✗✘■●◉⬛]|\[\s*[xX✓]\s*\]|\(\s*[xX✓•]\s*\))$/
const EMPTY = /^(?:[☐□○◯⬜❑❏]|\[\s*\]|\(\s*\)|\[_\]|\(_\))$/

/** Options of which one is ticked: the ticked option is the value of the label before the options. */
export function pairsOfCheckBoxes(layout: PageLayout, pairs: Pair[]): void {
  const rows: { words: Line['words']; above: string }[] = []
  let above = ''
  for (const line of [...layout.lines, ...layout.tables.filter((t) => t.ruled).flatMap(tableLines)]) {
    rows.push({ words: line.words, above })
    const text = line.segments.map((s) => s.text).join(' ')
    if (!/[☐☑☒]|\[\s?[xX ]?\s?\]|\(\s?[xX ]?\s?\)/.test(text)) above = text
  }
  for (const { words, above: heading } of rows) {
    const tokens = joinMarks(words)
    const first = tokens.findIndex((token) => token.mark !== null)
    if (first < 0) continue
    if (
      tokens.at(-1)?.mark !== null &&
      tokens[first - 1] &&
      tokens.filter((t) => t.mark !== null).length > 1
    ) {
      pairsOfMarksBehind(tokens, heading, layout.page.index, pairs)
      continue
    }
    const label =
      tokens
        .slice(0, first)
        .map((t) => t.text)
        .join(' ')
        .replace(/[:\s]+$/, '') || heading
    for (let i = first; i < tokens.length; i++) {
      if (tokens[i]?.mark !== true) continue
      let end = i + 1
      while (
        end < tokens.length &&
        tokens[end]?.mark === null &&
        !(end > i + 1 && gapBefore(tokens, end) > 28)
      )
        end++
      const value = tokens.slice(i + 1, end).flatMap((t) => t.words)
      if (value.length > 0)
        pairs.push({ label, value: makeRun(value), kind: 'checked', page: layout.page.index, context: '' })
    }
  }
}

/** 'Nutrição ( X )  Proteção ( )': the marks stand behind their options, the label before the first. */
function pairsOfMarksBehind(tokens: readonly Token[], heading: string, page: number, pairs: Pair[]): void {
  let option: Token[] = []
  const before: string[] = []
  for (const token of tokens) {
    if (token.mark === null) {
      option.push(token)
      continue
    }
    if (before.length === 0) option = afterGap(option)
    const text = option.map((t) => t.text).join(' ')
    if (before.length === 0) before.push(text)
    if (token.mark && option.length > 0)
      pairs.push({
        label: before[0]?.trim() || heading,
        value: makeRun(option.flatMap((t) => t.words)),
        kind: 'checked',
        page,
        context: '',
      })
    option = []
  }
}

/** What follows the last wide gap: the field before it on the line is another. */
function afterGap(tokens: readonly Token[]): Token[] {
  const at = tokens.findLastIndex((_, i) => i > 0 && gapBefore(tokens, i) > 20)
  return tokens.slice(Math.max(0, at))
}

function tableLines(table: Table): Line[] {
  return table.rows.flatMap((row) => {
    const cells = [...new Set(row)].filter((cell) => cell !== null)
    // A label over its options in a cell of their own.
    const own = cells.filter(({ words }) => {
      const [first, ...more] = groupLines(words)
      return more.length > 0 && !hasMark(first ?? []) && more.some(hasMark)
    })
    const words = cells.filter((cell) => !own.includes(cell)).flatMap((cell) => cell.words)
    return [...own.flatMap((cell) => makeLines(cell.words, [], 400)), ...makeLines(words, [], 400)]
  })
}

const hasMark = (words: Line['words']): boolean => joinMarks(words).some(({ mark }) => mark !== null)

interface Token {
  text: string
  words: Line['words']
  mark: boolean | null
}

function gapBefore(tokens: readonly Token[], i: number): number {
  const left = tokens[i - 1]?.words.at(-1)
  const right = tokens[i]?.words[0]
  return left && right ? right.x0 - left.x1 : 0
}

/** What a mark begins with. */
const LIKE_A_MARK = /^[☑☒✓✔✗✘■●◉⬛☐□○◯⬜❑❏[(]/

/** '(', 'X', ')' may come as one word, two or three. */
function joinMarks(words: Line['words']): Token[] {
  const tokens: Token[] = []
  if (!words.some(({ text, ocr }) => LIKE_A_MARK.test(text) || ocr !== undefined))
    return words.map((word) => ({ text: word.text, words: [word], mark: null }))
  for (let i = 0; i < words.length; i++) {
    let taken = 0
    let mark: boolean | null = null
    for (let n = 3; n >= 1 && mark === null; n--) {
      const text = words
        .slice(i, i + n)
        .map((w) => w.text)
        .join('')
      if (i + n <= words.length && (MARK.test(text) || EMPTY.test(text))) {
        mark = MARK.test(text)
        taken = n
      }
    }
    if (mark !== null) {
      tokens.push({ text: '', words: [], mark })
      i += taken - 1
      continue
    }
    const word = words[i]
    if (!word) continue
    // Of '( X )' the recognition may have left the cross and one of its brackets, of '( )' nothing.
    if (word.ocr !== undefined && /^\(?X\)?$/.test(word.text) && /^\p{Lu}/u.test(words[i + 1]?.text ?? '')) {
      tokens.push({ text: '', words: [], mark: true })
      continue
    }
    const glued = /^([☑☒✓✔☐□]|\[[xX ]?\]|\([xX ]?\))(.+)$/.exec(word.text)
    if (glued?.[1] && glued[2]) {
      tokens.push({ text: '', words: [], mark: MARK.test(glued[1]) })
      tokens.push({ text: glued[2], words: [{ ...word, text: glued[2] }], mark: null })
    } else tokens.push({ text: word.text, words: [word], mark: null })
  }
  return tokens
}
