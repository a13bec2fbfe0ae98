import type { PageLayout } from '../document.ts'
import { makeLines, type Segment } from '../layout/lines.ts'
import { markCheckBoxes } from '../layout/marked-words.ts'
import { type Box, contains } from '../read/geometry.ts'
import { isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { hasLetters } from '../values/text.ts'
import { readItems, VALUE } from './card-items.ts'
import { type Card, hasControl, LEAST_CARDS, tableOf } from './card-table.ts'
import type { Table } from './table.ts'

/** How far, in points, cards of one kind may differ in width. */
const ALIKE = 4
/** How far, in sizes of type, the lines of a name stand below one another. */
const NEXT_LINE = 1.5

/**
 * Treatments in panels of one width, each with a name of its own: one table, a row a panel. A control may have a panel of
 * another shape. Null where the page has no such panels.
 */
export function panelCards({ page, furniture }: PageLayout): Table | null {
  const panels = distinct(page.panels ?? [])
  if (panels.length < LEAST_CARDS) return null
  const outside = new Set(furniture.flatMap(({ words }) => words))
  const words = markCheckBoxes(page).filter((word) => !outside.has(word))
  const cards = new Map<Box, Card>()
  for (const panel of panels) {
    const own = words.filter((word) => contains(panel, (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2))
    const card = cardOf(makeLines(own, []).flatMap(({ segments }) => segments))
    if (card) cards.set(panel, card)
  }
  const kinds = [...cards.keys()].map((model) =>
    [...cards.keys()].filter((panel) => Math.abs(widthOf(panel) - widthOf(model)) < ALIKE),
  )
  for (const kind of kinds.sort((a, b) => b.length - a.length)) {
    const own = kind.sort(asRead).map((panel) => cards.get(panel) as Card)
    const strips = [...cards].filter(
      ([panel, { name }]) => !kind.includes(panel) && isControl(name.map(({ text }) => text).join(' ')),
    )
    const all = hasControl(own, true) ? own : [...own, ...strips.slice(0, 1).map(([, card]) => card)]
    if (own.length < 2 || all.length < LEAST_CARDS || !hasControl(all, true)) continue
    const table = tableOf(all, page.index)
    if (table) return table
  }
  return null
}

/** Row by row, and from the left. */
const asRead = (a: Box, b: Box): number => (Math.abs(a.y0 - b.y0) < SAME_ROW ? a.x0 - b.x0 : a.y0 - b.y0)
const SAME_ROW = 12

const widthOf = ({ x0, x1 }: Box): number => x1 - x0

/** A border and its ground are drawn in one place; what lies within another one is a part of it. */
function distinct(panels: readonly Box[]): Box[] {
  const sorted = [...panels].sort((a, b) => widthOf(b) * (b.y1 - b.y0) - widthOf(a) * (a.y1 - a.y0))
  return sorted.filter(
    (panel, i) =>
      !sorted
        .slice(0, i)
        .some(
          (other) =>
            contains(other, panel.x0 + 2, panel.y0 + 2) && contains(other, panel.x1 - 2, panel.y1 - 2),
        ),
  )
}

/** The largest words of a panel that are no figure are its name. */
function cardOf(segments: readonly Segment[]): Card | null {
  const named = segments.filter(
    ({ text }) => hasLetters(text) && readCell(text) === null && !VALUE.test(text) && !/^[+\d•]/.test(text),
  )
  const [first] = [...named].sort(
    (a, b) => Number(b.bold) - Number(a.bold) || b.size - a.size || a.base - b.base,
  )
  if (!first) return null
  const name = [first]
  for (const one of named) {
    const last = name.at(-1) as Segment
    const alike = Math.abs(one.size - first.size) < 0.5 && one.bold === first.bold
    if (alike && one.base > last.base && one.base - last.base < NEXT_LINE * first.size) name.push(one)
  }
  const rest = readItems(segments.filter((one) => !name.includes(one)))
  return rest.items.length > 0 ? { name: name.flatMap(({ words }) => words), ...rest } : null
}
