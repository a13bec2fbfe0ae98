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
