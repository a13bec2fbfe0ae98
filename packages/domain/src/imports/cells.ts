import { DOSE_UNITS, type DoseUnit, STATES } from '../constants.ts'
import { formatNumber, parseNumber, searchable, withoutNoise } from '../format.ts'
import type { WorkbookCell } from '../workbook.ts'

/** What a cell says once it was understood: a value, or why there is none. */
export type Understood<T> = { value: T | null; notice?: string } | { error: string }

const ABSENT = new Set(['', '-', '–', '—', 'n/a', 'nd', 'n/d', 'na', '#n/d', '#n/a', 's/i'])

/** As the cell is shown; what is no text of its own by what the spreadsheet shows of it. */
export function textOf(cell: WorkbookCell | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'string') return cell.trim()
  if (typeof cell === 'number') return String(cell).replace('.', ',')
  if (typeof cell === 'boolean') return cell ? 'VERDADEIRO' : 'FALSO'
  if ('data' in cell) return cell.texto
  if ('erro' in cell) return cell.erro
  return ''
}

/** Nothing stands there, or what people write for nothing. */
export function isAbsent(cell: WorkbookCell | undefined): boolean {
  if (cell === null || cell === undefined) return true
  if (typeof cell === 'string') return ABSENT.has(cell.trim().toLowerCase())
  return typeof cell === 'object' && 'erro' in cell && ABSENT.has(cell.erro.toLowerCase())
}

/** What no kind of column can take: an error value, or a formula that was never calculated. */
export function brokenCell(cell: WorkbookCell | undefined): string | null {
  if (cell === null || typeof cell !== 'object') return null
  if ('erro' in cell) return `A célula mostra ${cell.erro} na planilha.`
  if ('formula' in cell) return 'A célula tem uma fórmula sem valor. Abra a planilha, salve e envie de novo.'
  return null
}

/** Which sign the column's numbers have for their decimals, by those that make sense with one alone. */
export interface DecimalEvidence {
  comma: number
  point: number
  /** Dots that can only group thousands, and commas that can only do so. */
  groupedByDot: number
  groupedByComma: number
}

export const noEvidence = (): DecimalEvidence => ({ comma: 0, point: 0, groupedByDot: 0, groupedByComma: 0 })

const NUMBER_LIKE = /^[+-]?[\d.,]{1,30}$/
const bareNumber = (text: string) =>
  text
    .slice(0, 60)
    .replace(/R\$|%/g, '')
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/[\u2212\u2013]/g, '-')

export function addEvidence(evidence: DecimalEvidence, text: string): void {
  const bare = bareNumber(text)
  if (!NUMBER_LIKE.test(bare) || !/\d/.test(bare)) return
  const dots = bare.split('.').length - 1
  const commas = bare.split(',').length - 1
  if (dots > 0 && commas > 0) {
    const comma = bare.lastIndexOf(',') > bare.lastIndexOf('.')
    evidence[comma ? 'comma' : 'point'] += 1
    evidence[comma ? 'groupedByDot' : 'groupedByComma'] += 1
  } else if (dots > 1) evidence.groupedByDot += 1
  else if (commas > 1) evidence.groupedByComma += 1
  else if (commas === 1) evidence.comma += isAmbiguous(bare) ? 0 : 1
  else if (dots === 1) evidence.point += isAmbiguous(bare) ? 0 : 1
}

/** One sign before exactly three digits: it groups thousands, or parts the decimals. */
const isAmbiguous = (bare: string): boolean => /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(bare)

/** The column's decimal sign; the comma where nothing speaks for the point. */
export const decimalOf = ({ comma, point, groupedByDot, groupedByComma }: DecimalEvidence): ',' | '.' =>
  point + groupedByComma > comma + groupedByDot ? '.' : ','

/** Whether its numbers were written with one sign for decimals here and the other one there. */
export const contradictsItself = ({ comma, point, groupedByDot, groupedByComma }: DecimalEvidence): boolean =>
  comma + groupedByDot > 0 && point + groupedByComma > 0

export interface NumberReading {
  decimal: ',' | '.'
  /** The doubtful ones are told: other values of the column proved the sign, and none its grouping. */
  tellDoubtful: boolean
  /** Coordinates: a lone dot never groups. */
  grouping?: boolean
  /** 'R$' belongs to it. */
  factor?: number
}

