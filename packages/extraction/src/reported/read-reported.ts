import type { Document } from '../document.ts'
import type { Decision } from '../fields/decide.ts'
import type { Pair } from '../fields/pair.ts'
import { parseDesign } from '../fields/parsers.ts'
import { wordsIn } from '../layout/run.ts'
import type { Page } from '../read/page.ts'
import type { Draft } from '../treatments/draft.ts'
import type { TreatmentTable } from '../treatments/table-rows.ts'
import { toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { countOf } from './counts.ts'
import { type Candidate, elect, type ReportedDraft, type Told } from './found.ts'
import { lettersOf } from './letters.ts'
import { hitsOf, type Passage, passagesOf } from './passages.ts'
import { residualInTables } from './residual.ts'
import {
  cvsInText,
  dmsInText,
  hasTwoErrors,
  latinSquaresIn,
  repetitionsInText,
  residualInText,
  testIn,
  testsInText,
} from './wordings.ts'
import { footByPlace, footOfTables, lonelyFeet } from './yield-column.ts'

interface Read {
  document: Document
  pages: readonly Page[]
  drafts: readonly Draft[]
  tables: readonly (TreatmentTable | null)[]
  pairs: readonly Pair[]
  decision: Decision
}

/** What the report says of its own statistics, of the yields alone. */
export function readReported(read: Read): ReportedDraft {
  const { document, pages, drafts, tables } = read
  const passages = passagesOf(document)
  const twoErrors = hasTwoErrors(passages)
  const alone = drafts.every(({ analises }) => analises.length === 0)
  const feet = (kind: 'cv' | 'dms') => {
    const understood = footOfTables(tables, drafts, kind)
    return understood.length > 0 ? understood : footByPlace(pages, drafts, kind)
  }
  const teste = elect(testsOf(read, passages))
  const cv = elect([
    ...feet('cv').filter(({ value }) => value <= 100),
    ...cvsInText(passages, alone),
    ...lonelyFeet(pages, alone),
  ])
  const dms = dmsOf([...feet('dms'), ...dmsInText(passages, alone)], drafts, cv !== null)
  return {
    delineamento: twoErrors ? null : designOf(read, passages),
    repeticoes: elect(repetitionsOf(read, passages)),
    // With two errors there are two CVs: which one it is does not say.
    cv: cv && { ...cv, score: twoErrors ? 0.5 * cv.score : cv.score },
    dms,
    dms_teste: dms && testOfDms(dms, teste),
    gl_residuo: twoErrors ? null : elect([...residualInTables(pages), ...residualInText(passages)]),
    teste,
    letras: lettersOf(drafts, pages, tables).map((one) => one && { ...one, margin: 1 }),
  }
}

const DESIGN: Readonly<Record<string, 'DIC' | 'DBC'>> = {
  'Inteiramente Casualizado': 'DIC',
  'Blocos Casualizados': 'DBC',
  DBC: 'DBC',
}
const DESIGNED = /delineament\w{1,4}|casualiz\w{1,5}|ao acaso|\bd\.?b\.?c\b|\bd\.?i\.?c\b/g

/** The design as the record has it; where that only says that an analysis was made, as the text names it. */
function designOf({ decision }: Read, passages: readonly Passage[]): ReportedDraft['delineamento'] {
  const candidates: Candidate<'DIC' | 'DBC' | 'DQL'>[] = latinSquaresIn(passages).map((hit) => ({
    value: 'DQL',
    score: 0.95 * hit.ours,
    words: hit.wordsAt(hit.match.index, hit.match.index + hit.match[0].length),
    method: 'prose',
  }))
  const chosen = decision.tipo_estatistica
  const known = chosen && DESIGN[String(chosen.value)]
  if (chosen && known && candidates.length === 0)
    return { ...chosen, value: known, score: Math.min(0.97, chosen.score) }
  for (const hit of known ? [] : hitsOf(passages, DESIGNED)) {
    const from = Math.max(0, hit.match.index - 60)
    const design = parseDesign(hit.passage.text.slice(from, hit.match.index + 110))
    const value = design && DESIGN[String(design.value)]
    if (!design || !value || design.fit < 1) continue
    candidates.push({
      value,
      score: 0.88 * hit.ours,
      words: hit.wordsAt(from + design.start, from + design.end),
      method: 'prose',
    })
  }
  return elect(candidates)
}

const REPETITIONS =
  /^(?:(?:n(?:umero|[º°o.]{0,2}))? ?(?:de )?|quantidade de )(?:repeticoes|blocos|repeticao|replicas|reps?\.?)(?: ?\/ ?blocos)?(?: por tratamento)?(?: ?\(.{1,12}\))?[ .:]{0,60}$/

function repetitionsOf({ pairs, tables }: Read, passages: readonly Passage[]): Candidate<number>[] {
  const labelled = pairs.flatMap((pair): Candidate<number>[] => {
    const label = fold(pair.label.slice(0, 100))
    if (pair.label.length > 80 || !REPETITIONS.test(label)) return []
    // 'Blocos  3  165,8' is a row of an analysis of variance: its degrees of freedom.
    if (pair.kind !== 'colon' && /^blocos?$/.test(label.trim())) return []
    const printed = /^[\s:.=]{0,80}(\d{1,2}|[a-z]{4,6})(?![\d,.]\d|\d|[a-z])/.exec(
      pair.value.folded.slice(0, 100),
    )
    const value = countOf(printed?.[1] ?? '')
    if (!printed || value === null || value < 2 || value > 30) return []
    const rest = pair.value.folded.slice(printed[0].length).trim()
    return [
      {
        value,
        score:
          (rest === '' || /^(?:\(|repet|bloco)/.test(rest) ? 0.97 : 0.6) * (pair.kind === 'header' ? 0.9 : 1),
        words: wordsIn(pair.value, 0, printed[0].length),
        method: pair.kind === 'header' || pair.kind === 'column' ? 'table' : 'label',
      },
    ]
  })
  const columns = tables.flatMap((table): Candidate<number>[] => {
    const own = table?.columns.filter(({ role }) => role === 'replicate') ?? []
    if (own.length < 2) return []
    return [{ value: own.length, score: 0.5, words: own.flatMap(({ words = [] }) => words), method: 'table' }]
  })
  // Columns of plots may be wanting one: what is written is surer.
  return [
    ...labelled,
    ...columns.filter(({ words }) => words.length > 0).slice(0, 1),
    ...repetitionsInText(passages),
  ]
}

const TEST_OF_MEANS =
  /^(?:testes? (?:de|para) (?:comparac\w{1,4} (?:de|entre) )?medias|comparac\w{1,4} (?:de|entre) medias|teste (?:estatistico|aplicado|de comparac\w{1,4}))[ .:]{0,60}$/

function testsOf({ pairs }: Read, passages: readonly Passage[]): Candidate<string>[] {
  const labelled = pairs.flatMap((pair): Candidate<string>[] => {
    if (pair.label.length > 80 || !TEST_OF_MEANS.test(fold(pair.label))) return []
    const value =
      testIn(pair.value.folded.slice(0, 120)) ?? (/^[\s:.]{0,60}t\b/.test(pair.value.folded) ? 't' : null)
    if (!value) return []
    return [{ value, score: 0.9, words: wordsIn(pair.value, 0, 120), method: 'label' }]
  })
  return [...labelled, ...testsInText(passages)]
}

/**
 * In kg/ha, by the factor that the means were taken with. Sacks or tonnes turned into kilos would feign decimals that
 * were never printed: beside a CV, which says the same, such a DMS is left out.
 */
function dmsOf(
  candidates: readonly (Candidate<number> & { label: string })[],
  drafts: readonly Draft[],
  beside: boolean,
): (Told<number> & { label: string }) | null {
  const found = elect(candidates)
  const factor = factorOf(drafts)
  if (!found || factor === null || (factor !== 1 && beside)) return null
  const value = Math.round(found.value * factor * 100) / 100
  const most = Math.max(...drafts.map(({ produtividade }) => produtividade?.value ?? 0))
  return value > 0 && value < most ? { ...found, value } : null
}

/** What the printed means were multiplied with: 60 for sacks, 1 for kilos. */
function factorOf(drafts: readonly Draft[]): number | null {
  const factors = drafts.flatMap(({ produtividade }) => {
    const text = produtividade?.words.map((word) => word.text).join('') ?? ''
    const printed = toNumber(/^\d[\d.,]{0,14}/.exec(text)?.[0].replace(/[.,]$/, '') ?? '')
    return produtividade && printed ? [Math.round((produtividade.value / printed) * 100) / 100] : []
  })
  const [most] = [...Map.groupBy(factors, (factor) => factor)].sort((a, b) => b[1].length - a[1].length)
  return most?.[0] ?? null
}

/** The DMS says itself of which test it is, or is that of the test of means where that one has a DMS. */
function testOfDms(
  dms: Told<number> & { label: string },
  teste: Told<string> | null,
): ReportedDraft['dms_teste'] {
  const own = testIn(dms.label) ?? (/\bt\b/.test(dms.label) ? 't' : null)
  if (own === 'Tukey') return { ...dms, value: 'tukey' }
  if (own === 't') return { ...dms, value: 't' }
  if (own !== null || !teste) return null
  if (teste.value === 'Tukey') return { ...teste, value: 'tukey', score: 0.9 * teste.score }
  return teste.value === 't' ? { ...teste, value: 't', score: 0.9 * teste.score } : null
}
