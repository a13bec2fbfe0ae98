import type { Document, PageLayout } from '../layout/document.ts'
import type { Line, Segment } from '../layout/lines.ts'
import { makeLines, toSegment } from '../layout/lines.ts'
import { makeRun, type Run, sliceRun } from '../layout/run.ts'
import { overlap } from '../read/geometry.ts'
import type { Cell, Table } from '../tables/table.ts'
import { REGION_NAMES } from '../values/lexicon.ts'
import { fold, hasLetters, saysNothing } from '../values/text.ts'
import { looksLikeLabel, matchLabel } from './labels.ts'

/** A label and the text that may be its value, with where the two stand to each other. */
export interface Pair {
  label: string
  value: Run
  kind: 'colon' | 'row' | 'below' | 'above' | 'column' | 'header' | 'checked' | 'bold'
  page: number
  /** Other text that bears on the pair: headings of its row and column. */
  context: string
}

const MAX_LABEL_WORDS = 8

/** 'Cidade: Ijuí' is no label; 'Solo (0-20): argila' is one. */
function holdsValue(text: string): boolean {
  const after = /[:=]\s*(\S.*)$/.exec(text)?.[1]
  return after !== undefined && !matchLabel(after).some((match) => match.score >= 0.6 && match.cover > 0.7)
}

/** Every pair of label and value of the document, in all the ways in which reports set them. */
export function findPairs(document: Document, treatmentTables: readonly Table[]): Pair[] {
  const pairs: Pair[] = []
  for (const layout of document.pages) {
    // What stands in the tables of treatments is said of treatments, not of the trial.
    const taken = treatmentTables.filter((table) => table.page === layout.page.index)
    const lines = layout.lines.filter(
      (line) =>
        !taken.some((t) => line.base > t.y0 && line.base <= t.y1 + 1 && line.x1 > t.x0 && line.x0 < t.x1),
    )
    for (const line of lines) pairsOfLine(line.segments, pairs)
    pairsBetweenLines(lines, pairs)
    for (const table of layout.tables) pairsOfTable(aboveTreatments(table, taken), pairs)
    for (const block of layout.blocks)
      if (block.segments.length > 1)
        colonPairs(makeRun(block.segments.flatMap((s) => s.words)), block.page, pairs, '')
    pairsOfCheckBoxes(layout, pairs)
  }
  return pairs.filter((pair) => pair.value.text.trim() !== '' && pair.label.trim() !== '')
}

/** What a sheet says of the trial above its treatments; a table without treatments as it is. */
function aboveTreatments(table: Table, taken: readonly Table[]): Table {
  const own = taken.find((t) => t.y1 === table.y1 && t.x0 === table.x0)
  if (!own) return table
  return { ...table, rows: table.rows.filter((row) => row.every((cell) => !cell || cell.y1 <= own.y0 + 3)) }
}

function pairsOfLine(segments: readonly Segment[], pairs: Pair[]): void {
  segments.forEach((segment, i) => {
    const run = makeRun(segment.words)
    colonPairs(run, segment.page, pairs, '')
    boldPair(segment, pairs)
    sizePairs(segment, pairs)
    prefixPairs(segment, pairs)
    const next = segments[i + 1]
    if (
      next &&
      hasLetters(segment.text) &&
      segment.words.length <= MAX_LABEL_WORDS &&
      !holdsValue(segment.text)
    )
      pairs.push({
        label: segment.text,
        value: makeRun(next.words),
        kind: /[:=]$/.test(segment.text) ? 'colon' : 'row',
        page: segment.page,
        context: '',
      })
  })
}

