import { groupLines, textOf } from '../layout/lines.ts'
import type { Box } from '../read/geometry.ts'
import { overlap, union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'
import type { Cell, Table } from './table.ts'

const TOUCH = 3.2
const SAME = 3

/** Tables whose cells are drawn: rulings that cross make a grid; missing borders merge its cells. */
export function findLattices(words: readonly Word[], rulings: readonly Ruling[], page: number): Table[] {
  const tables: Table[] = []
  // Backgrounds of single rows would make a grid of each of them.
  for (const group of connect(rulings.filter((ruling) => !ruling.edge))) {
    const xs = positions(group.filter((r) => r.vertical).map((r) => (r.x0 + r.x1) / 2))
    const ys = positions(group.filter((r) => !r.vertical).map((r) => (r.y0 + r.y1) / 2))
    if (xs.length < 2 || ys.length < 2 || xs.length > 60 || ys.length > 400) continue
    const table = build(group, xs, ys, words, page)
    if (table) tables.push(table)
  }
  return tables
}

function connect(rulings: readonly Ruling[]): Ruling[][] {
  const parent = rulings.map((_, i) => i)
  const root = (i: number): number => {
    let r = i
    while (parent[r] !== r) r = parent[r] ?? r
    return r
  }
  rulings.forEach((a, i) => {
    for (let j = i + 1; j < rulings.length; j++) {
      const b = rulings[j]
      if (!b || a.vertical === b.vertical) continue
      if (a.x0 - TOUCH <= b.x1 && b.x0 - TOUCH <= a.x1 && a.y0 - TOUCH <= b.y1 && b.y0 - TOUCH <= a.y1)
        parent[root(i)] = root(j)
    }
  })
  const groups = new Map<number, Ruling[]>()
  rulings.forEach((ruling, i) => {
    const r = root(i)
    groups.set(r, [...(groups.get(r) ?? []), ruling])
  })
  return [...groups.values()].filter((group) => group.length >= 4)
}

function positions(values: readonly number[]): number[] {
  const out: number[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const last = out.at(-1)
    if (last === undefined || value - last > SAME) out.push(value)
  }
  return out
}

function build(
  group: readonly Ruling[],
  xs: readonly number[],
  ys: readonly number[],
  words: readonly Word[],
  page: number,
): Table | null {
  const columns = xs.length - 1
  const rows = ys.length - 1
  const verticals = group.filter((r) => r.vertical)
  const horizontals = group.filter((r) => !r.vertical)
  const id = (r: number, c: number): number => r * columns + c
  const parent = Array.from({ length: rows * columns }, (_, i) => i)
  const root = (i: number): number => {
    let r = i
    while (parent[r] !== r) r = parent[r] ?? r
    return r
  }
  const covered = (
    lines: readonly Ruling[],
    vertical: boolean,
    at: number,
    from: number,
    to: number,
  ): boolean => {
    let sum = 0
    for (const line of lines) {
      const position = vertical ? (line.x0 + line.x1) / 2 : (line.y0 + line.y1) / 2
      if (Math.abs(position - at) > SAME) continue
      sum += vertical ? overlap(line.y0, line.y1, from, to) : overlap(line.x0, line.x1, from, to)
    }
    return sum > 0.6 * (to - from)
  }
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const [x0, x1, y0, y1] = [xs[c] ?? 0, xs[c + 1] ?? 0, ys[r] ?? 0, ys[r + 1] ?? 0]
      if (c + 1 < columns && !covered(verticals, true, x1, y0, y1))
        parent[root(id(r, c + 1))] = root(id(r, c))
      if (r + 1 < rows && !covered(horizontals, false, y1, x0, x1))
        parent[root(id(r + 1, c))] = root(id(r, c))
    }
  const boxes = new Map<number, Box>()
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const key = root(id(r, c))
      const box = { x0: xs[c] ?? 0, y0: ys[r] ?? 0, x1: xs[c + 1] ?? 0, y1: ys[r + 1] ?? 0 }
      const known = boxes.get(key)
      boxes.set(key, known ? union([known, box]) : box)
    }
  const frame = { x0: xs[0] ?? 0, y0: ys[0] ?? 0, x1: xs.at(-1) ?? 0, y1: ys.at(-1) ?? 0 }
  const held = new Map<number, Word[]>()
  let count = 0
  for (const word of words) {
    const x = (word.x0 + word.x1) / 2
    const y = (word.y0 + word.y1) / 2
    if (x < frame.x0 || x > frame.x1 || y < frame.y0 || y > frame.y1) continue
    const c = xs.findIndex((_, i) => x <= (xs[i + 1] ?? Infinity))
    const r = ys.findIndex((_, i) => y <= (ys[i + 1] ?? Infinity))
    const key = root(id(Math.min(r, rows - 1), Math.min(c, columns - 1)))
    held.set(key, [...(held.get(key) ?? []), word])
    count++
  }
  if (count < 2) return null
  const cells = new Map<number, Cell>()
  for (const [key, box] of boxes) cells.set(key, makeCell(held.get(key) ?? [], box, page))
  const grid: Cell[][] = []
  for (let r = 0; r < rows; r++)
    grid.push(
      Array.from({ length: columns }, (_, c) => cells.get(root(id(r, c))) ?? makeCell([], frame, page)),
    )
  partRecognised(grid, ys, page)
  partAcross(grid, xs, page)
  const kept = grid.filter((row) => row.some((cell) => cell.text !== ''))
  const used = Array.from({ length: columns }, (_, c) => c).filter((c) =>
    kept.some((row) => row[c]?.text !== ''),
  )
  const open = used.length >= 2 ? rowsBelow(frame, xs, words) : []
  const more = open.map((row) => row.map((own) => makeCell(own, own.length > 0 ? union(own) : frame, page)))
  const dense = [...kept, ...more].map((row) => used.map((c) => row[c] ?? null))
  if (used.length < 2 && !isLoneColumn(dense)) return null
  if (more.length > 0) frame.y1 = Math.max(...open.flat(2).map((word) => word.y1)) + 2
  return { ...frame, page, rows: dense, columns: used.length, ruled: true, title: '' }
}

