import type { Cell } from '../tables/table.ts'
import { PRODUCTS } from '../values/headings.ts'
import { readMode } from '../values/lexicon.ts'
import { fold } from '../values/text.ts'
import type { Column } from './columns.ts'
import { nutrientOfHeading } from './heading-product.ts'

const OF_PRODUCT = /\bprodutos?\b|\bcomercia(?:l|is)\b|\bp\.? ?c\b|\bfertilizantes?\b|\badubos?\b/
const OF_NUTRIENT =
  /\b(?:doses?|quantidades?|taxas?) (?:d[eo] )?(?:n|p|k|s|b|zn|mn|cu|si|ca|mg|p2o5|k2o|cao|mgo|so4|nutrientes?|elementos?|nitrogenio|fosforo|potassio|enxofre|calcio|magnesio|boro|zinco|silicio)\b/
const ACTIVE = /\bi\.? ?a\b|\bingredientes? ativos?\b|\be\.? ?a\b/
/** A column of ways tells volumes of spray, too: 'jato no sulco, 50 L/ha'. */
const OF_WAYS = /^(?:(?:forma|modo|via|tipo)s? de )?aplicac(?:ao|oes)$|^modalidades?$/
const MOST = 0.6

/** Of several columns of products and doses, those that tell something else of them. */
export function settleDoses(typed: Column[], columns: readonly (readonly Cell[])[]): void {
  // 'Fonte de N | N (kg/ha)'
  for (const [c, column] of typed.entries())
    if (
      column.role === 'yield' &&
      typed[c - 1]?.role === 'product' &&
      nutrientOfHeading(column.header) !== null
    )
      typed[c] = { ...column, role: 'dose', yieldUnit: null }
  // Of active ingredient and product, the dose is that of the product.
  const active = typed.filter((column) => column.role === 'dose' && ACTIVE.test(fold(column.header)))
  if (active.length < typed.filter((column) => column.role === 'dose').length)
    for (const column of active) column.role = 'ignore'
  // 'Dose de N | Dose do produto': what a nutrient's dose comes to is told by the product's.
  const doses = typed.filter(({ role }) => role === 'dose')
  const ofProduct = doses.filter(({ header }) => OF_PRODUCT.test(fold(header)))
  if (ofProduct.length > 0)
    for (const column of doses)
      if (!ofProduct.includes(column) && OF_NUTRIENT.test(fold(column.header))) column.role = 'ignore'
  // 'Produto | Ingrediente ativo': what is in it names no other product.
  if (
    typed.some(
      ({ role, header }) =>
        /^(?:name|product)$/.test(role) &&
        (PRODUCTS.test(fold(header)) || /^tratamentos?\b/.test(fold(header))) &&
        !ACTIVE.test(fold(header)),
    )
  )
    for (const column of typed)
      if (/^(?:name|product)$/.test(column.role) && ACTIVE.test(fold(column.header))) column.role = 'ignore'
  const products = typed.filter(({ role }) => /^(?:product|dose)$/.test(role))
  for (const [c, column] of typed.entries()) {
    if (!OF_WAYS.test(fold(column.header)) || !products.includes(column) || products.length < 2) continue
    const cells = (columns[c] ?? []).filter(({ text }) => /\p{L}/u.test(text))
    if (cells.filter(({ text }) => readMode(text) !== null).length > MOST * cells.length) column.role = 'mode'
  }
}
