import type { Line } from '../layout/lines.ts'
import { overlap, union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'
import { isHeading, isTellingHeading } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { isUnit } from '../values/variables.ts'
import { isLoneColumn, makeCell } from './lattice.ts'
import { lyingBars } from './lying-bars.ts'
import { goesOn, isPart, PART_SPACE } from './parts-of-text.ts'
import { formRows, type Piece } from './rows.ts'
import { spreadByRules } from './ruled-spans.ts'
import { splitAtCorners, splitAtHeadings, splitAtNumbers, splitAtTitles } from './runs-apart.ts'
import { splitAbreast, splitBesideList } from './side-by-side.ts'
import { type Column, findColumns } from './stream-columns.ts'
import type { Table } from './table.ts'

/** Tables held together by alignment only: rows of words with common gaps between the columns. */
export function findStreams(lines: readonly Line[], rulings: readonly Ruling[], page: number): Table[] {
  const tables: Table[] = []
  for (const run of tabularRuns(lines, rulings)
    .flatMap(splitBesideList)
    .flatMap(splitAbreast)
    .flatMap(splitAtNumbers)
    .flatMap(splitAtTitles)
    .flatMap(splitAtHeadings)
    .flatMap(splitAtCorners)) {
    const table = buildStream(run, rulings, page)
    if (table) tables.push(table)
  }
  return tables
}

/** A page that holds only one column of figures under their heading. */
export function findLoneColumn(lines: readonly Line[], page: number): Table | null {
  if (lines.length < 4 || lines.some((line) => line.segments.length !== 1)) return null
  const box = union([...lines])
  if (lines.some((line) => line.x0 > box.x0 + 0.7 * (box.x1 - box.x0))) return null
  const rows = lines.map((line) => [makeCell(line.words, union(line.words), page)])
  return isLoneColumn(rows) ? { ...box, page, rows, columns: 1, ruled: false, title: '' } : null
}

const CAPTION = /^(?:tabela|quadro|figura|gráfico|tab\.|fig\.|fonte|nota|obs)\b/i

function tabularRuns(lines: readonly Line[], rulings: readonly Ruling[]): Line[][] {
  const runs: Line[][] = []
  let run: Line[] = []
  let pending: Line[] = []
  let caption: Line | null = null
  const close = (): void => {
    // Lines below that belong to wrapped cells of the last row.
    for (const line of pending) {
      const last = run.at(-1)
      if (
        !last ||
        line.base - last.base > 1.5 * line.size ||
        line.words.length > 7 ||
        line.size > 1.12 * last.size
      )
        break
      run.push(line)
    }
    const tabular = run.filter((line) => line.segments.length >= 2)
    // A single row may be the rest of a table from the page before.
    const alone =
      tabular.length === 1 && (tabular[0]?.segments.filter((s) => /\d/.test(s.text)).length ?? 0) >= 3
    if (tabular.length >= 2 || alone) runs.push(run)
    run = []
    pending = []
  }
  for (const [at, line] of lines.entries()) {
    const last = pending.at(-1) ?? run.at(-1)
    if (last) {
      const pitch = line.base - last.base
      const ruled = rulings.some(
        (r) => !r.vertical && r.y0 > last.base && r.y1 < line.base && r.x1 - r.x0 > 60,
      )
      // 'No.' below 'Trt | Produto | Dose' goes on.
      const over = pending.length === 1 && last.words.length <= 2 ? run.at(-1) : undefined
      const headed = isHeaded(last) || (over !== undefined && isHeaded(over))
      const most = ruled || inStep(last, line) ? 4.2 : headed ? 3.6 : 2.7
      if (pitch > most * Math.max(line.size, last.size) && !goesOnFarther(run, line, lines[at + 1])) close()
    }
    if (CAPTION.test(line.segments[0]?.text ?? '') && line.words.length > 2 && line.segments.length < 3) {
      close()
      caption = line
      continue
    }
    const above = caption
    caption = null
    if (above && goesOn(above, line)) continue
    // What stands beside a table, under a picture, does not end it.
    const apart = isLabelled(line) || isPart(line)
    if (apart && run.length >= LEAST_BESIDE && run.every(({ x1 }) => x1 < line.x0)) continue
    if (
      (isLabelled(line) && !inColumn(line, run)) ||
      (isPart(line) && (!last || line.base - last.base > PART_SPACE * line.size))
    ) {
      close()
      continue
    }
    if (line.segments.length >= 2 && run.some(isStatistic) && isSentence(line)) {
      close()
      continue
    }
    if (line.segments.length >= 2) {
      // Lines above that belong to wrapped cells of the first row.
      if (run.length === 0)
        run.push(
          ...pending.filter(
            (above) => line.base - above.base < 3.2 * line.size && above.size < 1.12 * line.size,
          ),
        )
      else run.push(...pending)
      run.push(line)
      pending = []
      continue
    }
    const right = Math.max(0, ...run.map((above) => above.x1))
    if (line.words.length > 9 && line.x1 - line.x0 > 200 && (run.length === 0 || line.x1 > 0.88 * right)) {
      close()
      continue
    }
    const closeBy = last === undefined || line.base - last.base < 1.6 * line.size || run.length > 0
    if (!closeBy || pending.length >= 5) close()
    if (run.length > 0 || line.words.length <= 6) pending.push(line)
    if (run.length === 0 && pending.length > 2) pending.shift()
  }
  close()
  return runs
}

const isHeaded = ({ segments }: Line): boolean =>
  segments.length >= 2 &&
  (segments.filter((s) => isTellingHeading(s.text)).length >= 2 || segments.every((s) => isUnit(s.text)))

/** Lines of a table that something may stand beside. */
const LEAST_BESIDE = 3

/** 'CV (%)', 'DMS' close a table of means. */
const isStatistic = ({ segments }: Line): boolean =>
  /^(?:c\.? ?v\b|d\.? ?m\.? ?s\b|coeficiente)/i.test(segments[0]?.text ?? '')

/** Text in columns: words in every piece, figures by themselves in none. */
const isSentence = ({ segments, words }: Line): boolean =>
  words.length >= 8 &&
  segments.every(({ text, words: own }) => own.length >= 3 && readCell(text) === null) &&
  words.filter(({ text }) => /^\p{Ll}{2,}/u.test(text)).length > 0.5 * words.length

/** Rows far apart are one table's where cell stands under cell, figures among them. */
function inStep(above: Line, below: Line): boolean {
  const cells = above.segments
  return (
    cells.length >= 3 &&
    cells.length === below.segments.length &&
    below.segments.filter((s) => readCell(s.text) !== null).length >= 2 &&
    below.segments.every((s, i) => overlap(s.x0, s.x1, cells[i]?.x0 ?? 0, cells[i]?.x1 ?? 0) > 0)
  )
}

/** Rows of a panel, far apart: figures under the figures of the last row, the first line of a name before them. */
function goesOnFarther(run: readonly Line[], line: Line, next: Line | undefined): boolean {
  const row = run.findLast(({ segments }) => segments.length > LEAST_FIGURES)
  const beside = line.segments.length === 1 && next && next.base - line.base < 1.5 * line.size ? next : line
  // One row alone may be the rest of a table that is drawn below it.
  if (run.filter(({ segments }) => segments.length > 1).length < 2) return false
  if (!row || beside.base - row.base > FARTHER * Math.max(row.size, beside.size)) return false
  const figures = (of: Line): Line['segments'] =>
    of.segments.filter((s) => /^[-+]?\d[\d.,]*\s?%?$/.test(s.text))
  const [few = [], many = []] = [figures(beside), figures(row)].sort((a, b) => a.length - b.length)
  return (
    few.length >= LEAST_FIGURES - 1 &&
    many.length >= LEAST_FIGURES &&
    few.every((s) => many.some((other) => overlap(s.x0, s.x1, other.x0, other.x1) > 0))
  )
}
const LEAST_FIGURES = 3
/** In sizes of type. */
const FARTHER = 6

/** 'X: 100' under 'X: 100', in a column of the table but its first: one cell tells several. */
function inColumn({ segments: [first, more], x0 }: Line, run: readonly Line[]): boolean {
  const left = Math.min(...run.map((line) => line.x0))
  if (!first || more || run.length < 2 || x0 < left + LEAST_ASIDE || !AMOUNT.test(first.text)) return false
  return run.slice(-LAST_LINES).some(({ segments }) => segments.some((s) => Math.abs(s.x0 - x0) < 2))
}
const AMOUNT = /:\s?\d[\d.,]*(?:\s\S{1,12})?$/
const LEAST_ASIDE = 20
const LAST_LINES = 4

/** 'Label : value' is a list of labels, not a row of a table. */
function isLabelled(line: Line): boolean {
  const [first, second] = line.segments
  // A row of figures behind a name with a colon: 'Padrão produtor: X 0,4 L/ha | 3.546 c | 59,1 | 318,00'.
  if (line.segments.filter((s) => readCell(s.text) !== null).length >= 3) return false
  // Headings of a table beside running text.
  if (line.segments.slice(1).filter((s) => isHeading(s.text)).length >= 3) return false
  if (!first || !/\p{L}/u.test(first.text)) return false
  return (
    /^[^:]{2,50}\s?:$/.test(first.text) ||
    /^[^:]{2,50}:\s\S/.test(first.text) ||
    (second !== undefined && /^:/.test(second.text))
  )
}

/** A table of these lines; `joined`: lines that follow closely are taken for one cell of several lines. */
export function buildStream(
  run: readonly Line[],
  rulings: readonly Ruling[],
  page: number,
  { joined = true }: { joined?: boolean } = {},
): Table | null {
  const box = union([...run])
  if (isRunningText(run)) return null
  const bars = lyingBars(run, page)
  if (bars) return bars
  const columns = findColumns(run, rulings, box)
  if (columns.length < 2 || columns.length > 40) return null
  const size = run.map((line) => line.size).sort((a, b) => a - b)[Math.floor(run.length / 2)] ?? 10
  for (const column of columns) {
    const own = run
      .flatMap((line) => line.segments)
      .filter((s) => s.x0 >= column.x0 - 1 && s.x1 <= column.x1 + 1)
    if (own.length > 0) column.ink = union(own)
  }
  const pieces = run.flatMap((line) => cut(line, columns, size))
  const rules = rulings.filter(
    (r) => !r.vertical && r.x1 - r.x0 > 0.3 * (box.x1 - box.x0) && r.y0 > box.y0 - 2 && r.y1 < box.y1 + 2,
  )
  const rows = formRows(pieces, rules, { columns: columns.length, size, joined }).map((row) =>
    row.map((words) => (words ? makeCell(words, union(words), page) : null)),
  )
  // A cell that spans stands at each of its places as one and the same object.
  shareCells(rows)
  spreadByRules(
    rows,
    columns.map((column) => column.ink ?? column),
    rules,
  )
  rejoinStrays(rows)
  joinTwins(rows)
  joinTails(rows, page)
  joinLetters(rows, page)
  const width = rows[0]?.length ?? 0
  if ((rows.length < 2 && width < 4) || (width === 2 && rows.every(isBulleted))) return null
  return { ...box, page, rows, columns: width, ruled: false, title: '', lines: run }
}

/** A list whose bullets stand apart is no table. */
const isBulleted = ([mark, text]: Table['rows'][number]): boolean =>
  (!mark || BULLET.test(mark.text)) && text !== mark
const BULLET = /^[•●▪■◦‣∙·*»>✓➢→\uE000-\uF8FF–—-]?$/

/** Two columns that share cells and never hold two of their own in one row are one, over which names are set unevenly. */
function joinTwins(rows: Table['rows']): void {
  for (let c = (rows[0]?.length ?? 0) - 2; c >= 0; c--) {
    const pairs = rows.map((row) => [row[c] ?? null, row[c + 1] ?? null] as const)
    const shared = pairs.filter(([a, b]) => a !== null && a === b).length
    if (shared < 2 || pairs.some(([a, b]) => a !== null && b !== null && a !== b)) continue
    rows.forEach((row, r) => {
      row.splice(c, 2, pairs[r]?.[0] ?? pairs[r]?.[1] ?? null)
    })
  }
}

const LETTERS = /^[a-h]\d?(?:\s?[a-h]\d?)*$/

/** 'a2 a3' set in steps, each group of means in a column of its own: one column of letters. */
function joinLetters(rows: Table['rows'], page: number): void {
  const texts = (c: number) => rows.flatMap((row) => (row[c] && row[c].text !== '' ? [row[c].text] : []))
  const lettered = (c: number): boolean => {
    const own = texts(c)
    return own.length > 0 && own.filter((text) => LETTERS.test(text)).length >= own.length - 1
  }
  for (let c = (rows[0]?.length ?? 0) - 2; c > 0; c--) {
    if (!lettered(c) || !lettered(c + 1) || !texts(c + 1).every((text) => LETTERS.test(text))) continue
    for (const row of rows) {
      const words = [...new Set([row[c], row[c + 1]])].flatMap((cell) => cell?.words ?? [])
      row.splice(c, 2, words.length > 0 ? makeCell(words, union(words), page) : null)
    }
  }
}

/** 'T3 Arranque + / Vegetativo' beside one cell that goes over both lines: the name goes on. */
function joinTails(rows: Table['rows'], page: number): void {
  for (let r = rows.length - 1; r > 0; r--) {
    const [row, above] = [rows[r] ?? [], rows[r - 1] ?? []]
    const [first, before] = [row[0], above[0]]
    if (!first || !before || first === before || readCell(first.text) !== null || row.length < 2) continue
    if (
      !/[+\-–/,]$/.test(before.text) ||
      !row.slice(1).every((cell, c) => cell !== null && cell === above[c + 1])
    )
      continue
    const words = [...before.words, ...first.words]
    above[0] = makeCell(words, union(words), page)
    rows.splice(r, 1)
  }
}

/** A recognised word that sits a little too high or low makes a row by itself: it goes back where it is missing. */
function rejoinStrays(rows: Table['rows']): void {
  const middle = (row: Table['rows'][number]): number => {
    const own = row.filter((cell) => cell !== null)
    return own.reduce((sum, cell) => sum + (cell.y0 + cell.y1) / 2, 0) / Math.max(1, own.length)
  }
  const full = rows.filter((row) => row.filter((cell) => cell !== null).length >= 0.5 * row.length)
  const pitches = full.slice(1).map((row, i) => middle(row) - middle(full[i] ?? row))
  const pitch = pitches.sort((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0
  for (let r = rows.length - 1; r >= 0; r--) {
    const row = rows[r] ?? []
    const own = row.filter((cell) => cell !== null)
    if (row.length < 4 || own.length === 0 || own.length > 2) continue
    if (own.some((cell) => cell.words.some((word) => word.ocr === undefined))) continue
    const host = [rows[r + 1], rows[r - 1]].find(
      (other) =>
        other !== undefined &&
        Math.abs(middle(other) - middle(row)) < 0.62 * pitch &&
        row.every((cell, c) => cell === null || !other[c]),
    )
    if (!host) continue
    row.forEach((cell, c) => {
      if (cell) host[c] = cell
    })
    rows.splice(r, 1)
  }
}

function shareCells(rows: Table['rows']): void {
  const byWord = new Map<Word, NonNullable<Table['rows'][number][number]>>()
  for (const row of rows)
    row.forEach((cell, c) => {
      const first = cell?.words[0]
      if (!cell || !first) return
      const known = byWord.get(first)
      if (known && known.words.length === cell.words.length) row[c] = known
      else byWord.set(first, cell)
    })
}

/** Justified text with stretched spaces is no table. */
function isRunningText(run: readonly Line[]): boolean {
  const words = run.flatMap((line) => line.words)
  const numbers = words.filter((word) => /\d/.test(word.text)).length
  const full = run.filter((line) => {
    const ink = line.words.reduce((sum, word) => sum + word.x1 - word.x0, 0)
    return line.words.length >= 4 && ink > 0.72 * (line.x1 - line.x0)
  })
  return full.length > 0.6 * run.length && numbers < 0.15 * words.length
}

/** Cuts a line at the column bounds; a piece that lies over several columns spans them. */
function cut(line: Line, columns: readonly Column[], size: number): Piece[] {
  const pieces: Piece[] = []
  const put = (words: Word[]): void => {
    const box = union(words)
    const common = columns.map((c) => overlap(c.ink?.x0 ?? c.x0, c.ink?.x1 ?? c.x1, box.x0, box.x1))
    const wide = columns.map((c, i) => (common[i] ?? 0) > 0.6 * ((c.ink?.x1 ?? c.x1) - (c.ink?.x0 ?? c.x0)))
    const best = common.some((value) => value > 0)
      ? common.indexOf(Math.max(...common))
      : columns.findIndex((column) => (box.x0 + box.x1) / 2 <= column.x1)
    let from = best < 0 ? columns.length - 1 : best
    let to = from
    // It spans the neighbours whose words it covers, as a heading over several columns does.
    while (wide[from - 1] && wide[from]) from--
    while (wide[to + 1] && wide[to]) to++
    pieces.push({ ...box, words, base: words[0]?.base ?? box.y1, from, to })
  }
  for (const segment of line.segments) {
    let piece: Word[] = []
    for (const word of segment.words) {
      const previous = piece.at(-1)
      if (previous && word.x0 - previous.x1 > 0.38 * size) {
        if (columns.some((c) => c.x1 > previous.x1 - 1 && c.x1 < word.x0 + 1)) {
          put(piece)
          piece = []
        }
      }
      piece.push(word)
    }
    if (piece.length > 0) put(piece)
  }
  return pieces
}