/** So many lines may stand between a ruled table that goes over the page and what the page ends with. */
const MOST_BELOW = 4
const MOST_WORDS_BELOW = 60 * MOST_BELOW
/** Words at the foot of a page: its number, a name. */
const MOST_AT_FOOT = 6

/** The page ends before the last rule of a table is drawn: rows below its last rule, cell under cell. */
function rowsBelow(frame: Box, xs: readonly number[], words: readonly Word[]): Word[][][] {
  const below = words.filter(({ y0, y1 }) => (y0 + y1) / 2 > frame.y1)
  if (below.length === 0 || below.length > MOST_WORDS_BELOW) return []
  const lines = groupLines(below)
  if (lines.length > MOST_BELOW) return []
  const rows: Word[][][] = []
  let last = frame.y1
  for (const [l, line] of lines.entries()) {
    const cells = asCells(line, xs)
    const [first] = line
    if (!first || !cells || first.base - last > 2.2 * first.size) {
      const foot = lines.slice(l)
      return foot.length <= 1 && foot.flat().length <= MOST_AT_FOOT ? rows : []
    }
    last = first.base
    const open = rows.at(-1)
    if (open && cells[0]?.length === 0) for (const [c, own] of cells.entries()) open[c]?.push(...own)
    else rows.push(cells)
  }
  return rows
}

/** The words of a line column by column; null where it runs on over the borders. */
function asCells(line: readonly Word[], xs: readonly number[]): Word[][] | null {
  const cells = xs
    .slice(1)
    .map((x1, c) => line.filter((word) => word.x0 > (xs[c] ?? 0) - 2 && word.x1 < x1 + 2))
  if (cells.flat().length !== line.length || cells.filter((own) => own.length > 0).length < 2) return null
  const columnOf = (word: Word | undefined): number =>
    cells.findIndex((own) => own.some((each) => each === word))
  const apart = line.every((word, i) => {
    const before = line[i - 1]
    return !before || columnOf(before) === columnOf(word) || word.x0 - before.x1 > word.size
  })
  return apart ? cells : null
}

