import { type ExperimentFilter, searchable } from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'

/** A literal for `like`, contained anywhere. */
export const contains = (text: string): string => `%${searchable(text).replace(/[\\%_]/g, '\\$&')}%`

/**
 * The dashboard's filter as a condition on `experimentos e`. Names match exactly; a product matches when any
 * treatment has one whose name contains the text, whatever its case and accents.
 */
export function filterCondition(filter: ExperimentFilter): RawBuilder<unknown> {
  const conditions = [sql`e.deleted_at is null`]
  const add = (value: string | undefined, condition: (value: string) => RawBuilder<unknown>) => {
    if (value) conditions.push(condition(value))
  }
  add(filter.regional, (nome) => sql`e.regiao_id = (select id from regioes where nome = ${nome})`)
  add(filter.cultura, (nome) => sql`e.cultura_id = (select id from culturas where nome_cultura = ${nome})`)
  add(filter.marca, (nome) => sql`e.fabricante_id = (select id from fabricantes where nome = ${nome})`)
  add(
    filter.consultoria,
    (nome) => sql`e.consultoria_id = (select id from consultorias where nome = ${nome})`,
  )
  add(filter.ano, (ano) => (/^\d{4}$/.test(ano) ? sql`e.ano = ${Number(ano)}` : sql`false`))
  add(filter.bu, (bu) => (/^BU[1-3]$/.test(bu) ? sql`e.bu = ${Number(bu.slice(2))}` : sql`false`))
  add(
    filter.produto,
    (produto) => sql`exists (
      select from produtos_aplicados a
      where a.experimento_id = e.id and a.produto_id in (select id from produtos where busca like ${contains(produto)})
    )`,
  )
  return sql.join(conditions, sql` and `)
}
