import { isDeepStrictEqual } from 'node:util'
import { type Document, wordingOf } from '../document.ts'
import { isOn } from '../stages.ts'
import { hypotheses, joined } from '../tables/hypotheses.ts'
import { panelCards } from '../tables/panel-cards.ts'
import { sideCards } from '../tables/side-cards.ts'
import type { Table } from '../tables/table.ts'
import type { Draft } from '../treatments/draft.ts'
import { readLists } from '../treatments/lists.ts'
import { readTreatmentTable, type TreatmentTable } from '../treatments/table-rows.ts'
import { KNOWN_LEAST, readTreatments, type Strictness, type Told } from '../treatments/treatments.ts'
import { findCrops, isControl } from '../values/lexicon.ts'
import { isCity, readState } from '../values/places.ts'
import { fold } from '../values/text.ts'
import { oddsOfTrial } from './kind.ts'
import { type Feature, isFigure, reasons, type Setting, sumOf } from './plausibility.ts'

export interface Reading {
  document: Document
  drafts: Told['drafts']
  /** The tables that the treatments were read from. */
  tables: Table[]
  why: Feature[]
  /** Log-odds that these are the treatments. */
  score: number
  strictness: Strictness
  understood: Told['understood']
}

/** Whether the document is hardly the report of one trial, or one that was not understood. */
export const isHeld = ({ score, document, drafts }: Reading): boolean =>
  document.given === undefined &&
  isOn('holding') &&
  (score + WORDS * Math.min(MOST_WORDS_SAY, oddsOfTrial(document)) < (document.scanned ? HELD_SCAN : HELD) ||
    (!drafts.some(isMeasured) && PLANNED.test(headOf(document))))

const isMeasured = ({ produtividade, analises }: Draft): boolean =>
  produtividade !== null || analises.length > 0

const PLANNED =
  /\bproposta (?:comercial|tecnica|de)\b|\borcamento\b|\bcotacao\b|\bplano de trabalho\b|\bprotocolo (?:experimental|de ensaio)\b|\bsem resultados\b/
/** So many lines tell what a document is. */
const FIRST_LINES = 12

const headOf = ({ pages }: Document): string =>
  fold(
    (pages[0]?.lines.slice(0, FIRST_LINES) ?? [])
      .flatMap(({ segments }) => segments.map(({ text }) => text))
      .join(' '),
  )

/** Whether it tells of trials at several places. */
export const tellsOfSeveral = ({ why }: Reading): boolean => why.some(({ name }) => name === 'sites')

/** Below it these are hardly the treatments of one trial: nothing is said of them. */
const HELD = 28.5
/** Of a scan less is recognised, and so less speaks for it. */
const HELD_SCAN = 23
/** What the words of the document count for, beside what was found in it, and the most that they speak for it. */
const WORDS = 4
const MOST_WORDS_SAY = 4
/** Below it, what alone would not be taken for a table of treatments is tried as one. */
const POOR = 12
/** A reading that is this sure, and says what each treatment is, is not compared with others. */
const SURE = 30
const isSure = ({ score, why }: Reading): boolean =>
  score >= SURE && why.some(({ name, value }) => name === 'described' && value === 1)
/** So many words are read again for the sake of comparing; a report has a thousand or two. */
const MOST_WORDS = 60_000
/** Another way of cutting a table must gain so much. */
const LEAST_GAIN = 0.5

/**
 * The reading of the whole document that has most for it: each table is taken as it was caught, and then in each of the other
 * ways in which it may have been meant, while the document gains by it. `tried` is told of each, for learning;
 * without `compare`, for what is only in passing, they stay as caught.
 */
