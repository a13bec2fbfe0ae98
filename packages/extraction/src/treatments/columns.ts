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
  NAMES,
  PRODUCTS,
  RANKS,
  RETURNS,
  STAGES,
  YIELDS,
} from '../values/headings.ts'
import { findModes, readMode } from '../values/lexicon.ts'
import { fold, hasLetters } from '../values/text.ts'
import { doseUnit, looseYieldUnit, type YieldUnit, yieldUnit } from '../values/units.ts'
import { isUnit } from '../values/variables.ts'
import { FORAGE, settleTotal, settleUnits } from './captioned-columns.ts'
import {
  areFigures,
  areIntegers,
  type Content,
  contentOf,
  countsAll,
  guessUnit,
  increasing,
} from './column-content.ts'
import {
  isLettered,
  repeatsHeadings,
  settleApplied,
  settleContents,
  settleDosed,
  settleMatrix,
  settleMoney,
  settleNames,
  settleParts,
  settleProgramme,
  settleReplicates,
  settleTowns,
  withDoses,
} from './column-evidence.ts'
import { settleDoses } from './dose-columns.ts'
import { productOfHeading } from './heading-product.ts'
import { tellRepeatedApart } from './repeated-headings.ts'
import { captionVariable, isTime } from './row-values.ts'

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

