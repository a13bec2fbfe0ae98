import type { PageLayout } from '../document.ts'
import { type Line, makeLines, type Segment } from '../layout/lines.ts'
import { markCheckBoxes } from '../layout/marked-words.ts'
import { union } from '../read/geometry.ts'
import { readCell } from '../values/number.ts'
import { hasLetters } from '../values/text.ts'
import { readItems } from './card-items.ts'
import { type Card, hasControl, LEAST_CARDS, tableOf } from './card-table.ts'
import type { Table } from './table.ts'

const LEAST_ABREAST = 2
/** A page with more of them is full of text, and each would be held against all below it. */
const MOST_LINES = 300
/** So far, in points, a name may stand from the one over it. */
const NEAR = 3
/** Sizes of type by which two names of cards may differ. */
const ALIKE = 0.5
/** So many sizes of type below a line of a card nothing more is of it. */
const FARTHEST = 5
const LONGEST_NAME = 60

/**
 * Treatments on cards side by side, each name over what was applied and measured there: one table, a row a card, as it would
 * stand if what the values are called had been its headings. Null where the page has no such cards.
 */
export function sideCards({ page, furniture, tables }: PageLayout): Table | null {
  const outside = new Set(furniture.flatMap(({ words }) => words))
  const lines = makeLines(
    markCheckBoxes(page).filter((word) => !outside.has(word)),
    page.rulings,
  )
  if (lines.length > MOST_LINES) return null
  for (const [at, line] of lines.entries()) {
    const names = namesIn(line)
    const edges = names && edgesBetween(names, lines.slice(at + 1))
    if (!names || !edges) continue
    const cards: Card[] = []
    let row: (Segment | null)[] | null = names
    for (let [from, over] = [at, 0]; row; over = from) {
      const under: CardRow = cardsUnder(row, lines, { at: from, over }, edges)
      cards.push(...under.cards)
      from = under.end
      row = namesBelow(lines[from], names)
    }
    if (cards.length < LEAST_CARDS || !hasControl(cards, names[0]?.bold === true)) continue
    const table = tableOf(cards, page.index)
    // A column of labels before them would make it a table whose treatments stand in columns.
    if (table && !labelled(tables, table, names[0]?.x0 ?? 0)) return table
  }
  return null
}

const labelled = (tables: readonly Table[], { y0, y1 }: Table, left: number): boolean =>
  tables.some(
    (table) =>
      table.y0 < y1 &&
      table.y1 > y0 &&
      table.rows.filter((row) => row[0] && row[0].text !== '' && row[0].x1 < left).length > 1,
  )

/** The names of cards that a line has: alike in type, nothing else beside them. */
function namesIn({ segments }: Line): Segment[] | null {
  const [first] = segments
  return first && segments.length >= LEAST_ABREAST && segments.every((one) => isName(one, first))
    ? segments
    : null
}

const isName = ({ text, size, bold }: Segment, model: Segment): boolean =>
  Math.abs(size - model.size) < ALIKE &&
  bold === model.bold &&
  text.length < LONGEST_NAME &&
  hasLetters(text) &&
  readCell(text) === null

/** The names of a further row of cards, each under one of those of the first. */
function namesBelow(line: Line | undefined, names: readonly Segment[]): (Segment | null)[] | null {
  const [first] = names
  if (!line || !first || !line.segments.every((one) => isName(one, first))) return null
  const middle = ({ x0, x1 }: Segment): number => x0 + x1
  const row = names.map(
    (name) =>
      line.segments.find(
        (one) => Math.abs(one.x0 - name.x0) < NEAR || Math.abs(middle(one) - middle(name)) < 2 * NEAR,
      ) ?? null,
  )
  return new Set(row.filter((one) => one !== null)).size === line.segments.length ? row : null
}

interface CardRow {
  cards: Card[]
  /** The line that is no longer of them. */
  end: number
}

