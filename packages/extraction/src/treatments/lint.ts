import { round } from '../values/number.ts'
import { fold } from '../values/text.ts'
import type { TreatmentTable } from './table-rows.ts'

const LINT = /\b(?:pluma|fibra)\b/
const SEED = /\bcaroco\b/

/** Lint is a part of the seed cotton: where one table tells this and another one that, the lint is a measurement. */
export function settleLint(tables: readonly TreatmentTable[]): void {
  const yields = tables.map(({ columns }) => columns.find(({ role }) => role === 'yield'))
  const said = (i: number): string => fold(`${yields[i]?.header ?? ''} ${tables[i]?.title ?? ''}`)
  if (!tables.some((_, i) => yields[i] && SEED.test(said(i)))) return
  for (const [i, table] of tables.entries()) {
    const column = yields[i]
    if (!column?.yieldUnit || !LINT.test(fold(column.header)) || SEED.test(fold(column.header))) continue
    const { factor } = column.yieldUnit
    const [, nome = column.header, unidade = null] = /^(.*?)\s*\(([^()]{1,12})\)$/.exec(column.header) ?? []
    column.role = 'analysis'
    for (const draft of table.drafts) {
      if (!draft.produtividade) continue
      const { value, words, score, method } = draft.produtividade
      draft.analises.push({ nome, unidade, valor: { value: round(value / factor, 4), words, score, method } })
      draft.produtividade = null
    }
  }
}
