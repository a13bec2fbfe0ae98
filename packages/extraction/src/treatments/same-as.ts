import { fold } from '../values/text.ts'
import type { Draft, DraftProduct } from './draft.ts'

/** 'idem T4', 'igual ao tratamento 4', 'T4': another treatment where a product should be. */
const OTHER = /^(?:(?:idem|igual a[o]?|mesmo (?:que|de)|como) )?(?:o )?(?:t|trat\.?|tratamento) ?0?(\d{1,2})$/
/** 'T3 + Azoplan' */
const UPON = /^T\s?0?(\d{1,2})\s*\+/
/** 'os três produtos juntos, nas mesmas doses' */
const TOGETHER =
  /^(?:os|as|todos os) (?:(dois|tres|quatro|cinco) )?(?:produtos|insumos) (?:juntos|associados|combinados|em mistura)\b/
const COUNTS: Readonly<Record<string, number>> = { dois: 2, tres: 3, quatro: 4, cinco: 5 }

const own = (product: DraftProduct): DraftProduct => ({ ...product, custo: null })

/** Treatments told upon others get what those got. */
export function takeFromOthers(drafts: readonly Draft[]): void {
  for (const draft of drafts) {
    const at = draft.produtos.findIndex(({ nome, dose }) => dose === null && OTHER.test(fold(nome.value)))
    const upon = UPON.exec(draft.nome?.value ?? '')?.[1]
    const code = upon ?? OTHER.exec(fold(draft.produtos[at]?.nome.value ?? ''))?.[1]
    const other = drafts.find((one) => one !== draft && one.code === code && one.produtos.length > 0)
    if (code === undefined || !other || other.produtos.some(({ dose }) => dose === null)) continue
    const told = other.produtos.map(own)
    draft.produtos = upon
      ? [...told, ...draft.produtos.filter((_, i) => i !== at)]
      : draft.produtos.flatMap((product, i) => (i === at ? told : product))
    rename(draft)
  }
  const single = drafts.flatMap(({ produtos: [product, more] }) => (product?.dose && !more ? [product] : []))
  const names = new Map(single.map((product) => [fold(product.nome.value), product]))
  for (const draft of drafts) {
    const said = TOGETHER.exec(fold(draft.nome?.value ?? ''))
    if (!said || draft.produtos.length > 0 || names.size < 2) continue
    if (said[1] !== undefined && COUNTS[said[1]] !== names.size) continue
    draft.produtos = [...names.values()].map(own)
    rename(draft)
  }
}

function rename(draft: Draft): void {
  if (!draft.nome) return
  const value = draft.produtos.map(({ nome }) => nome.value).join(' + ')
  draft.nome = { ...draft.nome, value }
}
