/**
 * The dashboard's figures as pure functions over whole experiments: what the demo mode shows, and the oracle
 * that the server's SQL is tested against.
 */

import { levelOfKept } from './advice-level.ts'
import { STATE_CODES, TOP_PRODUCTS } from './constants.ts'
import type {
  Correlation,
  ExperimentFilter,
  FilterOption,
  FilterOptions,
  Group,
  MapPoint,
  MapView,
  MoreFilterOptions,
  Overview,
  ProductPerformance,
  ScatterPoint,
} from './dashboard.ts'

import type { Experiment, StoredTreatment } from './experiment.ts'
import { searchable } from './format.ts'
import { gainOf, gainPercent, gainsOf } from './gain.ts'
import { clayKey, organicKey } from './soil.ts'
import {
  FEW_TRIALS,
  FILTER_KEYS,
  type FilterKey,
  filterValues,
  isNumericVariable,
  MAP_SINGLE_LIMIT,
  MORE_FILTERS,
  type MoreFilter,
  type NumericVariable,
  type Variable,
} from './variables.ts'

export const SCATTER_LIMIT = 500

/** Every filter that is set must match; `produto` is contained in any treatment's product name. */
export function matchesFilter(experiment: Experiment, filter: ExperimentFilter): boolean {
  const turned = new Set(filterValues(filter.nao))
  const product = filter.produto && searchable(filter.produto)
  const products = experiment.tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados)
  const asked = (key: FilterKey | MoreFilter, passes: boolean) => passes !== turned.has(key)
  return (
    FILTER_KEYS.every((key) =>
      key === 'produto'
        ? !product ||
          asked(
            key,
            products.some(({ nome }) => searchable(nome).includes(product)),
          )
        : !filter[key] || asked(key, filter[key] === String(experiment[key])),
    ) &&
    MORE_FILTERS.every((key) => {
      const wanted = filterValues(filter[key])
      return (
        wanted.length === 0 ||
        asked(
          key,
          MORE_VALUES[key](experiment).some((value) => wanted.includes(value)),
        )
      )
    }) &&
    (!filter.com_roi || (filter.com_roi === '1') === (experiment.roi !== null)) &&
    fromWhere(experiment, filter.origem)
  )
}

/** What a trial has of each filter that adds. */
const MORE_VALUES: Record<MoreFilter, (experiment: Experiment) => string[]> = {
  estado: ({ estado }) => [estado],
  cultivar: ({ cultivar }) => (cultivar ? [cultivar] : []),
  modalidade: ({ tratamentos }) => tratamentos.slice(1).map(({ modalidade }) => modalidade),
  solo: ({ teor_argila: clay }) => (clay === null ? [] : [clayKey(clay)]),
  materia_organica: ({ teor_materia_organica: matter }) => (matter === null ? [] : [organicKey(matter)]),
  dados: ({ dados }) => [dados ?? 'medias'],
  qualidade: ({ apontamentos: kept }) => (kept === null ? [] : [levelOfKept(kept)]),
}

/** The values in use of the filters that add, under all the others. */
export function moreFilterOptionsOf(all: readonly Experiment[], filter: ExperimentFilter): MoreFilterOptions {
  const under = (key: keyof MoreFilterOptions) => {
    const { [key]: _own, ...others } = filter
    return countedOptions(
      all
        .filter((experiment) => matchesFilter(experiment, others))
        .flatMap((experiment) => [...new Set(MORE_VALUES[key](experiment))]),
    )
  }
  return { estado: under('estado'), modalidade: under('modalidade'), cultivar: under('cultivar') }
}

function fromWhere({ relacao, organizacao }: Experiment, origem: string | undefined): boolean {
  if (!origem) return true
  if (origem === 'proprios' || origem === 'recebidos')
    return (origem === 'proprios') === (relacao === 'propria')
  return organizacao.id === origem
}

