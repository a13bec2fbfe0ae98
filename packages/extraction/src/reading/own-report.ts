import type { FieldKey } from '@ensaio/domain/fields'
import {
  BUSINESS_UNIT_NAMES,
  BUSINESS_UNITS,
  DOSE_UNITS,
  REPORT_BLANKS,
  REPORT_COST,
  REPORT_LABELS,
  REPORT_TABLES,
} from '@ensaio/domain/report-words'
import type { ColumnRole, RowLabel } from '@ensaio/domain/tables'
import type { Document } from '../document.ts'
import type { Candidate } from '../fields/candidate.ts'
import type { Decision } from '../fields/decide.ts'
import { groupLines, textOf } from '../layout/lines.ts'
import { union } from '../read/geometry.ts'
import type { Page, Word } from '../read/page.ts'
import type { Cell, Table } from '../tables/table.ts'
import { type Draft, emptyDraft, type Found } from '../treatments/draft.ts'
import { readTreatmentTable } from '../treatments/table-rows.ts'
import { toNumber } from '../values/number.ts'
import type { Reading } from './choose.ts'

/** Of what is not one trial: held back. */
const NO_READING = {
  ...{ drafts: [], tables: [], understood: [], why: [], score: 0, strictness: 'sure' },
} satisfies Omit<Reading, 'document'>

/** What is read by its own titles and headings is as sure as reading gets. */
const SCORE = 0.99
/** Log-odds of the document. */
const SURE = 60
/** Between two columns there is more, between two words of a cell less; points. */
const COLUMN_GAP = 5.4
/** What a line goes on with stands so near below it, in sizes of type. */
const NEXT_LINE = 2
/** Margins of the page in which running titles stand, points. */
const [TOP, BOTTOM] = [62, 57]

const BLANK = new Set<string>(Object.values(REPORT_BLANKS))
/** 'T2' */
const CODE = /^T(\d{1,3})$/

/**
 * A report that this product made itself, read by the titles, labels and headings that it always has; null for every
 * other document, and for one of ours that was printed and recognised so that they are not all there.
 */
export function readOwnReport(document: Document): { reading: Reading; decision: Decision } | null {
  const pages = document.pages.map(({ page }) => page)
  const tables = tablesOf(pages)
  const [programme, ...others] = tables.filter(({ kind }) => kind === 'treatments')
  if (!programme) return null
  // Two reports in one file are not one: whose a value is must not be guessed.
  if (others.length > 0) return { decision: {}, reading: { ...NO_READING, document } }
  const drafts = draftsOf(programme)
  if (!drafts) return null
  for (const table of tables) addTo(drafts, table)
  const known = tables.map((own) => tableOf(own))
  const understood = known.map((table) => ({
    table,
    treatments: readTreatmentTable(table, 'table', -Infinity),
  }))
  return {
    decision: fieldsOf(pages),
    reading: {
      document: { ...document, given: known },
      ...{ drafts, tables: known, understood, why: [], score: SURE, strictness: 'sure' },
    },
  }
}

interface OwnTable {
  kind: keyof typeof REPORT_TABLES
  title: string
  page: number
  heads: Cell[]
  rows: (Cell | null)[][]
}

/** The words of the text itself, without running titles. */
const inText = ({ words, height }: Page) => words.filter(({ y0, y1 }) => y1 > TOP && y0 < height - BOTTOM)

/** Whether the pages hold the table of treatments of a report of ours. */
export const isOwnReport = (pages: readonly Page[]): boolean =>
  tablesOf(pages).some(({ kind }) => kind === 'treatments')

/** Further variables are at most a hundred, and a report has two tables besides: more titles are not ours. */
const MOST_TITLES = 110

/** A page as its tables are looked for: looked at once, however many titles there are. */
interface Look {
  index: number
  words: Word[]
  lines: Word[][]
  rules: number[]
}