/** A number as its column is read. */
export function readNumber(cell: WorkbookCell | undefined, reading: NumberReading): Understood<number> {
  if (isAbsent(cell) || cell === undefined || cell === null) return { value: null }
  const broken = brokenCell(cell)
  if (broken) return { error: broken }
  const scaled = (value: number) =>
    reading.factor === undefined ? value : withoutNoise(value * reading.factor)
  if (typeof cell === 'number') return { value: scaled(cell) }
  if (typeof cell === 'object' && 'data' in cell)
    return { error: `A planilha transformou este valor em data (${cell.texto}). Digite o valor de novo.` }
  if (typeof cell !== 'string') return { error: 'Informe um número' }
  const bare = bareNumber(cell)
  if (reading.grouping !== false && isAmbiguous(bare)) {
    const value = readWith(bare, reading.decimal)
    return {
      value: scaled(value),
      ...(reading.tellDoubtful && { notice: `Lido como ${formatNumber(value, 6)}` }),
    }
  }
  const value = parseNumber(cell, { grouping: reading.grouping ?? true })
  if (value === undefined && DATE.test(cell.trim().slice(0, 40)))
    return {
      error: `A planilha transformou este valor em data (${cell.trim().slice(0, 40)}). Digite o valor de novo.`,
    }
  if (value === undefined) return { error: 'Informe um número' }
  return { value: value === null ? null : scaled(value) }
}

const MONTH = '(?:jan|fev|feb|mar|abr|apr|mai|may|jun|jul|ago|aug|set|sep|out|oct|nov|dez|dec)[a-z]{0,6}'
/** What a spreadsheet makes of '3/12' in a text file: '12/03/2024', '3-dez', 'mar/24'. */
const DATE = new RegExp(
  `^(?:\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}|\\d{4}-\\d{2}-\\d{2}(?:[ T].*)?|\\d{1,2}[-/ ]${MONTH}(?:[-/ ]\\d{2,4})?|${MONTH}[-/ ]\\d{2,4})$`,
  'i',
)

const readWith = (bare: string, decimal: ',' | '.'): number =>
  Number(bare.replaceAll(decimal === ',' ? '.' : ',', '').replace(',', '.'))

/** A year, a date in it, or a season: 'Safra 2023/24' is harvested in 2024. */
export function readYear(cell: WorkbookCell | undefined, season: 'colheita' | 'plantio'): Understood<number> {
  if (isAbsent(cell) || cell === undefined || cell === null) return { value: null }
  const broken = brokenCell(cell)
  if (broken) return { error: broken }
  if (typeof cell === 'number') return { value: cell }
  if (typeof cell === 'object' && 'data' in cell) return { value: Number(cell.data.slice(0, 4)) }
  const text = textOf(cell).slice(0, 60)
  const [, from, to] = /(?:^|\D)((?:19|20)?\d{2}) ?[/-] ?((?:19|20)?\d{2})(?!\d|[/-])/.exec(text) ?? []
  if (from !== undefined && to !== undefined) {
    const [first, second] = [century(from), century(to)]
    if (second === first + 1) return { value: season === 'colheita' ? second : first }
  }
  const [, day] = /^\d{1,2}[/.-]\d{1,2}[/.-](\d{4}|\d{2})$/.exec(text.trim()) ?? []
  if (day !== undefined) return { value: century(day) }
  const [, iso] = /^(\d{4})-\d{2}-\d{2}/.exec(text.trim()) ?? []
  if (iso !== undefined) return { value: Number(iso) }
  const [, alone] = /^(?:safra|ano|colheita)? ?(\d{4})(?:[.,]0+)?$/i.exec(text.trim()) ?? []
  if (alone !== undefined) return { value: Number(alone) }
  return { error: 'Ano deve ser entre 2020 e 2030' }
}

const century = (digits: string): number => (digits.length === 2 ? 2000 + Number(digits) : Number(digits))

/** A text; numbers as they are shown. A code that the spreadsheet made a power of ten is none. */
export function readText(cell: WorkbookCell | undefined, { code = false } = {}): Understood<string> {
  if (isAbsent(cell)) return { value: null }
  const broken = brokenCell(cell)
  if (broken) return { error: broken }
  const text = typeof cell === 'number' ? plainNumber(cell) : textOf(cell)
  if (code && (SCIENTIFIC.test(text.slice(0, 60)) || (typeof cell === 'object' && cell && 'data' in cell)))
    return typeof cell === 'string' || typeof cell === 'number'
      ? {
          error: `A planilha transformou este código em notação científica (${text.slice(0, 40)}). Digite o código de novo.`,
        }
      : { error: `A planilha transformou este valor em data (${text.slice(0, 40)}). Digite o valor de novo.` }
  return { value: text }
}

