import type { DoseUnit } from '@ensaio/domain'
import type { ColumnRole } from '@ensaio/domain/tables'
import type { Cell } from '../tables/table.ts'
import {
  COSTS,
  DOSES,
  GAINS,
  GROUPS,
  MEANS,
  MODES,
  NAMED_COSTS,
  NAMES,
  PRODUCTS,
  RANKS,
  RETURNS,
  STAGES,
  YIELDS,
} from '../values/headings.ts'
import { findModes, isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber } from '../values/number.ts'
import { fold, hasLetters, isMark, saysNothing } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, doseUnit, looseYieldUnit, type YieldUnit, yieldUnit } from '../values/units.ts'
import { isUnit, readMeasured } from '../values/variables.ts'
import {
  guessUnit,
  isLettered,
  repeatsHeadings,
  settleContents,
  settleDosed,
  settleMatrix,
  settleMoney,
  settleNames,
  settleParts,
  settleProgramme,
  settleReplicates,
  withDoses,
} from './column-evidence.ts'
import { settleDoses } from './dose-columns.ts'
import { readCode } from './draft.ts'
import { productOfHeading } from './heading-product.ts'
import { tellRepeatedApart } from './repeated-headings.ts'
import { captionVariable, isTime } from './row-values.ts'
import { isShortName } from './short-names.ts'

/** What a column holds; of a 'productDose' the heading names the product, a 'costPart' is summed in another column. */
export type Role = ColumnRole | 'blocks' | 'costPart'

export interface Column {
  role: Role
  header: string
  /** The words of the heading, once the table's own are known. */
  words?: Cell['words']
  /** How sure the role is, 0..1. */
  score: number
  yieldUnit: YieldUnit | null
  /** The unit of the bare doses behind the names in it. */
  dose?: DoseUnit
  /** The unit of yield is nowhere in sight. */
  guessed?: boolean
  /** Its figures have the letters of a test of means behind them. */
  lettered?: boolean
}

