import type { Turn } from './geometry.ts'
import { toUpright } from './geometry.ts'
import type { Glyph, Word } from './page.ts'

/** What parts words, and what is not seen. */
const BREAKS = /[\s\u00ad\u200b\ufeff]/
const LEADER = /^[.·•_…‥-]$/

/** Joins the glyphs of one reading direction to words, in the upright frame of that direction. */
export function joinWords(
  glyphs: readonly Glyph[],
  turn: Turn,
  displayed: { width: number; height: number },
  page: number,
): Word[] {
  const upright = glyphs
    .filter((glyph) => glyph.turn === turn)
    .map((glyph) => ({
      ...glyph,
      ...toUpright(glyph, turn, displayed.width, displayed.height),
      base: uprightBase(glyph, turn, displayed),
    }))
  const words: Word[] = []
  let current: Glyph[] = []
  const flush = (): void => {
    if (current.length > 0) words.push(...splitLeaders(current, page))
    current = []
  }
  const seen = new Set<string>()
  const tracking = trackingOf(upright)
  for (const glyph of upright) {
    if (BREAKS.test(glyph.char)) {
      if (glyph.char !== '\u200b' && glyph.char !== '\ufeff') flush()
      continue
    }
    // Fake bold is the same glyph drawn twice.
    const key = `${glyph.char}${Math.round(glyph.x0 * 1.5)},${Math.round(glyph.base * 1.5)}`
    if (seen.has(key)) continue
    seen.add(key)
    const previous = current.at(-1)
    if (previous && (!follows(previous, glyph, tracking.get(glyph)) || leapsFrom(current, glyph))) flush()
    current.push(glyph)
  }
  flush()
  return words
}

function uprightBase(glyph: Glyph, turn: Turn, displayed: { width: number; height: number }): number {
  if (turn === 1) return glyph.base
  if (turn === 2) return displayed.height - glyph.base
  if (turn === 3) return displayed.width - glyph.base
  return glyph.base
}

/** Letters set apart: so much of their size, at most so much, and so many of them. */
const LEAST_TRACKING = 0.1
const MOST_TRACKING = 0.4
const LEAST_TRACKED = 8
/** The share of the gaps of a line that are about the usual one. */
const EVEN = 0.7

/** Of lines whose letters are set apart, the space between two letters of a word, in points. */
function trackingOf(glyphs: readonly Glyph[]): Map<Glyph, number> {
  const tracking = new Map<Glyph, number>()
  let line: Glyph[] = []
  const parted = new Set<Glyph>()
  const close = (): void => {
    const [first] = line
    if (first && line.length >= LEAST_TRACKED) {
      const gaps = line
        .slice(1)
        .flatMap((glyph, i) => {
          const before = line[i]
          return before && !before.spaced && !parted.has(before) ? [glyph.x0 - before.x1] : []
        })
        .sort((a, b) => a - b)
      const usual = gaps[Math.floor(gaps.length / 2)] ?? 0
      const even = gaps.filter((gap) => Math.abs(gap - usual) < 0.12 * first.size).length
      if (
        usual > LEAST_TRACKING * first.size &&
        usual < MOST_TRACKING * first.size &&
        gaps.length >= LEAST_TRACKED - 1 &&
        even >= EVEN * gaps.length
      )
        for (const glyph of line) tracking.set(glyph, usual)
    }
    line = []
  }
  for (const glyph of glyphs) {
    if (/\s/.test(glyph.char)) {
      // What a space parts has no gap to be measured.
      const last = line.at(-1)
      if (last) parted.add(last)
      continue
    }
    const last = line.at(-1)
    const goesOn =
      last &&
      Math.abs(last.base - glyph.base) < 0.12 * last.size &&
      Math.abs(last.size - glyph.size) < 0.05 * last.size &&
      glyph.x0 > last.x0
    if (!goesOn) close()
    line.push(glyph)
  }
  close()
  return tracking
}

function follows(previous: Glyph, next: Glyph, tracking = 0): boolean {
  const size = Math.max(previous.size, next.size)
  if (Math.abs(previous.base - next.base) > 0.12 * size) return false
  if (previous.size / next.size > 1.3 || next.size / previous.size > 1.3) return false
  const gap = next.x0 - previous.x1 - tracking
  return (
    gap < (previous.spaced ? 0.1 : previous.ligature ? 0.5 : 0.19) * size &&
    gap > (next.ligature ? -1 : -0.45) * size
  )
}

