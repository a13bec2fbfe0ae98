/** What a column of a report's table holds; of a 'productDose' the heading names the product. */
export const COLUMN_ROLES = [
  'code',
  'name',
  'product',
  'dose',
  'productDose',
  'unit',
  'mode',
  'yield',
  'cost',
  'productCost',
  'analysis',
  'replicate',
  'ignore',
] as const
export type ColumnRole = (typeof COLUMN_ROLES)[number]

/** What a line of it is: 'more' goes on with the treatment above, 'out' is a mean, a CV, a note. */
export const ROW_LABELS = ['heading', 'treatment', 'more', 'section', 'out'] as const
export type RowLabel = (typeof ROW_LABELS)[number]

/** Share of the phrases that two layouts have in common, estimated. */
export function likeness(a: readonly number[], b: readonly number[]): number {
  if (a.length === 0 || a.length !== b.length) return 0
  return a.filter((value, i) => value === b[i]).length / a.length
}

/** From this share on, two reports are of one layout: those of different makers share hardly any. */
export const LAYOUT_ALIKE = 0.36
