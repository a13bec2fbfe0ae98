/**
 * The second report of a maker after one correction: makers.ts FOLDER, which has a folder for each maker (generate.ts
 * --makers). The first report is put right as a person would: by gestures on its tables, chosen one by one by what they
 * mend, and by the fields that are wrong or missing. Then the others of the maker are read with what was learnt, and those
 * of all other makers must not take it for theirs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COLUMN_ROLES, FIELD_KEYS, LAYOUT_ALIKE, likeness, ROW_LABELS } from '@ensaio/domain'
import { f1, type Judged, judge, type Truth } from '../../packages/extraction/generator/score.ts'
import { type ExtractionResult, extract } from '../../packages/extraction/src/index.ts'
import { reportsBelow } from './reports.ts'

type Tables = ExtractionResult['metadata']['tables']
/** Layouts whose second report is read well without a correction have nothing to show. */
const UNDERSTOOD = 97
const MOST_GESTURES = 12

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('makers.ts FOLDER')
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(file))
const scoreOf = (judged: readonly Judged[], kind: Judged['kind']): number =>
  100 * f1(judged.filter((one) => one.kind === kind))

/** The gesture that mends most, again and again, as long as one does. */
async function corrected(bytes: Uint8Array, truth: Truth, first: ExtractionResult) {
  let tables: Tables = first.metadata.tables
  const scored = async (now: Tables): Promise<number> => {
    const { data } = await extract(bytes, { tables: now.filter(({ used }) => used) })
    return scoreOf(judge(truth, data), 'cell')
  }
  let best = scoreOf(judge(truth, first.data), 'cell')
  let gestures = 0
  for (; gestures < MOST_GESTURES && best < 99.9; gestures++) {
    let found: { score: number; tables: Tables } | null = null
    for (const now of gesturesOn(tables)) {
      const score = await scored(now)
      if (score > (found?.score ?? best) + 0.01) found = { score, tables: now }
    }
    if (!found) break
    tables = found.tables
    best = found.score
  }
  return { tables, gestures, score: best }
}

function* gesturesOn(tables: Tables): Generator<Tables> {
  for (const [t, table] of tables.entries()) {
    const put = (changed: Tables[number]): Tables =>
      tables.map((own, i) => (i === t ? { ...changed, used: true } : own))
    if (!table.used) yield put(table)
    else yield tables.map((own, i) => (i === t ? { ...own, used: false } : own))
    for (const c of table.columns.keys())
      for (const role of COLUMN_ROLES)
        if (table.columns[c]?.role !== role)
          yield put({ ...table, columns: table.columns.map((own, i) => (i === c ? { ...own, role } : own)) })
    for (const r of table.rows.keys())
      for (const label of ROW_LABELS)
        if (table.rows[r]?.label !== label)
          yield put({ ...table, rows: table.rows.map((own, i) => (i === r ? { ...own, label } : own)) })
  }
}

const makers = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
const before: Judged[] = []
const after: Judged[] = []
const layouts: { maker: string; layout: number[] }[] = []
const learnt: { maker: string; layout: number[] }[] = []
for (const { name: maker } of makers) {
  const [first, ...rest] = reportsBelow(join(folder, maker))
  if (!first) continue
  const bytes = bytesOf(first.file)
  const own = await extract(bytes)
  layouts.push({ maker, layout: own.metadata.layout })
  const plain = await Promise.all(rest.map(({ file }) => extract(bytesOf(file))))
  for (const { metadata } of plain) layouts.push({ maker, layout: metadata.layout })
  const judged = rest.flatMap(({ truth }, i) => {
    const one = plain[i]
    return one ? judge(truth, one.data) : []
  })
  const firstJudged = judge(first.truth, own.data)
  if (scoreOf(judged, 'cell') >= UNDERSTOOD && scoreOf(firstJudged, 'cell') >= UNDERSTOOD) continue
  const mended = await corrected(bytes, first.truth, own)
  const wrong = new Set(
    firstJudged
      .filter(({ kind, outcome }) => kind === 'field' && outcome !== 'right')
      .map(({ path }) => path),
  )
  const learn = Object.fromEntries(
    FIELD_KEYS.flatMap((key) => {
      const value = first.truth[key]
      return wrong.has(key) && value !== null ? [[key, value]] : []
    }),
  )
  const tables = mended.tables.filter(({ used }) => used)
  const { learnt: template } = await extract(bytes, { tables, learn })
  learnt.push({ maker, layout: own.metadata.layout })
  const mine: Judged[] = []
  for (const [i, { file, truth }] of rest.entries()) {
    const alike = likeness(own.metadata.layout, plain[i]?.metadata.layout ?? []) >= LAYOUT_ALIKE
    const read = alike ? await extract(bytesOf(file), { template }) : plain[i]
    if (read) mine.push(...judge(truth, read.data))
  }
  before.push(...judged)
  after.push(...mine)
  console.log(
    `${maker}: first ${scoreOf(firstJudged, 'cell').toFixed(1)} -> ${mended.score.toFixed(1)} by ${mended.gestures} gestures; next, cells ${scoreOf(judged, 'cell').toFixed(1)} -> ${scoreOf(mine, 'cell').toFixed(1)}, fields ${scoreOf(judged, 'field').toFixed(1)} -> ${scoreOf(mine, 'field').toFixed(1)}`,
  )
}
const strangers = learnt.flatMap((one) =>
  layouts.filter(({ maker, layout }) => maker !== one.maker && likeness(layout, one.layout) >= LAYOUT_ALIKE),
)
const known = layouts.filter(({ maker, layout }) =>
  learnt.some((one) => one.maker === maker && likeness(layout, one.layout) >= LAYOUT_ALIKE),
)
console.log(`
makers: ${makers.length}; with something to correct: ${learnt.length}
the others of these makers, cells: ${scoreOf(before, 'cell').toFixed(1)} -> ${scoreOf(after, 'cell').toFixed(1)}; fields: ${scoreOf(before, 'field').toFixed(1)} -> ${scoreOf(after, 'field').toFixed(1)}
known again as the layout: ${known.length} of ${layouts.filter(({ maker }) => learnt.some((one) => one.maker === maker)).length}; of other makers taken for it: ${strangers.length}`)
