import type { Line, Segment } from '../layout/lines.ts'
import { toSegment } from '../layout/lines.ts'
import { makeRun, type Run, sliceRun } from '../layout/run.ts'
import { overlap } from '../read/geometry.ts'
import { hasLetters } from '../values/text.ts'
import { looksLikeLabel, matchLabel } from './labels.ts'
import { holdsValue, isRowOfMoney, MAX_LABEL_WORDS, type Pair } from './pair.ts'

/** Pairs that stand on one line. */
export function pairsOfLine(segments: readonly Segment[], pairs: Pair[]): void {
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
      !holdsValue(segment.text) &&
      !isRowOfMoney(segment.text, segments[i + 2]?.text)
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
    const label = boldBefore(run, start, colon) ?? labelBefore(before, start === 0)
    if (label === null) continue
    const from = start + before.lastIndexOf(label)
    marks.push({ label, from, at: colon, value: colon + match[0].length })
  }
  marks.forEach((mark, i) => {
    const stop = /(?<=(?:[\p{Ll}\d]{2}|\p{Lu}{2})[)%"”]?)\.\s+(?=\p{Lu})/u.exec(text.slice(mark.value))
    const end = Math.min(marks[i + 1]?.from ?? text.length, stop ? mark.value + stop.index + 1 : text.length)
    if (end <= mark.value) return
    const value = sliceRun(run, mark.value, end)
    const words = mark.label.split(/\s+/).length
    if (words <= MAX_LABEL_WORDS + 2) pairs.push({ label: mark.label, value, kind: 'colon', page, context })
  })
}

/** Words in bold up to the colon, behind plain ones, are the label. */
function boldBefore(run: Run, start: number, colon: number): string | null {
  const spans = run.spans.filter((span) => span.start < colon && span.end > start)
  const from = spans.findLastIndex((span) => !span.word.bold) + 1
  const first = spans[from]
  if (from === 0 || !first || spans.length - from > MAX_LABEL_WORDS) return null
  return run.text.slice(first.start, colon).trimEnd()
}

/** The label that ends a stretch of text: the shortest tail that a lexicon knows, else the whole if short. */
function labelBefore(before: string, alone: boolean): string | null {
  const trimmed = (
    before.split(/[|•·;]\s*|(?<=\p{Ll}|\p{Lu}{2}|[\d"%]\p{L}?|[)\]])\.\s+(?=\p{Lu})/u).at(-1) ?? before
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
export function pairsBetweenLines(lines: readonly Line[], pairs: Pair[]): void {
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

/** 'Cliente: X | Executor: Ceres' with 'Experimentação Agrícola' on the next line: the last value goes on there. */
export function pairsOverLineEnds(lines: readonly Line[], pairs: Pair[]): void {
  lines.forEach((line, i) => {
    const [last, next] = [line.segments.at(-1), lines[i + 1]]
    const rest = next?.segments[0]
    if (!last || !next || !rest || line.segments.length < 2 || next.segments.length > 1) return
    if (Math.abs(next.x0 - line.x0) > 2 || next.base - line.base > 1.6 * line.size) return
    if (
      rest.words.length > 6 ||
      /[:=|]/.test(rest.text) ||
      Math.abs(rest.size - last.size) > 0.05 * last.size
    )
      return
    colonPairs(makeRun([...last.words, ...rest.words]), line.segments[0]?.page ?? 0, pairs, '')
  })
}