/** In a scan a border that was too faint leaves two cells as one: lines that stand in rows of their own part again. */
function partRecognised(grid: Cell[][], ys: readonly number[], page: number): void {
  grid.forEach((row, r) => {
    row.forEach((cell, c) => {
      const last = grid.findLastIndex((other) => other[c] === cell)
      if (last <= r || row.indexOf(cell) !== c || grid[r - 1]?.[c] === cell) return
      if (cell.words.length < 2 || cell.words.some((word) => word.ocr === undefined)) return
      const bands = new Map<number, Word[]>()
      for (const word of cell.words) {
        const band = ys.findIndex((_, i) => (word.y0 + word.y1) / 2 <= (ys[i + 1] ?? Infinity))
        bands.set(band, [...(bands.get(band) ?? []), word])
      }
      const texts = groupLines(cell.words).map((line) => textOf(line))
      // '3 - X +' and 'Y' below it are one name.
      const coded = /^T?\d{1,2}\s*[-–—.:)]/.test(texts[0] ?? '') && !/^T?\d/.test(texts.at(-1) ?? '')
      if (coded || texts.some((text) => /^\+|\+$/.test(text))) return
      const lines = texts.length
      if (bands.size !== last - r + 1 || lines !== bands.size) return
      // A number beside both lines says that they are one.
      const numbered = row.some(
        (other, at) =>
          at < c &&
          /^T?\s?\d{1,2}$/.test(other.text) &&
          grid.findIndex((line) => line[at] === other) === r &&
          grid.findLastIndex((line) => line[at] === other) === last,
      )
      if (numbered) return
      for (let k = r; k <= last; k++) {
        const words = bands.get(k)
        const host = grid[k]
        if (!words || !host) continue
        const part = makeCell(words, union(words), page)
        host.forEach((other, at) => {
          if (other === cell) host[at] = part
        })
      }
    })
  })
}

/** So many rows with all their borders tell that one without them lost them. */
const LEAST_PARTED = 2

/**
 * The same along a row: words that stand apart in columns of their own part again. Where other rows have their borders
 * and a shaded one has none, also in what was not recognised.
 */
function partAcross(grid: Cell[][], xs: readonly number[], page: number): void {
  const parted = (from: number, count: number): number =>
    grid.filter((row) => new Set(row.slice(from, from + count)).size === count).length
  for (const row of grid)
    for (const cell of new Set(row)) {
      const own = row.flatMap((other, c) => (other === cell ? [c] : []))
      if (own.length < 3 || cell.words.length < 3) continue
      const digital = cell.words.some((word) => word.ocr === undefined)
      if (digital && parted(own[0] ?? 0, own.length) < LEAST_PARTED) continue
      if (groupLines(cell.words).length > 1 || grid.filter((other) => other.includes(cell)).length > 1)
        continue
      const bands = own.map((c) =>
        cell.words.filter((word) => word.x0 > (xs[c] ?? 0) - 2 && word.x1 < (xs[c + 1] ?? 0) + 2),
      )
      const filled = bands.filter((words) => words.length > 0)
      const apart = filled.slice(1).every((words, i) => {
        const before = filled[i]?.at(-1)
        const after = words[0]
        return before !== undefined && after !== undefined && after.x0 - before.x1 > 1.2 * after.size
      })
      if (filled.length < 3 || !apart || filled.flat().length < cell.words.length) continue
      if (digital && filled.length < own.length) continue
      own.forEach((c, i) => {
        const words = bands[i] ?? []
        const place = { x0: xs[c] ?? 0, x1: xs[c + 1] ?? 0, y0: cell.y0, y1: cell.y1 }
        row[c] = makeCell(words, words.length > 0 ? union(words) : place, page)
      })
    }
}

/** One column of figures under a heading: the last column of a sheet, printed on a page of its own. */
export function isLoneColumn(rows: readonly (Cell | null)[][]): boolean {
  const texts = rows.map((row) => row[0]?.text ?? '').filter((text) => text !== '')
  const figures = texts.slice(1).filter((text) => /^[-+]?\d[\d.,]*(?:\s?[a-e]{1,3}|\s?%)?$|^[-–]$/.test(text))
  return texts.length >= 4 && /\p{L}/u.test(texts[0] ?? '') && figures.length >= 0.8 * (texts.length - 1)
}

export function makeCell(words: readonly Word[], box: Box, page: number): Cell {
  const ordered = groupLines(words).flat()
  return { ...(ordered.length > 0 ? union(ordered) : box), text: textOf(ordered), words: ordered, page }
}
