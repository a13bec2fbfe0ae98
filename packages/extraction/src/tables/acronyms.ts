import type { Document } from '../document.ts'
import { YIELDS } from '../values/headings.ts'
import { readCell } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { isUnit } from '../values/variables.ts'
import type { Cell } from './table.ts'

/** What everybody knows by its letters stays as it is printed. */
const KNOWN =
  /^(?:PMG|PMS|MMG|MMS|MCG|PCG|PH|CV|DMS|DP|EP|GL|FV|QM|SQ|DA[AEPST]|SPAD|NDVI|TCH|ATR|TAH|TPH|BRIX|AACPD|NPK|MO|CTC|UR|NS|DBC|DIC|TS|TSI|TKW)$/
const HEADING = /^([A-Z]{2,5})(?:\s*\(([^()]{1,14})\))?$/
/** Headings stand in so many rows at the most. */
const HEADS = 4
/** Of a text in which letters are explained. */
const LONGEST = 60_000

const SMALL = String.raw`(?<![\p{L}\d-])\p{Ll}[\p{L}-]{0,30}`
/** 'produtividade total (PT, t ha-1)' */
const BEFORE = new RegExp(
  String.raw`((?:(?:${SMALL}|\d{1,6})\s+){0,7}(?:${SMALL}|\d{1,6}))\s*\(([A-Z]{2,5})(?:\s*[,;]\s*([^()]{1,14}))?\)`,
  'gu',
)
/** 'NVP: número de vagens por planta' */
const BEHIND = new RegExp(
  String.raw`(?<![\p{L}\d])([A-Z]{2,5})\s*(?:[:=]|\s[–-]\s)\s*((?:${SMALL}\s+){0,6}${SMALL})(?:\s*\(([^()]{1,14})\))?`,
  'gu',
)
interface Meaning {
  name: string
  unit: string | null
}

/** Headings of letters alone that the report explains as the harvest say so; the others stay as they are printed. */
export function withLettersExplained(document: Document): Document {
  const heads = document.pages.flatMap(({ tables }) =>
    tables.flatMap(({ rows }) => rows.slice(0, headsOf(rows)).flatMap((row) => row.slice(1))),
  )
  const wanted = new Set(
    heads.flatMap((cell) => {
      const letters = cell ? HEADING.exec(cell.text)?.[1] : undefined
      return letters ? [letters] : []
    }),
  )
  if (wanted.size === 0) return document
  const meanings = meaningsIn(textOf(document), wanted)
  if (meanings.size === 0) return document
  const explained = (cell: Cell | null): Cell | null => {
    const [, letters = '', unit] = (cell && HEADING.exec(cell.text)) ?? []
    const meaning = meanings.get(letters)
    if (!cell || !meaning) return cell
    const said = unit ?? meaning.unit
    return { ...cell, text: said === null ? meaning.name : `${meaning.name} (${said})` }
  }
  return {
    ...document,
    pages: document.pages.map((page) => ({
      ...page,
      tables: page.tables.map((table) => {
        // A cell that spans stands at each of its places as one and the same object.
        const known = new Map<Cell | null, Cell | null>()
        const once = (cell: Cell | null) => {
          if (!known.has(cell)) known.set(cell, explained(cell))
          return known.get(cell) ?? null
        }
        const most = headsOf(table.rows)
        const rows = table.rows.map((row, r) =>
          r < most ? row.map((cell, c) => (c === 0 || cell === row[0] ? cell : once(cell))) : row,
        )
        return rows.some((row, r) => row.some((cell, c) => cell !== table.rows[r]?.[c]))
          ? { ...table, rows }
          : table
      }),
    })),
  }
}

/** The rows above the first figure. */
function headsOf(rows: readonly (Cell | null)[][]): number {
  const first = rows.findIndex((row) => row.some((cell) => cell !== null && readCell(cell.text) !== null))
  return first < 0 ? 0 : Math.min(first, HEADS)
}

const textOf = ({ pages }: Document): string =>
  pages
    .flatMap(({ blocks, tables }) => [
      ...blocks.map(({ segments }) => segments.map(({ text }) => text).join(' ')),
      ...tables.map(({ title }) => title),
    ])
    .join(' . ')
    .slice(0, LONGEST)

function meaningsIn(text: string, wanted: ReadonlySet<string>): Map<string, Meaning> {
  const found = new Map<string, Meaning>()
  const add = (letters: string, said: string, unit: string | undefined) => {
    const name = nameOf(said, letters)
    if (!wanted.has(letters) || found.has(letters)) return
    // 'PH = peso do hectolitro (kg/hL)' tells the unit of what everybody knows by its letters.
    if (KNOWN.test(letters)) {
      if (unit && isUnit(unit.trim())) found.set(letters, { name: letters, unit: unit.trim() })
    } else if (name && YIELDS.test(fold(name))) found.set(letters, { name, unit: unit?.trim() ?? null })
  }
  for (const [, said = '', letters = '', unit] of text.matchAll(BEFORE)) add(letters, said, unit)
  for (const [, letters = '', said = '', unit] of text.matchAll(BEHIND)) add(letters, said, unit)
  return found
}

/** The words that begin with the letters: of 'avaliou-se o número de vagens por planta' (NVP) the last five. */
function nameOf(said: string, letters: string): string | null {
  const words = said.split(/\s+/)
  const first = letters.charAt(0).toLowerCase()
  const plain = (word: string) => word.normalize('NFD').charAt(0).toLowerCase()
  const from = words.findIndex(
    (word, i) => plain(word) === first && word.length > 3 && word !== 'para' && i >= words.length - 7,
  )
  if (from < 0) return null
  const name = words.slice(from).join(' ')
  return name.length < 5 ? null : name.charAt(0).toUpperCase() + name.slice(1)
}