export function overviewOf(all: readonly Experiment[], filter: ExperimentFilter): Overview {
  const experiments = all.filter((experiment) => matchesFilter(experiment, filter))
  const clay = experiments.filter(
    (experiment) => experiment.teor_argila !== null && experiment.produtividade_media !== null,
  )
  return {
    total: experiments.length,
    produtividade_media: mean(known(experiments.map((experiment) => experiment.produtividade_media))),
    roi_medio: mean(known(experiments.map((experiment) => experiment.roi))),
    com_custos: experiments.filter(({ permissoes }) => permissoes.ver_custos).length,
    ganho: gainsOf(experiments.map((experiment) => gainOf(experiment))),
    consultorias_ativas: new Set(experiments.map((experiment) => experiment.consultoria)).size,
    por_cultura: groupsBy(experiments, (experiment) => experiment.cultura),
    por_marca: groupsBy(experiments, (experiment) => experiment.marca),
    por_regional: groupsBy(experiments, (experiment) => experiment.regional),
    por_bu: groupsBy(experiments, (experiment) => experiment.bu),
    por_ano: groupsBy(experiments, (experiment) => String(experiment.ano)),
    por_modalidade: modalities(experiments),
    argila: {
      n: clay.length,
      pontos: clay
        .slice(0, SCATTER_LIMIT)
        .map((experiment) => point(experiment, 'teor_argila', 'produtividade_media')),
    },
    produtos: productsOf(experiments),
    produtos_ganho: byGain(performanceOf(experiments)).slice(0, TOP_PRODUCTS),
  }
}

const known = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length

/** Sample standard deviation; null below two values. */
function deviation(values: readonly number[]): number | null {
  const centre = mean(values)
  if (centre === null || values.length < 2) return null
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (values.length - 1))
}

function groupsBy(experiments: readonly Experiment[], keyOf: (experiment: Experiment) => string): Group[] {
  return [...Map.groupBy(experiments, keyOf)].map(([chave, members]) => {
    const yields = known(members.map((member) => member.produtividade_media))
    return {
      chave,
      n: members.length,
      produtividade_media: mean(yields),
      desvio: deviation(yields),
      roi_medio: mean(known(members.map((member) => member.roi))),
      ganho: gainsOf(members.map((member) => gainOf(member))),
    }
  })
}

/** Counted by treatment; the control (the first) is left out. */
function modalities(experiments: readonly Experiment[]): Group[] {
  const treatments = experiments.flatMap((experiment) =>
    experiment.tratamentos.slice(1).map((treatment) => ({ ...treatment, roi: experiment.roi, experiment })),
  )
  return [...Map.groupBy(treatments, ({ modalidade }) => modalidade)].map(([chave, members]) => {
    const yields = members.map((member) => member.produtividade)
    return {
      chave,
      n: members.length,
      produtividade_media: mean(yields),
      desvio: deviation(yields),
      roi_medio: mean(known(members.map((member) => member.roi))),
      ganho: gainsOf(
        [...new Set(members.map(({ experiment }) => experiment))].map((experiment) =>
          gainOf(experiment, ({ modalidade }) => modalidade === chave),
        ),
      ),
    }
  })
}

/**
 * At most ten products, the highest mean return first. `custoMedio` is the mean over the applications whose
 * cost is known; `roiMedio` is the mean over the distinct experiments whose return is known; `marca` is the
 * brand of most of those experiments, the first by name among equals.
 */
export function productsOf(experiments: readonly Experiment[]): ProductPerformance[] {
  const rows = performanceOf(experiments)
  rows.sort(
    (a, b) =>
      (b.roiMedio ?? Number.NEGATIVE_INFINITY) - (a.roiMedio ?? Number.NEGATIVE_INFINITY) ||
      b.experimentos - a.experimentos ||
      compareText(a.produto, b.produto),
  )
  return rows.slice(0, TOP_PRODUCTS)
}

function byGain(rows: ProductPerformance[]): ProductPerformance[] {
  const ratio = ({ ganho }: ProductPerformance) => ganho?.razao ?? Number.NEGATIVE_INFINITY
  const several = ({ ganho }: ProductPerformance) => Number((ganho?.n_razao ?? 0) >= FEW_TRIALS)
  return rows
    .filter(({ ganho }) => ganho !== null && ganho.razao !== null)
    .sort(
      (a, b) =>
        several(b) - several(a) ||
        ratio(b) - ratio(a) ||
        b.experimentos - a.experimentos ||
        compareText(a.produto, b.produto),
    )
}