/** As spreadsheets write it: '1,2E+05'; '24E01' is somebody's code. */
const SCIENTIFIC = /^\d([.,]\d+)?e[+-]\d{2,}$/i
const plainNumber = (value: number) => String(value).replace('.', ',')

const UNITS: Readonly<Record<string, DoseUnit>> = Object.fromEntries(
  DOSE_UNITS.flatMap((unit) => {
    const plain = unitKey(unit)
    return [[plain, unit] as const]
  }),
)
const UNIT_NAMES: Readonly<Record<string, DoseUnit>> = {
  l: 'L/ha',
  litros: 'L/ha',
  litro: 'L/ha',
  'litros/ha': 'L/ha',
  'litro/ha': 'L/ha',
  lha: 'L/ha',
  'l/hectare': 'L/ha',
  ml: 'mL/ha',
  'mls/ha': 'mL/ha',
  mlha: 'mL/ha',
  'cc/ha': 'mL/ha',
  'ml/hectare': 'mL/ha',
  kg: 'kg/ha',
  kgha: 'kg/ha',
  'quilos/ha': 'kg/ha',
  'kg/hectare': 'kg/ha',
  g: 'g/ha',
  gha: 'g/ha',
  'gramas/ha': 'g/ha',
  'gr/ha': 'g/ha',
  'g/hectare': 'g/ha',
  'ml/100kg': 'mL/100 kg sementes',
  'ml/100kgsemente': 'mL/100 kg sementes',
  'ml/100kgdesementes': 'mL/100 kg sementes',
  'g/100kg': 'g/100 kg sementes',
  'g/100kgsemente': 'g/100 kg sementes',
  'g/100kgdesementes': 'g/100 kg sementes',
  'ml/100l': 'mL/100 L água',
  'ml/100ldeagua': 'mL/100 L água',
  'ml/100lcalda': 'mL/100 L água',
  '%': '% v/v',
  '%v/v': '% v/v',
  'v/v': '% v/v',
  '%(v/v)': '% v/v',
}

function unitKey(text: string): string {
  return searchable(text.slice(0, 60))
    .replace(/\s+/g, '')
    .replace(/(?:\.|⋅|·)?ha(?:-1|⁻¹)$/, '/ha')
    .replace(/\/\/ha$/, '/ha')
}

/** 'ml/ha', 'litros/ha', 'L ha-1' as one of the units that a dose may have; undefined for any other. */
export function doseUnit(text: string): DoseUnit | undefined {
  const key = unitKey(text)
  return UNITS[key] ?? (Object.hasOwn(UNIT_NAMES, key) ? UNIT_NAMES[key] : undefined)
}

/** '2,0 L/ha' -> '2,0' and 'L/ha'; the number alone where no unit stands behind it. */
export function partDose(text: string): { amount: string; unit: string | null } {
  const [, amount, unit] = /^([+-]?[\d.,]{1,20}) ?([a-zA-Z%].{0,39})$/.exec(text.trim().slice(0, 80)) ?? []
  return amount === undefined || unit === undefined
    ? { amount: text, unit: null }
    : { amount, unit: unit.trim() }
}

const STATE_BY_NAME: ReadonlyMap<string, string> = new Map(
  STATES.flatMap(({ sigla, nome }) => [
    [sigla.toLowerCase(), sigla],
    [searchable(nome), sigla],
  ]),
)

/** 'GO', 'Goias', 'GOIÁS', 'Goiás - GO', 'GO - Goiás'. */
export function stateOf(text: string): string | undefined {
  const plain = searchable(text.slice(0, 60))
  const whole = STATE_BY_NAME.get(plain)
  if (whole) return whole
  const parts = plain.split(/ ?[-–/(),] ?/).filter((part) => part !== '')
  const found = new Set(parts.map((part) => STATE_BY_NAME.get(part)))
  return found.size === 1 ? [...found][0] : undefined
}

/** 'Rio Verde - GO', 'Rio Verde/GO', 'Rio Verde (GO)' in two; the state null where none stands there. */
export function partPlace(text: string): { city: string; state: string | null } {
  const [, city, state] = /^(.{2,150}?) ?[-–/,(] ?([A-Za-z]{2})\)?$/.exec(text.trim().slice(0, 200)) ?? []
  const known = state === undefined ? undefined : STATE_BY_NAME.get(state.toLowerCase())
  return city !== undefined && known ? { city: city.trim(), state: known } : { city: text, state: null }
}

