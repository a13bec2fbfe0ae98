import type { Document } from '../document.ts'
import { runOf } from '../layout/run.ts'
import { NUMBER_SOURCE, toNumber } from '../values/number.ts'
import { DOSE_UNIT_SOURCE, printedUnit } from '../values/units.ts'
import type { Draft } from './draft.ts'

/** 'ZB-Café 0,5' */
const NUMBERED = new RegExp(String.raw`^(\p{L}.{2,40}?)\s(${NUMBER_SOURCE})$`, 'u')
/** 'Doses em kg/ha por aplicação', and '(0,5; 1,0; 2,0 e 3,0 kg/ha)' of the same numbers. */
const NOTED = new RegExp(String.raw`\bdoses?\b[^.;\d]{0,30}?\bem\s+(${DOSE_UNIT_SOURCE})`)
const LISTED = new RegExp(
  String.raw`(?<![\d.,])((?:${NUMBER_SOURCE}\s?(?:;|,|e|ou)\s){1,12}${NUMBER_SOURCE})\s?(${DOSE_UNIT_SOURCE})`,
  'g',
)
const LEAST = 2

/** Treatments of one product in several doses, of which the names tell the numbers and a note or a sentence the unit. */
export function fillNumberedNames(document: Document, drafts: readonly Draft[]): void {
  const open = drafts.flatMap((draft) => {
    const [product, more] = draft.produtos
    const [, name, number] = NUMBERED.exec(product?.nome.value ?? '') ?? []
    const dose = toNumber(number ?? '')
    return product && !more && product.dose === null && name && dose !== null ? [{ product, name, dose }] : []
  })
  const others = new Set(drafts.flatMap(({ produtos }) => produtos.map(({ nome }) => nome.value)))
  for (const [name, own] of Map.groupBy(open, ({ name }) => name)) {
    // 'Vit 250' where 'Vitabras' is another's product: the name is short for it.
    if ([...others].some((other) => other.startsWith(name) && !NUMBERED.test(other))) continue
    const doses = own.map(({ dose }) => dose)
    const unit = own.length < LEAST || new Set(doses).size < doses.length ? null : unitOf(document, doses)
    if (!unit) continue
    for (const { product, dose } of own) {
      const { words, method, score } = product.nome
      product.dose = { value: dose * unit.factor, words: words.slice(-1), score: 0.85 * score, method }
      product.nome = { ...product.nome, value: name }
      product.unidade = unit.unidade
    }
  }
}

function unitOf(document: Document, doses: readonly number[]): ReturnType<typeof printedUnit> | null {
  for (const { blocks } of document.pages)
    for (const block of blocks) {
      const { folded } = runOf(block)
      const noted = NOTED.exec(folded)?.[1]
      if (noted) return printedUnit(noted)
      for (const [, list = '', unit = ''] of folded.matchAll(LISTED)) {
        const told = [...list.matchAll(new RegExp(NUMBER_SOURCE, 'g'))].map(([number]) => toNumber(number))
        if (doses.every((dose) => told.includes(dose))) return printedUnit(unit)
      }
    }
  return null
}