function performanceOf(experiments: readonly Experiment[]): ProductPerformance[] {
  const uses = experiments.flatMap((experiment) =>
    experiment.tratamentos.flatMap((treatment) =>
      treatment.produtos_aplicados.map((product) => ({ experiment, product })),
    ),
  )
  return [...Map.groupBy(uses, ({ product }) => product.nome)].map(([produto, members]) => {
    const distinct = [...new Set(members.map(({ experiment }) => experiment))]
    const brands = [...Map.groupBy(distinct, ({ marca }) => marca)]
    brands.sort(([a, inA], [b, inB]) => inB.length - inA.length || compareText(a, b))
    return {
      produto,
      experimentos: distinct.length,
      custoMedio: mean(known(members.map(({ product }) => product.custo))),
      roiMedio: mean(known(distinct.map(({ roi }) => roi))),
      marca: brands[0]?.[0] ?? '',
      ganho: gainsOf(
        distinct.map((experiment) => {
          const holds = ({ produtos_aplicados }: StoredTreatment) =>
            produtos_aplicados.some(({ nome }) => nome === produto)
          // What the control got, too, is not compared with it.
          const [control] = experiment.tratamentos
          return control && holds(control) ? null : gainOf(experiment, holds)
        }),
      ),
    }
  })
}

/** By code point, as the database's C collation orders. */
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** What a variable is in a trial. */
const variableOf = (experiment: Experiment, variable: Variable): string | number | null =>
  variable === 'ganho_percent' ? gainPercent(gainOf(experiment)?.razao) : experiment[variable]
const numberOf = (experiment: Experiment, variable: NumericVariable): number =>
  Number(variableOf(experiment, variable) ?? 0)

const point = (experiment: Experiment, x: NumericVariable, y: NumericVariable): ScatterPoint => ({
  id: experiment.id,
  x: numberOf(experiment, x),
  y: numberOf(experiment, y),
  cultura: experiment.cultura,
  marca: experiment.marca,
  nome: experiment.nome,
})

/** The values in use of each filter, counted under all the other filters, the most frequent first. */
export function filterOptionsOf(all: readonly Experiment[], filter: ExperimentFilter): FilterOptions {
  const under = (key: keyof ExperimentFilter, valuesOf: (experiment: Experiment) => readonly string[]) => {
    const { [key]: _own, ...others } = filter
    const values = all
      .filter((experiment) => matchesFilter(experiment, others))
      .flatMap((experiment) => [...new Set(valuesOf(experiment))])
    return countedOptions(values)
  }
  return {
    regional: under('regional', ({ regional }) => [regional]),
    cultura: under('cultura', ({ cultura }) => [cultura]),
    marca: under('marca', ({ marca }) => [marca]),
    ano: under('ano', ({ ano }) => [String(ano)]).sort((a, b) => compareText(b.valor, a.valor)),
    produto: under('produto', ({ tratamentos }) =>
      tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome)),
    ),
    consultoria: under('consultoria', ({ consultoria }) => [consultoria]),
  }
}

function countedOptions(values: readonly string[]): FilterOption[] {
  const options = [...Map.groupBy(values, (value) => value)].map(([valor, members]) => ({
    valor,
    n: members.length,
  }))
  return options.sort((a, b) => b.n - a.n || compareText(a.valor, b.valor))
}

const MOST_PRODUCTS = 3

/** The names of what was applied beside the control, each once. */
const triedProducts = ({ tratamentos }: Experiment): string[] => {
  const names = tratamentos
    .slice(1)
    .flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome))
  return [...new Set(names)].sort(compareText).slice(0, MOST_PRODUCTS)
}