const REPLICATES = /^(?:b(?:loco|l)?|r(?:ep|epeticao)?|parc(?:ela)?)?\s*\.?-?\s*(?:[ivx]{1,4}|\d)$/
const REPLICATE_TAIL = /\b(?:blocos?|rep(?:eticao|eticoes|\.)?|parcelas?)\s*(?:[ivx]{1,4}|\d)$/
const BLOCKS = /^(?:blocos?|rep(?:eticao|eticoes|\.)?|repeticoes)$/
const NUMBER =
  /^(?:n[º°o.]*|#|id|cod(?:igo)?\.?|item|ordem|seq\.?|numero|no\.?|t|tr\.?|trat\.?|parcela|parc\.?|faixas?|sigla|tratamento|tratamentos|trats?|ref\.?|(?:trt|entry|treatment)(?: no)?\.?)$/

/** 'Trt no. / Trat.' */
const NUMBERS = {
  test: (heading: string): boolean =>
    // Of a program of trials: 'Pest/Crop Code' stands over it, too.
    /\btrt(?: \(?no\.?\)?)?$/.test(heading) || heading.split(' / ').every((part) => NUMBER.test(part)),
}

/** What is weighed per hectare without being the harvest. */
const OTHER_MATTER =
  /materia seca|massa (?:seca|verde|fresca)|biomassa|palhada|nutriente|extrac|exporta|acumul|teor|\btah\b|\bt(?:pa)?h de acucar|\bacucar\b/

const FODDER = /^(?:producao de )?(?:materia|massa) (?:seca|verde)|^forragem/

/** From what the yield of a plot or strip is worked out. */
const HARVESTED =
  /^area\b(?! foliar)|^peso (?:bruto|liquido|colhido|d[ao] (?:parcela|faixa|carga|amostra|talhao))\b|^largura\b|^comprimento d[ao]s? (?:parcela|faixa)/

/** 'Parcela (bloco 1-4)' over 101, 206, 303: where a treatment stood. */
const PLOT_NUMBERS = /^(?:n\S{0,2} )?(?:d[aeo]s? )?parcelas?(?: \(|$)|^plots?\b/
const isPlotNumber = (value: number): boolean => Number.isInteger(value) && value > 0 && value < 10_000

/** Types the columns of a table of treatments by what their headers say and what their cells hold. */
export function typeColumns(
  headers: readonly string[],
  columns: readonly (readonly Cell[])[],
  title: string,
  rows: number,
): Column[] {
  const typed = headers.map((printed, c): Column => {
    const header = c > 0 ? underCaption(apart(printed), title) : apart(printed)
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
  settleMatrix(typed, columns, title)
  settleDosed(typed, columns)
  settleNames(typed, columns, title)
  settleDoses(typed, columns)
  settleContents(typed, columns, title)
  settleMoney(typed, title)
  settleParts(typed, columns)
  settleTowns(typed)
  settleApplied(typed, columns)
  settleYields(typed, columns, title)
  settleUnits(typed, title)
  tellRepeatedApart(typed)
  return typed
}

/** 'DoseUn', '5%MS %': headings that a narrow column set against each other; 'HumiSolum' is one name. */
const apart = (header: string): string =>
  header
    .replace(/(\p{Lu}?\p{Ll}{3,30})(?=\p{Lu}\p{Ll}{0,30}(?:\s|$))/gu, (word) =>
      [NAMES, PRODUCTS, DOSES, YIELDS, COSTS, STAGES].some((p) => p.test(fold(word))) ? `${word} ` : word,
    )
    .replace(/^\d+\s?%\s?(?=\p{L}{2})/u, '')

/** '% do total', 'g/kg' alone under 'Tabela 3. Tubérculos da classe especial': the caption names what they are of. */
function underCaption(header: string, title: string): string {
  if (!/^%(?: d[aeo]s? (?!testem|contr|trat)\p{Ll}{3,12})?$/u.test(header) && !MEASURED_IN.test(header))
    return header
  const variable = captionVariable(title)
  const v = fold(variable)
  const named = v.length >= SHORTEST_VARIABLE && v.length <= LONGEST_VARIABLE
  // Under a harvest a percentage is what it is of another one.
  return named && !YIELDS.test(v) && !OF_TREATMENTS.test(v) ? `${variable} (${header})` : header
}
const MEASURED_IN = /^(?:[mdµ]?a?g\/kg|cm|mm|µL\/cm²|mg\/100 ?g)$/i
const OF_TREATMENTS = /tratament|dose|produto|custo|programa|manejo|aplica|result|medias/
const SHORTEST_VARIABLE = 5
const LONGEST_VARIABLE = 60

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
  // 'TEST' before 'A', 'B', 'C'
  if (index === 0 && /\bcod(?:\.|igo)?$/.test(h) && codes >= 3 && controls === 1 && codes === filled - 1)
    return column('code', 0.85)
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
    (increasing(content, areIntegers(content)) || (NUMBERS.test(h) && countsAll(content)))
  )
    return column('code', NUMBERS.test(h) ? 0.95 : 0.7)
  // 'Prod. esperada': nobody harvested it.
  if (EXPECTED.test(h) && (YIELDS.test(h) || content.yields > 0.7 * filled)) return column('ignore', 0.9)
  if (content.yields > 0.7 * filled && !DOSES.test(h) && !COSTS.test(h) && !GAINS.test(h))
    return column('yield', 0.85)
  if (content.units > 0.7 * filled && numeric === 0) return column('unit', 0.85)
  // '2,0 L/ha no sulco' under 'Dose e momento'
  const amounts = content.amounts > 0.6 * filled && index > 0
  const named = NAMES.test(h) && controls > 0
  if (amounts && (DOSES.test(h) || (!named && texts > 0.5 * filled && content.yields < 0.5 * filled)))
    return column('dose', 0.9)
  // 'mL/100 kg sementes' is a dose that names the seeds.
  const onlyModes = modes > 0.6 * filled && modes > controls && numbers < 0.3 && doses < 0.5 * filled
  if (onlyModes && (MODES.test(h) || (modes === filled && !NAMES.test(h) && !PRODUCTS.test(h))))
    return column('mode', MODES.test(h) ? 0.97 : 0.8)
  if (COSTS.test(h) && content.parts > 0.6 * filled) return column('costPart', 0.85)
  if (controls > 0 && texts > 0 && numbers < 0.5) return column('name', 0.95)
  if (onlyModes && modes === filled && !PRODUCTS.test(h)) return column('mode', 0.8)
  // 'Híbrido' over names that are sown: the treatments themselves.
  if (index === 0 && SOWN.test(h) && numbers < 0.5) return column('name', 0.92)
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
    /\/|ha\b|%|[-−⁻]\s?1/.test(h) &&
    !/\bvolume de calda\b|\bvazao\b/.test(h)
  )
    return column('dose', 0.85)
  const plots = PLOT_NUMBERS.test(h) && content.values.every(isPlotNumber)
  if (HARVESTED.test(h) || plots) return column('ignore', 0.7)
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
  // 'Fertilizante (kg/ha)'
  if (yieldUnit(h) !== null && APPLIED.test(h) && !YIELDS.test(h)) return column('dose', 0.85)
  // 'N em cobertura (kg/ha)', 'K2O fornecido (kg/ha)' was applied, not harvested.
  if (yieldUnit(h) !== null && !YIELDS.test(h) && (findModes(h).length > 0 || SUPPLIED.test(h)))
    return column('ignore', 0.8)
  // Neither a share nor 'Rendimento (L/saca)', 'Produção (g/planta)' is the harvest of a hectare.
  const printed = /[([]([^)\]]+)[)\]]/.exec(header)?.[1] ?? ''
  const share =
    yieldUnit(h) === null &&
    (/%/.test(h) || (/\S\/\S/.test(printed) && isUnit(printed)) || PER_SACK.test(printed))
  if (
    (YIELDS.test(h) && !share && !OTHER_MATTER.test(h)) ||
    (yieldUnit(h) !== null && h.replace(/[^a-z]/g, '').length < 9 && !OTHER_MATTER.test(h))
  )
    return column('yield', YIELDS.test(h) ? 0.96 : 0.85)
  if (yieldUnit(h) !== null && numbers > 0.7 && !OTHER_MATTER.test(h) && !/massa/.test(h))
    return column('yield', 0.7)
  if (MEANS.test(h) && namesYield(fold(title))) return column('yield', 0.85)
  if (codes === filled && index === 0) return column('code', 0.5)
  // Numbers of treatments that do not count on, and sums of plots, measure nothing.
  if ((NUMBERS.test(h) && areIntegers(content)) || /^somas?$/.test(h)) return column('ignore', 0.5)
  if (numbers > 0.4 && hasLetters(h)) return column('analysis', 0.85)
  return column('ignore', 0.5)
}

