import type { Document } from '../document.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Draft, Found } from './draft.ts'

/** 'Médias para as doses de Silifort', 'em função de doses do Biofort': the product of which each treatment is a dose. */
const DOSES_OF =
  /\b(?:[Dd]oses(?: crescentes| foliares| de aplicação)*|[Ee]m função da dose)\s+d[eo]\s+(?:(?:produto|fertilizante|adubo|inoculante|fungicida|herbicida|inseticida|regulador|bioestimulante)\s+)?((?:\p{Lu}[\p{L}\d-]+)(?:\s+(?:\p{Lu}[\p{L}\d-]*|\d+))*)/u
/** 'A fonte foi Nitrolenta 44 (44 % de N)' */
const SOURCE =
  /\b[Ff]onte (?:de (?:N|nitrog[êe]nio|\p{Lu}[\p{L}\d]{0,3}) )?(?:\p{Ll}{4,12} )?foi (?:[oa] )?(?:\p{Ll}{4,14} )?((?:\p{Lu}[\p{L}\d-]+)(?:\s+(?:\p{Lu}[\p{L}\d-]*|\d+))*)/u
/** 'Doses de N': of whatever it was given. */
const NUTRIENT = /\b[Dd]oses? de (N|K2O|K₂O|P2O5|P₂O₅|K|P|S|B|Zn|Mn|Mg|Ca|Si)\b(?![-+])/u
/** Fewer doses make no trial of doses. */
const LEAST_DOSES = 2

/** Treatments that a table only tells by their doses are those of the one product that the report names. */
export function fillDoseTrial(document: Document, drafts: readonly Draft[]): void {
  const bare = drafts.filter(
    ({ control, produtos, nome }) => !control && produtos.length === 0 && nome === null,
  )
  const dosed = bare.filter(({ loose }) => loose?.length === 1 && (loose[0]?.dose?.value ?? 0) > 0)
  if (dosed.length < LEAST_DOSES || dosed.length !== drafts.length - 1) return
  const name = productOf(document)
  if (!name) return
  for (const draft of dosed) {
    const [first] = draft.loose ?? []
    if (!first?.dose) continue
    draft.produtos = [{ nome: name, dose: first.dose, unidade: first.unidade, custo: null }]
    const amount = String(first.dose.value).replace('.', ',')
    const value = `${name.value} ${amount}${first.unidade ? ` ${first.unidade}` : ''}`
    draft.nome = { ...name, value, words: [...name.words, ...first.dose.words] }
  }
}

const productOf = (document: Document): Found<string> | null =>
  named(document, DOSES_OF) ?? named(document, SOURCE) ?? named(document, NUTRIENT)

function named(document: Document, pattern: RegExp): Found<string> | null {
  for (const { blocks, lines } of document.pages) {
    const runs: Run[] = [
      ...blocks.map(runOf),
      ...lines.map((line) => makeRun(line.segments.flatMap(({ words }) => words))),
    ]
    for (const run of runs) {
      const match = pattern.exec(run.text)
      if (!match?.[1]) continue
      const at = match.index + match[0].length - match[1].length
      return { value: match[1], words: wordsIn(run, at, at + match[1].length), score: 0.75, method: 'prose' }
    }
  }
  return null
}