export function readDocument(
  caught: Document,
  { tried, compare = true }: { tried?: (reading: Reading) => void; compare?: boolean } = {},
): Reading {
  const setting = settingOf(caught)
  let best = readAs(caught, setting, 'sure', tried)
  if (!compare || !isOn('hypotheses') || (isSure(best) && !tried)) return best
  let left = MOST_WORDS
  const keep = (document: Document, strictness: Strictness): boolean => {
    left -= sizeOf(document)
    if (left < 0) return false
    const other = readAs(document, setting, strictness, tried)
    if (other.score <= best.score + LEAST_GAIN) return false
    best = other
    return true
  }
  for (const [p, page] of caught.pages.entries()) {
    const { rulings } = page.page
    // What a table was put together with the one above it to; apart they may still say more.
    const together = new Map<Table, { taken: readonly Table[]; above: Table }>()
    for (const [t, table] of page.tables.entries()) {
      if (left < 0) break
      const next = page.tables[t + 1]
      const one = next ? joined(table, next, rulings) : null
      const joinedAbove = together.get(table)
      const over = joinedAbove ? [joinedAbove.above] : []
      const others = hypotheses(table, rulings).map((tables) => ({
        of: [table],
        tables: [...over, ...tables],
      }))
      if (one && next)
        for (const tables of [[one], ...hypotheses(one, rulings)]) others.push({ of: [table, next], tables })
      // What the table is taken for now, which each of the others would stand in place of.
      let taken = joinedAbove?.taken ?? [table]
      // Of how many tables as caught.
      let whole = 1
      for (const { of, tables } of others) {
        const now = best.document.pages[p]?.tables ?? []
        const gone = [...taken, ...of.slice(whole)]
        const [first] = gone
        if (!first || of.length < whole || !gone.every((each) => now.includes(each))) continue
        if (!tried && tellTheSame(gone, tables)) continue
        const kept = now.flatMap((each) => (each === first ? tables : gone.includes(each) ? [] : [each]))
        if (keep(withTables(best.document, p, kept), best.strictness)) {
          taken = tables
          whole = of.length
          if (whole === 2 && next) together.set(next, { taken, above: table })
        }
      }
    }
  }
  for (const [p, layout] of caught.pages.entries()) {
    if (!isOn('cards') || caught.scanned) continue
    for (const cards of [panelCards(layout), sideCards(layout)]) {
      if (!cards) continue
      const now = best.document.pages[p]?.tables ?? []
      const beside = now.filter(({ y0, y1 }) => y1 < cards.y0 || y0 > cards.y1)
      // Of which one is the control, what stands on the cards tells.
      keep(withTables(best.document, p, [...beside, cards]), 'likely')
    }
  }
  if (best.score < POOR) keep(best.document, 'likely')
  return best
}

function readAs(
  document: Document,
  setting: Known,
  strictness: Strictness,
  tried?: (reading: Reading) => void,
): Reading {
  const ways = readTreatments(document, { strictness, listed: setting.listed }).map((told) => {
    const why = reasons(told.drafts, { ...setting, counts: told.counts, clash: told.clash })
    return { ...told, why, score: sumOf(why), document, strictness }
  })
  if (tried) for (const way of ways) tried(way)
  return ways.reduce((a, b) => (b.score > a.score + LEAST_GAIN ? b : a))
}

/** Whether each of the tables says just what each of the others does: the document gains nothing by them. */
function tellTheSame(tables: readonly Table[], others: readonly Table[]): boolean {
  return isDeepStrictEqual(tables.flatMap(toldBy), others.flatMap(toldBy))
}

function toldBy(table: Table): Partial<TreatmentTable>[] {
  const read = readTreatmentTable(table, 'table', KNOWN_LEAST) ?? readTreatmentTable(table, 'table')
  if (!read) return []
  const { lines: _, y0: __, ...told } = read
  return [told]
}

const sizeOf = ({ pages }: Document): number => pages.reduce((sum, { page }) => sum + page.words.length, 0)

const withTables = (document: Document, at: number, tables: Table[]): Document => ({
  ...document,
  pages: document.pages.map((page, p) => (p === at ? { ...page, tables } : page)),
})

const COUNTS = [
  'um',
  'dois',
  'tres',
  'quatro',
  'cinco',
  'seis',
  'sete',
  'oito',
  'nove',
  'dez',
  'onze',
  'doze',
]
const ANNOUNCED = new RegExp(
  `\\b(\\d{1,2}|${COUNTS.join('|')}) tratamentos\\b|\\btratamentos ?: ?(\\d{1,2})\\b|\\bn[o°º.]* de tratamentos ?:? ?(\\d{1,2})\\b`,
)

const RIVALS =
  /\b(?:competicao|comparacao|avaliacao|ensaio|desempenho) (?:de|entre) (?:cultivares|hibridos|variedades|genotipos|linhagens|clones)\b/
