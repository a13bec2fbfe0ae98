import {
  CLAY_CLASSES,
  CLAY_LIMITS,
  type ExperimentFilter,
  filterValues,
  MORE_FILTERS,
  type MoreFilter,
  ORGANIC_CLASSES,
  ORGANIC_LIMITS,
  QUALITY_LEVELS,
  type QualityLevel,
  searchable,
  UNIQUE_FIELDS,
} from '@ensaio/domain'
import { type RawBuilder, sql } from 'kysely'
import { DIMENSION_KEYS, DIMENSIONS, dataOf } from './dimensions.ts'

/** A literal for `like`, contained anywhere. */
export const contains = (text: string): string => `%${searchable(text).replace(/[\\%_]/g, '\\$&')}%`

/** The sets of products that have one whose name contains the text, whatever its case and accents. */
export const productSets = (text: string): RawBuilder<unknown> => sql`array(
  select c.id from conjuntos c
  where c.produtos && array(select p.id from produtos p where p.busca like ${contains(text)})
)`

/** The sets of trials from where a person says: of the acting organisation, received, or of one organisation. */
function setsFrom(origem: string): RawBuilder<unknown> {
  const of =
    origem === 'proprios'
      ? sql`a.organizacao_id = organizacao_atual()`
      : origem === 'recebidos'
        ? sql`a.organizacao_id <> organizacao_atual()`
        : sql`a.organizacao_id::text = ${origem}`
  return sql`array(select a.id from acervos a where ${of})`
}

/** The dashboard's filter as a condition on `experimentos e`. Names match exactly, a product by a part of its name. */
export const filterCondition = (filter: ExperimentFilter): RawBuilder<unknown> =>
  sql`e.deleted_at is null and ${condition(filter, appliedProduct)}`

/** The same on `contados e`, which holds live experiments only, a second behind. */
export const countedCondition = (filter: ExperimentFilter): RawBuilder<unknown> =>
  condition(filter, (text) => sql`e.conjunto_id = any(${productSets(text)})`)

function condition(
  filter: ExperimentFilter,
  hasProduct: (text: string) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const turned = new Set(filterValues(filter.nao))
  const conditions = [sql`true`]
  // What is not known is not what it is said not to be.
  const ask = (key: string, passes: RawBuilder<unknown>) =>
    conditions.push(turned.has(key) ? sql`(${passes}) is not true` : passes)
  for (const key of DIMENSION_KEYS) {
    const { column, keyOf } = DIMENSIONS[key]
    const value = filter[key]
    if (value) ask(key, sql`${sql.ref(`e.${column}`)} = ${keyOf(value)}`)
  }
  if (filter.produto) ask('produto', hasProduct(filter.produto))
  if (filter.origem) conditions.push(sql`e.acervo_id = any(${setsFrom(filter.origem)})`)
  for (const key of MORE_FILTERS) {
    const values = filterValues(filter[key])
    if (values.length > 0) ask(key, MORE[key](values))
  }
  if (filter.com_roi)
    conditions.push(sql`${filter.com_roi === '0' ? sql`not` : sql``} exists (
      select from visto.experimentos v where v.id = e.id and v.roi is not null
    )`)
  return sql.join(conditions, sql` and `)
}

/** A soil's content within the classes of these limits: from, and below; the third class holds its end. */
const within =
  (content: string, keys: readonly string[], [low, middle, high]: readonly [number, number, number]) =>
  (values: readonly string[]): RawBuilder<unknown> => {
    const of = sql.ref(`e.${content}`)
    const classes = [
      sql`${of} < ${sql.lit(low)}`,
      sql`${of} >= ${sql.lit(low)} and ${of} < ${sql.lit(middle)}`,
      sql`${of} >= ${sql.lit(middle)} and ${of} <= ${sql.lit(high)}`,
      sql`${of} > ${sql.lit(high)}`,
    ]
    const wanted = classes.filter((_, at) => values.includes(keys[at] ?? ''))
    return wanted.length === 0 ? sql`false` : sql`(${sql.join(wanted, sql` or `)})`
  }

