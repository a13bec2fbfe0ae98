import type { RowLabel } from '@ensaio/domain/tables'
import { isLoneColumn } from '../tables/lattice.ts'
import type { Cell, Table } from '../tables/table.ts'
import { DOSES, isHeading } from '../values/headings.ts'
import { isControl, readMode } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { fold, hasLetters, isMark, saysNothing } from '../values/text.ts'
import { doseUnit, yieldUnit } from '../values/units.ts'
import { isUnit } from '../values/variables.ts'
import { codesApart } from './codes-apart.ts'
import { beginsWithControl, isOfColumns, linesOfNames, oneCell, spansAll } from './name-lines.ts'
import { ratedHeading } from './rated.ts'
import { underGroups, underSections } from './under-headings.ts'

export type Row = (Cell | null)[]

/** Splits header from body, turning tables whose treatments stand in columns. */
export function orient(table: Table): { header: Row[]; body: Row[] } | null {
  if (table.given) return asGiven(table.rows, table.given.labels)
  const rows = underGroups(table.rows)
  if (table.columns < 2) return isLoneColumn(rows) ? { header: rows.slice(0, 1), body: rows.slice(1) } : null
  const firstColumn = treatmentsIn([...new Set(rows.map((row) => row[0] ?? null))])
  const acrossAt = rows.findIndex(
    (row, r) =>
      (namesTreatments(row) && (r < 3 || headsRows(rows.slice(r + 1)))) ||
      (r < 3 && firstColumn === 0 && countsTreatments(row) && headsRows(rows.slice(r + 1))),
  )
  if (acrossAt >= 0 && firstColumn < 2 && rows.length - acrossAt >= 2 && !hasAcronyms(rows)) {
    // What stands over the row of codes is said of them too.
    const over = rows
      .slice(0, acrossAt)
      .filter(
        (row) => new Set(row).size === row.length && row.every((cell) => cell !== null && cell.text !== ''),
      )
    // 'Média', 'CV %' and 'Unid.' stand a line above the letters that 'Amostra' spans.
    const heads = (rows[acrossAt] ?? []).map((cell, c) =>
      cell && cell.text !== ''
        ? cell
        : (rows.slice(0, acrossAt).findLast((row) => (row[c]?.text ?? '') !== '')?.[c] ?? cell),
    )
    const more = linesOfNames(rows, acrossAt)
    const whole = heads.map((cell, c) => oneCell([cell, ...more.map((row) => row[c] ?? null)]))
    const named = underSections([
      whole,
      ...rows.slice(acrossAt + 1 + more.length).filter(isOfColumns),
      ...over,
    ])
    // '1 Testemunha | 2 Cafoxil | 3 Cafoxil + Cuprosul' along a row are numbered, too.
    const { rows: turned } = codesApart({
      ...table,
      rows: Array.from({ length: table.columns }, (_, c) => named.map((row) => row[c] ?? null)),
    })
    // 'Produto | R$/L | Aplicações | T2 | T3': what stands before the treatments is of the rows.
    const coded = turned.findIndex(
      (row, c) => c > 0 && (CODED_COLUMN.test(row[0]?.text ?? '') || row[0]?.text === 'A'),
    )
    const before = turned.slice(1, Math.max(1, coded))
    const ofRows = before.filter(([head]) => OF_THE_ROWS.test(fold(head?.text ?? '')))
    // Their units are not: 'Produto | Mês | Unid. | T1 | T2'.
    const ofUnits = (row: Row): boolean =>
      SAYS_UNIT.test(row[0]?.text ?? '') ||
      ((row[0]?.text ?? '') === '' && isUnitsRow(row.slice(1), turned[0]))
    const known = before.every((row) => ofRows.includes(row) || ofUnits(row))
    if (before.length <= MOST_BEFORE && known)
      turned.splice(1, before.length, ...before.filter((row) => !ofRows.includes(row)))
    // 'Variável | Unidade | T1 | T2': the units go with the headings.
    const units = turned.slice(1, 3).findIndex((row) => isUnitsRow(row.slice(1), turned[0])) + 1
    const from = units > 0 && units < turned.length - 2 ? units + 1 : 1
    return { header: turned.slice(0, from), body: turned.slice(from) }
  }
  // What a program of trials prints above 'Trt | Treatment | 1 | 2 | 3' is all heading, however much.
  const counted = rows.findIndex((row, r) => r > 0 && r < MOST_HEADINGS && isNumbering(row))
  const begun = rows.slice(0, Math.max(0, counted)).some((row) => treatmentsIn(row) > 0)
  if (counted > 0 && !begun) return { header: rows.slice(0, counted + 1), body: rows.slice(counted + 1) }
  // So is what stands over rows that are counted from 1: 'Trt | Treatment' over 'No. | Name', units and days.
  const first = countedFrom(rows)
  if (first > 1 && !rows.slice(0, first).some((row) => treatmentsIn(row) > 0))
    return { header: rows.slice(0, first), body: rows.slice(first) }
  if (table.head !== undefined) return { header: rows.slice(0, table.head), body: rows.slice(table.head) }
  let split = 0
  while (
    split < rows.length &&
    split < 5 &&
    !(split > 0 && beginsWithControl(rows[split])) &&
    (isHeader(rows[split] ?? [], split) ||
      isUnitsRow(rows[split] ?? [], rows[split - 1]) ||
      areAcronyms(rows[split] ?? []) ||
      comesDown(rows, split) ||
      isOverFigures(rows, split) ||
      isDosesOfMarks(rows, split))
  )
    split++
  const control = rows.findIndex(
    (row, r) =>
      r >= split &&
      row.slice(0, 3).some((cell) => cell !== null && isControl(cell.text) && cell.text.length < 50),
  )
  if (control > split) {
    // Lists of labels that were caught above the table: its own headings are right above the control.
    let top = control
    while (top > 0 && isHeadingRow(rows[top - 1] ?? [])) top--
    if (top < control) return { header: rows.slice(top, control), body: rows.slice(control) }
  }
  // Without any header the table can still be recognised by its content.
  return { header: rows.slice(0, split), body: rows.slice(split) }
}

