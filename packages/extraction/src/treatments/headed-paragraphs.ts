import type { Document } from '../document.ts'
import type { Block } from '../layout/lines.ts'
import { makeRun, wordsIn } from '../layout/run.ts'
import { findModes } from '../values/lexicon.ts'
import { type Draft, type DraftProduct, leadingCode } from './draft.ts'
import { toldProducts } from './told-products.ts'

/** A longer line is no heading. */
const LONGEST_HEADING = 80
/** So many blocks below a heading are of it. */
const MOST_BLOCKS = 3
/** The share of the treatments whose paragraph must tell a dose. */
const MOST_OF_THEM = 0.6

interface Told {
  produtos: DraftProduct[]
  modalidade: Draft['modalidade']
}

/** 'Tratamento 3 – Manejo completo' over a paragraph that tells what was applied, treatment after treatment. */
export function fillFromParagraphs(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter(
    ({ control, produtos }) => !control && produtos.every(({ dose }) => dose === null),
  )
  const others = drafts.filter(({ control }) => !control)
  if (open.length < 2 || open.length < MOST_OF_THEM * others.length) return
  const told = new Map<Draft, Told>()
  const blocks = document.pages.flatMap((page) => page.blocks)
  for (const [b, heading] of blocks.entries()) {
    const code = codeOf(heading)
    const draft = code === null ? undefined : open.find((one) => one.code === code)
    if (!draft || told.has(draft)) continue
    const after = blocks.slice(b + 1, b + 1 + MOST_BLOCKS)
    const next = after.findIndex((block) => codeOf(block) !== null)
    const own = next < 0 ? after.slice(0, 1) : after.slice(0, next)
    const run = makeRun(own.flatMap(({ segments }) => segments.flatMap(({ words }) => words)))
    const produtos = toldProducts(run, 'prose').filter(({ dose }) => dose !== null)
    const [way] = findModes(run.folded)
    if (produtos.length === 0) continue
    const words = way ? wordsIn(run, way.start, way.end) : []
    told.set(draft, {
      produtos,
      modalidade: way ? { value: way.value, words, score: 0.7, method: 'prose' } : null,
    })
  }
  if (told.size < MOST_OF_THEM * others.length) return
  for (const [draft, { produtos, modalidade }] of told) {
    draft.produtos = produtos
    draft.modalidade = modalidade ?? draft.modalidade
  }
}

/** Of a line that is nothing but a treatment's heading. */
function codeOf({ segments, text }: Block): string | null {
  return segments.length === 1 && text.length <= LONGEST_HEADING ? (leadingCode(text)?.code ?? null) : null
}
