import { makeRun, wordsIn } from '../layout/run.ts'
import type { Method } from '../result.ts'
import type { Cell } from '../tables/table.ts'
import { MEANS, NAMED_COSTS, STAGES } from '../values/headings.ts'
import { findModes, readMode } from '../values/lexicon.ts'
import { readCell, readNumber, round, toNumber, wordsOfNumber } from '../values/number.ts'
import { fold, saysNothing } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { isUnit, readMeasured, splitUnit } from '../values/variables.ts'
import type { Column } from './columns.ts'
import type { Draft, Found } from './draft.ts'
import type { Row } from './orient.ts'

/** Ways, yields, costs and measurements of one row. */
export function fillValues(
  draft: Draft,
  row: Row,
  columns: readonly Column[],
  method: Method,
  title: string,
): void {
  const replicates: { value: number; cell: Cell }[] = []
  columns.forEach((column, c) => {
    const cell = row[c]
    if (!cell || cell.text === '') return
    // 'TS', 'Sulco' among stages tell the way too.
    const told = column.role === 'ignore' && STAGES.test(fold(column.header)) && cell.text.length < 24
    // A column of ways says it better than 'V4, solo seco' among the stages.
    if (told && columns.some(({ role }, k) => role === 'mode' && !saysNothing(row[k]?.text ?? '-'))) return
    if (column.role === 'mode' || told) {
      const mode = readMode(cell.text)
      if (mode && !draft.modalidade)
        draft.modalidade = { value: mode, words: cell.words, score: told ? 0.7 : column.score, method }
      return
    }
    // '2,0 L/ha no sulco'
    const [way] = column.role === 'dose' && !draft.modalidade ? findModes(fold(cell.text)) : []
    if (way && !columns.some(({ role }) => role === 'mode'))
      draft.modalidade = { value: way.value, words: cell.words, score: 0.7, method }
    if (column.role === 'costPart' && NAMED_COSTS.test(cell.text)) draft.named = namedCosts(cell, method)
    const value = numberOf(cell)
    if (value === null) return
    const found = (amount: number, score: number): Found<number> => ({
      value: amount,
      words: numberWords(cell),
      score,
      method,
    })
    if (column.role === 'yield') {
      const unit = yieldUnit(cell.text) ?? column.yieldUnit
      if (!unit || value < 0) return
      const amount = value * unit.factor < LEAST_KILOS && GROUPED.test(cell.text) ? value * 1000 : value
      const rank = unit.rank + column.score
      if (!draft.produtividade || rank > draft.produtividade.rank)
        draft.produtividade = {
          ...found(round(amount * unit.factor, 2), column.score * (column.guessed ? 0.7 : 1)),
          rank,
          ...(column.guessed && { printed: amount }),
          ...(unit.sack && { sacks: amount }),
        }
    } else if (column.role === 'cost') {
      if (!draft.custo || /total/.test(fold(column.header))) draft.custo = found(value, column.score)
    } else if (column.role === 'costPart') {
      if (value > 0) draft.parts = [...(draft.parts ?? []), found(value, column.score)]
    } else if (column.role === 'replicate') replicates.push({ value, cell })
    else if (column.role === 'analysis') {
      const { nome, unidade, captioned } = measureOf(column, title)
      const beside = row[columns.findIndex(({ role }) => role === 'unit')]?.text ?? ''
      const printed =
        unidade ??
        (column.lettered || readMeasured(cell.text) === null ? null : unitOf(cell.text)) ??
        (saysNothing(beside) || columns.some(({ role }) => role === 'dose') ? null : beside) ??
        captioned
      // One letter alone is a sign that the recognition took for a letter.
      const least = cell.words.some((word) => word.ocr !== undefined) ? 2 : 1
      if ((nome.match(/\p{L}/gu)?.length ?? 0) >= least)
        draft.analises.push({ nome, unidade: printed, valor: found(value, column.score) })
    }
  })
  if (!draft.produtividade && replicates.length >= 3) averageReplicates(draft, replicates, title, method)
}

/** '4,180' kg/ha, where a scan or a foreign hand took one sign for the other: nobody harvests four kilograms. */
const GROUPED = /^\d{1,2}[.,]\d{3}(?!\d)/
const LEAST_KILOS = 100

/** What stands behind a figure: its unit, but for the letters of a test of means, and that it found nothing. */
function unitOf(text: string): string | null {
  const behind = /[a-zµ°º%²³][^\d]*$/i.exec(text.trim())?.[0] ?? null
  return behind && /^(?:[a-e]{1,4}|[A-E]{1,4}|ns|NS|n\.s\.?)$/.test(behind) ? null : behind
}