/** 'Sigla | Denominação' over 'CTR | Controle', 'AM1 | Algamar 1,0': every row begins with a short name of its own. */
function hasAcronyms(rows: readonly Row[]): boolean {
  const [head, ...body] = rows
  const firsts = body.map((row) => row[0]?.text ?? '')
  return (
    head !== undefined &&
    isHeadingRow(head) &&
    firsts.every((text) => OWN_SHORT.test(text)) &&
    new Set(firsts).size === firsts.length
  )
}
const OWN_SHORT = /^(?!T-?\d)\p{Lu}[\p{Lu}\d+-]{1,6}$/u

function asGiven(rows: readonly Row[], labels: readonly RowLabel[]): { header: Row[]; body: Row[] } {
  const heads = (row: Row, r: number): boolean => row.length > 0 && labels[r] === 'heading'
  return { header: rows.filter(heads), body: rows.filter((row, r) => !heads(row, r)) }
}

function isHeadingRow(row: Row): boolean {
  const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  return (
    cells.length >= 2 &&
    cells.every((cell) => readCell(cell.text) === null) &&
    cells.filter((cell) => isHeading(cell.text)).length >= 0.6 * cells.length &&
    !cells.some(
      (cell) => /^T\s?\d/.test(cell.text) || /\d\s*(?:ml|l|kg|g)\s*\/\s*(?:ha|100)/i.test(cell.text),
    )
  )
}

/** Whether most rows begin with what is usually the heading of a column. */
function headsRows(rows: readonly Row[]): boolean {
  return rows.length >= 2 && rows.filter((row) => isHeading(row[0]?.text ?? '')).length >= 0.6 * rows.length
}

const MOST_HEADINGS = 14

const CODED_COLUMN = /^(?:T|Trat\.?|Tratamento)\s?-?\s?0?\d{1,2}\b/i
const MOST_BEFORE = 2
/** Prices, how often and when, what would be adequate: of no treatment. */
const OF_THE_ROWS =
  /r\$|\badequad|^(?:faixa\b(?! \d)|referencia|nivel critico|suficien|precos?|valor|aplic|n[o°º]\.? ?(?:de )?aplic|epocas?|estadios?|momento|mes(?:es)?$|fases?$|quando$|datas?$)/