function cardsUnder(
  names: readonly (Segment | null)[],
  lines: readonly Line[],
  /** The line of the names, and the first one that may be over them. */
  { at, over }: { at: number; over: number },
  edges: readonly number[],
): CardRow {
  const called = names.filter((name) => name !== null)
  const size = called[0]?.size ?? 0
  const columns: Line[][] = names.map(() => [])
  const bottoms = names.map((name) => name?.base ?? Infinity)
  let end = at + 1
  for (; end < lines.length; end++) {
    const line = lines[end] as Line
    const parts = partsOf(line, edges)
    const other = columns.some((own) =>
      own.some(({ segments: [one] }) => one && called[0] && !isName(one, called[0])),
    )
    if (!parts || (other && namesBelow(line, called))) break
    const taken = parts.map((part, c) => part && line.base - (bottoms[c] ?? 0) <= FARTHEST * size)
    if (parts.some(Boolean) && !taken.some(Boolean)) break
    for (const [c, part] of parts.entries())
      if (part && taken[c]) {
        bottoms[c] = line.base
        columns[c]?.push(part)
      }
  }
  const above = figuresAbove(lines.slice(over, at), edges)
  const cards = names.flatMap((name, c): Card[] => {
    const own = columns[c] ?? []
    if (!name) return []
    // A name goes on below itself as long as it looks like it.
    const after = own.findIndex(
      ({ size, segments: [first] }) => first?.bold !== name.bold || Math.abs(size - name.size) > ALIKE,
    )
    const wrapped = name.bold ? own.slice(0, after < 0 ? own.length : after) : []
    const card = readItems(own.slice(wrapped.length).flatMap(({ segments }) => segments))
    return [
      {
        name: [...name.words, ...wrapped.flatMap(({ words }) => words)],
        told: card.told,
        items: [...readItems((above[c] ?? []).flatMap(({ segments }) => segments)).items, ...card.items],
      },
    ]
  })
  return { cards, end }
}

/** What a line has of each card; null where something goes over an edge. */
function partsOf(line: Line, edges: readonly number[]): (Line | null)[] | null {
  const inside = line.segments.filter((one) => one.x1 > (edges[0] ?? 0) && one.x0 < (edges.at(-1) ?? 0))
  if (inside.some((one) => edges.slice(1, -1).some((edge) => one.x0 < edge && one.x1 > edge))) return null
  return edges.slice(1).map((edge, c) => {
    const segments = inside.filter((one) => one.x0 >= (edges[c] ?? 0) && one.x1 <= edge)
    return segments.length === 0
      ? null
      : { ...line, ...union(segments), segments, words: segments.flatMap(({ words }) => words) }
  })
}

/** Where one card ends and the next begins: the widest gap between their names in which nothing stands. */
function edgesBetween(names: readonly Segment[], below: readonly Line[]): number[] | null {
  const edges: number[] = []
  const near = below.slice(0, 3).flatMap(({ segments }) => segments)
  for (const [c, name] of names.entries()) {
    const next = names[c + 1]
    if (!next) break
    const [from, to] = [(name.x0 + name.x1) / 2, (next.x0 + next.x1) / 2]
    const between = [name, next, ...near]
      .filter(({ x0, x1 }) => x1 > from && x0 < to)
      .sort((a, b) => a.x0 - b.x0)
    let [reach, best, edge] = [from, 0, Number.NaN]
    for (const { x0, x1 } of between) {
      if (x0 - reach > best) [best, edge] = [x0 - reach, (x0 + reach) / 2]
      reach = Math.max(reach, x1)
    }
    if (Number.isNaN(edge)) return null
    edges.push(edge)
  }
  const [first = 0, last = 0] = [edges[0], edges.at(-1)]
  const width = Math.max(...edges.slice(1).map((edge, c) => edge - (edges[c] ?? 0)), 0)
  const half = (name: Segment | undefined, edge: number) =>
    Math.abs((name ? (name.x0 + name.x1) / 2 : 0) - edge)
  return [
    first - (width || 2 * half(names[0], first)),
    ...edges,
    last + (width || 2 * half(names.at(-1), last)),
  ]
}

/** The lines over each name, as far up as none goes over an edge. */
function figuresAbove(lines: readonly Line[], edges: readonly number[]): Line[][] {
  const out: Line[][] = edges.slice(1).map(() => [])
  for (const line of [...lines].reverse()) {
    const parts = partsOf(line, edges)
    if (!parts) break
    for (const [c, part] of parts.entries()) if (part) out[c]?.unshift(part)
  }
  return out
}
