import {
  type Correlation,
  type ExperimentFilter,
  type FilterOptions,
  isNumericVariable,
  MAP_SINGLE_LIMIT,
  type MapView,
  type Overview,
  TOP_PRODUCTS,
  type Variable,
} from '@ensaio/domain'
import type { Handle } from '../../database/handle.ts'
import { turnstile } from '../../turnstile.ts'
import {
  cellConsultancies,
  cellGroups,
  cellModalities,
  cellProducts,
  cellsCanAnswer,
} from './cell-figures.repository.ts'
import { bitsSuffice } from './cells.repository.ts'
import type { Cells } from './cells.ts'
import { countsByCategories, meansByCategory, pearson } from './correlation.repository.ts'
import {
  activeConsultancies,
  groups,
  modalityGroups,
  NUMERIC_COLUMNS,
  scatterSample,
  topProducts,
} from './dashboard.repository.ts'
import { optionsOf } from './filter-options.repository.ts'
import { type Bounds, countInView, mapPlaces, mapPoints, mapTotals } from './map.repository.ts'

const SCATTER_POINTS = 2000
/** Each takes several connections: three of them leave most of the pool to everything else. */
const HEAVY_READS = { atOnce: 3, inLine: 100 }
const MOST_PLACES = 1000
/** About a marker's width, in degrees, at zoom 0 on a 256 px world; halves with every zoom. */
const CELL_DEGREES_AT_ZOOM_0 = 60

export interface Dashboard {
  overview(filter: ExperimentFilter): Promise<Overview>
  options(filter: ExperimentFilter): Promise<FilterOptions>
  map(filter: ExperimentFilter, view: { bounds: Bounds | null; zoom: number }): Promise<MapView>
  correlation(
    filter: ExperimentFilter,
    pair: { x: Variable; y: Variable; points: number },
  ): Promise<Correlation>
}

export function createDashboard({ handle, cells }: { handle: Handle; cells: Cells }): Dashboard {
  const enter = turnstile(HEAVY_READS)
  return {
    overview: (filter) =>
      enter(async () => {
        const clay = { x: NUMERIC_COLUMNS.teor_argila, y: NUMERIC_COLUMNS.produtividade_media }
        const byCells = cellsCanAnswer(filter)
        if (byCells) await cells.fresh()
        const byBits = byCells && (await bitsSuffice(handle))
        const [{ totals, by }, consultorias_ativas, por_modalidade, pontos, produtos] = await Promise.all([
          byCells ? cellGroups(handle, filter) : groups(handle, filter),
          byBits ? cellConsultancies(handle, filter) : activeConsultancies(handle, filter),
          byCells ? cellModalities(handle, filter) : modalityGroups(handle, filter),
          scatterSample(handle, filter, { ...clay, limit: SCATTER_POINTS }),
          byCells ? cellProducts(handle, filter, TOP_PRODUCTS) : topProducts(handle, filter, TOP_PRODUCTS),
        ])
        return {
          ...totals,
          consultorias_ativas,
          por_cultura: by.cultura,
          por_marca: by.marca,
          por_regional: by.regional,
          por_bu: by.bu,
          por_ano: by.ano,
          por_modalidade,
          argila: { n: totals.com_argila, pontos },
          produtos,
        }
      }),

    options: (filter) =>
      enter(async () => {
        await cells.fresh()
        const [regional, cultura, marca, ano, produto, consultoria] = await Promise.all([
          optionsOf(handle, filter, 'regional'),
          optionsOf(handle, filter, 'cultura'),
          optionsOf(handle, filter, 'marca'),
          optionsOf(handle, filter, 'ano'),
          optionsOf(handle, filter, 'produto'),
          optionsOf(handle, filter, 'consultoria'),
        ])
        return { regional, cultura, marca, ano, produto, consultoria }
      }),

    map: (filter, { bounds, zoom }) =>
      enter(async () => {
        const [cards, inView] = await Promise.all([
          mapTotals(handle, filter),
          countInView(handle, filter, bounds),
        ])
        if (inView <= MAP_SINGLE_LIMIT) {
          return {
            ...cards,
            pontos: await mapPoints(handle, filter, { bounds, limit: MAP_SINGLE_LIMIT }),
            lugares: [],
          }
        }
        const cell = CELL_DEGREES_AT_ZOOM_0 / 2 ** zoom
        return {
          ...cards,
          pontos: [],
          lugares: await mapPlaces(handle, filter, { bounds, cell, limit: MOST_PLACES }),
        }
      }),

    correlation: (filter, { x, y, points }) =>
      enter(async () => {
        if (isNumericVariable(x) && isNumericVariable(y)) {
          const pair = { x: NUMERIC_COLUMNS[x], y: NUMERIC_COLUMNS[y] }
          const [result, pontos] = await Promise.all([
            pearson(handle, filter, pair),
            scatterSample(handle, filter, { ...pair, limit: points }),
          ])
          return { ...result, pontos, grupos: [] }
        }
        const grupos = await grouped(handle, filter, x, y)
        const n = grupos.reduce((sum, group) => sum + group.n, 0)
        return { n, r: null, pontos: [], grupos, por_cultura: [] }
      }),
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