const UNITS_OF_BUSINESS: Readonly<Record<string, string>> = {
  bu1: 'BU1',
  '1': 'BU1',
  nutricao: 'BU1',
  'bu nutricao': 'BU1',
  'nutricao vegetal': 'BU1',
  'bu 1': 'BU1',
  'bu1 nutricao': 'BU1',
  bu2: 'BU2',
  '2': 'BU2',
  protecao: 'BU2',
  'bu protecao': 'BU2',
  'protecao de cultivos': 'BU2',
  'bu 2': 'BU2',
  'bu2 protecao': 'BU2',
  bu3: 'BU3',
  '3': 'BU3',
  adjuvantes: 'BU3',
  adjuvante: 'BU3',
  'bu adjuvantes': 'BU3',
  'bu 3': 'BU3',
  'bu3 adjuvantes': 'BU3',
}
/** 'BU1', 'Nutrição', 'BU Nutrição', '1'. */
export const businessUnit = (text: string): string => {
  const key = searchable(text.slice(0, 60))
    .replace(/[-–(): ]+/g, ' ')
    .trim()
  return Object.hasOwn(UNITS_OF_BUSINESS, key) ? (UNITS_OF_BUSINESS[key] ?? text) : text
}

/** 'DBC', 'DIC', 'blocos ao acaso', 'inteiramente ao acaso' as the list has them. */
export function statisticsType(text: string): string {
  const plain = searchable(text.slice(0, 120))
  if (/^dbc\b|^d\.?b\.?c\.?$/.test(plain)) return 'DBC'
  if (/^dic\b|inteiramente|^d\.?i\.?c\.?$|completamente (?:casualizad|aleatoriz)/.test(plain))
    return 'Inteiramente Casualizado'
  if (/\bblocos?\b|^rcbd?$/.test(plain)) return 'Blocos Casualizados'
  if (/^anova\b|analise de variancia/.test(plain)) return 'ANOVA'
  return text
}

const CONTROL =
  /^(?:t?0?[01] ?[-–:.]? ?)?(?:testemunha|controle|control|check|t0|test\.?|sem aplicacao|nao tratad[ao]|untreated)/
    .source
const CONTROLS = new RegExp(`${CONTROL}\\b`)
const CONTROL_ALONE = new RegExp(`${CONTROL}(?: (?:absolut[ao]|negativ[ao]|geral))?(?: ?\\(.{0,80}\\))?$`)
/** Testemunha, Controle, Check, T0. */
export const isControlName = (text: string): boolean => CONTROLS.test(searchable(text.slice(0, 80)))
/** The control and nothing else: 'Controle químico' is a treatment. */
export const isControlAlone = (text: string): boolean => CONTROL_ALONE.test(searchable(text.slice(0, 300)))

const SUMMARY_ROW =
  /^(?:medias?(?: geral| gerais)?|cv|c\.?v\.?|coeficiente de variacao|total|totais|soma|dms|d\.?m\.?s\.?|teste f|f calculado|fc|desvio padrao|erro padrao|minimo|maximo|total geral|subtotal)(?: ?\(?%\)?)? ?:?$/
/** 'Média', 'CV (%)', 'Total': rows that are no treatment. */
export const isSummaryRow = (text: string): boolean => text.length <= 40 && SUMMARY_ROW.test(searchable(text))

/** The name among those that are known which is meant by `text` but for a letter or two; undefined where none is near. */
export function nearName(text: string, known: readonly string[]): string | undefined {
  const plain = searchable(text.slice(0, 60))
  if (plain.length < 4) return undefined
  const most = plain.length >= 8 ? 2 : 1
  let best: string | undefined
  let least = most + 1
  for (const name of known) {
    const other = searchable(name)
    if (Math.abs(other.length - plain.length) >= least) continue
    const far = distance(plain, other, least)
    if (far > 0 && far < least) [best, least] = [name, far]
  }
  return best
}

/** Letters to change, take, put or exchange between two short texts; `most` where it is that or more. */
function distance(a: string, b: string, most: number): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
          i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
            ? (before[j - 2] ?? 0) + 1
            : Number.POSITIVE_INFINITY,
        ),
      )
    if (Math.min(...next) >= most) return most
    before = row
    row = next
  }
  return row[b.length] ?? most
}