/** The map's cards and points; `placeOf` finds a city's coordinates, null when the city is unknown. */
export function mapViewOf(
  all: readonly Experiment[],
  filter: ExperimentFilter,
  placeOf: (experiment: Experiment) => { lat: number; lng: number; aproximada: boolean },
): MapView {
  const experiments = all.filter((experiment) => matchesFilter(experiment, filter))
  const places = experiments.map((experiment) => ({ experiment, place: placeOf(experiment) }))
  const spot = ({ lat, lng }: { lat: number; lng: number }) => `${lat.toFixed(4)};${lng.toFixed(4)}`
  const shared = Map.groupBy(places, ({ place }) => spot(place))
  const pontos: MapPoint[] = places.slice(0, MAP_SINGLE_LIMIT).map(({ experiment, place }) => ({
    id: experiment.id,
    ...place,
    cidade: experiment.cidade,
    estado: experiment.estado,
    consultoria: experiment.consultoria,
    marca: experiment.marca,
    cultura: experiment.cultura,
    ano: experiment.ano,
    produtividade_media: experiment.produtividade_media,
    roi: experiment.roi,
    ganho_percent: gainPercent(gainOf(experiment)?.razao),
    oculto: !experiment.permissoes.ver_custos,
    regional: experiment.regional,
    n_tratamentos: experiment.n_tratamentos,
    produtos: triedProducts(experiment),
    no_local: shared.get(spot(place))?.length ?? 1,
  }))
  return {
    localizacoes: new Set(experiments.map(({ cidade, estado }) => `${cidade}/${estado}`)).size,
    total: experiments.length,
    produtividade_media: mean(known(experiments.map((experiment) => experiment.produtividade_media))),
    estados: new Set(experiments.map(({ estado }) => estado).filter((estado) => STATE_CODES.has(estado)))
      .size,
    culturas: new Set(experiments.map(({ cultura }) => cultura)).size,
    marcas: countedOptions(experiments.map(({ marca }) => marca)),
    pontos,
    lugares: [],
  }
}

/**
 * Whether a variable varies, by its sum of squares about its mean: what equal values leave of it, far below their last
 * digit, is rounding.
 */
export const varies = (squares: number, n: number, mean: number): boolean => squares > 1e-24 * n * mean * mean

/** Pearson's coefficient; null below three pairs or without spread. */
export function pearson(pairs: readonly (readonly [number, number])[]): number | null {
  if (pairs.length < 3) return null
  const meanX = mean(pairs.map(([x]) => x)) ?? 0
  const meanY = mean(pairs.map(([, y]) => y)) ?? 0
  let xx = 0
  let yy = 0
  let xy = 0
  for (const [x, y] of pairs) {
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
    xy += (x - meanX) * (y - meanY)
  }
  const { length: n } = pairs
  return !varies(xx, n, meanX) || !varies(yy, n, meanY)
    ? null
    : Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)))
}

export function correlationOf(
  all: readonly Experiment[],
  filter: ExperimentFilter,
  x: Variable,
  y: Variable,
  limit: number,
): Correlation {
  const experiments = all.filter(
    (experiment) =>
      matchesFilter(experiment, filter) &&
      variableOf(experiment, x) !== null &&
      variableOf(experiment, y) !== null,
  )
  const n = experiments.length
  if (isNumericVariable(x) && isNumericVariable(y)) {
    const pairsOf = (members: readonly Experiment[]) =>
      members.map((experiment) => [numberOf(experiment, x), numberOf(experiment, y)] as const)
    return {
      n,
      r: pearson(pairsOf(experiments)),
      pontos: experiments.slice(0, limit).map((experiment) => point(experiment, x, y)),
      grupos: [],
      por_cultura: [...Map.groupBy(experiments, ({ cultura }) => cultura)]
        .map(([cultura, members]) => ({ cultura, n: members.length, r: pearson(pairsOf(members)) }))
        .sort((a, b) => b.n - a.n || compareText(a.cultura, b.cultura)),
    }
  }
  const measure = isNumericVariable(x) ? x : isNumericVariable(y) ? y : null
  const keyOf = (experiment: Experiment) => {
    if (measure !== null) return String(variableOf(experiment, isNumericVariable(x) ? y : x))
    return x === y
      ? String(variableOf(experiment, x))
      : `${variableOf(experiment, x)} · ${variableOf(experiment, y)}`
  }
  const grupos = [...Map.groupBy(experiments, keyOf)].map(([chave, members]) => {
    const values = measure === null ? [] : members.map((experiment) => numberOf(experiment, measure))
    return { chave, n: members.length, media: mean(values), desvio: deviation(values) }
  })
  grupos.sort((a, b) => b.n - a.n || compareText(a.chave, b.chave))
  return { n, r: null, pontos: [], grupos, por_cultura: [] }
}
