import type { Box } from '../read/geometry.ts'
import { overlap, union } from '../read/geometry.ts'
import type { Ruling, Word } from '../read/page.ts'

/** A piece of one line inside a table, over the columns `from`..`to`. */
export interface Piece extends Box {
  words: Word[]
  base: number
  from: number
  to: number
}

interface Block extends Box {
  pieces: Piece[]
  from: number
  to: number
}

const NUMERIC = /^(?:R\$\s*)?[-+–]?[\d.,]*\d[\d.,]*\s*(?:%|[a-e]{1,3})?$|^[-–—]$|^T\d{1,2}$/

/**
 * Joins the lines of a table to rows. Lines of one cell follow each other more closely than rows do; cells of
 * one row overlap in height, whether set at the top, the middle or the bottom; a ruling parts rows for sure.
 */
export function formRows(
  pieces: readonly Piece[],
  rules: readonly Ruling[],
  { columns, size, joined }: { columns: number; size: number; joined: boolean },
): (Word[] | null)[][] {
  const parted = (a: Piece, b: Piece): boolean =>
    rules.some((r) => {
      const y = (r.y0 + r.y1) / 2
      return y > a.base - 0.3 * size && y < b.base - 0.35 * size && overlap(r.x0, r.x1, b.x0, b.x1) > 0
    })
  const limit = joined ? joinLimit(pieces, columns, size, parted, rules) : 0
  const blocks: Block[] = []
  for (const piece of [...pieces].sort((a, b) => a.base - b.base)) {
    const host = blocks.findLast((block) => block.from === piece.from && block.to === piece.to)
    const last = host?.pieces.at(-1)
    const beside = last && Math.abs(last.base - piece.base) < 0.3 * size
    if (host && last && (beside || (piece.base - last.base <= limit && !parted(last, piece)))) {
      host.pieces.push(piece)
      Object.assign(host, union([host, piece]))
    } else
      blocks.push({
        x0: piece.x0,
        y0: piece.y0,
        x1: piece.x1,
        y1: piece.y1,
        pieces: [piece],
        from: piece.from,
        to: piece.to,
      })
  }
  return rowsOf(blocks, columns, size)
}

/** The greatest distance of baselines at which two lines of a column are one cell. */
function joinLimit(
  pieces: readonly Piece[],
  columns: number,
  size: number,
  parted: (a: Piece, b: Piece) => boolean,
  rules: readonly Ruling[],
): number {
  let rowPitch = Infinity
  let closest = Infinity
  const pitches: number[] = []
  const ruled: number[] = []
  let separated = 0
  let followed = 0
  for (let c = 0; c < columns; c++) {
    const own = pieces.filter((piece) => piece.from === c && piece.to === c).sort((a, b) => a.base - b.base)
    own.forEach((piece, i) => {
      const next = own[i + 1]
      if (!next) return
      const pitch = next.base - piece.base
      if (pitch < 0.85 * size) return
      followed++
      if (parted(piece, next)) {
        separated++
        ruled.push(pitch)
        return
      }
      if (isNumber(piece) && isNumber(next)) rowPitch = Math.min(rowPitch, pitch)
      closest = Math.min(closest, pitch)
      pitches.push(pitch)
    })
  }
  const scanned = pieces.some((piece) => piece.words.some((word) => word.ocr !== undefined))
  // A ruling that the scan lost: lines as far apart as ruled rows are rows.
  const usual = ruled.sort((a, b) => a - b)[Math.floor(ruled.length / 2)] ?? Infinity
  if (scanned && closest > 0.8 * Math.min(rowPitch, usual)) return 0
  // Every row is ruled off: whatever no ruling parts belongs together.
  if (rules.length >= 2 && separated > 0.3 * followed && rowPitch === Infinity) return 2 * size
  if (closest === Infinity || closest > 1.75 * size) return 0
  // One pitch throughout and nothing to tell rows from lines: every line is a row.
  if (rowPitch === Infinity && pitches.filter((p) => p > 1.2 * closest).length < 0.2 * pitches.length)
    return 0
  // Recognised lines sit a little higher or lower than they were printed.
  const limit = Math.min(closest * (scanned ? 1.34 : 1.13), 1.8 * size)
  return limit >= 0.95 * rowPitch ? 0.94 * rowPitch : limit
}

function isNumber(piece: Piece): boolean {
  return NUMERIC.test(piece.words.map((word) => word.text).join(' '))
}

/** Blocks that overlap in height make a row. */
function rowsOf(blocks: readonly Block[], columns: number, size: number): (Word[] | null)[][] {
  const inset = 0.3 * size
  const sorted = [...blocks].sort((a, b) => a.y0 - b.y0)
  const bands: { y0: number; y1: number; blocks: Block[] }[] = []
  for (const block of sorted) {
    const y0 = block.y0 + inset
    const y1 = block.y1 - inset
    const host = bands.filter((band) => overlap(band.y0, band.y1, y0, y1) > 0)
    if (host.length === 0) {
      bands.push({ y0, y1, blocks: [block] })
      continue
    }
    const [first] = host
    if (!first) continue
    for (const other of host.slice(1)) {
      first.blocks.push(...other.blocks)
      first.y0 = Math.min(first.y0, other.y0)
      first.y1 = Math.max(first.y1, other.y1)
      bands.splice(bands.indexOf(other), 1)
    }
    first.blocks.push(block)
    first.y0 = Math.min(first.y0, y0)
    first.y1 = Math.max(first.y1, y1)
  }
  return bands.sort((a, b) => a.y0 - b.y0).flatMap((band) => rowsOfBand(band.blocks, columns))
}

/** Usually one row; several where a cell spans rows that other columns keep apart. */
function rowsOfBand(blocks: readonly Block[], columns: number): (Word[] | null)[][] {
  const counts = Array.from({ length: columns }, (_, c) => blocks.filter((b) => b.from <= c && b.to >= c))
  const most = counts.reduce((a, b) => (b.length > a.length ? b : a), [] as Block[])
  const anchors = most.length > 0 ? [...most].sort((a, b) => a.y0 - b.y0) : [...blocks].slice(0, 1)
  const rows: (Word[] | null)[][] = anchors.map(() => Array.from({ length: columns }, () => null))
  for (const block of blocks) {
    const words = block.pieces.flatMap((piece) => piece.words)
    const centre = (block.y0 + block.y1) / 2
    const hits = anchors
      .map((anchor, i) => ({
        i,
        common: overlap(anchor.y0, anchor.y1, block.y0, block.y1),
        away: Math.abs((anchor.y0 + anchor.y1) / 2 - centre),
      }))
      .sort((a, b) => b.common - a.common || a.away - b.away)
    const [best, second] = hits
    if (!best) continue
    // Half on one row and half on the next: it spans them.
    const spans = second && second.common > 0.3 * (block.y1 - block.y0) && !anchors.includes(block)
    const targets = spans
      ? hits.filter((hit) => hit.common > 0.15 * (block.y1 - block.y0)).map((hit) => hit.i)
      : [best.i]
    for (const target of targets) {
      const row = rows[target]
      if (!row) continue
      for (let c = block.from; c <= block.to; c++) row[c] = [...(row[c] ?? []), ...words]
    }
  }
  return rows
}