/** What a column measures: its heading, or the caption's variable where the heading tells only when or that it is a mean. */
function nameOfMeasure(header: string, title: string): string {
  const h = fold(header)
  if (MEANS.test(h)) return captionVariable(title)
  if (isTime(h))
    return `${captionVariable(title)
      .split(/[,;]| aos (?=\d)/)[0]
      ?.replace(SHARE_OF, '')} ${header}`.trim()
  // 'plantas/m' under 'Tabela 4 – Estande final'
  if (
    /^(?:cm|mm|m|g|kg|%|\p{Ll}+\/\p{Ll}{1,2}[²2]?)$/u.test(header) &&
    NAMES_ONE.test(captionVariable(title))
  )
    return `${captionVariable(title)} (${header})`
  return isTime(fold(title)) ? `${header} ${title}` : header
}

/** 'Porcentagem de órgãos com ácaro' */
const SHARE_OF = /^(?:porcentagem|percentual|percentagem)\s+d[aeo]s?\s+/i

/** A caption that names one variable, and not several. */
const NAMES_ONE = /^\p{L}{3}[^,;:]{0,40}$/u

interface Measure {
  nome: string
  /** Of the heading, and of the caption. */
  unidade: string | null
  captioned: string | null
}

/** What a column measures: the same for each of its rows. */
function measureOf(column: Column, title: string): Measure {
  const known = measures.get(column)
  if (known) return known
  const { nome: printed, unidade } = splitUnit(nameOfMeasure(column.header, title))
  const { nome, unidade: said } = saidOf(printed, title)
  const share = isTime(fold(column.header)) && SHARE_OF.test(captionVariable(title))
  const measure = { nome, unidade, captioned: said ?? (share ? '%' : null) ?? unitOfAll(title) }
  measures.set(column, measure)
  return measure
}
/** A longer caption is none, and no pattern is tried on it. */
const LONGEST_CAPTION = 300

/** 'Teores foliares de nitrogênio (N) e de potássio (K), em g kg-1': of all that the caption names, and of one unit. */
function unitOfAll(title: string): string | null {
  if (title.length > LONGEST_CAPTION) return null
  const unit = /,\s+em\s+([^,;()]{1,16}?)(?:[,;.]|\s+(?:em|n[ao]s?|aos?)\s|$)/i.exec(title)?.[1]?.trim()
  return unit !== undefined &&
    isUnit(unit) &&
    yieldUnit(unit) === null &&
    !/\([^)]*(?:[%/]|[cmg]m?\b)[^)]*\)/.test(title)
    ? unit
    : null
}
const measures = new WeakMap<Column, Measure>()

/** Words of a name; a longer one would not fit the column that it heads. */
const LONGEST_MEASURE = 4