/** Tables under a title that is ours, whose headings are ours. */
function tablesOf(pages: readonly Page[]): OwnTable[] {
  const looks = pages.map((page): Look => {
    const words = inText(page)
    return { index: page.index, words, lines: groupLines(words), rules: rulesOf(page) }
  })
  const titles = looks.flatMap(({ lines }, at) =>
    lines.flatMap((line) => {
      const title = textOf(line)
      const kind = kindOf(title)
      return kind ? [{ at, kind, title, base: line[0]?.base ?? 0 }] : []
    }),
  )
  if (titles.length > MOST_TITLES) return []
  return titles.flatMap(({ at, kind, title, base }) => {
    const table = tableBelow(looks.slice(at), base)
    return table && fits(kind, table) ? [{ kind, title, page: looks[at]?.index ?? 0, ...table }] : []
  })
}

const KINDS = Object.keys(REPORT_TABLES) as (keyof typeof REPORT_TABLES)[]
/** On the pages after the first it is no new table. */
const TITLE = /^Tabela \d{1,3}\. (.{1,80}?)(?: \(continua\))?$/
function kindOf(line: string): OwnTable['kind'] | null {
  const said = TITLE.exec(line)?.[1]
  return KINDS.find((kind) => REPORT_TABLES[kind].title === said) ?? null
}

const fits = (kind: OwnTable['kind'], { heads }: Pick<OwnTable, 'heads'>): boolean =>
  REPORT_TABLES[kind].heads.every((head, at) => heads[at]?.text === head)

/** Heights at which a rule lies across the page, each once. */
function rulesOf({ rulings }: Page): number[] {
  const ys = rulings
    .filter(({ vertical, x0, x1 }) => !vertical && x1 - x0 > 8)
    .map(({ y0, y1 }) => (y0 + y1) / 2)
    .sort((a, b) => a - b)
  return ys.filter((y, at) => at === 0 || y - (ys[at - 1] ?? 0) > 2)
}

/** What stands under each table. */
const SOURCE = 'Fonte:'

/** The table that begins below a height of the first page, between its rules, over as many pages as it goes. */
function tableBelow(looks: readonly Look[], from: number): Pick<OwnTable, 'heads' | 'rows'> | null {
  const heading: Word[] = []
  const body: Word[][] = []
  for (const [at, { words, lines, rules }] of looks.entries()) {
    const [top, under, bottom = Infinity, foot = Infinity] = rules.filter((y) => at > 0 || y > from - 1)
    if (at > 0 && lines[0]?.[0]?.text === SOURCE) return cellsOf(heading, body)
    const headed = words.some(
      ({ text, base }) => text === 'Trat.' && base > (top ?? 0) && base < (under ?? 0),
    )
    if (top === undefined || under === undefined || !headed) return cellsOf(heading, body)
    if (at === 0) heading.push(...words.filter(({ base }) => base > top && base < under))
    body.push(words.filter(({ base }) => base > under && base < bottom))
    // Below its rows, or below 'CV (%)' and the like under them.
    const ends = (y: number) => lines.find((line) => (line[0]?.base ?? 0) > y)?.[0]?.text === SOURCE
    if (ends(bottom) || ends(foot)) return cellsOf(heading, body)
  }
  return cellsOf(heading, body)
}

function cellsOf(heading: readonly Word[], body: readonly Word[][]): Pick<OwnTable, 'heads' | 'rows'> {
  const columns = columnsOf([...heading, ...body.flat()])
  const heads = columns.map((column) => cellOf(heading.filter((word) => isIn(word, column))))
  const dose = heads.findIndex((head) => head?.text === 'Dose')
  // Each row has its dose, or a sign for none; where there is no such column, its treatment.
  const key = Math.max(dose, 0)
  const rows: Word[][][] = []
  for (const line of body.flatMap((words) => groupLines(words))) {
    const cells = columns.map((column) => line.filter((word) => isIn(word, column)))
    const last = rows.at(-1)
    if (last && cells[key]?.length === 0) for (const [at, words] of cells.entries()) last[at]?.push(...words)
    else rows.push(cells)
  }
  return { heads: heads.map((head) => head ?? NOTHING), rows: rows.map((row) => row.map(cellOf)) }
}

