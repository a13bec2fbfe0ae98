import type { Line } from '../layout/lines.ts'
import { isHeading, isTellingHeading } from '../values/headings.ts'
import { isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'

/** '1. Amostras tratadas' in larger or bold letters by itself: the report's own numbering, and what stands below is another. */
export function splitAtNumbers(run: Line[]): Line[][] {
  const at = run.findIndex((line, i) => {
    const [above, below] = [run[i - 1], run[i + 1]]
    if (!above || !below || line.segments.length !== 1 || !NUMBERED.test(line.segments[0]?.text ?? ''))
      return false
    const bold = line.words.every((word) => word.bold) && !above.words.every((word) => word.bold)
    return bold || line.size > 1.08 * Math.max(above.size, below.size)
  })
  return at < 0 ? [run] : [run.slice(0, at), ...splitAtNumbers(run.slice(at + 1))]
}
const NUMBERED = /^\d{1,2}(?:\.\d{1,2})*[.)]?\s+\p{Lu}\p{L}{3}/u

/** Tables set below each other: behind a space stand a title by itself and headings without figures. */
export function splitAtTitles(run: Line[]): Line[][] {
  const pitches = run.slice(1).map((line, i) => line.base - (run[i]?.base ?? 0))
  const usual = [...pitches].sort((a, b) => a - b)[Math.floor(pitches.length / 2)] ?? 0
  const tabular = (lines: readonly Line[]) => lines.filter((line) => line.segments.length >= 2).length >= 2
  for (let i = 2; i + 2 < run.length; i++) {
    const [title, headings, first] = [run[i], run[i + 1], run[i + 2]]
    if (!title || !headings || !first || title.segments.length !== 1) continue
    if ((pitches[i - 1] ?? 0) < 1.6 * usual || (pitches[i] ?? 0) > 1.4 * usual) continue
    const named = headings.segments.filter((s) => readCell(s.text) === null)
    if (named.length < 2 || named.length < headings.segments.length) continue
    if (!named.some((s) => isHeading(s.text)) || !first.segments.some((s) => readCell(s.text) !== null))
      continue
    if (!tabular(run.slice(0, i)) || !tabular(run.slice(i + 1))) continue
    return [run.slice(0, i), ...splitAtTitles(run.slice(i + 1))]
  }
  return [run]
}

/** Tables set below each other: behind a space the first column's heading stands again, over headings of its own. */
export function splitAtCorners(run: Line[]): Line[][] {
  const corner = run[0]?.segments[0]?.text ?? ''
  if (!/\p{L}/u.test(corner) || corner.length > 24) return [run]
  const space = (i: number): number =>
    (run[i]?.base ?? 0) - (run[i - 1]?.base ?? 0) - Math.max(run[i]?.size ?? 0, run[i - 1]?.size ?? 0)
  const figures = (line: Line | undefined): boolean =>
    line?.segments.some((s) => readCell(s.text) !== null) ?? false
  const at = run.findIndex((line, i) => i > 2 && line.segments[0]?.text === corner && !figures(line))
  let from = at
  // The upper lines of its headings.
  while (from > 1 && !figures(run[from - 1]) && space(from) < 0.6 * (run[from]?.size ?? 0)) from--
  if (from < 3 || space(from) < 1.2 * (run[from]?.size ?? 0)) return [run]
  return [run.slice(0, from), ...splitAtCorners(run.slice(from))]
}

/** Cards or lists right above a table of treatments are not part of it: its headings begin it. */
export function splitAtHeadings(run: Line[]): Line[][] {
  const telling = run.map((line) =>
    // The control among the headings: a table whose treatments stand in columns.
    line.segments.slice(1).some((s) => isControl(s.text) && s.text.length < 30) &&
    !/^(?:\(?T?\s?\d|[A-H]$)/.test(line.segments[0]?.text ?? '') &&
    !line.segments.some((s) => readCell(s.text) !== null)
      ? 3
      : line.segments.length >= 3 &&
          line.segments.every((s) => isHeading(s.text) && readCell(s.text) === null)
        ? Math.max(3, line.segments.filter((s) => isTellingHeading(s.text)).length)
        : line.segments.filter((s) => isTellingHeading(s.text)).length,
  )
  const close = (i: number): boolean => {
    const [a, b] = [run[i - 1], run[i]]
    return a !== undefined && b !== undefined && b.base - a.base < 1.6 * Math.max(a.size, b.size)
  }
  for (let i = 2; i < run.length; i++) {
    if ((telling[i] ?? 0) === 0 || (close(i) && (telling[i - 1] ?? 0) > 0)) continue
    let sum = telling[i] ?? 0
    for (let k = i + 1; k <= i + 3 && close(k); k++) sum += telling[k] ?? 0
    if (sum < 3 && !(sum === 2 && (run[i]?.segments.length ?? 0) <= 3)) continue
    // Lines of wrapped headings above it that tell nothing by themselves.
    let from = i
    while (from > 0 && close(from) && (run[from - 1]?.segments.every((s) => !/\d{2}/.test(s.text)) ?? false))
      from--
    if (
      from >= 2 &&
      !run.slice(0, from).some((line) => line.segments.some((s) => isControl(s.text) && s.text.length < 40))
    )
      return [run.slice(0, from), ...splitAtHeadings(run.slice(from))]
  }
  return [run]
}