/** What a caption says of a heading: the whole of its name, and the unit behind it. */
function saidOf(name: string, title: string): { nome: string; unidade: string | null } {
  const unitAt = (end: number): string | null => {
    const behind = /^[^,;.()]{0,24}\(\s*(?:[^(),]{1,20},\s*)?([^(),]{1,16})\)/
      .exec(title.slice(end))?.[1]
      ?.trim()
    return behind !== undefined && isUnit(behind) ? behind : null
  }
  // 'Severidade' under 'Severidade de ferrugem-asiática em R6 (%), desfolha e produtividade'.
  if (/^\p{L}{6,}$/u.test(name)) {
    const longer = new RegExp(
      `(?<!\\p{L})${name}(?: d[aeo]s? [^,;.()]{3,40}?)?(?=,|;|\\.|\\s+\\(| e | em |$)`,
      'iu',
    ).exec(title)
    if (longer)
      return {
        nome: `${name}${longer[0].slice(name.length)}`,
        unidade: unitAt(longer.index + longer[0].length),
      }
  }
  const short = /^([A-Z]{1,4}(?:1000?|\d)?)$/.exec(name)?.[1]
  if (short === undefined) return { nome: name, unidade: null }
  // 'número de nódulos (NN, nódulos planta-1)'
  const inBracket = new RegExp(`\\(${short},\\s*([^(),]{1,24})\\)`).exec(title)?.[1]?.trim()
  const unit = inBracket && (isUnit(inBracket) || PER_ONE.test(inBracket)) ? inBracket : null
  const words = [...title.matchAll(/[\p{L}\d]+/gu)].filter(
    ({ 0: word }) => !/^(?:d[aeo]s?|n[ao]s?|em|e)$/i.test(word),
  )
  const letters = short.match(/1000?|[A-Z]/g) ?? []
  const starts = (word: string | undefined, letter: string): boolean =>
    word !== undefined && (/\d/.test(letter) ? word === letter : fold(word).startsWith(letter.toLowerCase()))
  // 'PH' under 'peso do hectolitro', 'MMG' under 'massa de mil grãos', 'PAN' before 'Panículas por metro (PAN)'.
  const at = words.findIndex(
    (_, i) => letters.length > 1 && letters.every((letter, k) => starts(words[i + k]?.[0], letter)),
  )
  const [from, last] = [words[at], words[at + letters.length - 1]]
  if (from && last && from[0] !== short) {
    // 'Número de cigarrinhas por dez plantas (NC)': up to the bracket, where it stands near.
    const after = title.slice(last.index + last[0].length)
    const more = new RegExp(`^[^,;.()]{1,24}(?=\\s\\(${short}[,)])`).exec(after)?.[0] ?? ''
    const end = last.index + last[0].length + more.length
    const own = title.slice(from.index, end)
    if (!/[,;.()]/.test(own) && own.split(/\s+/).length <= LONGEST_MEASURE + (more === '' ? 0 : 2))
      return { nome: `${capital(own)} (${name})`, unidade: unit ?? unitAt(end) }
  }
  const bracket = title.search(new RegExp(`\\(${short}[,)]`))
  const before = title.slice(Math.max(0, bracket - 60), Math.max(0, bracket)).trim()
  const own =
    before
      .split(/[,;:.–(]\s*|\s[-—]\s|\s?\be\s/)
      .at(-1)
      ?.replace(/^d[aeo]s?\s/, '')
      .replace(/\s(?:em|aos?|n[oa]s?)\s.*$/, '') ?? ''
  // A long name would not fit the column that it heads.
  if (own.length < 4 || !/^\p{L}/u.test(own) || own.split(/\s+/).length > LONGEST_MEASURE)
    return { nome: name, unidade: unit }
  return { nome: `${capital(own)} (${short})`, unidade: unit }
}
/** 'nódulos planta-1', 'mg/vaso' */
const PER_ONE = /^\p{L}[\p{L} ]{0,16}(?:\s?\/\s?\p{L}{1,10}|\s\p{L}{1,10}\s?[-−⁻]\s?[1¹])$/u

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The variable that a caption names: 'Tabela 2 - Altura de plantas (cm) por bloco'. */
export function captionVariable(title: string): string {
  return (
    title
      .replace(/^(?:tabela|quadro)\s*(?:[A-Z]?\.?\d+(?:\.\d+)*|[IVX]+\b)?\s*[-–.:]*\s*/i, '')
      .replace(/\s*\(\s*cv\b[^)]*\)/i, '')
      .split(/\s(?:em|nos|das|dos|por (?=bloco|parcela|repeti|tratamento|avalia))/i)[0]
      ?.replace(/[\s.:;,]+$/, '') ?? ''
  )
}

/** '60 DAP', '14 dias', '2ª avaliação': when something was measured, not what. */
export const isTime = (heading: string): boolean =>
  /^(?:(?:avaliacao|leitura) )?(?:aos )?\d+ ?(?:d\.?a\.?[a-z]{1,3}\.?|dias?(?: (?:apos|depois).*)?)$|^\d+ ?[ao]?\.? ?(?:avaliacao|leitura|coleta)$|^(?:avaliacao|leitura|coleta) \d+$/.test(
    heading.replace(/[ªº°]/g, 'a'),
  )

/** Plots without their mean: the mean is what the treatment yielded. */
function averageReplicates(
  draft: Draft,
  replicates: readonly { value: number; cell: Cell }[],
  title: string,
  method: Method,
): void {
  const unit = yieldUnit(title)
  if (!unit) return
  const mean = replicates.reduce((sum, r) => sum + r.value, 0) / replicates.length
  draft.produtividade = {
    value: round(mean * unit.factor, 1),
    words: replicates.flatMap((r) => r.cell.words),
    score: 0.6,
    method,
    rank: unit.rank,
  }
}

function numberOf(cell: Cell): number | null {
  if (saysNothing(cell.text)) return null
  const strict = readCell(cell.text)
  if (strict !== null) return strict
  return /^\s*(?:R\$)?\s*[-+]?\d/.test(cell.text) && cell.text.length < 28
    ? readNumber(cell.text.replace(/^\s*R\$\s*/, ''))
    : null
}

/** The words of a cell that hold its number, without Tukey letters. */
/** 'X: 31,20 + Y: 42,75' */
function namedCosts({ words }: Cell, method: Method): NonNullable<Draft['named']> {
  const run = makeRun(words)
  return [...run.text.matchAll(/(\p{L}[^:;+]{1,40}):\s*(?:R\$\s*)?(\d[\d.,]*\d|\d)/gu)].flatMap((match) => {
    const [said, name = '', printed = ''] = match
    const value = toNumber(printed)
    const at = match.index + said.length - printed.length
    return value === null
      ? []
      : [
          {
            name: fold(name.trim()),
            custo: { value, words: wordsIn(run, at, at + printed.length), score: 0.85, method },
          },
        ]
  })
}

function numberWords(cell: Cell): Cell['words'] {
  const numbers = cell.words.filter((word) => /\d/.test(word.text))
  return numbers.length > 0 ? numbers.slice(0, wordsOfNumber(cell.text)) : cell.words
}
