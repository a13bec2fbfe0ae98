import type { RowLabel } from '@ensaio/domain/tables'
import { matchLabel } from '../fields/labels.ts'
import { groupLines } from '../layout/lines.ts'
import type { Method } from '../result.ts'
import type { Cell, Table } from '../tables/table.ts'
import { YIELDS } from '../values/headings.ts'
import { findModes, isControl } from '../values/lexicon.ts'
import { readCell } from '../values/number.ts'
import { fold, hasLetters } from '../values/text.ts'
import { DOSE_UNIT_SOURCE } from '../values/units.ts'
import { withoutAsides } from './asides.ts'
import { codesApart } from './codes-apart.ts'
import { type Column, SOWN, typeColumns } from './columns.ts'
import type { Draft } from './draft.ts'
import { byTreatment } from './field-order.ts'
import { takeRoles } from './given-roles.ts'
import { spansAll } from './name-lines.ts'
import { headerText, orient, type Row } from './orient.ts'
import { buildDrafts, continues, type Entry, hasFreshYield } from './row-drafts.ts'
import { shareNames } from './shared-names.ts'
import { withoutTears } from './torn-rows.ts'

/** What one table says of the treatments. */
export interface TreatmentTable {
  drafts: Draft[]
  columns: Column[]
  /** Whether rows are named or numbered, so that they can be joined by more than their order. */
  keyed: boolean
  /** Rows of means, CV and the like that were left out. */
  dropped: number
  title: string
  page: number
  score: number
  /** Where the table itself begins, below lists that were caught with it. */
  y0: number
  /** Its rows upright, and what each was taken for. */
  lines: { row: Row; label: RowLabel }[]
}

