import type { Box } from '../read/geometry.ts'
import { overlap, union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'

/** Words that belong together on one line: a run without a wide gap. */
export interface Segment extends Box {
  words: Word[]
  text: string
  base: number
  size: number
  bold: boolean
  page: number
}

export interface Line extends Box {
  segments: Segment[]
  words: Word[]
  base: number
  size: number
}

/** Gap, in sizes of type, from which two words of a line are taken for separate pieces. */
const WIDE_GAP = 0.95

/** 'ha-' at the end of a line and '1' on the next are one unit. */
export function isExponent(before: string, next: string): boolean {
  return (
    /^[123](?!\d)/.test(next) && /(?:^|[\s./(])(?:ha|kg|dm|cm|m|l|hl|planta)[-−–⁻]$/i.test(before.slice(-8))
  )
}

/** So many letters tell what an exponent stands behind. */
const TAIL = 16

export function textOf(words: readonly Word[]): string {
  const parts: string[] = []
  let tail = ''
  let previous: Word | undefined
  for (const word of words) {
    const tight =
      previous &&
      word.ocr === undefined &&
      Math.abs(word.base - previous.base) < 0.5 * word.size &&
      word.x0 - previous.x1 < 0.06 * Math.max(word.size, previous.size) &&
      word.x0 > previous.x0
    const piece = previous && !tight && !isExponent(tail, word.text) ? ` ${word.text}` : word.text
    parts.push(piece)
    // To look back into the whole would copy it, word after word.
    tail = (tail + piece).slice(-TAIL)
    previous = word
  }
  return parts.join('')
}

export function toSegment(words: Word[]): Segment {
  const box = union(words)
  const sizes = words.map((w) => w.size).sort((a, b) => a - b)
  return {
    ...box,
    words,
    text: textOf(words),
    base: words[0]?.base ?? box.y1,
    size: sizes[Math.floor(sizes.length / 2)] ?? 10,
    bold: words.filter((w) => w.bold).length * 2 > words.length,
    page: words[0]?.page ?? 0,
  }
}

/** Groups words that share a baseline. */
export function groupLines(words: readonly Word[]): Word[][] {
  const sorted = [...words].sort((a, b) => a.base - b.base)
  const lines: { base: number; size: number; words: Word[] }[] = []
  for (const word of sorted) {
    let host: (typeof lines)[number] | undefined
    for (let i = lines.length - 1; i >= 0 && i >= lines.length - 4; i--) {
      const line = lines[i]
      if (line && Math.abs(line.base - word.base) < 0.36 * Math.min(line.size, word.size)) {
        host = line
        break
      }
    }
    if (host) {
      host.words.push(word)
      host.base = host.base + (word.base - host.base) / host.words.length
    } else lines.push({ base: word.base, size: word.size, words: [word] })
  }
  return lines.map((line) => line.words.sort((a, b) => a.x0 - b.x0))
}

export function makeLines(words: readonly Word[], rulings: readonly Ruling[], gap = WIDE_GAP): Line[] {
  const verticals = rulings.filter((r) => r.vertical)
  const rows = groupLines(words)
  const measure = measureOf(rows)
  return rows
    .map((row) => {
      const segments: Segment[] = []
      let current: Word[] = []
      const whole = isDefinition(row) || (measure && isStretched(row, measure))
      const wide = whole ? Infinity : justifiedGap(row, gap)
      for (const word of row) {
        const previous = current.at(-1)
        if (previous && !isBullet(current) && separated(previous, word, verticals, wide)) {
          segments.push(toSegment(current))
          current = []
        }
        current.push(word)
      }
      if (current.length > 0) segments.push(toSegment(current))
      const sizes = row.map((w) => w.size).sort((a, b) => a - b)
      return {
        ...union(row),
        words: row,
        segments,
        base: row[0]?.base ?? 0,
        size: sizes[Math.floor(sizes.length / 2)] ?? 10,
      }
    })
    .sort((a, b) => a.base - b.base)
}

const isBullet = (words: readonly Word[]): boolean =>
  words.length === 1 && /^(?:[•●▪■◦‣∙·»➢✓–-]|[A-Ha-h]\))$/.test(words[0]?.text ?? '')

/** 'A = Rizoforte no sulco     200 mL/ha': what a code stands for is one piece, however wide its blanks. */
const isDefinition = (row: readonly Word[]): boolean =>
  row.length >= 3 &&
  /^(?:[A-Z]\d{0,2}|\d{1,2}|T-?\d{1,2})$/.test(row[0]?.text ?? '') &&
  row[1]?.text === '=' &&
  /\p{L}/u.test(row[2]?.text ?? '') &&
  row.filter(({ text }) => text === '=').length === 1

interface Measure {
  x0: number
  x1: number
}

const WORDY = /^[("“]?\p{L}[\p{L}-]*[,.;:)”"]?$/u

/** Where the lines of justified text begin and end, if the region has such text. */
function measureOf(rows: readonly (readonly Word[])[]): Measure | null {
  const running = rows.filter(
    (row) =>
      row.length >= 5 &&
      row.filter((word) => WORDY.test(word.text)).length > 0.6 * row.length &&
      row.slice(1).every((word, i) => word.x0 - (row[i]?.x1 ?? 0) < word.size),
  )
  for (const row of running) {
    const x0 = row[0]?.x0 ?? 0
    const x1 = row.at(-1)?.x1 ?? 0
    const alike = running.filter(
      (other) => Math.abs((other[0]?.x0 ?? 0) - x0) < 1.5 && Math.abs((other.at(-1)?.x1 ?? 0) - x1) < 1.5,
    )
    if (alike.length >= 3) return { x0, x1 }
  }
  return null
}

/** A line of few words drawn out to the measure: its spaces are wide and all alike. */
function isStretched(row: readonly Word[], { x0, x1 }: Measure): boolean {
  if (row.length < 2 || Math.abs((row[0]?.x0 ?? 0) - x0) > 2 || Math.abs((row.at(-1)?.x1 ?? 0) - x1) > 2)
    return false
  if (row.filter((word) => WORDY.test(word.text)).length < 0.5 * row.length) return false
  const gaps = row.slice(1).map((word, i) => word.x0 - (row[i]?.x1 ?? word.x0))
  return row.length >= 3 && Math.max(...gaps) < 1.3 * Math.min(...gaps) + 0.5
}

/** In a justified line all spaces are stretched alike: only a gap beyond them separates. */
function justifiedGap(row: readonly Word[], gap: number): number {
  if (row.length < 3) return gap
  const words = row.filter((word) => /^[(“"]?\p{L}+[,.;:)”"]?$/u.test(word.text))
  // 'A 178,2 b' is no sentence.
  if (words.length < 0.65 * row.length || !words.some(({ text }) => /\p{L}{2}/u.test(text))) return gap
  const size = row[0]?.size ?? 10
  const gaps = row
    .slice(1)
    .map((word, i) => (word.x0 - (row[i]?.x1 ?? word.x0)) / size)
    .sort((a, b) => a - b)
  const median = gaps[Math.floor(gaps.length / 2)] ?? 0
  const widest = gaps.at(-1) ?? 0
  // Few words need spaces that are the same; many words may differ a little.
  if (row.length < 7)
    return widest < 4.2 && widest < 1.25 * (gaps[0] ?? 0) ? Math.max(gap, widest + 0.1) : gap
  // Two blanks of a typewriter, between words and behind a full stop.
  if (median > 0.42 && median < 0.9 && widest < MOST_BLANKS * median && isTyped(row)) return widest + 0.1
  return median > 0.42 && median < 0.9 ? Math.min(Math.max(gap, 1.6 * median), 2.4) : gap
}

/** So many blanks, and a little, part no words of one line. */
const MOST_BLANKS = 3.4

/** Type of one width: a word is as wide as it has letters, and so are the gaps. */
function isTyped(row: readonly Word[]): boolean {
  const letters = row.reduce((sum, { text }) => sum + text.length, 0)
  const pitch = row.reduce((sum, { x0, x1 }) => sum + x1 - x0, 0) / Math.max(1, letters)
  const alike = row.filter(({ text, x0, x1 }) => Math.abs((x1 - x0) / text.length - pitch) < 0.2 * pitch)
  return row.length >= 7 && alike.length >= 0.85 * row.length
}

function separated(left: Word, right: Word, verticals: readonly Ruling[], gap: number): boolean {
  const between = right.x0 - left.x1
  if (between > gap * Math.max(left.size, right.size)) return true
  if (between < -1) return false
  const middle = (left.y0 + left.y1) / 2
  return verticals.some(
    (r) => r.x0 >= left.x1 - 1.5 && r.x1 <= right.x0 + 1.5 && r.y0 <= middle && r.y1 >= middle,
  )
}

/** Runs of lines that follow one another in one column: a paragraph, a list, a card. */
export interface Block extends Box {
  segments: Segment[]
  text: string
  page: number
}

export function makeBlocks(lines: readonly Line[]): Block[] {
  const blocks: Segment[][] = []
  for (const line of lines) {
    for (const segment of line.segments) {
      const host = blocks.findLast((block) => {
        const last = block.at(-1)
        if (!last || last.base >= segment.base - 0.2 * segment.size) return false
        const pitch = segment.base - last.base
        if (pitch > 1.75 * Math.max(segment.size, last.size)) return false
        if (Math.max(segment.size, last.size) / Math.min(segment.size, last.size) > 1.22) return false
        const common = overlap(segment.x0, segment.x1, last.x0, last.x1)
        return common > 0.5 * Math.min(segment.x1 - segment.x0, last.x1 - last.x0)
      })
      if (host && startsAfresh(host, segment)) blocks.push([segment])
      else if (host) host.push(segment)
      else blocks.push([segment])
    }
  }
  return blocks.map(joinedBlock)
}

export const joinedBlock = (segments: Segment[]): Block => ({
  ...union(segments),
  segments,
  text: joinHyphens(segments),
  page: segments[0]?.page ?? 0,
})

/** 'T2 – X; T3' and '– Y; T4 – Z' below it: a dash within a paragraph, which the end of the line parted from its word. */
function goesOnWithDash(host: readonly Segment[], segment: Segment): boolean {
  const [first, last] = [host[0], host.at(-1)]
  return (
    /^[–—]\s/.test(segment.text) &&
    first !== undefined &&
    last !== undefined &&
    host.length >= 2 &&
    !BULLET.test(first.text) &&
    /[\p{L}\d)]$/u.test(last.text) &&
    Math.abs(segment.x0 - last.x0) < 1.5
  )
}

const BULLET =
  /^(?:[•●▪■◦‣∙·*»>✓➢→]|[-–−](?!\d)|—|\d{1,2}[.)](?!\d)|0\d\s[–—-]\s|\(\d{1,2}\)\s|\(?[a-h]\)|[A-H]\s[–—]\s(?=[A-Za-zÀ-ü])|\(?[ivx]{1,4}\)|T\d{1,2}\b)/
function startsAfresh(host: readonly Segment[], segment: Segment): boolean {
  const last = host.at(-1)
  if (!last) return false
  // The heading of a card stays with what it heads.
  if (/^(?:T\s?\d{1,2}\b|Trat|Testemunha|Controle)/.test(last.text) && host.length === 1) return false
  if (BULLET.test(segment.text) && segment.words.length > 1 && !goesOnWithDash(host, segment)) return true
  return (
    last.bold &&
    !segment.bold &&
    segment.words[0]?.bold !== true &&
    last.text.length < 40 &&
    host.length === 1
  )
}

/** Text of a block; a word broken at the end of a line is mended. Positions map one to one to `offsets`. */
function joinHyphens(segments: readonly Segment[]): string {
  const parts: string[] = []
  for (const segment of segments) {
    const before = parts.at(-1) ?? ''
    const broken = /\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(segment.text)
    if (broken) parts[parts.length - 1] = before.slice(0, -1)
    parts.push(broken || parts.length === 0 ? segment.text : ` ${segment.text}`)
  }
  return parts.join('')
}
