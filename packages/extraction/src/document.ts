import { mendParagraphs } from './layout/broken-paragraphs.ts'
import { outsideCharts } from './layout/drawn-bars.ts'
import { findFurniture } from './layout/furniture.ts'
import { type Block, type Line, makeBlocks, makeLines } from './layout/lines.ts'
import { bodySize, markCheckBoxes } from './layout/marked-words.ts'
import { byPanels, splitPage } from './layout/regions.ts'
import { withTypedRules } from './layout/typed-rules.ts'
import { contains } from './read/geometry.ts'
import type { Page, Word } from './read/page.ts'
import { isOn } from './stages.ts'
import { partAbreast } from './tables/abreast.ts'
import { withLettersExplained } from './tables/acronyms.ts'
import { withAnalysedVariables } from './tables/analysed-variable.ts'
import { withLinesApart, withOpenBody, withStylesApart } from './tables/apart.ts'
import { withCodeCards } from './tables/code-cards.ts'
import { withFormCards } from './tables/form-cards.ts'
import { withBlocksApart } from './tables/framed-blocks.ts'
import { withHeadingsAbove } from './tables/headings-above.ts'
import { findLattices } from './tables/lattice.ts'
import { withoutRefrains } from './tables/refrains.ts'
import { withRuledBands } from './tables/ruled-bands.ts'
import { withoutSheetFrame } from './tables/sheet-frame.ts'
import { findLoneColumn, findStreams } from './tables/stream.ts'
import { partsOf, withoutRunOn } from './tables/stream-bounds.ts'
import type { Table } from './tables/table.ts'
import { fold } from './values/text.ts'

export interface PageLayout {
  page: Page
  /** Lines outside ruled tables, region by region; running headers and footers left out. */
  lines: Line[]
  /** Running text: lines outside every table. */
  blocks: Block[]
  tables: Table[]
  furniture: Line[]
}

export interface Document {
  pages: PageLayout[]
  scanned: boolean
  /** The tables that hold the treatments, where a person says which. */
  given?: Table[]
}

/** Arranges each page's words into tables, lines and paragraphs. */
export function arrange(pages: readonly Page[]): Document {
  let gutter: number | undefined
  const drafts = pages.map(withTypedRules).map((page) => {
    const words = markCheckBoxes({ ...page, words: outsideCharts(page) })
    const lattices = withoutSheetFrame(findLattices(words, page.rulings, page.index))
      .flatMap(withBlocksApart)
      .filter(holdsCells)
      .map(withLinesApart)
      .map((table) => withOpenBody(table, page.rulings))
    const loose = words.filter((word) => !lattices.some((table) => inside(word, table)))
    const [open = [], ...panels] = byPanels(loose, page.panels)
    const parts = splitPage(open, page, page.rulings, gutter)
    gutter ??= parts.gutter
    const regions = [...parts.regions, ...panels].map((region) => makeLines(region, page.rulings))
    // Small print is small beside the running text, not beside the tables.
    const body = bodySize(loose.length >= 40 ? loose : words)
    return { page, words, lattices, regions, body }
  })
  const furniture = findFurniture(
    drafts.map(({ page, regions, body }) => ({ lines: regions.flat(), height: page.height, body })),
  )
  const arranged = drafts.map(({ page, lattices, regions }) => {
    const kept = regions.map((lines) => lines.filter((line) => !furniture.has(line)))
    const tables = [...lattices]
    const blocks: Block[][] = []
    for (const lines of kept) {
      const streams = partsOf(withoutRefrains(lines))
        .flatMap((part) => findStreams(part, page.rulings, page.index))
        .map(withoutRunOn)
        .flatMap(partAbreast)
        // Units may stand between the headings and the rows.
        .map((table) =>
          isOn('headings') ? withHeadingsAbove(withHeadingsAbove(table, lines), lines) : table,
        )
        .map((table) => withRuledBands(table, page.rulings))
      tables.push(...streams)
      const running = lines.flatMap((line) => {
        const level = streams.filter((table) => line.base > table.y0 && line.base <= table.y1 + 1)
        if (level.length === 0) return [line]
        // Running text may stand beside a table.
        const beside = line.words.filter((word) =>
          level.every((t) => word.x1 < t.x0 - 4 || word.x0 > t.x1 + 4),
        )
        return makeLines(beside, page.rulings)
      })
      blocks.push(makeBlocks(running))
    }
    // A line over a frame, unless it was caught with others.
    const free = kept
      .flat()
      .filter(({ base }) => !tables.some(({ ruled, y0, y1 }) => !ruled && base > y0 && base <= y1 + 1))
    for (const [t, table] of tables.entries())
      if (table.ruled && isOn('headings')) tables[t] = withHeadingsAbove(table, free)
    const lone = tables.length === 0 && page.index > 0 ? findLoneColumn(kept.flat(), page.index) : null
    if (lone) tables.push(lone)
    tables.sort((a, b) => a.y0 - b.y0 || a.x0 - b.x0)
    const lines = kept.flat()
    const out = regions.flat().filter((line) => furniture.has(line))
    return {
      page,
      lines,
      blocks,
      tables: (isOn('cards') ? withFormCards(withCodeCards(tables)) : tables).map(withStylesApart),
      furniture: out,
    }
  })
  const above = captionsAbove(arranged)
  for (const { tables, lines } of arranged)
    for (const table of tables)
      table.title = titleOf(table, linesAround(table, tables, lines), { tables, above })
  const mended = mendParagraphs(arranged.flatMap(({ blocks }) => blocks))
  let from = 0
  const layouts = arranged.map((layout): PageLayout => {
    const own = mended.slice(from, from + layout.blocks.length)
    from += layout.blocks.length
    return { ...layout, blocks: own.flat() }
  })
  const scanned = pages.some((page) => page.scanned)
  const document: Document = { pages: layouts, scanned }
  return isOn('captions') ? withLettersExplained(withAnalysedVariables(document)) : document
}

