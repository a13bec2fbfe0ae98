import type { Document } from '../document.ts'
import { aside } from '../fields/candidate.ts'
import { makeRun, type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'

/** Running text, notes and cells in which something is said of the statistics. */
export interface Passage {
  run: Run
  /** Lower case without accents; as long as the run's text. */
  text: string
}

/** What a document says is looked for in so many characters at most. */
const MOST_CHARACTERS = 400_000
const MENTIONS =
  /\bc\.? ?v\b|\bc\.v\.|variac|\bd\.? ?m\.? ?s\b|\bl\.?s\.?d\b|minima signif|blocos?\b|repeti|replic|\breps?\b|\bd\.?b\.?c|\bd\.?i\.?c\b|casualiz|acaso|quadrado|subdiv|split|faixas|tukey|scott|duncan|dunnett|newman|bonferroni|teste t\b|liberdade|\bg\.?l\b|\bf ?\(|\bs\.?n\.?k\b/

export function passagesOf(document: Document): Passage[] {
  const passages: Passage[] = []
  let left = MOST_CHARACTERS
  const add = (run: Run): void => {
    left -= run.text.length
    if (left > 0 && MENTIONS.test(run.folded)) passages.push({ run, text: run.folded })
  }
  for (const { blocks, tables, furniture } of document.pages) {
    for (const block of blocks) add(runOf(block))
    // A note at the foot of the last page stands where running feet stand.
    for (const line of furniture) add(makeRun(line.words))
    for (const { rows } of tables)
      for (const cell of new Set(rows.flat())) if (cell && cell.text.length >= 5) add(makeRun(cell.words))
  }
  return passages
}

export interface Hit {
  match: RegExpExecArray
  passage: Passage
  /** The sentence around it, as far as it bears on it, in two halves. */
  before: string
  after: string
  /** Less where it is said of another trial, an earlier year or the literature. */
  ours: number
  wordsAt: (from: number, to: number) => Word[]
}

/** 'desta vez' tells of what was otherwise the last time. */
const BEFORE =
  /\bdesta vez\b|\bda (?:outra|ultima) vez\b|\b(?:ano|safra|ensaio) passad[oa]\b|\bprimeir[oa] (?:ensaio|ano|safra)\b/
const NEAR = 170
/** A document says it a few times; one that says it without end is not read to its end. */
const MOST_HITS = 200

/** Where a pattern stands in the passages, each time with the sentence around it. */
export function hitsOf(passages: readonly Passage[], pattern: RegExp): Hit[] {
  const hits: Hit[] = []
  for (const passage of passages)
    for (const match of passage.text.matchAll(pattern)) {
      if (hits.length >= MOST_HITS) return hits
      const end = match.index + match[0].length
      const before = sentenceEnd(passage.text.slice(Math.max(0, match.index - NEAR), match.index))
      const after = sentenceStart(passage.text.slice(end, end + NEAR))
      hits.push({
        match,
        passage,
        before,
        after,
        ours: Math.min(aside(`${before}${match[0]}${after}`), BEFORE.test(`${before}${after}`) ? 0.3 : 1),
        wordsAt: (from, to) => wordsIn(passage.run, from, to),
      })
    }
  return hits
}

const STOP = /[.;!?] (?=\D)/g
const ABBREVIATED = /\b(?:c\.? ?v|d\.m\.s|coef|trat|rep|prob|n)$/

/** What of the text stands in the sentence that it ends with. */
function sentenceEnd(text: string): string {
  let from = 0
  for (const { index } of text.matchAll(STOP)) if (!ABBREVIATED.test(text.slice(0, index))) from = index + 2
  return text.slice(from)
}
function sentenceStart(text: string): string {
  for (const { index } of text.matchAll(STOP))
    if (!ABBREVIATED.test(text.slice(0, index))) return text.slice(0, index)
  return text
}