const STATISTICS =
  /^(?:(?:grand )?means?|(?:.* )?prob ?\(f\).*|(?:lsd|hsd)\b.*|medias?(?: geral(?: .*)?| d[aeo]s? .*| c\.? ?v\b.*)?|c{1,2}\.? ?v\.?(?: ?\(?%?\)?)?.*|coef\w*.*|d\.?m\.?s\.?.*|f(?: ?calc\w*| ?cal\.?| ?\(.*\)| tratamentos?| ?trat.*)?|fc|p|pr ?> ?f.*|p-?valor.*|p ?[<>=].*|valor[- ]?(?:de )?(?:p|f)(?: ?\(?calc\w*\.?\)?)?|teste .*|erro.*|desvio.*|(?:standard|std\.?) (?:deviation|dev\.?|error).*|bartlett.*|(?:replicate|treatment|block) (?:f\b|prob\b).*|skewness.*|kurtosis.*|totais?|(?:sub-?)?total\b.*|signific\w*.*|efeitos?|regress(?:ao|oes)\b.*|equac(?:ao|oes)\b.*|r2|r²|minimo|maximo|geral|amplitude.*|tukey.*|q\.?m\.?.*|g\.?l\.?|residuo|blocos?|somas?|soma .*|fontes?(?: ?:.*| de variacao.*)?|notas?(?: ?:.*| \d.*)?|medias seguidas.*|\*.*|ns(?: [-–=:] .*| ?[=:].*)?|obs(?:[.:]|ervac).*|(?:faixas?|niveis|nivel|teor(?:es)?|valor(?:es)?) (?:adequad|ideal|ideais|suficient|critic|de suficiencia|de referencia).*|(?:incrementos?|ganhos?|diferencas?)(?: (?:de|d[ao]s?|em|sobre|medi[oa]|relativ[oa]|entre|minima|%|\().*)?)$/

/** How the lines below a table begin. */
const NOTES = /^(?:fonte|nota|obs|\*|medias? seguid|legenda|letras)/

/** A paragraph that was caught with a table. */
const LONGEST_ROW = 90
const isSentences = (text: string): boolean => text.length > LONGEST_ROW && /\p{Ll}{3}\.\s\p{Lu}/u.test(text)

/** A control's name is no paragraph. */
const LONGEST_NAME = 70

/** Score from which a table speaks of treatments whatever else the report says. */
const SURE = 0.5

/** How, when and in what weather it was sprayed: as many of these are of the applications, not of the treatments. */
const SPRAYED =
  /^(?:date|data|hora|time|horario)\b|\b(?:crop stage|estadio|spray volume|volume de calda|vazao|air temp|temp(?:eratura|\.)?|rh|umidade|ur|wind|vento|nozzles?|pontas?|bicos?|pressao|pressure|nebulosidade|cloud|orvalho|dew)\b/
const LEAST_SPRAYED = 4
/** 'Bruto | Tara | Líquido': loads on a weighbridge. */
const LOADS = /^tara\b/

/** A table that may be one of treatments: how much says so, and its treatments, read only where that is enough. */
interface Likely {
  score: number
  keyless: () => boolean
  read: () => TreatmentTable | null
}

const known = new WeakMap<Table, { likely: Likely | null; read?: TreatmentTable | null }>()

/**
 * Turns a table into treatments if it is one of treatments; null otherwise. What it says is the same whichever others
 * it is read with: it is read once.
 */
export function readTreatmentTable(table: Table, method: Method, least = SURE): TreatmentTable | null {
  const own: { likely: Likely | null; read?: TreatmentTable | null } = known.get(table) ?? {
    likely: asTreatments(table, method),
  }
  known.set(table, own)
  const { likely } = own
  if (!likely || (likely.score < least && !(least === SURE && likely.keyless()))) return null
  if (own.read === undefined) own.read = likely.read()
  return own.read
}

function asTreatments(caught: Table, method: Method): Likely | null {
  const table = byTreatment(caught) ?? caught
  const upright = orient(codesApart(table))
  if (!upright) return null
  const { given } = table
  const { header } = upright
  const body = given ? upright.body : withoutAsides(withoutTears(upright.body))
  if (!given && listsLabels(body)) return null
  if (body.length === 0) return null
  const width = Math.max(...body.map((row) => row.length))
  const headers = Array.from({ length: width }, (_, c) => headerText(header, c))
  // Bars have no headings: what their figures are is said over them.
  if (width === 2 && !headers.some((heading) => heading !== '')) headers[1] = table.title
  const sprayed = headers.filter((heading) => SPRAYED.test(fold(heading))).length
  const harvest = headers.some((heading) => YIELDS.test(fold(heading)))
  if (!given && sprayed >= LEAST_SPRAYED && !harvest) return null
  if (!given && !harvest && headers.some((heading) => LOADS.test(fold(heading)))) return null
  // 'PRODUTIVIDADE (sc/ha)' along the whole table is its caption, too.
  const over = header.find(spansAll)?.find((cell) => cell !== null)?.text ?? ''
  const title = over !== '' && !table.title.includes(over) ? `${over} ${table.title}`.trim() : table.title
  const sections: (Entry & { line: TreatmentTable['lines'][number] })[] = []
  const sums: { of: Entry; row: Row }[] = []
  const lines: TreatmentTable['lines'] = header.map((row) => ({ row, label: 'heading' }))
  const told = given && new Map(table.rows.map((row, r) => [row, given.labels[r] ?? 'out']))
  let section = ''
  let dropped = 0
  let sectionCell: Cell | null = null
  let noted = false
  for (const row of body) {
    const line: TreatmentTable['lines'][number] = { row, label: 'out' }
    lines.push(line)
    const cells = [...new Set(row)].filter((cell): cell is Cell => cell !== null && cell.text !== '')
    const only = cells[0]
    const first = cells.find((cell) => hasLetters(cell.text))?.text ?? ''
    if (cells.length === 0) continue
    const label = told?.get(row)
    if (label === 'treatment' || label === 'more') {
      sections.push({ row, section, cell: sectionCell, line, label, given: true })
      continue
    }
    if (label === 'section' && only) {
      line.label = 'section'
      section = only.text
      sectionCell = only
      continue
    }
    if (label === 'out' || isStatistic(first, cells, sections.at(-1)?.row)) {
      const of = sections.at(-1)
      if (of && SUM.test(fold(first))) sums.push({ of, row })
      noted ||= sections.length > 1 && NOTES.test(fold(first))
      dropped++
      continue
    }
    if (
      cells.length === 1 &&
      only &&
      width > 2 &&
      hasLetters(only.text) &&
      !isControl(only.text) &&
      (row[0] === only || spansAll(row) || row.filter((cell) => cell === only).length >= 3) &&
      body.length > 2
    ) {
      if (NOTES.test(fold(only.text)) || only.words.length > 9) {
        noted = sections.length > 1
        continue
      }
      if (looksLikeSection(only.text)) {
        line.label = 'section'
        section = only.text
        sectionCell = only
        continue
      }
    }
    // The next part's title, beside its sentences.
    if (row[0] === row[1] && cells.some((cell) => cell !== row[0] && isSentences(cell.text))) continue
    // Behind a table's notes stands what was caught with it; a figure or a dose begins another treatment.
    const telling = first.length > LONGEST_ROW ? [first] : cells.map(({ text }) => text)
    const treats =
      cells.some(({ text }) => readCell(text) !== null) || telling.some((text) => DOSED.test(fold(text)))
    // '+ regulador 1,2 L/ha': a note goes on.
    if (treats && !(noted && /^[+\p{Ll}]/u.test(first))) noted = false
    else if (noted || (first.length > LONGEST_ROW && sections.length > 1)) {
      noted = true
      continue
    }
    sections.push({ row, section, cell: sectionCell, line })
  }
  const rows = sections.map((entry) => entry.row)
  const columnsCells = headers.map((_, c) => [
    ...new Set(rows.map((row) => row[c]).filter((cell): cell is Cell => cell != null)),
  ])
  const columns = typeColumns(headers, columnsCells, title, rows.length)
  columns.forEach((column, c) => {
    const words = header.flatMap((row) => row[c]?.words ?? [])
    if (words.length > 0) column.words = words
  })
  if (given) takeRoles(columns, given.roles, columnsCells, title)
  else refineCosts(columns, rows)
  takeSums(sums, columns)
  const score = given ? 1 : likelihood(columns, rows, title)
  const read = (): TreatmentTable | null => {
    const entries = shareNames(sections, columns)
    const drafts = buildDrafts(entries, columns, method, title)
    if (columns.some(({ role, header }) => role === 'name' && SOWN.test(fold(header))))
      for (const draft of drafts) if (draft.produtos.every(({ dose }) => dose === null)) draft.sown = true
    entries.forEach((entry, i) => {
      const own = sections[i]
      if (own && entry.label) own.line.label = entry.label
    })
    if (drafts.length < 1) return null
    return {
      drafts,
      columns,
      keyed: columns.some((column) => ['code', 'name', 'product'].includes(column.role)),
      dropped,
      title,
      page: table.page,
      score,
      y0: topOf([...header, ...body], table),
      lines,
    }
  }
  return { score, keyless: () => isKeyless(columns, rows), read }
}

/** Whether a row tells of the others: so its label says, and nothing in it is said of a treatment. */
function isStatistic(label: string, cells: readonly Cell[], above: Row | undefined): boolean {
  const t = fold(label)
  // 'Média / Mean'
  if (
    !t.split(' / ').every((part) => STATISTICS.test(part)) ||
    (isControl(label) && label.length < LONGEST_NAME)
  )
    return false
  // 'F' after 'E' counts on.
  const last = fold(above?.find((cell) => cell !== null && cell.text !== '')?.text ?? '')
  if (/^[a-z]$/.test(t) && last.length === 1 && last.charCodeAt(0) + 1 === t.charCodeAt(0)) return false
  return !cells.some((cell) => cell.text !== label && DOSED.test(fold(cell.text)))
}
const DOSED = new RegExp(`\\d\\s*(?:${DOSE_UNIT_SOURCE})`)

const SUM = /^(?:sub-?)?total\b(?! geral)/

/** 'Total T2' under the costs of its products: the cost of the treatment. One sum alone may be of all. */
function takeSums(sums: readonly { of: Entry; row: Row }[], columns: readonly Column[]): void {
  if (sums.length < 2) return
  for (const { of, row } of sums) {
    const total = row.find((cell, c) => cell !== null && columns[c]?.role === 'productCost')
    if (total && readCell(total.text) !== null) of.total = total
  }
}

/** A list of labels and values, not of treatments. */
function listsLabels(body: readonly Row[]): boolean {
  const labels = body.filter((row) =>
    matchLabel(row[0]?.text ?? '').some((m) => m.target !== 'other' && m.score >= 0.8 && m.cover > 0.5),
  )
  return body.length >= 3 && labels.length > 0.5 * body.length
}

function topOf(rows: readonly Row[], table: Table): number {
  const cells = rows
    .flat()
    .filter((cell): cell is Cell => cell !== null && cell.page === table.page && cell.text !== '')
  return cells.length > 0 ? Math.max(table.y0, Math.min(...cells.map((cell) => cell.y0)) - 2) : table.y0
}

function looksLikeSection(text: string): boolean {
  return !/\d\s*(?:ml|l|kg|g)\s*\/?/i.test(text) || findModes(fold(text)).length > 0
}

/** A cost column with a different value beside every product of a merged treatment is a product's cost. */
function refineCosts(columns: Column[], rows: readonly Row[]): void {
  const key = columns.findIndex((column) => column.role === 'code' || column.role === 'name')
  const product = columns.findIndex((column) => column.role === 'product')
  const several = columns.filter(({ role }) => role === 'product').length > 1
  columns.forEach((column, c) => {
    if (column.role !== 'cost') return
    // 'Custo dos produtos' beside 'Produto 1 | Dose 1 | Produto 2 | Dose 2' is what they cost together.
    if (several && /\bprodutos\b/.test(fold(column.header))) return
    if (
      /\bprodutos?\b|\bunit\w*|\bitem\b|\binsumo\b/.test(fold(column.header)) &&
      !/tratamento|total/.test(fold(column.header)) &&
      (product >= 0 || (/\bunit\w*|\bitem\b/.test(fold(column.header)) && key >= 0))
    ) {
      column.role = 'productCost'
      return
    }
    // Two amounts in a cell, beside two products or doses: each has its own.
    const stacked = rows.filter((row) => amountsIn(row[c]) >= 2)
    if (
      stacked.length >= 2 &&
      stacked.every((row) =>
        columns.some(({ role }, d) => role === 'dose' && amountsIn(row[d]) === amountsIn(row[c])),
      )
    ) {
      column.role = 'productCost'
      return
    }
    if (key < 0 || (product < 0 && columns[key]?.role !== 'code')) return
    let continued = 0
    let own = 0
    rows.forEach((row, r) => {
      if (
        r === 0 ||
        !continues(row, rows[r - 1] ?? [], key) ||
        hasFreshYield(row, rows[r - 1] ?? [], columns)
      )
        return
      continued++
      const cell = row[c]
      if (cell && cell.text !== '' && cell !== rows[r - 1]?.[c]) own++
    })
    if (continued > 0 && own > 0.6 * continued && !/tratamento|total/.test(fold(column.header)))
      column.role = 'productCost'
  })
}

const amountsIn = (cell: Cell | null | undefined): number =>
  cell ? groupLines(cell.words).filter((line) => /^\d/.test(line[0]?.text ?? '')).length : 0

function likelihood(columns: readonly Column[], rows: readonly Row[], title: string): number {
  const has = (role: Column['role']): boolean => columns.some((column) => column.role === role)
  const control = rows.some((row) =>
    row.some((cell) => cell && isControl(cell.text) && cell.text.length < 70),
  )
  let score = 0
  if (control) score += 0.5
  const codes = columns.find((column) => column.role === 'code')
  if (codes) score += codes.score > 0.9 ? 0.3 : 0.2
  if (codes && (has('cost') || has('analysis'))) score += /^trat/.test(fold(codes.header)) ? 0.2 : 0.1
  if (has('name')) score += 0.15
  if (has('product')) score += 0.2
  if (has('dose') || has('productDose')) score += 0.2
  if (has('yield')) score += 0.3
  if (has('mode')) score += 0.15
  if (has('cost')) score += 0.1
  if (/tratament|produtiv|rendiment/.test(fold(title))) score += 0.1
  if (!has('name') && !has('code') && !has('product')) score -= control ? 0.1 : 0.35
  if (rows.length < 2) score -= 0.3
  return score
}

const SOIL = /\bargila\b|\bph\b(?! ?\(?kg)|\bctc\b|\bareia\b|\bsilte\b|\bprofundidade\b|\bp \(|\bm\.?o\.?\b/

/** Only measurements, row by row: columns of a sheet whose first columns are on another page. */
function isKeyless(columns: readonly Column[], rows: readonly Row[]): boolean {
  if (
    rows.length < 3 ||
    columns.some((column) => ['code', 'name', 'product', 'replicate'].includes(column.role))
  )
    return false
  if (columns.some((column) => SOIL.test(fold(column.header)))) return false
  return columns.some(
    ({ role, score }) =>
      role === 'yield' ||
      role === 'cost' ||
      role === 'analysis' ||
      ((role === 'dose' || role === 'mode') && score >= 0.85),
  )
}