/** A row whose cells, but for the first, are treatments: the table is turned. */
function namesTreatments(row: Row): boolean {
  if (CODED.test(row[0]?.text ?? '')) return false
  const cells = [...new Set(row.slice(1))].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  if (cells.length < 2 || cells.some((cell) => readCell(cell.text) !== null && !/^T/i.test(cell.text)))
    return false
  const codes = cells.filter((cell) => /^(?:T|Trat\.?|Tratamento)\s?-?\s?0?\d{1,2}\b/i.test(cell.text)).length
  // 'Variável | A | B | C | CV (%)'
  // 'Determinação | Unid. | Faixa | A | B | C | Média | CV %'
  const first = cells.findIndex(({ text }) => text === 'A')
  const letters = cells.filter(({ text }, i) => first >= 0 && text === String.fromCharCode(65 + i - first))
  if (letters.length >= 3 && letters.length >= 0.5 * cells.length) return true
  const control = cells.some((cell, i) => i === 0 && isControl(cell.text) && cell.text.length < 40)
  if (codes >= Math.max(2, cells.length - 2)) return true
  return (
    control &&
    cells.every((cell) => hasLetters(cell.text)) &&
    !cells.slice(1).some((cell) => readMode(cell.text) !== null && cell.text.length < 12)
  )
}

/** 'Trt no. | 1 | 2 | 3 | LSD | CV': treatments by number along a row, and what is said of all of them. */
function countsTreatments([head, ...cells]: Row): boolean {
  const texts = cells.flatMap((cell) => (cell === null || cell.text === '' ? [] : [cell.text]))
  const counted = texts.findIndex((text, i) => text !== String(i + 1))
  const own = counted < 0 ? texts.length : counted
  return (
    OF_NUMBERS.test(fold(head?.text ?? '')) &&
    own >= 3 &&
    texts.slice(own).every((text) => readCell(text) === null)
  )
}
const OF_NUMBERS =
  /^(?:trt|trats?|tratamentos?|treatments?|entry)\b[. ]*(?:no\.?|n[º°o]?\.?)?(?: \/ .{1,20})?$/

function treatmentsIn(cells: readonly (Cell | null)[]): number {
  return cells.filter((cell) => {
    if (!cell) return false
    return isControl(cell.text) || /^(?:T|Trat\.?|Tratamento)\s?-?\s?0?\d{1,2}\b/i.test(cell.text)
  }).length
}

/** A row into which the first heading comes down is a heading, also where it counts days: '7 | 14 | 28 | 42 DAA'. */
const comesDown = (rows: readonly Row[], at: number): boolean => {
  const first = rows[at]?.[0]
  return at > 0 && !!first && first.text !== '' && first === rows[at - 1]?.[0]
}

/** A recognised 'g' is easily an '8'. */
const isMisread = (cell: Cell): boolean => /^\d$/.test(cell.text) && cell.words.some(({ ocr }) => ocr != null)

/** 'cm | g | kg/ha' under the headings; cells that come down from above do not count. */
function isUnitsRow(row: Row, above: Row | undefined): boolean {
  const own = [...new Set(row)].filter(
    (cell): cell is Cell => cell !== null && !saysNothing(cell.text) && above?.includes(cell) === false,
  )
  // '0.0 d' is a figure with its letter.
  const units = own.filter((cell) => isUnit(cell.text) && readCell(cell.text) === null).length
  const misread = own.every((cell) => isUnit(cell.text) || isMisread(cell))
  // 'plantas por metro | cm | N': most are units, the others short and no figures.
  const mostly =
    units >= 0.6 * own.length && own.every((cell) => cell.text.length <= 14 && readCell(cell.text) === null)
  return (
    own.length >= 2 &&
    (units === own.length ||
      (units >= 2 && (misread || mostly) && (own[0] !== row[0] || SAYS_UNIT.test(row[0]?.text ?? ''))))
  )
}

/** Words over columns that below hold figures: a further row of headings, whatever it says. */
function isOverFigures(rows: readonly Row[], at: number): boolean {
  const row = rows[at] ?? []
  // A row of their units may stand between.
  const below = rows[isUnitsRow(rows[at + 1] ?? [], row) ? at + 2 : at + 1] ?? []
  const own = row.flatMap((cell, c) => (c > 0 && cell && cell.text !== '' ? [{ cell, c }] : []))
  if (at === 0 || own.length < 3) return false
  const words = own.every(
    ({ cell }) =>
      readCell(cell.text) === null &&
      cell.text.length < 30 &&
      !saysNothing(cell.text) &&
      readMode(cell.text) === null &&
      !isControl(cell.text),
  )
  const first = row[0]
  if (!words || (first && (isControl(first.text) || CODED.test(first.text)))) return false
  const figures = own.filter(({ c }) => readCell(below[c]?.text ?? '') !== null)
  return figures.length >= 0.75 * own.length
}
const SAYS_UNIT = /\bunid|\bunits?\b/i
const CODED = /^(?:T\s?)?\d{1,2}\b|^[A-L]$/