export const SOWN =
  /^(?:hibridos?|cultivar(?:es)?|variedades?|genotipos?|linhage(?:m|ns)|clones?|porta-enxertos?)$/

const SUPPLIED = /\b(?:fornecid|aplicad|adicionad|recebid)[oa]s?\b/
const APPLIED = /^(?:fertilizantes?|adubos?|produto(?: comercial)?|formulado|calcario|gesso|corretivo)\b/
const EXPECTED = /\besperad|\bprevist|\bprojetad|\bpotencial\b|\bmeta\b/

/** 'L de café/sc', 'L saca-1' */
const PER_SACK = /\S\s?(?:\/\s?(?:sc|sacas?|planta|p[ée]s?|m|m²|m2)|\s(?:sc|saca|planta)\s?[-−⁻]\s?[1¹])$/i

/** 'Rendimento no descascamento (% de grãos)' */
const SHARE = /\( ?%[^()]{0,60}\)/
const namesYield = (title: string): boolean =>
  (YIELDS.test(title) && !(SHARE.test(title) && yieldUnit(title) === null)) ||
  (yieldUnit(title) !== null && !OTHER_MATTER.test(title))

/** One column is the yield; the others that look like it are other units of it or comparisons. */
function settleYields(typed: Column[], columns: readonly (readonly Cell[])[], title: string): void {
  // What a pasture yields is its dry matter.
  if (FORAGE.test(fold(title)) && !typed.some(({ role }) => role === 'yield')) {
    const matter = typed.find(({ header }) => FODDER.test(fold(header)) && yieldUnit(header) !== null)
    if (matter?.role === 'analysis') Object.assign(matter, { role: 'yield', score: 0.85 })
  }
  settleTotal(typed, columns, title)
  // 'A | 178,2 | b' without any heading under 'Colheita (sacas/ha)'
  const bare = typed.filter(({ role }, c) => role === 'ignore' && areFigures(columns[c]))
  const unheaded = typed.every(({ header, role }) => header === '' && role !== 'yield')
  const keyed = typed.some(
    ({ role }, c) => role === 'code' && columns[c]?.every(({ text }) => /^[A-H]$/.test(text)),
  )
  if (unheaded && keyed && bare.length === 1 && namesYield(fold(title)))
    Object.assign(bare[0] ?? {}, { role: 'yield', score: 0.85 })
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
  // 'Rendimento (L/sc)' beside 'Produtividade (sc/ha)' is none.
  const told = typed.some(({ role, header }) => role === 'yield' && looseYieldUnit(header) !== null)
  const foreign = (header: string): boolean => {
    const last = header.split(/\s/).at(-1) ?? ''
    return isUnit(last) && !/ha\b/i.test(last) && yieldUnit(header) === null
  }
  for (const column of typed)
    if (told && column.role === 'yield' && foreign(column.header)) column.role = 'analysis'
  // 'Safra 2021', 'Safra 2022' and their mean: the mean is the harvest.
  const harvests = typed.filter(({ role }) => role === 'yield')
  const mean = harvests.filter(({ header }) => /\bmedia\b/.test(fold(header)))
  const seasons = harvests.filter(
    ({ header }) => /\b20\d\d\b/.test(header) && !mean.some((one) => one.header === header),
  )
  if (mean.length === 1 && seasons.length > 0) for (const column of seasons) column.role = 'analysis'
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
