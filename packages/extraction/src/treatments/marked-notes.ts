import type { Document } from '../document.ts'
import { makeRun, sliceRun } from '../layout/run.ts'
import type { Word } from '../read/page.ts'
import { fold } from '../values/text.ts'
import type { Draft } from './draft.ts'
import { readProducts } from './products.ts'

/** Where a note begins: at the start of its line, or behind another one. */
const SIGN = /(?:^|(?<=[.;]\s))([¹²³⁴]|\*{1,3}|[†‡§])\s?(?=\p{L})/gu
const ADDED =
  /^(?:(?:foi |foram )?(?:adicionad|acrescid|acrescentad)[oa]s?|com(?: adicao)?|adicao|mais|em mistura com)\s+(?:d[eo] |[oa] )?/
/** A note is short. */
const LONGEST = 300

/** '¹ Adicionado Oleofix a 0,5 L/ha.' below a table: what the treatments got besides whose names carry the sign. */
export function fillMarkedNotes({ pages }: Document, drafts: readonly Draft[]): void {
  for (const { lines, furniture } of pages)
    for (const { words } of [...lines, ...furniture]) {
      const run = makeRun(words)
      if (run.text.length > LONGEST) continue
      const signs = [...run.text.matchAll(SIGN)]
      for (const [i, { 0: whole, 1: sign = '', index }] of signs.entries()) {
        const from = index + whole.length
        const to = signs[i + 1]?.index ?? run.text.length
        const added = ADDED.exec(run.folded.slice(from, to))
        const [product, other] = added ? readProducts(sliceRun(run, from + added[0].length, to), 'prose') : []
        if (!product?.dose || other) continue
        for (const draft of drafts) {
          const known = draft.produtos.some(({ nome }) => fold(nome.value) === fold(product.nome.value))
          if (!draft.control && !known && carries(draft, sign)) draft.produtos.push({ ...product })
        }
      }
    }
}

/** '¹' of 'Zoltrix SC¹', '*' of 'Padrão 1 (Trifox) *' */
export const signBehind = (text: string): string | null => /(?:[¹²³⁴]|\*{1,3}|[†‡§])$/.exec(text)?.[0] ?? null

function carries({ nome, produtos, sign: own }: Draft, sign: string): boolean {
  const ends = ({ text }: Word): boolean => signBehind(text) === sign
  if (own !== undefined) return own === sign
  return [...(nome?.words ?? []), ...produtos.flatMap((product) => product.nome.words)].some(ends)
}