/** A kerned space may be narrow: letters that stand tight all along tell it from a gap between letters. */
function leapsFrom(word: readonly Glyph[], next: Glyph): boolean {
  const last = word.at(-1)
  if (!last || word.length < 4 || next.ligature || last.ligature) return false
  const gap = next.x0 - last.x1
  return (
    gap > 0.115 * Math.max(last.size, next.size) &&
    word.slice(-5).every((glyph, i, tail) => i === 0 || glyph.x0 - (tail[i - 1]?.x1 ?? 0) < 0.03 * glyph.size)
  )
}

/** Signs of a line that was typed. */
const LEAST_DASHES = 12

/** Runs of four or more dots are leaders, not text; a line of dashes by itself is a rule that was typed. */
function splitLeaders(glyphs: readonly Glyph[], page: number): Word[] {
  if (glyphs.length >= LEAST_DASHES && glyphs.every(({ char }) => char === '-')) return [toWord(glyphs, page)]
  const words: Word[] = []
  let start = 0
  for (let i = 0; i <= glyphs.length; i++) {
    let end = i
    while (end < glyphs.length && LEADER.test(glyphs[end]?.char ?? '')) end++
    if (end - i >= 4 || i === glyphs.length) {
      if (i > start) words.push(toWord(glyphs.slice(start, i), page))
      start = end
      i = Math.max(i, end - 1)
    }
  }
  return words
}

function toWord(glyphs: readonly Glyph[], page: number): Word {
  let text = ''
  let [x0, x1, size, base] = [Infinity, -Infinity, 0, 0]
  let [bold, italic] = [0, 0]
  for (const glyph of glyphs) {
    text += glyph.char
    x0 = Math.min(x0, glyph.x0)
    x1 = Math.max(x1, glyph.x1)
    size = Math.max(size, glyph.size)
    base = glyph.base
    if (glyph.bold) bold++
    if (glyph.italic) italic++
  }
  return {
    text: plainForms(text),
    x0,
    x1,
    y0: base - 0.76 * size,
    y1: base + 0.24 * size,
    base,
    size,
    bold: bold * 2 > glyphs.length,
    italic: italic * 2 > glyphs.length,
    page,
  }
}

/** Ligatures and presentation forms as plain letters; 'º' and '²' keep their meaning. */
function plainForms(text: string): string {
  return text
    .replace(/[\ufb00-\ufb06\uff01-\uff5e]/g, (form) => form.normalize('NFKC'))
    .replace(/^([Nn])[◦∘]$/, '$1º')
    .normalize('NFC')
}

const LONGEST_SCRIPT = 4
const SUPERSCRIPT_UNIT = /^[-−–⁻]?[123¹²³]$/

/** A word that a raised figure is the sign of a note of, unless it is what may be squared. */
const NOTED = /\p{L}{2}$/u
const SQUARED = /(?:^|[^\p{L}])(?:[cdmk]m|ha|kg|h?l|log|plantas?|sementes?)$/iu

/**
 * Rejoins what a raised or lowered baseline tore off: the '-1' of 'kg ha-1', the '3' of 'dm3', Tukey letters.
 * A raised word is put on the baseline of its neighbour so that it stays in the same line.
 */
export function joinScripts(words: Word[]): Word[] {
  const kept: Word[] = []
  for (const word of words) {
    if (word.text.length > LONGEST_SCRIPT) {
      kept.push(word)
      continue
    }
    const host = words.find(
      (w) =>
        w !== word &&
        w.size > word.size * 1.12 &&
        word.x0 - w.x1 > -0.15 * w.size &&
        word.x0 - w.x1 < 0.45 * w.size &&
        Math.abs(w.base - word.base) < 0.6 * w.size &&
        Math.abs(w.base - word.base) > 0.03 * w.size,
    )
    if (!host) {
      kept.push(word)
      continue
    }
    const note = word.base < host.base && /^[1-9]$/.test(word.text) && NOTED.test(host.text)
    if (note && !SQUARED.test(host.text)) {
      host.text += '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(word.text)]
      host.x1 = Math.max(host.x1, word.x1)
    } else if (SUPERSCRIPT_UNIT.test(word.text) && /\p{L}$/u.test(host.text)) {
      host.text += word.text
      host.x1 = Math.max(host.x1, word.x1)
    } else kept.push({ ...word, base: host.base, size: host.size * 0.9 })
  }
  return kept
}
