import type { Draft, DraftProduct } from './draft.ts'
import type { TreatmentTable } from './table-rows.ts'

/** 'A + C', where another table says which products A and C are, and in which doses. */
export function resolveProductCodes(drafts: readonly Draft[], tables: readonly TreatmentTable[]): void {
  const treated = drafts.filter((draft) => !draft.control && draft.nome)
  const parts = treated.map((draft) => draft.nome?.value.split(/\s*(?:[+,/;&]|\be\b)\s*/) ?? [])
  if (treated.length < 2 || !parts.flat().every((part) => /^[A-Z]$/.test(part))) return
  const products = new Map<string, DraftProduct>()
  for (const { drafts: rows } of tables)
    if (rows.every((row) => !row.control && !row.produtividade && row.produtos.length === 1))
      for (const { code, produtos } of rows) if (code !== null && produtos[0]) products.set(code, produtos[0])
  treated.forEach((draft, i) => {
    const own = (parts[i] ?? []).flatMap((part) => products.get(part) ?? [])
    if (!draft.nome || own.length === 0 || own.length < (parts[i]?.length ?? 0)) return
    draft.nome = { ...draft.nome, value: own.map((product) => product.nome.value).join(' + ') }
    draft.produtos = own.map((product) => ({ ...product }))
  })
}