const NOTHING: Cell = { x0: 0, y0: 0, x1: 0, y1: 0, page: 0, words: [], text: '' }
const isIn = ({ x0, x1 }: Word, [from, to]: readonly [number, number]): boolean =>
  (x0 + x1) / 2 >= from && (x0 + x1) / 2 <= to

/** Where words leave white from top to bottom, a column ends. */
function columnsOf(words: readonly Word[]): [from: number, to: number][] {
  const columns: [number, number][] = []
  for (const { x0, x1 } of [...words].sort((a, b) => a.x0 - b.x0)) {
    const last = columns.at(-1)
    if (last && x0 - last[1] < COLUMN_GAP) last[1] = Math.max(last[1], x1)
    else columns.push([x0, x1])
  }
  return columns
}

function cellOf(words: readonly Word[]): Cell | null {
  const [first] = words
  if (!first) return null
  const own = words.filter(({ page }) => page === first.page)
  return { ...union(own), page: first.page, words: [...words], text: textInLines(words) }
}

/** What stands in several lines: one that ends with a hyphen was broken there. */
const textInLines = (words: readonly Word[]): string =>
  groupInOrder(words).reduce((text, line) => {
    const next = textOf(line)
    return text === '' || /\S-$/.test(text) ? text + next : `${text} ${next}`
  }, '')

/** Lines as they come: those of the next page begin above. */
function groupInOrder(words: readonly Word[]): Word[][] {
  const lines: Word[][] = []
  for (const word of words) {
    const last = lines.at(-1)
    const [before] = last ?? []
    if (last && before && before.page === word.page && Math.abs(before.base - word.base) < 0.36 * word.size)
      last.push(word)
    else lines.push([word])
  }
  return lines
}

const found = <T>(value: T, cell: Cell): Found<T> => ({
  value,
  words: cell.words,
  score: SCORE,
  method: 'table',
})
/** The letters of a test stand behind a mean: '3.612 a'. */
const numberIn = (cell: Cell | null | undefined): Found<number> | null => {
  const text = cell?.text.replace(LETTERS_BEHIND, '') ?? ''
  const value = cell && !BLANK.has(text) ? toNumber(text) : null
  return cell && value !== null ? found(value, cell) : null
}

const LETTERS_BEHIND = /(?<=\d) [a-z]{1,26}$/

/** Null where the rows do not count from T1 on. */
function draftsOf({ rows }: OwnTable): Draft[] | null {
  const drafts: Draft[] = []
  for (const [code, name, product, dose, unit, mode, cost] of rows) {
    // Of a further product the treatment is told again.
    const again = code != null && Number(CODE.exec(code.text)?.[1]) === drafts.length
    if (code && !again) {
      if (Number(CODE.exec(code.text)?.[1]) !== drafts.length + 1 || !name || !mode) return null
      drafts.push({
        ...emptyDraft(),
        ...{ code: String(drafts.length + 1), control: drafts.length === 0 },
        ...{ nome: found(name.text, name), modalidade: found(mode.text, mode), custo: numberIn(cost) },
      })
    }
    if (product && !BLANK.has(product.text))
      drafts.at(-1)?.produtos.push({
        nome: found(product.text, product),
        dose: numberIn(dose),
        unidade: DOSE_UNITS.find((known) => known === unit?.text) ?? null,
        custo: null,
      })
  }
  return drafts.length > 0 ? drafts : null
}

