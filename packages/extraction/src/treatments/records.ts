import type { Pair } from '../fields/pair.ts'
import type { Document } from '../layout/document.ts'
import { makeRun, type Run, sliceRun, wordsIn } from '../layout/run.ts'
import type { Box } from '../read/geometry.ts'
import { overlap, union } from '../read/geometry.ts'
import { COSTS, DOSES, GAINS, MODES, RETURNS, STAGES, YIELDS } from '../values/headings.ts'
import { isControl, readMode } from '../values/lexicon.ts'
import { readCell, readNumber, round } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { yieldUnit } from '../values/units.ts'
import { splitUnit } from './columns.ts'
import { type Draft, emptyDraft, leadingCode } from './draft.ts'
import { readDescription, readDoses } from './products.ts'

interface Heading extends Box {
  page: number
  run: Run
}

/** Treatments that have a heading each, with their own little list of labels and values below it. */
export function readRecords(document: Document, pairs: readonly Pair[]): Draft[] {
  const headings = document.pages.flatMap((layout) =>
    layout.lines
      .filter((line) => line.segments.length === 1 && line.words.length <= 16)
      .filter((line) => namesTreatment(line.segments[0]?.text ?? ''))
      .map((line): Heading => ({ ...union(line.words), page: layout.page.index, run: makeRun(line.words) })),
  )
  if (headings.length < 2) return []
  const drafts = headings.map((heading, i) => readRecord(heading, headings[i + 1], pairs))
  return drafts.filter((draft) => draft.produtividade !== null).length >= 2 ? drafts : []
}

function namesTreatment(text: string): boolean {
  if (/\d[\d.,]*\s*(?:kg|sc|sacas|t|@)\s*\/\s*ha/i.test(text)) return false
  return (
    /^(?:Tratamento|Trat\.?|TRATAMENTO|T)\s?\d{1,2}\s*[-–—:.|]/.test(text) ||
    (isControl(text) && text.length < 40)
  )
}

function readRecord(heading: Heading, next: Heading | undefined, pairs: readonly Pair[]): Draft {
  const draft = emptyDraft()
  const lead = leadingCode(heading.run.text)
  const title = lead ? sliceRun(heading.run, lead.end, heading.run.text.length) : heading.run
  draft.code = lead?.code ?? null
  draft.control = isControl(title.text)
  const described = readDescription(title, 'list')
  draft.nome = described.nome
  draft.produtos = draft.control ? [] : described.produtos
  for (const pair of pairs) {
    if (pair.kind === 'above' || pair.kind === 'header' || !belongs(pair, heading, next)) continue
    fill(draft, pair)
  }
  return draft
}

function belongs(pair: Pair, heading: Heading, next: Heading | undefined): boolean {
  const words = pair.value.spans.map((span) => span.word)
  const [first] = words
  if (!first) return false
  const after = first.page > heading.page || (first.page === heading.page && first.base > heading.y1)
  const before = !next || first.page < next.page || (first.page === next.page && first.base < next.y0)
  if (!after || !before || first.page > heading.page + 1) return false
  // The last record ends where its list ends.
  if (!next && first.page === heading.page && first.base - heading.y1 > 160) return false
  const box = union(words)
  return first.page !== heading.page || overlap(box.x0 - 200, box.x1 + 200, heading.x0, heading.x1) > 0
}

function fill(draft: Draft, pair: Pair): void {
  const label = fold(pair.label)
  const { value } = pair
  const words = wordsIn(value, 0, value.text.length)
  const amount =
    readCell(value.text.replace(/(?<=\d)\s*[a-zA-Z@%].*$/, '')) ??
    readNumber(value.text.replace(/^R\$\s*/, ''))
  if (DOSES.test(label)) {
    if (draft.produtos.some((product) => product.dose !== null)) return
    const doses = readDoses(value, null, 'list')
    draft.produtos.forEach((product, i) => {
      product.dose = doses[i]?.dose ?? null
      product.unidade = doses[i]?.unidade ?? null
    })
  } else if (YIELDS.test(label)) {
    const unit = yieldUnit(value.text) ?? yieldUnit(label)
    if (unit && amount !== null)
      draft.produtividade ??= {
        value: round(amount * unit.factor, 2),
        words,
        score: 0.85,
        method: 'list',
        rank: unit.rank,
      }
  } else if (RETURNS.test(label) || GAINS.test(label) || STAGES.test(label)) return
  else if (COSTS.test(label)) {
    if (amount !== null && /\d/.test(value.text))
      draft.custo ??= { value: amount, words, score: 0.85, method: 'list' }
  } else if (MODES.test(label)) {
    const mode = readMode(value.text)
    if (mode) draft.modalidade ??= { value: mode, words, score: 0.85, method: 'list' }
  } else if (
    amount !== null &&
    value.text.length < 24 &&
    /^[-+]?\d/.test(value.text) &&
    /\p{L}{3}/u.test(pair.label)
  ) {
    const own = splitUnit(pair.label)
    const printed = value.text.replace(/^[-+\d.,\s]+/, '').trim()
    if (!draft.analises.some((known) => known.nome === own.nome))
      draft.analises.push({
        nome: own.nome,
        unidade: own.unidade ?? (printed === '' ? null : printed),
        valor: { value: amount, words, score: 0.75, method: 'list' },
      })
  }
}