/** 'Cultura: Soja  Cultivar: BMX' gives two pairs: a value ends where the next label begins. */
export function colonPairs(run: Run, page: number, pairs: Pair[], context: string): void {
  const text = run.text
  const marks: { label: string; from: number; at: number; value: number }[] = []
  for (const match of text.matchAll(/[:=›»→➜➔▸]\s*/g)) {
    const colon = match.index
    if (/\d$/.test(text.slice(0, colon)) && /^[:=]\d/.test(text.slice(colon))) continue
    const start = marks.at(-1)?.value ?? 0
    const before = text.slice(start, colon)
    const label = labelBefore(before, start === 0)
    if (label === null) continue
    const from = start + before.lastIndexOf(label)
    marks.push({ label, from, at: colon, value: colon + match[0].length })
  }
  marks.forEach((mark, i) => {
    const stop = /(?<=[\p{Ll}\d]{2}[)%"”]?)\.\s+(?=\p{Lu})/u.exec(text.slice(mark.value))
    const end = Math.min(marks[i + 1]?.from ?? text.length, stop ? mark.value + stop.index + 1 : text.length)
    if (end <= mark.value) return
    const value = sliceRun(run, mark.value, end)
    const words = mark.label.split(/\s+/).length
    if (words <= MAX_LABEL_WORDS + 2) pairs.push({ label: mark.label, value, kind: 'colon', page, context })
  })
}

/** The label that ends a stretch of text: the shortest tail that a lexicon knows, else the whole if short. */
function labelBefore(before: string, alone: boolean): string | null {
  const trimmed = (
    before.split(/[|•·;]\s*|(?<=\p{Ll}|[\d"%]\p{L}?|[)\]])\.\s+(?=\p{Lu})/u).at(-1) ?? before
  ).trimEnd()
  const words = [...trimmed.matchAll(/\S+/g)]
  if (alone && words.length <= 5) return trimmed.trim()
  let best: { label: string; score: number } | undefined
  for (let k = Math.max(0, words.length - 7); k < words.length; k++) {
    const label = trimmed.slice(words[k]?.index ?? 0)
    if (!/^[("]?[\p{Lu}\d]/u.test(label) && !(alone && k === 0)) continue
    const match = matchLabel(label)[0]
    if (match && (!best || match.score >= best.score)) best = { label, score: match.score }
  }
  if (best && best.score >= 0.5) return best.label
  const last = words.findLast((word) => /^\p{Lu}/u.test(word[0]))
  const tail = last ? trimmed.slice(last.index) : trimmed
  return tail.split(/\s+/).length <= 5 ? tail : null
}

/** A bold beginning and a plain rest, without a colon. */
function boldPair(segment: Segment, pairs: Pair[]): void {
  const change = segment.words.findIndex((word) => !word.bold)
  if (change <= 0 || change > 6 || segment.words.slice(change).some((w) => w.bold)) return
  const label = segment.words
    .slice(0, change)
    .map((w) => w.text)
    .join(' ')
  if (/[:=]$/.test(label)) return
  pairs.push({
    label,
    value: makeRun(segment.words.slice(change)),
    kind: 'bold',
    page: segment.page,
    context: '',
  })
}

/** Labels in smaller type than their values on one line, once or several times: 'Estado RS   Zona Sul'. */
function sizePairs(segment: Segment, pairs: Pair[]): void {
  const parts: Segment['words'][] = []
  for (const word of segment.words) {
    const last = parts.at(-1)?.at(-1)
    if (last && Math.abs(last.size - word.size) < 0.08 * word.size) parts.at(-1)?.push(word)
    else parts.push([word])
  }
  if (parts.length < 2 || parts.length > 8) return
  for (let i = 0; i + 1 < parts.length; i++) {
    const [label, value] = [parts[i] ?? [], parts[i + 1] ?? []]
    const [a, b] = [label[0], value[0]]
    if (!a || !b || a.size > 0.92 * b.size || a.size < 0.5 * b.size || label.length > MAX_LABEL_WORDS)
      continue
    const text = label.map((w) => w.text).join(' ')
    if (hasLetters(text) && !/[:=]$/.test(text))
      pairs.push({ label: text, value: makeRun(value), kind: 'bold', page: segment.page, context: '' })
  }
}

/**
 * 'Localidade Santa Vitória   Estado RS': in a scan nothing tells labels from values but the words. A label is
 * only what the lexicon knows word by word, in front of a capital or a figure; the next label ends its value.
 */
function prefixPairs(segment: Segment, pairs: Pair[]): void {
  const { words } = segment
  if (words.length < 2 || words.length > 14 || words.some((w) => w.ocr === undefined || /[:=]$/.test(w.text)))
    return
  const labels: { at: number; end: number }[] = []
  // Labels go on in small letters up to the value.
  const first = words.findIndex((w, i) => i > 0 && /^[\p{Lu}\d-]/u.test(w.text))
  const lead = words.slice(0, Math.max(0, first)).map((w) => w.text)
  const known = lead.length > 0 && lead.length <= MAX_LABEL_WORDS ? matchLabel(lead.join(' '))[0] : undefined
  if (known && known.score >= 0.7 && /^[\p{Lu}%]/u.test(lead[0] ?? '')) labels.push({ at: 0, end: first })
  for (let at = labels[0]?.end ?? 0; at < words.length - 1; at++) {
    for (let end = Math.min(words.length - 1, at + 5); end > at; end--) {
      const text = words
        .slice(at, end)
        .map((w) => w.text)
        .join(' ')
      const best = matchLabel(text)[0]
      if (
        !best ||
        best.score < (at === 0 ? 0.7 : 0.8) ||
        best.cover < (at === 0 ? 0.9 : 0.95) ||
        !/^[\p{Lu}%]/u.test(text)
      )
        continue
      if (!/^[\p{Lu}\d(-]/u.test(words[end]?.text ?? '')) continue
      labels.push({ at, end })
      at = end - 1
      break
    }
    if (at === 0 && labels.length === 0) return
  }
  labels.forEach(({ at, end }, i) => {
    const value = words.slice(end, labels[i + 1]?.at ?? words.length)
    if (value.length === 0) return
    pairs.push({
      label: words
        .slice(at, end)
        .map((w) => w.text)
        .join(' '),
      value: makeRun(value),
      kind: 'bold',
      page: segment.page,
      context: '',
    })
  })
}

/** Values under or over their labels, as on cards and in forms. */
function pairsBetweenLines(lines: readonly Line[], pairs: Pair[]): void {
  lines.forEach((line, i) => {
    for (const segment of line.segments) {
      if (segment.words.length > 8) continue
      for (let j = i + 1; j < lines.length; j++) {
        const other = lines[j]
        if (!other || other.y0 - segment.y1 > 1.7 * Math.max(segment.size, other.size)) break
        const under = other.segments.find(
          (s) =>
            s.base > segment.base + 0.5 * Math.min(segment.size, s.size) &&
            overlap(s.x0, s.x1, segment.x0, segment.x1) >
              0.4 * Math.min(s.x1 - s.x0, segment.x1 - segment.x0),
        )
        if (!under) continue
        vertical(goOn(segment, lines, i, -1), goOn(under, lines, j, 1), pairs)
        break
      }
    }
  })
}

/** A value may run over several lines of one style, upwards or downwards. */
function goOn(segment: Segment, lines: readonly Line[], at: number, step: 1 | -1): Segment {
  let words = segment.words
  let edge = segment
  for (let k = at + step; k >= 0 && k < lines.length && Math.abs(k - at) < 6; k += step) {
    const line = lines[k]
    if (!line || Math.abs(line.base - edge.base) > 1.4 * segment.size) break
    const next = line.segments.find(
      (s) =>
        Math.abs(s.base - edge.base) > 0.5 * s.size &&
        Math.abs(s.size - segment.size) < 0.06 * segment.size &&
        s.bold === segment.bold &&
        (Math.abs(s.x0 - segment.x0) < 2 || Math.abs(s.x0 + s.x1 - segment.x0 - segment.x1) < 4),
    )
    if (!next) continue
    if (matchLabel(next.text)[0] && looksLikeLabel(next.text)) break
    words = step > 0 ? [...words, ...next.words] : [...next.words, ...words]
    edge = next
    if (words.length > 9) return segment
  }
  return words === segment.words ? segment : toSegment([...words])
}

function vertical(upper: Segment, lower: Segment, pairs: Pair[]): void {
  const differ = Math.abs(upper.size - lower.size) > 0.08 * lower.size || upper.bold !== lower.bold
  const aligned = Math.abs(upper.x0 - lower.x0) < 4 || Math.abs(upper.x0 + upper.x1 - lower.x0 - lower.x1) < 8
  if (!aligned) return
  const context = differ ? 'set apart' : ''
  if (hasLetters(upper.text) && !/[:=]\s*\S/.test(upper.text))
    pairs.push({ label: upper.text, value: makeRun(lower.words), kind: 'below', page: upper.page, context })
  if (hasLetters(lower.text) && lower.words.length <= MAX_LABEL_WORDS && !/[:=]\s*\S/.test(lower.text))
    pairs.push({ label: lower.text, value: makeRun(upper.words), kind: 'above', page: upper.page, context })
}

function pairsOfTable(table: Table, pairs: Pair[]): void {
  const distinct = (row: readonly (Cell | null)[]): Cell[] =>
    [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const headed = hasHeader(table)
  table.rows.forEach((row, r) => {
    const cells = distinct(row)
    cells.forEach((cell, i) => {
      if (table.ruled) pairsInCell(cell, pairs)
      const next = cells[i + 1]
      if (next && hasLetters(cell.text) && cell.words.length <= MAX_LABEL_WORDS && !holdsValue(cell.text)) {
        const header = r > 0 ? headingOf(table, r, next) : ''
        pairs.push({
          label: cell.text,
          value: makeRun(next.words),
          kind: 'column',
          page: table.page,
          context: `${header} ${table.title}`,
        })
      }
    })
    // A header row over rows of values; the first cell of the row tells which row it is.
    if (r === 0 || !headed) return
    row.forEach((cell, c) => {
      if (!cell || cell.text === '' || saysNothing(cell.text)) return
      const head = headerAbove(table, r, c)
      if (!head || head === cell) return
      const first = row[0]?.text ?? ''
      pairs.push({
        label: head.text,
        value: makeRun(cell.words),
        kind: 'header',
        page: table.page,
        context: `${c > 0 ? first : ''} ${table.title}`,
      })
      // Row label with the column heading as context: 'Argila | 38' under '0-20 cm'.
      if (c > 1 && row[0] && hasLetters(first) && row[0] !== cell && row[1] !== cell)
        pairs.push({
          label: first,
          value: makeRun(cell.words),
          kind: 'header',
          page: table.page,
          context: `${headingOf(table, r, cell)} ${table.title}`,
        })
    })
  })
}

/** A first row of labels only; in a list of labels and values every other cell of it is a value. */
function hasHeader(table: Table): boolean {
  const cells = [...new Set(table.rows[0])].filter((cell) => cell !== null && cell.text !== '')
  if (cells.length < 2) return false
  if (table.columns === 2 && table.rows.length > 2) return false
  return cells
    .slice(1)
    .every((cell) => cell && !/\d{2}/.test(cell.text) && hasLetters(cell.text) && !/:\s*\S/.test(cell.text))
}

function headerAbove(table: Table, r: number, c: number): Cell | null {
  for (let up = 0; up < Math.min(r, 3); up++) {
    const cell = table.rows[up]?.[c]
    if (cell && hasLetters(cell.text) && matchLabel(cell.text).length > 0) return cell
  }
  return table.rows[0]?.[c] ?? null
}

function headingOf(table: Table, r: number, cell: Cell): string {
  const c = table.rows[r]?.indexOf(cell) ?? -1
  return c < 0 ? '' : (table.rows[0]?.[c]?.text ?? '')
}

/** Cells that hold 'Label: value', or a label line over a value line. */
function pairsInCell(cell: Cell, pairs: Pair[]): void {
  colonPairs(makeRun(cell.words), cell.page, pairs, '')
  const lines = makeLines(cell.words, [])
  if (lines.length >= 2 && lines.length <= 4) pairsBetweenLines(lines, pairs)
  for (const line of lines) pairsOfLine(line.segments, pairs)
}

const MARK = /^(?:[☑☒✓✔✗✘■●◉⬛]|\[\s*[xX✓]\s*\]|\(\s*[xX✓•]\s*\))$/
const EMPTY = /^(?:[☐□○◯⬜❑❏]|\[\s*\]|\(\s*\)|\[_\]|\(_\))$/

/** Options of which one is ticked: the ticked option is the value of the label before the options. */
function pairsOfCheckBoxes(layout: PageLayout, pairs: Pair[]): void {
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
    const words = [...new Set(row)].flatMap((cell) => cell?.words ?? [])
    return makeLines(words, [], 400)
  })
}

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

/** '(', 'X', ')' may come as one word, two or three. */
function joinMarks(words: Line['words']): Token[] {
  const tokens: Token[] = []
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
    const glued = /^([☑☒✓✔☐□]|\[[xX ]?\]|\([xX ]?\))(.+)$/.exec(word.text)
    if (glued?.[1] && glued[2]) {
      tokens.push({ text: '', words: [], mark: MARK.test(glued[1]) })
      tokens.push({ text: glued[2], words: [{ ...word, text: glued[2] }], mark: null })
    } else tokens.push({ text: word.text, words: [word], mark: null })
  }
  return tokens
}

const LABEL_WORD =
  /^(?:fracao|teor|tipo|nome|data|dados|numero|total|geral|unidade|federacao|solo|ensaio|experimento|avaliad[oa]|agricola|experimental|geografic\w+|conducao|comercial|tecnic[oa]|responsavel|negocios?|area)$/

/** Whether a value beside a label is itself a label, as where two labels stand side by side. */
export function isLabelItself(pair: Pair): boolean {
  const text = pair.value.text
  const best = matchLabel(text)[0]
  const words = text.split(/[\s/]+/).filter((word) => word.length > 2)
  // A row of labels: every word announces something.
  const mostly =
    best !== undefined &&
    !REGION_NAMES.test(fold(text)) &&
    ((best.score >= 0.6 && best.cover > 0.85) ||
      words.every(
        (word) =>
          LABEL_WORD.test(fold(word)) || matchLabel(word).some((m) => m.score >= 0.55 && m.cover > 0.85),
      ))
  const exact = best !== undefined && best.score >= 0.9 && best.cover > 0.95
  return (
    (mostly || looksLikeLabel(text)) &&
    (pair.kind !== 'colon' || exact || /:$/.test(text)) &&
    !/\d/.test(fold(text))
  )
}