interface Content {
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

const REPLICATES = /^(?:b(?:loco|l)?|r(?:ep|epeticao)?|parc(?:ela)?)?\s*\.?-?\s*(?:[ivx]{1,4}|\d)$/
const REPLICATE_TAIL = /\b(?:blocos?|rep(?:eticao|eticoes|\.)?|parcelas?)\s*(?:[ivx]{1,4}|\d)$/
const BLOCKS = /^(?:blocos?|rep(?:eticao|eticoes|\.)?|repeticoes)$/
const NUMBERS =
  /^(?:n[º°o.]*|#|id|cod(?:igo)?\.?|item|ordem|seq\.?|numero|no\.?|t|tr\.?|trat\.?|parcela|parc\.?|sigla|tratamento|tratamentos|trats?|ref\.?|(?:trt|entry|treatment)(?: no)?\.?)$/

/** What is weighed per hectare without being the harvest. */
const OTHER_MATTER =
  /materia seca|massa (?:seca|verde|fresca)|biomassa|palhada|nutriente|extrac|exporta|acumul|teor/

const AMOUNT = new RegExp(`\\d\\s*(?:${DOSE_UNIT_SOURCE}|ml|l|kg|g|litros?)(?![a-z])`)

/** '4,0 L/ha foliar, 40 e 55 DAP' */
const DOSE_FIRST = new RegExp(`^\\d[\\d.,]*\\s*${DOSE_UNIT_SOURCE}[^:]{0,40}$`)

/** From what the yield of a plot or strip is worked out. */
const HARVESTED =
  /^area\b(?! foliar)|^peso (?:bruto|liquido|colhido|d[ao] (?:parcela|faixa|carga|amostra|talhao))\b|^largura\b|^comprimento d[ao]s? (?:parcela|faixa)/

/** 'Parcela (bloco 1-4)' over 101, 206, 303: where a treatment stood. */
const PLOT_NUMBERS = /^(?:n\S{0,2} )?(?:d[aeo]s? )?parcelas?(?: \(|$)|^plots?\b/
const isPlotNumber = (value: number): boolean => Number.isInteger(value) && value > 0 && value < 10_000

const UNIT_ONLY = new RegExp(`^${DOSE_UNIT_SOURCE}$`)

function contentOf(cells: readonly Cell[]): Content {
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
    if (inCell && amount !== null && amount * inCell.factor >= 250) content.yields++
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

/** Types the columns of a table of treatments by what their headers say and what their cells hold. */
export function typeColumns(
  headers: readonly string[],
  columns: readonly (readonly Cell[])[],
  title: string,
  rows: number,
): Column[] {
  const typed = headers.map((printed, c): Column => {
    const header = apart(printed)
    const cells = columns[c] ?? []
    // One cell along all rows is a side heading.
    if (
      rows > 2 &&
      cells.length === 1 &&
      cells[0] &&
      !/\d/.test(cells[0].text) &&
      readMode(cells[0].text) === null
    )
      return { role: 'ignore', header, score: 0.9, yieldUnit: null }
    if (rows > 2 && repeatsHeadings(cells)) return { role: 'ignore', header, score: 0.9, yieldUnit: null }
    const column = withDoses(typeColumn(header, contentOf(cells), title, c), cells, title)
    return isLettered(cells) ? { ...column, lettered: true } : column
  })
  settleProgramme(typed, columns)
  settleReplicates(typed, columns)
  settleMatrix(typed, columns)
  settleDosed(typed, columns)
  settleNames(typed, columns, title)
  settleDoses(typed, columns)
  settleContents(typed, columns, title)
  settleMoney(typed, title)
  settleParts(typed, columns)
  settleYields(typed, columns, title)
  tellRepeatedApart(typed)
  return typed
}

/** 'Foliar', 'via solo (drench), saia do cafeeiro': a way, whatever is said of it behind. */
const isWay = (text: string): boolean =>
  text.length < 34 ? readMode(text) !== null : text.length < 70 && (findModes(fold(text))[0]?.start ?? 9) < 9

/** 'DoseUn', '5%MS %': headings that a narrow column set against each other; 'HumiSolum' is one name. */
const apart = (header: string): string =>
  header
    .replace(/(\p{Lu}?\p{Ll}{3,30})(?=\p{Lu}\p{Ll}{0,30}(?:\s|$))/gu, (word) =>
      [NAMES, PRODUCTS, DOSES, YIELDS, COSTS, STAGES].some((p) => p.test(fold(word))) ? `${word} ` : word,
    )
    .replace(/^\d+\s?%\s?(?=\p{L}{2})/u, '')

function typeColumn(header: string, content: Content, title: string, index: number): Column {
  const h = fold(header)
  const { filled, numeric, codes, modes, letters, controls, texts, doses } = content
  const column = (role: Role, score: number): Column => ({ role, header, score, yieldUnit: null })
  if (filled === 0) return DOSES.test(h) ? column('dose', 0.6) : column('ignore', 0.5)
  const numbers = numeric / filled
  // A value where a heading should be: the rows above were not headings.
  if (/^[-+]?\d[\d.,]*\s*\S{1,6}\s?\/\s?ha$/.test(h)) return column('ignore', 0.6)
  if (content.marks === filled && productOfHeading(header) !== null) return column('productDose', 0.85)
  // 'B1 (@/ha)'
  const bare = h.replace(/[([]?\s*(?:kg|sc|sacas?|t|@)\s*\/?\s*ha.*$/, '').trim()
  if ((REPLICATE_TAIL.test(h) || REPLICATES.test(bare)) && numbers > 0.6) return column('replicate', 0.9)
  if (BLOCKS.test(h) && filled > 0) return column('blocks', 0.9)
  if (REPLICATES.test(h) && numbers > 0.6) return column('replicate', 0.9)
  if (RANKS.test(h) && texts === 0) return column('ignore', 0.9)
  if (index === 0 && content.short > 0.9 * filled && filled >= 3 && codes < filled) return column('name', 0.6)
  if (letters > 0.7 * filled && index > 0) return column('ignore', 0.9)
  const scanned = content.scanned && index === 0 && codes >= 0.6 * filled && numeric < 0.3 * filled
  if (scanned && controls === 0) return column('code', 0.7)
  // Treatments of which only the doses are told: 'Dose (L ha-1)' over 0, 1, 2, 3.
  if (index === 0 && DOSES.test(h) && numbers === 1 && doseUnit(h.replace(/^[^,(]*[,(]/, '')) !== null)
    return column('dose', 0.9)
  const most = codes >= 0.7 * filled && (content.scanned || (codes >= 3 && codes < filled))
  if (most && index === 0 && NUMBERS.test(h) && controls === 0)
    return column('code', content.scanned ? 0.92 : 0.8)
  if (
    codes === filled &&
    (NUMBERS.test(h) || index === 0 || h === '') &&
    (increasing(content, columnsAreIntegers(content)) || (NUMBERS.test(h) && countsAll(content)))
  )
    return column('code', NUMBERS.test(h) ? 0.95 : 0.7)
  // 'Prod. esperada': nobody harvested it.
  if (EXPECTED.test(h) && (YIELDS.test(h) || content.yields > 0.7 * filled)) return column('ignore', 0.9)
  if (content.yields > 0.7 * filled && !DOSES.test(h) && !COSTS.test(h) && !GAINS.test(h))
    return column('yield', 0.85)
  if (content.units > 0.7 * filled && numeric === 0) return column('unit', 0.85)
  // '2,0 L/ha no sulco' under 'Dose e momento'
  const amounts = content.amounts > 0.6 * filled && index > 0
  if (amounts && (DOSES.test(h) || (texts > 0.5 * filled && content.yields < 0.5 * filled)))
    return column('dose', 0.9)
  // 'mL/100 kg sementes' is a dose that names the seeds.
  const onlyModes = modes > 0.6 * filled && modes > controls && numbers < 0.3 && doses < 0.5 * filled
  if (onlyModes && (MODES.test(h) || (modes === filled && !NAMES.test(h) && !PRODUCTS.test(h))))
    return column('mode', MODES.test(h) ? 0.97 : 0.8)
  if (COSTS.test(h) && content.parts > 0.6 * filled) return column('costPart', 0.85)
  if (controls > 0 && texts > 0 && numbers < 0.5) return column('name', 0.95)
  if (onlyModes && (MODES.test(h) || (modes === filled && !PRODUCTS.test(h))))
    return column('mode', MODES.test(h) ? 0.97 : 0.8)
  if (numbers < 0.5 && texts > 0.5 * filled) {
    if (content.named > 0.6 * filled && (!NAMES.test(h) || /composi/.test(h)) && controls === 0 && index > 0)
      return column('product', 0.85)
    if (DOSES.test(h) || doses > 0.7 * filled) return column('dose', 0.85)
    if (/^(?:trat|faixas?$)/.test(h)) return column('name', 0.9)
    if (STAGES.test(h)) return column('ignore', 0.8)
    if (PRODUCTS.test(h)) return column('product', 0.92)
    if (NAMES.test(h)) return column('name', 0.92)
    if (MODES.test(h) && modes > 0) return column('mode', 0.85)
    if (GROUPS.test(h)) return column('ignore', 0.8)
    return column('name', 0.45)
  }
  if (/^(?:unid(?:ade)?s?\.?|un\.?|und\.?|(?:rate )?units?)$/.test(h)) return column('unit', 0.95)
  if (DOSES.test(h)) return column('dose', 0.95)
  const perArea = doseUnit(h.replace(/^[^,(]*[,(]/, ''))
  if (
    perArea !== null &&
    perArea !== 'kg/ha' &&
    /\/|ha\b|%/.test(h) &&
    !/\bvolume de calda\b|\bvazao\b/.test(h)
  )
    return column('dose', 0.85)
  if (HARVESTED.test(h) || (PLOT_NUMBERS.test(h) && content.values.every(isPlotNumber)))
    return column('ignore', 0.7)
  if (
    /\b(?:peso|massa|pm[gs]|mmg|p100)\b/.test(h) &&
    numbers > 0.6 &&
    !YIELDS.test(h) &&
    yieldUnit(h) === null
  )
    return column('analysis', 0.85)
  if (doses > 0.6 * filled && !YIELDS.test(h)) return column('dose', 0.88)
  if (RETURNS.test(h) || GAINS.test(h)) return column('ignore', 0.9)
  if (GROUPS.test(h) && letters > 0) return column('ignore', 0.9)
  // 'Custo (sc/ha)' is no amount of money.
  const inKind = COSTS.test(h) && yieldUnit(h) !== null && !/r\$/.test(h)
  if (inKind && !YIELDS.test(h)) return column('ignore', 0.8)
  if (COSTS.test(h) && !inKind) return column('cost', 0.95)
  // '14 DAA' under a caption that names what was measured then.
  const measured = fold(captionVariable(title))
  if (
    isTime(h) &&
    numbers > 0.6 &&
    measured !== '' &&
    !/tratament|programa|aplica|dose|manejo/.test(measured)
  )
    return column('analysis', 0.8)
  // 'Controle de capim-amargoso 14 DAA' says what, and when.
  const variable = h.replace(/\d+ ?d\.?a\.?[a-z]{1,3}\b\.?/, '').trim()
  const ripe = YIELDS.test(h) || yieldUnit(h) !== null
  if (variable !== h && !ripe && numbers > 0.6 && /[a-z]{4}/.test(variable) && !STAGES.test(variable))
    return column('analysis', 0.8)
  if (STAGES.test(h) && !YIELDS.test(h) && !/%/.test(h)) return column('ignore', 0.85)
  // 'N em cobertura (kg/ha)' was applied, not harvested.
  if (yieldUnit(h) !== null && !YIELDS.test(h) && findModes(h).length > 0) return column('ignore', 0.8)
  // Neither a share nor 'Rendimento (L/saca)', 'Produção (g/planta)' is the harvest of a hectare.
  const printed = /[([]([^)\]]+)[)\]]/.exec(header)?.[1] ?? ''
  const share =
    yieldUnit(h) === null &&
    (/%/.test(h) || (/\S\/\S/.test(printed) && isUnit(printed)) || PER_SACK.test(printed))
  if (
    (YIELDS.test(h) && !share && !OTHER_MATTER.test(h)) ||
    (yieldUnit(h) !== null && h.replace(/[^a-z]/g, '').length < 9)
  )
    return column('yield', YIELDS.test(h) ? 0.96 : 0.85)
  if (yieldUnit(h) !== null && numbers > 0.7 && !OTHER_MATTER.test(h) && !/massa/.test(h))
    return column('yield', 0.7)
  if (MEANS.test(h) && namesYield(fold(title))) return column('yield', 0.85)
  if (codes === filled && index === 0) return column('code', 0.5)
  // Numbers of treatments that do not count on, and sums of plots, measure nothing.
  if ((NUMBERS.test(h) && columnsAreIntegers(content)) || /^somas?$/.test(h)) return column('ignore', 0.5)
  if (numbers > 0.4 && hasLetters(h)) return column('analysis', 0.85)
  return column('ignore', 0.5)
}

const EXPECTED = /\besperad|\bprevist|\bprojetad|\bpotencial\b|\bmeta\b/

/** 'L de café/sc', 'L saca-1' */
const PER_SACK = /\S\s?(?:\/\s?(?:sc|sacas?|planta|p[ée]s?|m|m²|m2)|\s(?:sc|saca|planta)\s?[-−⁻]\s?[1¹])$/i

/** 'Massa de vagens (kg/ha)' over plots and their mean. */
const namesYield = (title: string): boolean =>
  YIELDS.test(title) || (yieldUnit(title) !== null && !OTHER_MATTER.test(title))

const columnsAreIntegers = ({ values }: Content): boolean =>
  values.every((value) => Number.isInteger(value) && value < 100)

/** Codes count up; a column of measurements does not. */
const increasing = ({ values }: Content, integers: boolean): boolean =>
  integers && values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0))

/** In the order of their means, but all of them: 1, 6, 2, 4, 3, 5. */
const countsAll = ({ values, filled }: Content): boolean =>
  filled >= 3 && [...values].sort((a, b) => a - b).every((value, i) => value === i + 1)

/** One column is the yield; the others that look like it are other units of it or comparisons. */
function settleYields(typed: Column[], columns: readonly (readonly Cell[])[], title: string): void {
  // 'Tubérculos especiais (t/ha)' beside 'Produção total (t/ha)' is a measurement.
  const said = typed.some((column) => column.role === 'yield' && YIELDS.test(fold(column.header)))
  for (const column of typed)
    if (said && column.role === 'yield' && !YIELDS.test(fold(column.header)) && hasOwnName(column.header))
      column.role = 'analysis'
  typed.forEach((column, c) => {
    if (column.role !== 'yield') return
    const cells = columns[c] ?? []
    const inCell = cells.map((cell) => yieldUnit(cell.text)).find((unit) => unit !== null) ?? null
    column.yieldUnit = looseYieldUnit(column.header) ?? inCell ?? yieldUnit(title) ?? guessUnit(cells)
    column.guessed = looseYieldUnit(column.header) === null && inCell === null && yieldUnit(title) === null
  })
  // Lint is a part of the seed cotton.
  const yielding = typed.filter((column) => column.role === 'yield')
  const lint = yielding.filter((column) => /\b(?:pluma|fibra)\b/.test(fold(column.header)))
  if (lint.length < yielding.length) for (const column of lint) column.role = 'analysis'
  // Of two columns in one unit only one is the harvest: 'TCH (t/ha)', 'TAH (t/ha)'.
  const yields = typed.filter((column) => column.role === 'yield')
  const total = yields.find((column) => /\btotal\b/.test(fold(column.header)))
  for (const column of yields)
    if (
      total !== undefined &&
      column !== total &&
      !yields.some((other) => YIELDS.test(fold(other.header))) &&
      column.yieldUnit?.factor === total.yieldUnit?.factor &&
      hasOwnName(column.header)
    )
      column.role = 'analysis'
    else if (
      !YIELDS.test(fold(column.header)) &&
      /[A-Z]{2}/.test(column.header.replace(/\(.*$/, '')) &&
      yields.some(
        (o) => o !== column && o.yieldUnit?.factor === column.yieldUnit?.factor && o.score > column.score,
      )
    )
      column.role = 'analysis'
}

/** Whether a heading has words of its own beside its unit. */
const hasOwnName = (header: string): boolean =>
  fold(header)
    .replace(
      /\([^)]*\)|\b(?:kg|sc|scs|sacas?|sacos?|t|ton|toneladas?|arrobas?|ha|hectare|por|de|60|media|total|liquid[ao]|final)\b/g,
      ' ',
    )
    .replace(/[^a-z]/g, '').length >= 5
