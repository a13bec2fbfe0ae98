import type { Document } from '../document.ts'
import { hypotheses } from '../tables/hypotheses.ts'
import type { Table } from '../tables/table.ts'
import { readTreatments } from '../treatments/treatments.ts'
import { findCrops } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import { type Feature, isFigure, reasons, type Setting, sumOf } from './plausibility.ts'

export interface Reading {
  document: Document
  drafts: ReturnType<typeof readTreatments>['drafts']
  /** The tables that the treatments were read from. */
  tables: Table[]
  why: Feature[]
  /** Log-odds that these are the treatments. */
  score: number
}

/** A reading that is this sure is not compared with others. */
const SURE = 14
/** Another way of cutting a table must gain so much. */
const LEAST_GAIN = 0.5

/**
 * The reading of the whole document that has most for it: each table is taken as it was caught, and then in each of the other
 * ways in which it may have been meant, while the document gains by it.
 */
export function readDocument(caught: Document): Reading {
  const setting = settingOf(caught)
  let best = readAs(caught, setting)
  if (best.score >= SURE) return best
  for (const [p, page] of caught.pages.entries())
    for (const table of page.tables)
      for (const other of hypotheses(table, page.page.rulings)) {
        const tables = (best.document.pages[p]?.tables ?? []).flatMap((one) =>
          one === table ? other : [one],
        )
        const tried = readAs(withTables(best.document, p, tables), setting)
        if (tried.score > best.score + LEAST_GAIN) best = tried
      }
  return best
}

function readAs(document: Document, setting: Omit<Setting, 'counts'>): Reading {
  const { drafts, tables, counts } = readTreatments(document)
  const why = reasons(drafts, { ...setting, counts })
  return { document, drafts, tables, why, score: sumOf(why) }
}

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

function settingOf(document: Document): Omit<Setting, 'counts'> {
  const text = fold(
    document.pages
      .flatMap((page) => [
        ...page.lines.flatMap((line) => line.segments.map((segment) => segment.text)),
        ...page.tables.flatMap((table) => [...new Set(table.rows.flat())].map((cell) => cell?.text ?? '')),
      ])
      .join(' ')
      .slice(0, 60_000),
  )
  const said = ANNOUNCED.exec(text)
  const word = said?.[1] ?? said?.[2] ?? said?.[3]
  const number = word === undefined ? null : /\d/.test(word) ? Number(word) : COUNTS.indexOf(word) + 1
  const crops = Map.groupBy(findCrops(text), ({ value }) => value)
  const crop = [...crops].sort((a, b) => b[1].length - a[1].length)[0]?.[0] ?? null
  return {
    crop,
    figures: new Set(
      document.pages.flatMap(({ tables }) =>
        tables.flatMap(({ rows }) =>
          [...new Set(rows.flat())].flatMap((cell) => cell?.words.filter(isFigure) ?? []),
        ),
      ),
    ),
    announced: number !== null && number >= 2 && number <= 30 ? number : null,
  }
}
