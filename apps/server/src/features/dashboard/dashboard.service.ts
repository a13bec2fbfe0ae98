import {
  type Correlation,
  type ExperimentFilter,
  type FilterOptions,
  isNumericVariable,
  MAP_SINGLE_LIMIT,
  type MapView,
  type MoreFilterOptions,
  type Overview,
  SCATTER_LIMIT,
  TOP_PRODUCTS,
  type Variable,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import type { Reader, Wall } from '../../database/wall.ts'
import { places, shareOf } from '../../places.ts'
import type { Cells } from './cells.ts'
import { countsByCategories, meansByCategory, type Pair, pearson } from './correlation.repository.ts'
import {
  activeConsultancies,
  countListed,
  countWithCosts,
  groups,
  inOrder,
  modalityGroups,
  NUMERIC_COLUMNS,
  scatterSample,
  topProducts,
} from './dashboard.repository.ts'
import { moreOptionsOf, type OptionKey, optionsOf, originOptions } from './filter-options.repository.ts'
import type { ProductList } from './gains.repository.ts'
import {
  countLacking,
  type LackCounts,
  type Lacking,
  type LackingPage,
  listLacking,
} from './incomplete.repository.ts'
import type { Sums } from './kept-rows.repository.ts'
import { type Bounds, countInView, keptMapPlaces, mapExtent, mapPlaces, mapPoints } from './map.repository.ts'
import { isOneKey } from './margin-condition.repository.ts'
import {
  grainFor,
  type KeptFor,
  keptConsultancies,
  keptCount,
  keptExtent,
  keptFor,
  keptGroups,
  keptModalities,
  keptProducts,
  keptWithCosts,
  seesOneOf,
} from './margins.repository.ts'
import { KEPT_ZOOM, squareDegrees } from './place.repository.ts'

/** Each asks several statements at once. */
const HEAVY_READS = { atOnce: 3, perPerson: 2, perGroup: 2, inLine: 100, perPersonInLine: 50 }
/** Their statements together: half of the pool's twenty connections is left to everything else. */
const STATEMENTS = { atOnce: 10, inLine: 1_000 }
const MOST_PLACES = 1000
/** A sample of few is found first, then sorted. */
const FOUND_FIRST = { n: 0, of: 1 }

interface Opened extends KeptFor {
  handle: Handle
  several: boolean
}
/** The one view over all that the reader sees; null where there is none. */
const viewOf = ({ sums }: Opened) => (sums === null || sums === 'parts' ? null : sums.view)
/** A filter has none, or sums that hold what it lets through. */
const sumsFor = ({ sums }: Opened, filter: ExperimentFilter) =>
  sums && grainFor(sums, filter) !== 'counted' ? sums : null

/** What a list is asked for, beside its order. */
type ListConditions = ExperimentFilter & { busca?: string | undefined; com_documento?: '0' | '1' | undefined }

/** Each answers from figures that hold what the reader wrote before asking. */
export interface Dashboard {
  overview(reader: Reader, filter: ExperimentFilter): Promise<Overview>
  options(reader: Reader, filter: ExperimentFilter): Promise<FilterOptions>
  moreOptions(reader: Reader, filter: ExperimentFilter): Promise<MoreFilterOptions>
  map(
    reader: Reader,
    filter: ExperimentFilter,
    view: { bounds: Bounds | null; zoom: number },
  ): Promise<MapView>
  correlation(
    reader: Reader,
    filter: ExperimentFilter,
    pair: { x: Variable; y: Variable; points: number },
  ): Promise<Correlation>
  /** Whether the reader sees one of these sets of trials, by their numbers, of which figures have changed. */
  concerns(reader: Reader, sets: readonly number[]): Promise<boolean>
  /** How many experiments lack what, and a page of those that do, the newest first, each with what it lacks. */
  incomplete(
    reader: Reader,
    filter: ExperimentFilter,
    page: LackingPage,
  ): Promise<LackCounts & { rows: Lacking[]; next: string | null }>
  /** How many experiments a list holds. */
  count(reader: Reader, query: ListConditions): Promise<number>
}

export function createDashboard({ wall, cells }: { wall: Wall; cells: Cells }): Dashboard {
  const { run: inTurn } = places(HEAVY_READS)
  const { run: one } = places(STATEMENTS)
  const asking = new Map<string, Promise<boolean>>()
  /** What a reader's figures are made from. */
  const open = async (reader: Reader): Promise<Opened> => {
    const handle = wall.for(reader)
    return { handle, several: reader.several === true, ...(await keptFor(handle)) }
  }
  const freshly = async <T>(reader: Reader, work: (opened: Opened) => Promise<T>): Promise<T> => {
    // Before a place is taken: who waits for somebody else's folding keeps nobody from reading.
    await cells.fresh(reader.id)
    // Where there are several organisations, none takes all places; else everybody is of the same.
    return inTurn(async () => work(await open(reader)), reader.id, shareOf(reader))
  }
  const figures = (opened: Opened, filter: ExperimentFilter) => {
    const { handle } = opened
    const sums = sumsFor(opened, filter)
    return one(() => (sums ? keptGroups(handle, filter, sums) : groups(handle, filter)))
  }

  /** The scatter chart's points; `count` says how many experiments the filter lets through. */
  const sample = async (
    { handle, sums, several }: Opened,
    filter: ExperimentFilter,
    pair: Pair & { limit: number },
    count: () => Promise<number>,
  ) => {
    if (!sums) return one(() => scatterSample(handle, filter, { ...pair, share: FOUND_FIRST }))
    const asked = (of: Handle) => scatterSample(of, filter, pair)
    if (isOneKey(filter)) return one(() => (several ? inOrder(handle, asked) : asked(handle)))
    const [n, of] = await Promise.all([count(), one(() => keptCount(handle, {}, sums, null))])
    return one(() => scatterSample(handle, filter, { ...pair, share: { n, of: of ?? n } }))
  }

  const overviewOf = async (opened: Opened, filter: ExperimentFilter): Promise<Overview> => {
    const { handle } = opened
    const clay = { x: NUMERIC_COLUMNS.teor_argila, y: NUMERIC_COLUMNS.produtividade_media }
    const sums = sumsFor(opened, filter)
    const counted = figures(opened, filter)
    const products = (order: ProductList['order']) => {
      const list = { limit: TOP_PRODUCTS, order }
      return one(() => (sums ? keptProducts(handle, filter, sums, list) : topProducts(handle, filter, list)))
    }
    const withCosts = async (of: Sums) =>
      (await one(() => keptWithCosts(handle, filter, of))) ?? one(() => countWithCosts(handle, filter))
    const [
      { totals, by },
      com_custos,
      consultorias_ativas,
      por_modalidade,
      pontos,
      produtos,
      produtos_ganho,
    ] = await Promise.all([
      counted,
      sums && !opened.everyCost ? withCosts(sums) : null,
      one(() => (sums ? keptConsultancies(handle, filter, sums) : activeConsultancies(handle, filter))),
      one(() => (sums ? keptModalities(handle, filter, sums) : modalityGroups(handle, filter))),
      sample(opened, filter, { ...clay, limit: SCATTER_LIMIT }, async () => (await counted).totals.total),
      products('roi'),
      products('ganho'),
    ])
    return {
      ...totals,
      com_custos: com_custos ?? totals.com_custos,
      consultorias_ativas,
      por_cultura: by.cultura,
      por_marca: by.marca,
      por_regional: by.regional,
      por_bu: by.bu,
      por_ano: by.ano,
      por_modalidade,
      argila: { n: totals.com_argila, pontos },
      produtos,
      produtos_ganho,
    }
  }

  return {
    overview: (reader, filter) =>
      freshly(reader, async (opened) => {
        const answer = await overviewOf(opened, filter)
        const { total, consultorias_ativas, por_modalidade, produtos } = answer
        const asked = [total, consultorias_ativas, por_modalidade.length, produtos.length]
        if (viewOf(opened) === null || Math.min(...asked) > 0) return answer
        // Sums that ceased to be what is seen between two statements show nothing.
        const now = await open(reader)
        return viewOf(now) === viewOf(opened) ? answer : await overviewOf(now, filter)
      }),

    options: (reader, filter) =>
      freshly(reader, async ({ handle, sums }) => {
        const of = (key: OptionKey) => one(() => optionsOf(handle, filter, { of: key, sums }))
        const [regional, cultura, marca, ano, produto, consultoria, origem] = await Promise.all([
          of('regional'),
          of('cultura'),
          of('marca'),
          of('ano'),
          of('produto'),
          of('consultoria'),
          // Whose they are is a question where there are several.
          reader.several ? one(() => originOptions(handle, filter)) : undefined,
        ])
        return { regional, cultura, marca, ano, produto, consultoria, ...(origem && { origem }) }
      }),

    moreOptions: (reader, filter) =>
      freshly(reader, async ({ handle }) => {
        const of = (key: keyof MoreFilterOptions) => one(() => moreOptionsOf(handle, filter, key))
        const [estado, modalidade, cultivar] = await Promise.all([
          of('estado'),
          of('modalidade'),
          of('cultivar'),
        ])
        return { estado, modalidade, cultivar }
      }),

    map: (reader, filter, { bounds, zoom }) =>
      freshly(reader, async (opened) => {
        const { handle } = opened
        const kept = isOneKey(filter) ? opened.sums : null
        const [{ totals, by }, places, inView] = await Promise.all([
          figures(opened, filter),
          one(() => (kept ? keptExtent(handle, filter, kept) : mapExtent(handle, filter))),
          one(() => countInView(handle, filter, { bounds, enough: MAP_SINGLE_LIMIT })),
        ])
        const cards = {
          ...places,
          total: totals.total,
          produtividade_media: totals.produtividade_media,
          culturas: by.cultura.length,
          marcas: by.marca.map(({ chave, n }) => ({ valor: chave, n })),
        }
        if (inView <= MAP_SINGLE_LIMIT) {
          return {
            ...cards,
            pontos: await mapPoints(handle, filter, { bounds, limit: MAP_SINGLE_LIMIT }),
            lugares: [],
          }
        }
        const shift = KEPT_ZOOM - Math.floor(zoom)
        const lugares =
          kept && shift >= 0
            ? await keptMapPlaces(handle, filter, kept, { bounds, shift, limit: MOST_PLACES })
            : await mapPlaces(handle, filter, { bounds, degrees: squareDegrees(zoom), limit: MOST_PLACES })
        return { ...cards, pontos: [], lugares }
      }),

    correlation: (reader, filter, { x, y, points }) =>
      freshly(reader, async (opened) => {
        const { handle } = opened
        if (isNumericVariable(x) && isNumericVariable(y)) {
          const pair = { x: NUMERIC_COLUMNS[x], y: NUMERIC_COLUMNS[y] }
          const correlated = one(() => pearson(handle, filter, pair))
          const [result, pontos] = await Promise.all([
            correlated,
            sample(opened, filter, { ...pair, limit: points }, async () => (await correlated).n),
          ])
          return { ...result, pontos, grupos: [] }
        }
        const grupos = await grouped(handle, filter, x, y)
        const n = grupos.reduce((sum, group) => sum + group.n, 0)
        return { n, r: null, pontos: [], grupos, por_cultura: [] }
      }),

    concerns(reader, sets) {
      // Of an organisation's many open dashboards one asks.
      const key = `${reader.organization} ${sets}`
      const asked = asking.get(key) ?? one(() => seesOneOf(wall.for(reader), sets))
      asking.set(key, asked)
      return asked.finally(() => asking.delete(key))
    },

    incomplete: (reader, filter, { limit, ...page }) =>
      freshly(reader, async ({ handle }) => {
        const [counts, rows] = await Promise.all([
          one(() => countLacking(handle, filter)),
          one(() => listLacking(handle, filter, { ...page, limit: limit + 1 })),
        ])
        const shown = rows.slice(0, limit)
        return { ...counts, rows: shown, next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
      }),

    async count(reader, { busca, com_documento, ...filter }) {
      await cells.fresh(reader.id)
      const { handle, sums, everyDocument } = await open(reader)
      const comDocumento = com_documento === undefined ? null : com_documento === '1'
      // The sums know of documents that are not shown.
      const told = comDocumento === null || everyDocument ? sums : null
      const kept = busca?.trim() || !told ? null : await keptCount(handle, filter, told, comDocumento)
      return kept ?? countListed(handle, filter, { busca: busca?.trim(), comDocumento })
    },
  }
}

function grouped(
  handle: Handle,
  filter: ExperimentFilter,
  x: Variable,
  y: Variable,
): Promise<Correlation['grupos']> {
  if (isNumericVariable(x)) {
    if (isNumericVariable(y)) throw new Error('two numbers are correlated, not grouped')
    return meansByCategory(handle, filter, { category: y, number: NUMERIC_COLUMNS[x] })
  }
  if (isNumericVariable(y))
    return meansByCategory(handle, filter, { category: x, number: NUMERIC_COLUMNS[y] })
  return countsByCategories(handle, filter, { x, y })
}