/** Yields and further variables, by the code of the row. */
function addTo(drafts: readonly Draft[], { kind, heads, rows }: OwnTable): void {
  for (const row of rows) {
    const draft = drafts.find(({ code }) => code === CODE.exec(row[0]?.text ?? '')?.[1])
    if (!draft) continue
    if (kind === 'yields') {
      const kilos = numberIn(row[2])
      if (kilos) draft.produtividade = { ...kilos, rank: 3 }
    }
    if (kind === 'analyses')
      heads.slice(2).forEach(({ text }, at) => {
        const valor = numberIn(row[at + 2])
        const [, nome = text, unidade = null] = /^(.+) \(([^()]+)\)$/.exec(text) ?? []
        if (valor) draft.analises.push({ nome, unidade, valor })
      })
  }
}

const ROLES: Readonly<Record<string, ColumnRole>> = {
  'Trat.': 'code',
  Tratamento: 'name',
  Produto: 'product',
  Dose: 'dose',
  Unidade: 'unit',
  Modalidade: 'mode',
  [REPORT_COST]: 'cost',
  'Produtividade (kg/ha)': 'yield',
}

/** As a person would have described it: for the review. */
function tableOf({ kind, title, page, heads, rows }: OwnTable): Table {
  const lines = [heads, ...rows]
  const cells = lines.flat().filter((cell): cell is Cell => cell !== null && cell.page === page)
  return {
    ...union(cells),
    ...{ page, title, rows: lines, columns: heads.length, ruled: true },
    given: {
      roles: heads.map(({ text }) => ROLES[text] ?? (kind === 'analyses' ? 'analysis' : 'ignore')),
      labels: lines.map(
        (row, at): RowLabel =>
          at === 0 ? 'heading' : row[0] && row[0].text !== lines[at - 1]?.[0]?.text ? 'treatment' : 'more',
      ),
    },
  }
}

/** 'Cultura: Soja', each label once; what stands under it without a label goes on. */
function fieldsOf(pages: readonly Page[]): Decision {
  const decision: Decision = {}
  for (const page of pages) {
    let open: { field: FieldKey | null; words: Word[] } | null = null
    const close = () => {
      const value = open?.field ? readValue(open.field, textInLines(open.words)) : null
      if (open?.field && value !== null && !decision[open.field])
        decision[open.field] = { ...candidateOf(open.field, value, open.words), margin: 1 }
      open = null
    }
    let [last, size] = [0, 0]
    for (const line of groupLines(inText(page))) {
      const [first] = line
      const text = textOf(line)
      const label = LABELS.find(([name]) => text.startsWith(`${name}: `))
      const goesOn = open !== null && !first?.bold && (first?.base ?? 0) - last < NEXT_LINE * size
      if (label) {
        close()
        open = { field: label[1], words: line.slice(label[0].split(' ').length) }
      } else if (goesOn) (open as { words: Word[] } | null)?.words.push(...line)
      else close()
      last = first?.base ?? 0
      size = first?.size ?? 0
    }
    close()
  }
  return decision
}

/** Every label, with the field that it announces; what the annex says is of the record. */
const LABELS: [label: string, field: FieldKey | null][] = [
  // Its keys are those of the fields.
  ...Object.entries(REPORT_LABELS).map(([field, label]): [string, FieldKey] => [label, field as FieldKey]),
  ['Identificador', null],
]
const candidateOf = (field: FieldKey, value: string | number, words: Word[]): Candidate => ({
  ...{ field, value, words, score: SCORE, method: 'label' },
})

function readValue(field: FieldKey, text: string): string | number | null {
  switch (field) {
    case 'bu':
      return BUSINESS_UNITS.find((unit) => BUSINESS_UNIT_NAMES[unit] === text) ?? null
    case 'ano':
    case 'latitude':
    case 'longitude':
    case 'teor_argila':
    case 'teor_materia_organica':
    case 'custo_protocolo':
    case 'roi':
      return toNumber(/^(?:R\$\s*)?([−\d.,]+)/.exec(text)?.[1] ?? '')
    default:
      return text || null
  }
}