/** Doses under the names of products, over rows that only mark which products they had. */
function isDosesOfMarks(rows: readonly Row[], at: number): boolean {
  const [row, above] = [rows[at] ?? [], rows[at - 1] ?? []]
  const own = row.slice(1).filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const first = row[0]
  const heads = !first || first.text === '' || first === above[0] || DOSES.test(fold(first.text))
  return (
    at > 0 &&
    heads &&
    own.length > 0 &&
    own.every((cell) => /^\d/.test(cell.text) && doseUnit(cell.text.replace(/^[\d.,\s]+/, '')) !== null) &&
    rows.slice(at + 1).some((later) => later.some((cell) => cell !== null && isMark(cell.text)))
  )
}

/** '23-Mar-2023', '12/03/2022': when a column was measured. */
const DATE = /^\d{1,2}[-/.](?:\d{1,2}|[A-Za-z]{3})[-/.]\d{2,4}$/

/** 'Application: foliar, 120 L/ha', 'B: 54 DAE 09/02': a line of labels and values above the headings. */
const LABELLED = /^(?:\p{L}[\p{L} ]{2,20}|\p{Lu}):\s+\S{2}/u

/** What stands before the headings of a protocol in English: which pest, which part, when and in what unit. */
const RATED =
  /^(?:rating (?:type|unit|date|timing)|part (?:rated|assessed)|pest (?:code|name|type)|crop code|trt-?eval|assessment (?:type|unit|date))\b/

/** 'Trt | Treatment Name | 1 | 2 | 3': columns that are counted through, over several tables maybe. */
function isNumbering(row: Row): boolean {
  const own = row.filter((cell): cell is Cell => cell !== null && cell.text !== '')
  const words = own.filter(({ text }) => readCell(text) === null)
  const counts = own
    .slice(words.length)
    .map(({ text }) => (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN))
  return (
    words.length >= 1 &&
    words.length <= 2 &&
    words.every(({ text }) => isHeading(text) && !isControl(text)) &&
    counts.length >= 2 &&
    counts.every((count, i) => count === (counts[0] ?? 0) + i)
  )
}

/** Below headings of several lines, the last of which names the numbers: the row that begins with 1, others in order. */
function countedFrom(rows: readonly Row[]): number {
  const at = rows.findIndex(([cell]) => /^0?1$/.test(cell?.text ?? ''))
  if (at < 2 || at > MOST_HEADINGS) return -1
  const counts = rows
    .slice(at)
    .flatMap(([cell]) => (/^\d{1,2}$/.test(cell?.text ?? '') ? [Number(cell?.text)] : []))
  const heads = rows.slice(0, at).map(([cell]) => fold(cell?.text ?? ''))
  const named =
    heads.some((text) => NUMBERS.test(text)) || heads.filter((text) => SAYS_WHAT.test(text)).length >= 3
  return named && counts.length >= 3 && counts.every((count, i) => count === i + 1) ? at : -1
}
/** 'Alvo', 'Tipo de avaliação', 'Unidade', 'Data', 'Dias após apl.' over the numbers of treatments. */
const SAYS_WHAT =
  /^(?:alvo|praga|doenca|tipo|variavel|unid(?:ade)?\.?|data|dias|intervalo|parte|estadio|avaliacao)(?: |$)/
const NUMBERS = /^(?:no?\.?|n[.o]\s?(?:trat\w*)?|num\w*\.?)$/

