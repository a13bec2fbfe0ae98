import { FEW_TRIALS } from '@ensaio/domain'
import { sql } from 'kysely'
import { GAIN_SUMS } from './kept-numbers.ts'

/** The control `c` of a change `m`, found by its key: a join of lists of unknown length would be tried pair by pair. */
export const CONTROL = sql`
  left join lateral (
    select u.ordem, u.produtividade::numeric as produtividade from experimentos e
    join tratamentos u on u.experimento_id = e.id and u.ordem = ordem_da_testemunha(e.id, e.ficha_versao)
    where e.id = m.id
  ) c on true`
/** Gain and ratio of the mean of grouped treatments `t` over it, itself left out. */
const OTHERS = sql`avg(t.produtividade::numeric) filter (where t.ordem <> c.ordem)`
export const GAIN_OVER = sql`ganho(${OTHERS}, max(c.produtividade)), razao(${OTHERS}, max(c.produtividade))`

/** What a row with `sinal`, `ganho` and `razao` adds to each sum of gains; made once, not once for each figure. */
export const GAIN_TERMS = sql`
  sinal * (ganho is not null)::integer as n_ganho, sinal * coalesce(ganho, 0)::numeric as soma_ganho,
  sinal * coalesce(ganho, 0)::numeric * coalesce(ganho, 0)::numeric as soma2_ganho,
  sinal * (razao is not null)::integer as n_razao, sinal * coalesce(razao, 0)::numeric as soma_razao,
  sinal * coalesce(razao, 0)::numeric * coalesce(razao, 0)::numeric as soma2_razao,
  sinal * coalesce(ganho > 0, false)::integer as vitorias, sinal * coalesce(ganho = 0, false)::integer as empates`
export const gainSums = (row: string, sums: readonly string[] = GAIN_SUMS) =>
  sql.join(sums.map((sum) => sql`sum(${sql.ref(`${row}.${sum}`)})`))

/** The same sums over rows `e` that have a gain each, and over rows `k` that are sums. */
export const GAINS_COUNTED = sql`
  count(e.ganho) as n_ganho, sum(e.ganho::numeric) as soma_ganho,
  sum(e.ganho::numeric * e.ganho::numeric) as soma2_ganho, count(e.razao) as n_razao,
  sum(e.razao::numeric) as soma_razao, sum(e.razao::numeric * e.razao::numeric) as soma2_razao,
  count(*) filter (where e.ganho > 0) as vitorias, count(*) filter (where e.ganho = 0) as empates`
export const GAINS_KEPT = sql.join(
  GAIN_SUMS.map((sum) => sql`sum(${sql.ref(`k.${sum}`)}) as ${sql.ref(sum)}`),
)

/** What those sums of a group `g` say, as the contract's `Gain`; null where no trial compares with a control. */
export const GAIN = sql`case when g.n_ganho > 0 then json_build_object(
  'n', g.n_ganho, 'media', (g.soma_ganho / g.n_ganho)::float8,
  'desvio', case when g.n_ganho >= 2 then sqrt(greatest(0,
    (g.soma2_ganho - g.soma_ganho * g.soma_ganho / g.n_ganho) / (g.n_ganho - 1)))::float8 end,
  'n_razao', g.n_razao, 'razao', (g.soma_razao / nullif(g.n_razao, 0))::float8,
  'desvio_razao', case when g.n_razao >= 2 then sqrt(greatest(0,
    (g.soma2_razao - g.soma_razao * g.soma_razao / g.n_razao) / (g.n_razao - 1)))::float8 end,
  'vitorias', g.vitorias, 'diferentes', g.n_ganho - g.empates) end`
/** %, of the same. */
export const GAIN_PERCENT = sql`(100 * (exp((g.soma_razao / nullif(g.n_razao, 0))::float8) - 1))`

/** The best products by the trials' return, or by the gain of the treatments that hold them. */
export interface ProductList {
  limit: number
  order: 'roi' | 'ganho'
}
/** Of a group `g` of a product; those of few trials are ranked by gain after all others. */
export const PRODUCT_ORDERS = {
  roi: { only: sql`true`, by: sql`g."roiMedio" desc nulls last` },
  ganho: {
    only: sql`g.n_razao > 0`,
    by: sql`g.n_razao >= ${sql.lit(FEW_TRIALS)} desc, g.soma_razao / g.n_razao desc`,
  },
} as const
