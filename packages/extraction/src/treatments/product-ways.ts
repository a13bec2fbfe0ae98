import type { Document } from '../document.ts'
import { type Run, runOf, wordsIn } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { findModes } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'

/** A name's first word must have so many letters to be known by it. */
const LEAST_NAME = 4
/** A way is told at most so far behind the products that it is of. */
const FARTHEST = 90
/** The share of the treatments whose way must be told so. */
const MOST_OF_THEM = 0.6

interface Way {
  value: string
  words: Word[]
}

/** 'Ureia e Nitroplus em cobertura. Curtocal em pulverização. Azoplanta no sulco': each product's own way, of the treatment its first. */
export function fillWaysOfProducts(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter(({ control, modalidade, produtos }) => !control && !modalidade && produtos[0])
  if (open.length < 2) return
  const names = new Set(open.flatMap(({ produtos }) => produtos.map(({ nome }) => firstWord(nome.value))))
  names.delete('')
  const ways = new Map<string, Way>()
  for (const { blocks } of document.pages) for (const block of blocks) readWays(runOf(block), names, ways)
  if (new Set([...ways.values()].map(({ value }) => value)).size < 2) return
  const told = open.flatMap((draft) => {
    const way = ways.get(firstWord(draft.produtos[0]?.nome.value ?? ''))
    return way ? [{ draft, way }] : []
  })
  if (told.length < MOST_OF_THEM * open.length) return
  for (const { draft, way } of told) draft.modalidade = { ...way, score: 0.75, method: 'prose' }
}

function firstWord(name: string): string {
  const word = /^[a-z\d-]+/.exec(fold(name))?.[0] ?? ''
  return word.length < LEAST_NAME ? '' : word
}

function readWays(run: Run, names: ReadonlySet<string>, ways: Map<string, Way>): void {
  for (const sentence of run.folded.matchAll(/[^.;]+/g)) {
    let from = 0
    for (const mode of findModes(sentence[0])) {
      const before = sentence[0].slice(Math.max(from, mode.start - FARTHEST), mode.start)
      from = mode.end
      const at = sentence.index
      const start = at + Math.max(0, mode.start - before.length)
      // 'CoMo' is a name, 'usada como complemento' is not.
      for (const { 0: word, index } of before.matchAll(/[a-z\d-]+/g))
        if (names.has(word) && !ways.has(word) && /[\p{Lu}\d]/u.test(run.text.charAt(start + index)))
          ways.set(word, { value: mode.value, words: wordsIn(run, at + mode.start, at + mode.end) })
    }
  }
}