function inside(word: Word, table: Table): boolean {
  return contains(table, (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2, 1)
}

/** A frame around running text is not a table. */
function holdsCells(table: Table): boolean {
  const cells = [...new Set(table.rows.flat())].filter((cell) => cell && cell.text !== '')
  const long = cells.filter((cell) => (cell?.words.length ?? 0) > 45)
  return cells.length >= 2 && long.length < 0.3 * cells.length
}

const CAPTION = /^(?:tabela|quadro|tab\.|table|anexo|planilha)\b/i

/** What may name a table: the lines of the page, or those of the frame that the table stands in. */
function linesAround(table: Table, tables: readonly Table[], lines: readonly Line[]): readonly Line[] {
  const frame = tables.find(
    (other) =>
      other !== table && contains(other, table.x0, table.y0, 1) && contains(other, table.x1, table.y1, 1),
  )
  if (!frame) return lines
  const words = [...new Set(frame.rows.flat())].flatMap((cell) => cell?.words ?? [])
  return makeLines(
    words.filter((word) => word.x0 < table.x1 && word.x1 > table.x0),
    [],
  )
}

const overlaps = (line: Line, table: Table): boolean => line.x0 < table.x1 && line.x1 > table.x0
const isCaptionBelow = (line: Line, table: Table): boolean =>
  line.y0 > table.y1 - 2 && line.y0 - table.y1 < 26 && CAPTION.test(line.segments[0]?.text ?? '')
const isCaptionAbove = (line: Line, table: Table): boolean =>
  overlaps(line, table) &&
  line.base < table.y0 + 2 &&
  table.y0 - line.base < 26 &&
  CAPTION.test(line.segments[0]?.text ?? '')

/** Whether more tables have a caption above only than below only. */
function captionsAbove(pages: readonly Pick<PageLayout, 'tables' | 'lines'>[]): boolean {
  const sides = pages.flatMap(({ tables, lines }) =>
    tables.map(
      (table) =>
        Number(lines.some((line) => isCaptionAbove(line, table))) -
        Number(lines.some((line) => overlaps(line, table) && isCaptionBelow(line, table))),
    ),
  )
  return sides.reduce((sum, side) => sum + side, 0) > 0
}

/** Longer is no caption. */
const MOST_CAPTION_LINES = 8
/** Between the lines of one caption, in sizes of type. */
const CAPTION_PITCH = 1.7

/** A caption that lists its variables over many lines, right above the table. */
function longCaption(table: Table, lines: readonly Line[]): Line[] | null {
  const above = lines.filter((line) => line.base < table.y0 + 2 && line.x0 < table.x1 && line.x1 > table.x0)
  const from = above.findLastIndex((line) => CAPTION.test(line.segments[0]?.text ?? ''))
  const own = from < 0 ? [] : above.slice(from)
  const last = own.at(-1)
  const holds =
    last !== undefined &&
    own.length > 2 &&
    own.length <= MOST_CAPTION_LINES &&
    table.y0 - last.base < 2 * last.size &&
    own.every((line, i) => i === 0 || line.base - (own[i - 1]?.base ?? 0) < CAPTION_PITCH * line.size)
  return holds ? own : null
}

/** The caption of a table: text starting with 'Tabela' near it, else the line right above. */
function titleOf(
  table: Table,
  lines: readonly Line[],
  { tables, above }: { tables: readonly Table[]; above: boolean },
): string {
  // A caption in the middle of the page may stand over a table that is set to the left.
  const beside = (line: Line): boolean =>
    CAPTION.test(line.segments[0]?.text ?? '') &&
    line.base < table.y0 + 2 &&
    !tables.some(
      (other) =>
        other !== table &&
        other.y0 < table.y1 &&
        other.y1 > line.y0 &&
        line.x0 < other.x1 &&
        line.x1 > other.x0,
    )
  // Where captions stand above, what follows a table is of the next one.
  const ofNext = (line: Line): boolean =>
    above && tables.some((other) => other !== table && isCaptionAbove(line, other))
  const near = lines.filter(
    (line) =>
      ((line.x0 < table.x1 && line.x1 > table.x0) || beside(line)) &&
      ((line.base < table.y0 + 2 && table.y0 - line.base < 48) ||
        (isCaptionBelow(line, table) && !ofNext(line))),
  )
  const caption = near.findIndex((line) => CAPTION.test(line.segments[0]?.text ?? ''))
  const isNext = (line: Line, i: number): boolean => i > 0 && CAPTION.test(line.segments[0]?.text ?? '')
  const used =
    longCaption(table, lines) ??
    (caption >= 0
      ? near.slice(caption, caption + 2).filter((line, i) => !isNext(line, i))
      : near.slice(near.at(-1)?.segments[0]?.text.startsWith('(') ? -2 : -1))
  // Of titles side by side each is that of the table below it.
  const others = tables.filter(
    (other) =>
      other !== table &&
      other.y0 < table.y1 &&
      other.y1 > table.y0 &&
      (other.x0 > table.x1 || other.x1 < table.x0),
  )
  const own = (line: Line): Line['segments'] => {
    const over = line.segments.filter((segment) => segment.x0 < table.x1 && segment.x1 > table.x0)
    const beside = line.segments.some((segment) =>
      others.some((other) => !over.includes(segment) && segment.x0 < other.x1 && segment.x1 > other.x0),
    )
    return beside && over.length > 0 ? over : line.segments
  }
  return used
    .map((line) =>
      own(line)
        .map((s) => s.text)
        .join(' '),
    )
    .join(' ')
}

/** So much of a long document tells what it is. */
const MOST_LETTERS = 60_000

/** All that the pages say, in small letters without accents: lines, then tables, page by page. */
export const wordingOf = ({ pages }: Document): string =>
  fold(
    pages
      .flatMap(({ lines, tables }) => [
        ...lines.flatMap(({ segments }) => segments.map(({ text }) => text)),
        ...tables.flatMap(({ rows }) => [...new Set(rows.flat())].map((cell) => cell?.text ?? '')),
      ])
      .join(' ')
      .slice(0, MOST_LETTERS),
  )
