import type { Table } from '../tables/table.ts'
import { type Draft, type DraftProduct, normalCode, readCode } from './draft.ts'
import type { TreatmentTable } from './table-rows.ts'

/** A table of products by code, and what each code stands for. */
export interface ProductLegend {
  treatments: TreatmentTable
  products: ReadonlyMap<string, DraftProduct>
}

/** The table that says which products 'A + C' or 'P1 + P3' are; its codes are not those of treatments. */
export function findProductLegend(
  read: readonly { table: Table; treatments: TreatmentTable }[],
): ProductLegend | null {
  for (const { table, treatments } of read) {
    const at = treatments.columns.findIndex((column) => column.role === 'code')
    const { drafts } = treatments
    const lists = drafts.every((row) => !row.control && !row.produtividade && row.produtos.length === 1)
    if (at < 0 || drafts.length < 2 || !lists) continue
    const products = new Map<string, DraftProduct>()
    for (const row of table.rows) {
      const code = row[at]?.text ?? ''
      const own = drafts.find(
        (draft) => draft.code !== null && draft.code === normalCode(readCode(code) ?? ''),
      )
      if (/^[A-Z]\d{0,2}$/.test(code) && own?.produtos[0]) products.set(code, own.produtos[0])
    }
    const others = read.filter((entry) => entry.treatments !== treatments)
    if (others.some((entry) => usesCodes(entry.treatments.drafts, products))) return { treatments, products }
  }
  return null
}

const codesIn = (draft: Draft): string[] => draft.nome?.value.split(/\s*(?:[+,/;&]|\se\s)\s*/) ?? []

function usesCodes(drafts: readonly Draft[], products: ProductLegend['products']): boolean {
  const treated = drafts.filter((draft) => !draft.control && draft.nome)
  return treated.length >= 2 && treated.every((draft) => codesIn(draft).every((code) => products.has(code)))
}

/** Puts the products in the place of their codes. */
export function resolveProductCodes(drafts: readonly Draft[], products: ProductLegend['products']): void {
  for (const draft of drafts) {
    const own = codesIn(draft).flatMap((code) => products.get(code) ?? [])
    if (draft.control || !draft.nome || own.length < codesIn(draft).length) continue
    draft.nome = { ...draft.nome, value: own.map((product) => product.nome.value).join(' + ') }
    draft.produtos = own.map((product) => ({ ...product }))
  }
}