/** By what is kept of findings: from, and below. What nobody looked at yet is of no level. */
const LEVELS: Record<QualityLevel, RawBuilder<unknown>> = {
  sem_apontamentos: sql`v.apontamentos = 0`,
  // The second of each finds its rows by the index; the first is what the asker may know.
  conferir: sql`(v.apontamentos between 1 and 255 and v.apontamentos_indice > 0)`,
  problema: sql`(v.apontamentos > 255 and v.apontamentos_indice > 255)`,
}
const ofLevels = (values: readonly string[]): RawBuilder<unknown> => {
  const wanted = QUALITY_LEVELS.filter((level) => values.includes(level)).map((level) => LEVELS[level])
  return wanted.length === 0 ? sql`false` : sql`(${sql.join(wanted, sql` or `)})`
}

/** The filters that add, on a table `e` of experiments or of what was counted of them. */
const MORE: Record<MoreFilter, (values: readonly string[]) => RawBuilder<unknown>> = {
  estado: (values) =>
    sql`e.cidade_id = any(array(select id from cidades where estado = any(${[...values]}::text[])))`,
  solo: within('teor_argila', CLAY_CLASSES, CLAY_LIMITS),
  materia_organica: within('teor_materia_organica', ORGANIC_CLASSES, ORGANIC_LIMITS),
  modalidade: (values) => sql`exists (
    select from tratamentos t where t.experimento_id = e.id and t.ordem > 1
      and t.modalidade_id = any(array(select id from modalidades where nome = any(${[...values]}::text[])))
  )`,
  cultivar: (values) =>
    sql`exists (select from experimentos x where x.id = e.id and x.cultivar = any(${[...values]}::text[]))`,
  dados: (values) =>
    sql`exists (
      select from experimentos x where x.id = e.id and coalesce(${dataOf('x')}, 'medias') = any(${[...values]}::text[])
    )`,
  qualidade: (values) =>
    sql`exists (select from visto.experimentos v where v.id = e.id and ${ofLevels(values)})`,
}

/** Column and table of the names that are searched. */
const SEARCHED = [
  ['consultoria_id', 'consultorias'],
  ['cidade_id', 'cidades'],
  ['cultura_id', 'culturas'],
  ['fabricante_id', 'fabricantes'],
] as const

interface Search {
  /** Whether products, and what tells experiments apart, are searched besides names. */
  beyond: boolean
}

/**
 * The search on a table `e` of experiments, when few rows are expected: each thing that is searched finds its own by
 * its index. As one condition of them all, every row would be looked at.
 */
export function foundBySearch(text: string, { beyond }: Search): RawBuilder<unknown> {
  const like = contains(text)
  const names = SEARCHED.map(
    ([column, table]) => sql`
      select id from experimentos where deleted_at is null
        and ${sql.ref(column)} = any(array(select id from ${sql.table(table)} where busca like ${like}))`,
  )
  const more = [
    sql`select id from contados where conjunto_id = any(${productSets(text)})`,
    ...UNIQUE_FIELDS.map(
      ({ key }) => sql`
      select id from experimentos where deleted_at is null and ${sql.ref(`${key}_busca`)} like ${like}`,
    ),
  ]
  // As a list made beforehand: how many it holds cannot be foreseen, and a join would read the whole table.
  return sql`e.id = any(array(${sql.join([...names, ...(beyond ? more : [])], sql` union `)}))`
}

/** The same on `experimentos e`, row by row: for a walk that ends as soon as a page is full. */
export function walkedBySearch(text: string, { beyond }: Search): RawBuilder<unknown> {
  const like = contains(text)
  const names = SEARCHED.map(
    ([column, table]) =>
      sql`e.${sql.ref(column)} in (select id from ${sql.table(table)} where busca like ${like})`,
  )
  const more = [
    appliedProduct(text),
    ...UNIQUE_FIELDS.map(({ key }) => sql`${sql.ref(`e.${key}_busca`)} like ${like}`),
  ]
  return sql`(${sql.join([...names, ...(beyond ? more : [])], sql` or `)})`
}

/** On `experimentos e`. */
const appliedProduct = (text: string): RawBuilder<unknown> => sql`exists (
  select from produtos_aplicados a
  where a.experimento_id = e.id and a.produto_id in (select id from produtos where busca like ${contains(text)})
)`
