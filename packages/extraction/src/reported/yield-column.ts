import { groupLines } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Page, Word } from '../read/page.ts'
import type { Cell } from '../tables/table.ts'
import type { Draft } from '../treatments/draft.ts'
import type { TreatmentTable } from '../treatments/table-rows.ts'
import { decimalsOf, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { Candidate } from './found.ts'

/** A figure of a foot row of the table of yields, in the column of the yields. */
export type FootFigure = Candidate<number> & { casas: number; label: string }

export type FootKind = 'cv' | 'dms'

const LABELS: Record<FootKind, RegExp> = {
  cv: /^(?:c\.? ?v\.?|coef(?:iciente|\.)?s? de variac\w{1,5})(?: ?\(? ?(?:c\.?v\.?)? ?\)?)? ?(?:\(? ?% ?\)?)? ?[:=]?$/,
  dms: /^(?:d\.? ?m\.? ?s\.?|l\.?s\.?d\.?|diferenca minima significativa)(?: ?\([^()]{1,30}\))?(?: ?(?:tukey|t|lsd))?(?: ?(?:a )?\d{1,2} ?%)?(?: ?p ?[<=≤] ?0?[.,]\d{1,3})? ?(?:\([^()]{1,30}\))? ?[:=]?$/,
}
const NUMBER = /^\(?(\d{1,3}(?:\.\d{3})+(?:,\d{1,4})?|\d{1,6}(?:[.,]\d{1,4})?)%?\)?[*;.]?$/

const numberIn = (text: string): string | null => NUMBER.exec(text.trim().replace(/\s+%$/, '%'))?.[1] ?? null

/** Foot rows of the tables as they were understood: the cell under the yields is the yields'. */
export function footOfTables(
  tables: readonly (TreatmentTable | null)[],
  drafts: readonly Draft[],
  kind: FootKind,
): FootFigure[] {
  const yields = new Set(drafts.flatMap(({ produtividade }) => produtividade?.words.slice(0, 1) ?? []))
  const found: FootFigure[] = []
  for (const table of tables) {
    if (!table) continue
    const at = table.columns.findIndex(
      (_, c) => table.lines.filter(({ row }) => row[c]?.words.some((word) => yields.has(word))).length >= 2,
    )
    if (at < 0) continue
    for (const { row, label } of table.lines) {
      if (label === 'heading') continue
      const own = row[at]
      const name = row.find((cell): cell is Cell => cell !== null && LABELS[kind].test(fold(cell.text)))
      if (!own || !name || name === own) continue
      const printed = numberIn(own.text)
      const value = printed === null ? null : toNumber(printed)
      if (printed === null || value === null || value <= 0) continue
      const words = own.words
      found.push({
        value,
        casas: decimalsOf(printed),
        label: fold(name.text),
        score: 0.96,
        words,
        method: 'table',
      })
    }
  }
  return found
}

/** The yields of one page, one below the other. */
interface Band {
  page: number
  x0: number
  x1: number
  bottom: number
  size: number
}

function bandsOf(drafts: readonly Draft[]): Band[] {
  const words = drafts.flatMap(({ produtividade }) =>
    produtividade?.method === 'table' ? produtividade.words.slice(0, 1) : [],
  )
  return [...Map.groupBy(words, ({ page }) => page)].flatMap(([page, own]) => {
    const box = union(own)
    const widest = Math.max(...own.map(({ x1, x0 }) => x1 - x0))
    // Treatments that stand side by side have no foot under the yields.
    if (box.x1 - box.x0 > 2.2 * widest) return []
    return [{ page, x0: box.x0, x1: box.x1, bottom: box.y1, size: own[0]?.size ?? 10 }]
  })
}

/** How far below the last yield its foot may stand, in sizes of type. */
const FAR = 22

/** The same by place alone, where the foot was not caught with its table: on its line the figure nearest to the column. */
export function footByPlace(pages: readonly Page[], drafts: readonly Draft[], kind: FootKind): FootFigure[] {
  const bands = bandsOf(drafts)
  const last = Math.max(...bands.map(({ page }) => page))
  return bands.flatMap((band): FootFigure[] => {
    const below = footOn(pages, band, kind, band.bottom, band.bottom + FAR * band.size)
    if (below.length > 0 || band.page !== last) return below
    // A table goes on overleaf, at the top and in the same columns.
    const next = pages.find(({ index }) => index === band.page + 1)
    if (!next) return []
    return footOn(pages, { ...band, page: next.index }, kind, 0, 0.45 * next.height).map((figure) => ({
      ...figure,
      score: 0.85 * figure.score,
    }))
  })
}

function footOn(pages: readonly Page[], band: Band, kind: FootKind, from: number, to: number): FootFigure[] {
  const page = pages.find(({ index }) => index === band.page)
  const words = page?.words.filter(({ base }) => base > from && base < to) ?? []
  if (!words.some(({ text }) => /^(?:c|d|l|coef|dif)/i.test(text))) return []
  for (const line of groupLines(words)) {
    const label = labelOn(line, kind)
    if (!label || label.x0 > band.x0) continue
    const figures = line
      .filter((word) => word.x0 >= label.x1 - 1)
      .flatMap((word) => {
        const printed = numberIn(word.text)
        return printed === null ? [] : [{ word, printed }]
      })
      .map((figure) => ({
        ...figure,
        gap: Math.max(0, figure.word.x0 - band.x1, band.x0 - figure.word.x1),
        off: Math.abs(figure.word.x0 + figure.word.x1 - band.x0 - band.x1) / 2,
      }))
      .sort((a, b) => a.gap - b.gap || a.off - b.off)
    const [best, next] = figures
    const value = best && toNumber(best.printed)
    if (!best || !value || best.gap > 2.5 * band.size) return []
    // Between two columns it could be the figure of either.
    if (next && best.gap > 0 && next.gap < 2 * best.gap) return []
    return [
      {
        value,
        casas: decimalsOf(best.printed),
        label: label.text,
        score: best.gap === 0 ? 0.9 : 0.75,
        words: [best.word],
        method: 'table',
      },
    ]
  }
  return []
}

/** The words of a line that name the foot: 'CV', 'C.V. (%)', 'DMS (Tukey 5%)'. */
function labelOn(line: readonly Word[], kind: FootKind): { x0: number; x1: number; text: string } | null {
  const start = line.findIndex(({ text }) => /^\(?(?:c\.?\s?v|coef|d\.?m\.?s|l\.?s\.?d|dif)/.test(fold(text)))
  if (start < 0) return null
  for (let count = Math.min(7, line.length - start); count >= 1; count--) {
    const words = line.slice(start, start + count)
    const text = fold(words.map((word) => word.text).join(' '))
    if (LABELS[kind].test(text)) return { x0: words[0]?.x0 ?? 0, x1: words.at(-1)?.x1 ?? 0, text }
  }
  return null
}

/** 'CV (%) 2,50' on a line of its own, under an analysis of variance for instance: of which variable it does not say. */
export function lonelyFeet(pages: readonly Page[], alone: boolean): FootFigure[] {
  const found = pages.flatMap((page) => {
    if (!page.words.some(({ text }) => /^\(?c\.?v/i.test(text))) return []
    return groupLines(page.words).flatMap((line): FootFigure[] => {
      const label = labelOn(line, 'cv')
      const rest = line.filter((word) => label && word.x0 >= label.x1 - 1)
      const printed = numberIn(rest.map(({ text }) => text).join(' '))
      const value = printed === null ? null : toNumber(printed)
      if (!label || line[0]?.x0 !== label.x0 || printed === null || !value || value > 100) return []
      return [
        {
          value,
          casas: decimalsOf(printed),
          label: label.text,
          score: alone ? 0.8 : 0.5,
          words: rest,
          method: 'table',
        },
      ]
    })
  })
  return new Set(found.map(({ value }) => value)).size === 1 ? found : []
}