/** A header row has no numbers to measure and no treatment. */
function isHeader(row: Row, index: number): boolean {
  const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  if (cells.length === 0 || isNumbering(row) || RATED.test(fold(row[0]?.text ?? ''))) return true
  // 'Severidade | Controle | Desfolha': control in percent, among headings.
  const measured = cells.filter((cell) => isHeading(cell.text)).length >= 0.6 * cells.length
  if (
    !(index === 0 && measured && cells.length > 2 && cells.every((cell) => !/\d/.test(cell.text))) &&
    cells.some(
      (cell) =>
        isControl(cell.text) &&
        cell.text.length < 60 &&
        !/\bsobre\b|\bvs\b|\bs\/|%|increment|ganho/i.test(cell.text),
    )
  )
    return false
  const numeric = cells.filter(
    (cell) => readCell(cell.text) !== null && !/^(?:19|20)\d\d$/.test(cell.text),
  ).length
  if (numeric > 0.34 * cells.length) return false
  const first = cells[0]
  // 'A | 178,2 | b' in a table without headings
  const coded = numeric > 0 ? /^T\s?\d{1,2}\b|^(?:A|0?1)$/ : /^T\s?\d{1,2}\b/
  if (first && row[0] === first && coded.test(first.text)) return false
  // '4 | X | 0,4 L', the first row of a page
  const begins = row[0] === first || (row[0]?.text ?? '') === ''
  if (index > 0 && first && begins && /^0?\d{1,2}$/.test(first.text)) return false
  if (index > 0 && numeric > 0 && cells.length > 2) return numeric <= 0.2 * cells.length
  if (
    index > 0 &&
    cells.length >= 2 &&
    first &&
    doseUnit(
      cells
        .slice(1)
        .map((c) => c.text)
        .find((t) => /\d/.test(t)) ?? '',
    ) !== null
  )
    return false
  return index === 0 || cells.filter((cell) => isHeading(cell.text)).length >= 0.5 * cells.length
}

/** 'PMG (g)', 'PH': the short name of a measurement, not a time or a statistic. */
const ACRONYM = /^(?!DA[AEPST]|CV|DP|EP|DMS|kg|sc|ha|mL)[A-Z]{2,4}(?![a-z\d])(?:\s*[(%].*)?$/

/** 'FE | GF | MMG (g) | PG': headings that a caption or a note explains. */
function areAcronyms(row: Row): boolean {
  const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
  return cells.length >= 3 && cells.every(({ text }) => ACRONYM.test(text))
}

export function headerText(header: readonly Row[], column: number): string {
  const rated = ratedHeading(header, column)
  if (rated !== null) return rated
  const parts: string[] = []
  const wide = header.length > 1
  const last = header.at(-1)
  // Above 'Trt | Treatment | 1 | 2' stands what the lines over the figures are.
  const own = wide && last && isNumbering(last) ? (last[column]?.text ?? '') : ''
  if (own !== '' && readCell(own) === null) return own
  let shared = ''
  for (const [r, row] of header.entries()) {
    const cell = row[column]
    if (!cell || cell.text === '' || (r > 0 && DATE.test(cell.text))) continue
    if (wide && /^\d{1,2}$/.test(cell.text) && isNumbering(row)) continue
    if (column === 0 && RATED.test(fold(cell.text))) continue
    if (LABELLED.test(cell.text) && header.slice(r + 1).some((next) => (next[column]?.text ?? '') !== ''))
      continue
    if (wide && spansAll(row)) continue
    const below = header[r + 1]?.[column]
    const spans = row.filter((other) => other === cell).length > 1
    // A heading over several columns adds nothing but its unit to one that speaks for itself.
    if (
      spans &&
      below &&
      below !== cell &&
      (/\p{L}{4}/u.test(below.text.replace(/\([^)]*\)/, '')) || ACRONYM.test(below.text)) &&
      !/^(?:total|geral|m[ée]dia|soma)$/i.test(below.text) &&
      yieldUnit(below.text) === null
    ) {
      const unit = /[([]([^)\]]+)[)\]]\s*(?:\d{1,3}\s?D\.?A\.?[A-Z]{1,2}\.?)?$/.exec(cell.text)?.[1]
      if (unit && (isUnit(unit) || doseUnit(unit) !== null) && !/[([%]/.test(below.text)) shared = unit
      continue
    }
    if (parts.at(-1) === cell.text) continue
    if (parts.length > 0 && isMisread(cell)) continue
    // A row of units under the headings.
    // 'Nº de' over 'aplic.' goes on.
    const unit =
      isUnit(cell.text) || (isUnitsRow(row, header[r - 1]) && !/\sd[aeo]s?$/.test(parts.at(-1) ?? ''))
    parts.push(parts.length > 0 && unit && !/[([]/.test(cell.text) ? `(${cell.text})` : cell.text)
  }
  const text = parts
    .join(' ')
    .replace(/^[\s—–|-]+(?=\p{L})/u, '')
    // 'Acama-' over 'mento'
    .replace(/(?<=\p{L}{3})-\s(?=\p{Ll}{3})/gu, '')
  return shared === '' || /[([]/.test(text) ? text : `${text} (${shared})`
}
