import { round } from '../values/number.ts'
import { fold } from '../values/text.ts'
import { captionVariable } from './row-values.ts'
import type { TreatmentTable } from './table-rows.ts'

/** Lint is a part of the seed cotton, what can be sold one of all tubers. */
const PARTS: readonly { part: RegExp; whole: RegExp }[] = [
  { part: /\b(?:pluma|fibra)\b/, whole: /\bcaroco\b/ },
  { part: /\bcomerci(?:al|ais|alizave(?:l|is))\b/, whole: /\btota(?:l|is)\b/ },
]

/** Where one table tells the whole harvest and another one a part of it, the part is a measurement. */
export function settlePartHarvests(tables: readonly TreatmentTable[]): void {
  const yields = tables.map(({ columns }) => columns.find(({ role }) => role === 'yield'))
  const said = (i: number): string => fold(`${yields[i]?.header ?? ''} ${tables[i]?.title ?? ''}`)
  for (const { part, whole } of PARTS) {
    if (!tables.some((_, i) => yields[i] && whole.test(said(i)))) continue
    for (const [i, table] of tables.entries()) {
      const column = yields[i]
      if (column?.role !== 'yield' || !column.yieldUnit || whole.test(said(i))) continue
      const named = part.test(fold(column.header))
      if (!named && !part.test(fold(table.title))) continue
      const { factor } = column.yieldUnit
      const [, head = column.header, unidade = null] = /^(.*?)\s*\(([^()]{1,12})\)$/.exec(column.header) ?? []
      const nome = named ? head : captionVariable(table.title)
      column.role = 'analysis'
      for (const draft of table.drafts) {
        if (!draft.produtividade) continue
        const { value, words, score, method } = draft.produtividade
        const valor = { value: round(value / factor, 4), words, score, method }
        draft.analises.push({ nome, unidade: named ? unidade : column.header, valor })
        draft.produtividade = null
      }
    }
  }
}