const GROWN = /\bprodutiv|\brendiment|\bcultivar|\bhibrido|\bargila\b|\bsc\/ha|\bkg\/ha/
/** So many towns over the columns or before the rows of one table are the places of several trials. */
const LEAST_TOWNS = 3

function tellsOfTowns({ rows, title }: Table): boolean {
  const cells = [...new Set(rows.flat())].flatMap((cell) => (cell ? [cell.text] : []))
  // Rainfall and offices stand in several towns, too; what was grown there, or a control, is of trials.
  const grown = [title, ...(rows[0] ?? []).map((cell) => cell?.text ?? '')].some((text) =>
    GROWN.test(fold(text)),
  )
  if (!grown && !cells.some((text) => text.length < 40 && isControl(text))) return false
  const lists = [
    ...rows.slice(0, 3).map((row) => row.slice(1)),
    ...(rows[0] ?? []).map((_, c) => rows.slice(1).map((row) => row[c] ?? null)),
  ]
  return lists.some((cells) => {
    const names = [...new Set(cells)].flatMap((cell) => (cell && cell.text !== '' ? [cell.text] : []))
    const towns = new Set(
      names
        .map((name) => name.replace(/\s*[-/(,–]\s*[A-Z]{2}\)?$/, ''))
        .filter((name) => isCity(name) && readState(name) === null),
    )
    return towns.size >= LEAST_TOWNS && towns.size >= 0.6 * names.length
  })
}

/** A column of crops, each with its control: trials of several, in minutes or a summary. */
function tellsOfCrops({ rows, columns }: Table): boolean {
  return Array.from({ length: columns }, (_, c) => rows.map((row) => row[c]?.text ?? '')).some((cells) => {
    const crops = cells.map((text) => (text.length < 16 ? findCrops(fold(text)) : []))
    const named = crops.flatMap(([crop], r) =>
      crop && crop.end - crop.start >= 0.8 * (cells[r]?.length ?? 0) ? [{ crop: crop.value, r }] : [],
    )
    const controlled = named.filter(({ r }) =>
      rows[r]?.some((cell) => cell !== null && cell.text.length < 40 && isControl(cell.text)),
    )
    return named.length >= 4 && new Set(controlled.map(({ crop }) => crop)).size > 1
  })
}

/** 'Ensaio 3 — Milho safrinha', 'Campo 2: Fazenda Paineiras' */
const COUNTED_TRIAL =
  /^(?:ensaio|experimento|estudo|campo|area|local)(?: n[o°º]?\.?)? ?(\d{1,2}|[ivx]{1,4}) ?[-–—:(] ?[a-z]/
/** So many headings that count trials are those of several. */
const LEAST_COUNTED = 3

function countsTrials({ pages }: Document): boolean {
  const counted = pages.flatMap(({ lines }) =>
    lines.flatMap(
      ({ segments }) => COUNTED_TRIAL.exec(fold(segments.map(({ text }) => text).join(' ')))?.[1] ?? [],
    ),
  )
  return new Set(counted).size >= LEAST_COUNTED
}

/** What is the same however the tables are read. */
type Known = Omit<Setting, 'counts' | 'clash'> & { listed: readonly Draft[] }

function settingOf(document: Document): Known {
  const text = wordingOf(document)
  const said = ANNOUNCED.exec(text)
  const word = said?.[1] ?? said?.[2] ?? said?.[3]
  const number = word === undefined ? null : /\d/.test(word) ? Number(word) : COUNTS.indexOf(word) + 1
  const crops = Map.groupBy(findCrops(text), ({ value }) => value)
  const crop = [...crops].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? null
  return {
    crop,
    listed: isOn('lists') ? readLists(document) : [],
    figures: new Set(
      document.pages.flatMap(({ tables }) =>
        tables.flatMap(({ rows }) =>
          [...new Set(rows.flat())].flatMap((cell) => cell?.words.filter(isFigure) ?? []),
        ),
      ),
    ),
    announced: number !== null && number >= 2 && number <= 30 ? number : null,
    rivals: RIVALS.test(text),
    sites:
      countsTrials(document) ||
      document.pages.some(({ tables }) => tables.some((table) => tellsOfTowns(table) || tellsOfCrops(table))),
  }
}
