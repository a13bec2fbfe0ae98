import type { Document } from '../document.ts'
import { type Run, runOf, wordsIn } from '../layout/run.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { inKilos, yieldUnit } from '../values/units.ts'
import { type Draft, type Found, normalCode } from './draft.ts'

const CODES = /\bt\d{1,2}(?:\s*(?:,|e|,\s*e)\s*t\d{1,2})+/g
const AMOUNTS = new RegExp(
  String.raw`(?:r\$\s*)?(?:${NUMBER_SOURCE})(?:\s*(?:,\s*e|,|;|e)\s*(?:r\$\s*)?(?:${NUMBER_SOURCE}))+`,
  'g',
)

/** 'O custo de T2, T3 e T4 foi de R$ 48,00, R$ 66,00 e R$ 101,00, respectivamente': one amount a treatment. */
export function fillRespectively(document: Document, drafts: readonly Draft[]): void {
  for (const layout of document.pages)
    for (const block of layout.blocks) {
      const run = runOf(block)
      for (const sentence of run.folded.matchAll(/[^;]+?(?:\.\s|;|$)/g))
        if (/\brespectivamente\b/.test(sentence[0])) fill(run, sentence[0], sentence.index, drafts)
    }
}

function fill(run: Run, sentence: string, at: number, drafts: readonly Draft[]): void {
  const order = treatmentsIn(sentence, drafts)
  if (order.length < 2) return
  for (const list of sentence.matchAll(AMOUNTS)) {
    const numbers = [...list[0].matchAll(new RegExp(NUMBER_SOURCE, 'g'))]
    if (numbers.length !== order.length) continue
    const money = /r\$/.test(list[0])
    const tail = sentence.slice(list.index + list[0].length, list.index + list[0].length + 22)
    const unit = money ? null : yieldUnit(`${numbers.at(-1)?.[0] ?? ''} ${tail}`)
    const before = sentence.slice(0, list.index)
    numbers.forEach((number, i) => {
      const draft = order[i]
      const value = toNumber(number[0])
      if (!draft || value === null) return
      const start = at + list.index + number.index
      const found: Found<number> = {
        value,
        words: wordsIn(run, start, start + number[0].length),
        score: 0.8,
        method: 'prose',
      }
      if (money && /\bcust|\binvesti|\bdesembols|\bgast/.test(before)) {
        if (draft.custo?.method !== 'table') draft.custo = found
      } else if (unit && /\bprod|\brend|\bcolh|\balcan|\bating/.test(before))
        draft.produtividade ??= {
          ...found,
          ...inKilos(value, unit),
        }
    })
  }
}

/** The treatments that the sentence names, in its order: by codes, else by their names. */
function treatmentsIn(sentence: string, drafts: readonly Draft[]): Draft[] {
  const codes = CODES.exec(sentence)
  CODES.lastIndex = 0
  if (codes)
    return [...codes[0].matchAll(/t(\d{1,2})/g)]
      .map(([, code]) => drafts.find((draft) => draft.code === normalCode(code ?? '')))
      .filter((draft) => draft !== undefined)
  return drafts
    .map((draft) => {
      const name = draft.control ? 'testemunha' : fold(draft.nome?.value ?? '')
      return { draft, at: name.length > 2 ? sentence.indexOf(name) : -1 }
    })
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .map(({ draft }) => draft)
}
