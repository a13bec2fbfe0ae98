/** The overview computed from the base tables alone, as one would write it without kept figures. */
import type { ExperimentFilter } from '@ensaio/domain'
import type pg from 'pg'

const COLUMNS = {
  regional: 'e.regiao_id = (select id from regioes where nome = $)',
  cultura: 'e.cultura_id = (select id from culturas where nome_cultura = $)',
  marca: 'e.fabricante_id = (select id from fabricantes where nome = $)',
  consultoria: 'e.consultoria_id = (select id from consultorias where nome = $)',
  ano: 'e.ano = $::integer',
  bu: "'BU' || e.bu = $",
  produto: `exists (select from produtos_aplicados a where a.experimento_id = e.id
    and a.produto_id in (select id from produtos where busca like '%' || lower($) || '%'))`,
} as const

function where(filter: ExperimentFilter): { condition: string; values: string[] } {
  const conditions = ['e.deleted_at is null']
  const values: string[] = []
  for (const key of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]) {
    const sql: string = COLUMNS[key]
    const value = filter[key]
    if (!value) continue
    values.push(value)
    conditions.push(sql.replace('$', `$${values.length}`))
  }
  return { condition: conditions.join(' and '), values }
}

export async function overviewFromBaseTables(pool: pg.Pool, filter: ExperimentFilter): Promise<void> {
  const { condition, values } = where(filter)
  const statements = [
    `select e.cultura_id, e.fabricante_id, e.regiao_id, e.bu, e.ano, count(*), avg(e.produtividade_media),
      stddev_samp(e.produtividade_media), avg(e.roi), count(e.teor_argila), count(distinct e.consultoria_id)
    from experimentos e where ${condition}
    group by grouping sets ((), (e.cultura_id), (e.fabricante_id), (e.regiao_id), (e.bu), (e.ano))`,
    `select t.modalidade_id, count(*), avg(t.produtividade), stddev_samp(t.produtividade), avg(e.roi)
    from experimentos e join tratamentos t on t.experimento_id = e.id and t.ordem > 1
    where ${condition} group by 1`,
    `select u.produto_id, count(*), sum(u.custo) / nullif(sum(u.custos), 0), avg(u.roi),
      mode() within group (order by u.fabricante_id)
    from (
      select a.produto_id, e.id, e.roi, e.fabricante_id, sum(a.custo) as custo, count(a.custo) as custos
      from experimentos e join produtos_aplicados a on a.experimento_id = e.id
      where ${condition} group by a.produto_id, e.id
    ) u group by 1 order by 4 desc nulls last limit 10`,
    `select e.id, e.teor_argila, e.produtividade_media from experimentos e
    where ${condition} and e.teor_argila is not null order by e.amostra, e.id limit 1000`,
  ]
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const statement of statements) await client.query(statement, values)
  } finally {
    client.release()
  }
}
