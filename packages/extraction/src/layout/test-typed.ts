import { arrange } from '../document.ts'
import type { Page, Word } from '../read/page.ts'
import { readLists } from '../treatments/lists.ts'
import { readTreatments } from '../treatments/treatments.ts'

const SIGN = 6
const LINE = 11.4

/** A page of a fixed type: every sign is as wide, runs of four dashes or more are leaders, which the reader leaves out. */
export function typed(text: string): Page {
  const lines = text.replace(/^\n/, '').split('\n')
  const words = lines.flatMap((line, row) =>
    [...line.replace(/[-.]{4,}/g, (leader) => ' '.repeat(leader.length)).matchAll(/\S+/g)].map(
      ({ 0: sign, index }): Word => {
        const base = 60 + row * LINE
        return {
          ...{ text: sign, x0: 40 + index * SIGN, x1: 40 + (index + sign.length) * SIGN, base },
          ...{ y0: base - 7.6, y1: base + 2.4, size: 10, bold: false, page: 0 },
        }
      },
    ),
  )
  return {
    ...{ index: 0, width: 595, height: 842, turn: 0, displayed: { width: 595, height: 842 } },
    ...{ words, rulings: [], checkBoxes: [], bullets: [], images: [], scanned: false },
    project: (box) => box,
  }
}

/** Name, yield and dosed products of each treatment. */
export const treatmentsOf = (text: string, strictness: 'sure' | 'likely' = 'sure') =>
  readTreatments(arrange([typed(text)]), { strictness, listed: readLists(arrange([typed(text)])) })
    .find(({ drafts }) => drafts.length > 0)
    ?.drafts.map((draft) => [
      draft.nome?.value,
      draft.produtividade?.value,
      ...draft.produtos.map(({ nome, dose, unidade }) => `${nome.value} ${dose?.value} ${unidade}`),
    ])
