import type { Document } from '../document.ts'
import { runOf, wordsIn } from '../layout/run.ts'
import type { Table } from '../tables/table.ts'
import { hasLetters } from '../values/text.ts'
import { type Draft, type DraftProduct, normalCode, readCode } from './draft.ts'
import { cleanName } from './product-names.ts'
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

/** The letters of 'A + C' or 'E (padrão)', one a product; null where a name is more than letters. */
export function codesOf(name: string): string[] | null {
  const codes = name
    .replace(/\([^)]*\)/g, ' ')
    .trim()
    .split(/\s*(?:[+,/;&]|\se\s)\s*/)
  return codes.every((code) => /^[A-Z]\d{0,2}$/.test(code)) ? codes : null
}

/** The codes that a treatment is named by, or its products with their doses. */
function codesIn({ nome, produtos }: Draft): string[] {
  const dosed = produtos.filter(({ dose }) => dose !== null).map((product) => product.nome.value)
  const coded = dosed.length > 0 && dosed.every((name) => /^[A-Z]\d{0,2}$/.test(name))
  return codesOf(nome?.value ?? '') ?? (coded ? dosed : [nome?.value ?? ''])
}

/** 'Legenda de produtos – A: Dimicalc 12 (Ca 12%); B: Dimibor 10': what letters stand for, said in a sentence. */
export function legendInProse(
  document: Document,
  drafts: readonly Draft[],
): ProductLegend['products'] | null {
  if (!drafts.some((draft) => codesIn(draft).every((code) => /^[A-Z]\d{0,2}$/.test(code)))) return null
  for (const { blocks } of document.pages)
    for (const block of blocks) {
      const run = runOf(block)
      const found = [...run.text.matchAll(/(?<![\p{L}\d])([A-Z]\d?)\s*[:=–-]\s+(?=\p{L})/gu)]
      const products = new Map<string, DraftProduct>()
      found.forEach((match, i) => {
        const start = match.index + match[0].length
        const end = found[i + 1]?.index ?? run.text.length
        const said = /^[^;(]+?(?=\s*(?:[;(]|\.\s|$))/.exec(run.text.slice(start, end))?.[0]
        if (!match[1] || !said) return
        const words = wordsIn(run, start, start + said.length)
        const nome = { value: cleanName(said), words, score: 0.85, method: 'prose' as const }
        if (hasLetters(nome.value) && nome.value.length <= 40)
          products.set(match[1], { nome, dose: null, unidade: null, custo: null })
      })
      if (products.size >= 2 && usesCodes(drafts, products)) return products
    }
  return null
}

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
    const told = draft.produtos.filter(({ dose }) => dose !== null)
    draft.produtos = own.map((product, i) => ({
      ...product,
      dose: product.dose ?? told[i]?.dose ?? null,
      unidade: product.unidade ?? told[i]?.unidade ?? null,
    }))
  }
}
