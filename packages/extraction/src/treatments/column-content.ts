import type { Cell } from '../tables/table.ts'
import { NAMED_COSTS } from '../values/headings.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber } from '../values/number.ts'
import { fold, isMark, saysNothing } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, doseUnit, type YieldUnit, yieldUnit } from '../values/units.ts'
import { readMeasured } from '../values/variables.ts'
import { readCode } from './draft.ts'
import { isShortName } from './short-names.ts'

/** What the cells of a column hold: of each kind how many. */
export interface Content {
  filled: number
  numeric: number
  codes: number
  modes: number
  letters: number
  controls: number
  texts: number
  doses: number
  /** Cells that begin with a dose. */
  amounts: number
  scanned: boolean
  /** Cells that name something beside their dose. */
  named: number
  /** Cells that are a yield with its unit, and cells that are a unit only. */
  yields: number
  units: number
  marks: number
  /** Cells that tell what each of their products costs: 'X: 31,20 + Y: 42,75'. */
  parts: number
  /** Cells that are an abbreviation: 'S2+M'. */
  short: number
  values: number[]
}

const AMOUNT = new RegExp(`\\d\\s*(?:${DOSE_UNIT_SOURCE}|ml|l|kg|g|litros?)(?![a-z])`)

/** '4,0 L/ha foliar, 40 e 55 DAP' */
const DOSE_FIRST = new RegExp(`^\\d[\\d.,]*\\s*${DOSE_UNIT_SOURCE}[^:]{0,40}$`)

const UNIT_ONLY = new RegExp(`^${DOSE_UNIT_SOURCE}$`)

/** Counts what the cells of a column hold. */
export function contentOf(cells: readonly Cell[]): Content {
  const content: Content = {
    filled: 0,
    numeric: 0,
    codes: 0,
    modes: 0,
    letters: 0,
    controls: 0,
    texts: 0,
    doses: 0,
    amounts: 0,
    scanned: cells.some((cell) => cell.words.some((word) => word.ocr !== undefined)),
    named: 0,
    yields: 0,
    units: 0,
    marks: cells.filter((cell) => isMark(cell.text)).length,
    parts: cells.filter(({ text }) => NAMED_COSTS.test(text)).length,
    values: [],
    short: new Set(cells.filter(({ text }) => isShortName(text)).map(({ text }) => text)).size,
  }
  for (const cell of cells) {
    const { text } = cell
    if (text === '' || (saysNothing(text) && !isMark(text) && cells.length > 1)) continue
    content.filled++
    const value = readCell(text) ?? readMeasured(text)
    if (value !== null) {
      content.numeric++
      content.values.push(value)
    }
    if (readCode(text) !== null) content.codes++
    const inCell = yieldUnit(text)
    const amount = inCell ? readNumber(text) : null
    // '1,0 t/ha em superfície' was applied.
    const bare = !/\p{L}{5}/u.test(
      fold(text).replace(/\b(?:sacas?|sacos?|arrobas?|toneladas?|quilos?|hectares?)\b/g, ''),
    )
    if (inCell && bare && amount !== null && amount * inCell.factor >= 250) content.yields++
    if ((!/\d/.test(text) && text.length < 12 && doseUnit(text) !== null) || UNIT_ONLY.test(fold(text)))
      content.units++
    if (isWay(text)) content.modes++
    if (/^(?:[a-eA-E]{1,4}|[a-e]\d(?: [a-e]\d)*)$/.test(text.trim())) content.letters++
    if (isControl(text)) content.controls++
    if (/\p{L}{3}/u.test(text)) content.texts++
    if (/\d/.test(text) && doseUnit(text.replace(/^[^a-zA-Z%]*/, '')) !== null && text.length < 26)
      content.doses++
    if (DOSE_FIRST.test(fold(text))) content.amounts++
    if (
      AMOUNT.test(fold(text)) &&
      /\p{L}{4}/u.test(fold(text).replace(new RegExp(DOSE_UNIT_SOURCE, 'g'), ' '))
    )
      content.named++
  }
  return content
}

/** 'Foliar', 'via solo (drench), saia do cafeeiro': a way, whatever is said of it behind. */
const isWay = (text: string): boolean =>
  text.length < 34 ? readMode(text) !== null : text.length < 70 && (findModes(fold(text))[0]?.start ?? 9) < 9

/** Whole numbers as codes are. */
export const areIntegers = ({ values }: Content): boolean =>
  values.every((value) => Number.isInteger(value) && value < 100)

/** Codes count up; a column of measurements does not. */
export const increasing = ({ values }: Content, integers: boolean): boolean =>
  integers && values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0))

/** In the order of their means, but all of them: 1, 6, 2, 4, 3, 5. */
export const countsAll = ({ values, filled }: Content): boolean =>
  filled >= 3 && [...values].sort((a, b) => a - b).every((value, i) => value === i + 1)

/** Without any unit in sight: thousands are kilograms, tens are sacks. */
export function guessUnit(cells: readonly Cell[]): YieldUnit | null {
  const values = cells.map((cell) => readCell(cell.text)).filter((value) => value !== null)
  if (values.length === 0) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (mean >= 400) return { factor: 1, rank: 1 }
  return mean >= 15 ? { factor: 60, rank: 0 } : { factor: 1000, rank: 0 }
}

/** Figures that were printed as such; what a scan lost of them nobody knows. */
export const areFigures = (cells: readonly Cell[] = []): boolean =>
  cells.length > 1 &&
  cells.every(({ text, words }) => readCell(text) !== null && words.every(({ ocr }) => ocr === undefined))
