import { sql } from 'kysely'
import type { Handle } from '../../database/handle.ts'

/** 'cells' in ASCII, shortened to an integer: one refresh at a time, whichever server does it. */
const REFRESH_LOCK = 0x63656c6c
const CELL = sql.raw('cultura_id, ano, regiao_id, fabricante_id, bu')
const CELL_OF_E = sql.raw('e.cultura_id, e.ano, e.regiao_id, e.fabricante_id, e.bu')

/** Whether some figures are older than what was written. */
export async function anyDirty(handle: Handle): Promise<boolean> {
  const { rows } = await sql`select from celulas_sujas limit 1`.execute(handle)
  return rows.length > 0
}

/**
 * Recomputes up to `most` touched cells from the base tables. Doing it twice changes nothing, and a write that
 * commits meanwhile has left its own mark. Answers how many it did.
 */
export async function refreshCells(handle: Handle, most: number): Promise<number> {
  return handle.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${REFRESH_LOCK})`.execute(transaction)
    await sql`
      create temporary table if not exists vez (
        cultura_id integer, ano smallint, regiao_id integer, fabricante_id integer, bu smallint
      ) on commit delete rows
    `.execute(transaction)
    const { numAffectedRows } = await sql`
      with alvo as (select distinct ${CELL} from celulas_sujas limit ${most}),
      feitas as (
        delete from celulas_sujas s using alvo a
        where (s.cultura_id, s.ano, s.regiao_id, s.fabricante_id, s.bu)
          = (a.cultura_id, a.ano, a.regiao_id, a.fabricante_id, a.bu)
      )
      insert into vez select * from alvo
    `.execute(transaction)
    if (numAffectedRows === undefined || numAffectedRows === 0n) return 0
    for (const table of ['celulas', 'celulas_modalidade', 'celulas_produto']) {
      await sql`
        delete from ${sql.table(table)} c using vez v
        where (c.cultura_id, c.ano, c.regiao_id, c.fabricante_id, c.bu)
          = (v.cultura_id, v.ano, v.regiao_id, v.fabricante_id, v.bu)
      `.execute(transaction)
    }
    await fill(transaction)
    return Number(numAffectedRows)
  })
}

/** Puts the cells of `vez` in place, from the base tables. */
async function fill(handle: Handle): Promise<void> {
  const experiments = sql`
    experimentos e join vez v on (${CELL_OF_E}) = (v.cultura_id, v.ano, v.regiao_id, v.fabricante_id, v.bu)`
  await sql`
    insert into celulas
    select ${CELL_OF_E}, count(*), avg(e.produtividade_media),
      regr_sxx(e.produtividade_media, e.produtividade_media), count(e.roi), coalesce(sum(e.roi), 0),
      count(e.teor_argila),
      bit_or(set_bit(0::bit(4096), (e.consultoria_id % 4096), 1))
    from ${experiments} where e.deleted_at is null group by ${CELL_OF_E}
  `.execute(handle)
  await sql`
    insert into celulas_modalidade
    select ${CELL_OF_E}, t.modalidade_id, count(*), avg(t.produtividade),
      regr_sxx(t.produtividade, t.produtividade), count(e.roi), coalesce(sum(e.roi), 0)
    from ${experiments} join tratamentos t on t.experimento_id = e.id and t.ordem > 1
    where e.deleted_at is null group by ${CELL_OF_E}, t.modalidade_id
  `.execute(handle)
  await sql`
    insert into celulas_produto
    select ${CELL}, produto_id, count(*), sum(n_custo), sum(soma_custo), count(roi), coalesce(sum(roi), 0) from (
      select ${CELL_OF_E}, a.produto_id, e.id, e.roi, count(a.custo) as n_custo,
        coalesce(sum(a.custo), 0) as soma_custo
      from ${experiments} join produtos_aplicados a on a.experimento_id = e.id
      where e.deleted_at is null group by ${CELL_OF_E}, a.produto_id, e.id
    ) u group by ${CELL}, produto_id
  `.execute(handle)
}

/** Marks every cell that is or should be, for a rebuild. */
export async function markAllDirty(handle: Handle): Promise<void> {
  await sql`
    insert into celulas_sujas
      select ${CELL} from celulas
      union select ${CELL} from celulas_modalidade
      union select ${CELL} from celulas_produto
      union select ${CELL} from experimentos where deleted_at is null
  `.execute(handle)
}

/** Consultancies beyond the bit string share bits: then the distinct count has to come from the base table. */
export async function bitsSuffice(handle: Handle): Promise<boolean> {
  const { rows } = await sql`select from consultorias where id >= 4096 limit 1`.execute(handle)
  return rows.length === 0
}

/** Every cell's content, for comparing; figures to twelve digits, which the order of adding does not reach. */
export async function cellContents(handle: Handle): Promise<Set<string>> {
  const round = (column: string) => sql`round(${sql.ref(column)}::numeric, 12 - greatest(0,
    ceil(log(greatest(abs(${sql.ref(column)}), 1)::numeric))::integer))`
  const { rows } = await sql<{ content: string }>`
    select 'c' || (${CELL}, n, ${round('media')}, ${round('desvios2')}, n_roi, ${round('soma_roi')}, n_argila,
      consultorias)::text as content from celulas
    union all
    select 'm' || (${CELL}, modalidade_id, n, ${round('media')}, ${round('desvios2')}, n_roi,
      ${round('soma_roi')})::text from celulas_modalidade
    union all
    select 'p' || (${CELL}, produto_id, experimentos, n_custo, ${round('soma_custo')}, n_roi,
      ${round('soma_roi')})::text from celulas_produto
  `.execute(handle)
  return new Set(rows.map(({ content }) => content))
}
