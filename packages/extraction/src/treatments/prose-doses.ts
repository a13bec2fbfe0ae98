import type { Document } from '../layout/document.ts'
import { makeRun, type Run, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { DOSE_UNIT_SOURCE, doseUnit } from '../values/units.ts'
import type { Draft, DraftProduct } from './draft.ts'

interface Told {
  name: string
  dose: NonNullable<DraftProduct['dose']>
  unidade: DraftProduct['unidade']
}

const BESIDE = new RegExp(
  String.raw`^[\s,]*(?:\((?:na )?(?:dose de |a )?|[àa]s?\s|na dose (?:de )?|em dose de |de )?\s*(${NUMBER_SOURCE})\s*(${DOSE_UNIT_SOURCE})`,
)

/**
 * Fills in doses that only the running text tells: 'testemunha; X a 200 mL/ha; X 200 mL/ha + Y 0,5 L/ha'.
 * A passage that names just the products of a treatment is its own; else a product has its one dose.
 */
export function fillDosesFromProse(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.filter((draft) => draft.produtos.some((product) => product.dose === null))
  if (open.length === 0) return
  const names = [...new Set(drafts.flatMap((draft) => draft.produtos.map((p) => fold(p.nome.value))))]
    .filter((name) => name.length > 2)
    .sort((a, b) => b.length - a.length)
  const passages = document.pages.flatMap((layout) =>
    layout.blocks.flatMap((block) => passagesOf(makeRun(block.segments.flatMap((s) => s.words)), names)),
  )
  for (const draft of open) {
    const wanted = draft.produtos.map((product) => fold(product.nome.value))
    const own = passages.find(
      (told) => told.length === wanted.length && wanted.every((name) => told.some((t) => t.name === name)),
    )
    for (const product of draft.produtos) {
      if (product.dose) continue
      const name = fold(product.nome.value)
      const everywhere = passages.flat().filter((t) => t.name === name)
      const same = everywhere.every((t) => t.dose.value === everywhere[0]?.dose.value)
      const found = own?.find((t) => t.name === name) ?? (same ? everywhere[0] : undefined)
      if (!found) continue
      product.dose = found.dose
      product.unidade = found.unidade
    }
  }
}

function passagesOf(run: Run, names: readonly string[]): Told[][] {
  const bounds = [...run.text.matchAll(/[;:]\s|(?<=[\p{L}\d)])\.\s+(?=\p{Lu})/gu)].map((m) => m.index + 1)
  return [0, ...bounds].map((from, i) => toldIn(run, from, bounds[i] ?? run.text.length, names))
}

function toldIn(run: Run, from: number, to: number, names: readonly string[]): Told[] {
  const told: Told[] = []
  for (let at = from; at < to; at++) {
    const name = names.find((n) => run.folded.startsWith(n, at))
    if (!name || /[a-z]/.test(run.folded.charAt(at - 1)) || /[a-z]/.test(run.folded.charAt(at + name.length)))
      continue
    const end = at + name.length
    const match = BESIDE.exec(run.folded.slice(end, end + 60))
    const value = match?.[1] ? toNumber(match[1]) : null
    if (match?.[1] && value !== null) {
      const start = end + match[0].lastIndexOf(match[1], match[0].length - (match[2]?.length ?? 0))
      told.push({
        name,
        dose: {
          value,
          words: wordsIn(run, start, start + match[1].length),
          score: 0.8,
          method: 'prose',
        },
        unidade: doseUnit(match[2] ?? ''),
      })
    }
    at = end - 1
  }
  return told
}
