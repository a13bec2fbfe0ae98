/**
 * The same statements as the tables' owner, whom no policy holds, with the tables themselves in place of the views
 * that hide costs, and the sums of one view where there are several: what the wall is measured against.
 */
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { Handle } from '../../apps/server/src/database/handle.ts'
import { KEPT_TABLES } from '../../apps/server/src/features/dashboard/kept-numbers.ts'

const TABLES = ['experimentos', 'tratamentos', 'produtos_aplicados', 'contados', 'contados_produtos']

export async function bareHandle(raw: pg.Pool, visao: number | null = null): Promise<Handle> {
  await raw.query('create schema if not exists nua')
  for (const table of TABLES)
    await raw.query(
      `create or replace view nua.${table} as select *, true as ve_custos, true as ve_documentos from public.${table}`,
    )
  await raw.query(`
    create or replace view nua.inteiros as
    select e.*, o.nome as organizacao_nome, d.filename as pdf_filename, true as ve_comentarios,
      array(select t from tratamentos t where t.experimento_id = e.id) as tratamentos,
      array(select a from produtos_aplicados a where a.experimento_id = e.id) as produtos_aplicados,
      array(select x from analises_adicionais x where x.experimento_id = e.id) as analises_adicionais
    from nua.experimentos e join organizacoes o on o.id = e.organizacao_id
    left join documentos d on d.id = e.documento_id`)
  await raw.query('create or replace view nua.custeados as select * from nua.experimentos')
  for (const table of KEPT_TABLES)
    await raw.query(
      `create or replace view nua.${table} as select * from public.${table}
       ${visao === null ? '' : `where visao_id = ${visao}`}`,
    )
  const bare = (text: unknown) =>
    typeof text === 'string'
      ? text
          .replaceAll('"visto".', 'nua.')
          .replaceAll('visto.', 'nua.')
          .replaceAll(/\b(margens\w*|celulas\w*) k\b/g, 'nua.$1 k')
      : text
  return new Kysely({
    dialect: new PostgresDialect({
      pool: {
        async connect() {
          const client = await raw.connect()
          return {
            query: ((text: unknown, values: unknown[]) =>
              client.query(bare(text) as string, values)) as never,
            release: () => client.release(),
          }
        },
        end: async () => undefined,
      },
    }),
  })
}

export const dropBare = (raw: pg.Pool) => raw.query('drop schema if exists nua cascade')
