import { z } from 'zod'
import { QUALITY_LEVELS } from './advice-level.ts'
import { CLAY_CLASSES, ORGANIC_CLASSES } from './soil.ts'
import { list } from './text.ts'
import {
  CATEGORICAL_VARIABLES,
  DATA_KINDS,
  FILTER_KEYS,
  MORE_FILTERS,
  NUMERIC_VARIABLES,
  type Variable,
} from './variables.ts'

/** What a collection keeps and shares: empty or missing means off. */
const SHARED_FILTER = {
  regional: z.string().max(200).optional(),
  cultura: z.string().max(200).optional(),
  marca: z.string().max(200).optional(),
  ano: z.string().max(10).optional(),
  /** Contained in a product's name; the others match exactly. */
  produto: z.string().max(200).optional(),
  consultoria: z.string().max(200).optional(),
  bu: z.string().max(10).optional(),
  /** 'proprios', 'recebidos', or the id of an organisation: whose trials. */
  origem: z.string().max(40).optional(),
}
/** Nothing else: what a collection left out of account it would share. */
export const SharedFilter = z.strictObject(SHARED_FILTER, {
  error: ({ code }) =>
    code === 'unrecognized_keys'
      ? 'Uma coleção guarda só regional, cultura, marca, ano, produto, consultoria e Business Unit'
      : undefined,
})

const MOST_VALUES = 30
const TOO_MANY_VALUES = `Use no máximo ${MOST_VALUES} valores`
const oneOrMore = <T extends z.ZodType<string>>(value: T) =>
  z
    .union([value, list(value, { most: MOST_VALUES, message: TOO_MANY_VALUES })], {
      error: ({ input }) =>
        Array.isArray(input) && input.length > MOST_VALUES ? TOO_MANY_VALUES : 'Escolha um valor da lista',
    })
    .optional()

/** The dashboard's filter: what is asked of each trial, all of it at once; one of several values is enough. */
export const ExperimentFilter = z.object({
  ...SHARED_FILTER,
  estado: oneOrMore(z.string().max(2)),
  cultivar: oneOrMore(z.string().max(200)),
  /** Of a treatment that is not the control. */
  modalidade: oneOrMore(z.string().max(200)),
  solo: oneOrMore(z.enum(['', ...CLAY_CLASSES])),
  materia_organica: oneOrMore(z.enum(['', ...ORGANIC_CLASSES])),
  dados: oneOrMore(z.enum(['', ...DATA_KINDS])),
  qualidade: oneOrMore(z.enum(['', ...QUALITY_LEVELS])),
  /** Whether a return is known and shown. */
  com_roi: z.enum(['', '0', '1']).optional(),
  /** Filters that are meant the other way round: 'não é'. */
  nao: oneOrMore(z.enum(['', ...FILTER_KEYS, ...MORE_FILTERS])),
})
export type ExperimentFilter = z.output<typeof ExperimentFilter>

/**
 * Gain over the control, one number a trial: the mean of its treatments (or of those in question) less the yield of the
 * control, kg/ha, and the natural logarithm of their ratio, whose mean stands for many crops: 100 (exp - 1) is %.
 */
export const Gain = z.object({
  /** Trials that compare with a control. */
  n: z.number(),
  /** Unweighted mean, kg/ha. */
  media: z.number(),
  /** Sample standard deviation between trials, kg/ha; null below two. */
  desvio: z.number().nullable(),
  /** Trials whose ratio exists, the mean of its logarithm, and that one's sample standard deviation. */
  n_razao: z.number(),
  razao: z.number().nullable(),
  desvio_razao: z.number().nullable(),
  /** Trials above zero, and those that are not zero. */
  vitorias: z.number(),
  diferentes: z.number(),
})
export type Gain = z.output<typeof Gain>

/** One group of a chart. */
export const Group = z.object({
  chave: z.string(),
  /** How many experiments; treatments for the modalities. */
  n: z.number(),
  /** kg/ha */
  produtividade_media: z.number().nullable(),
  /** Sample standard deviation in kg/ha; null below two. */
  desvio: z.number().nullable(),
  /** R$/ha, over the experiments that have one */
  roi_medio: z.number().nullable(),
  /** Null where no trial of it compares with a control. */
  ganho: Gain.nullable(),
})
export type Group = z.output<typeof Group>

/** A product's record: `experimentos` counts distinct experiments, costs and returns are in R$/ha. */
export const ProductPerformance = z.object({
  produto: z.string(),
  experimentos: z.number(),
  custoMedio: z.number().nullable(),
  roiMedio: z.number().nullable(),
  marca: z.string(),
  /** Of the treatments that hold it. */
  ganho: Gain.nullable(),
})
export type ProductPerformance = z.output<typeof ProductPerformance>

export const ScatterPoint = z.object({
  id: z.string(),
  x: z.number(),
  y: z.number(),
  cultura: z.string(),
  marca: z.string(),
  nome: z.string(),
})
export type ScatterPoint = z.output<typeof ScatterPoint>

export const Overview = z.object({
  total: z.number(),
  /** kg/ha */
  produtividade_media: z.number().nullable(),
  /** R$/ha, over the experiments that have one */
  roi_medio: z.number().nullable(),
  /** How many of them show their costs and returns. */
  com_custos: z.number(),
  ganho: Gain.nullable(),
  consultorias_ativas: z.number(),
  por_cultura: z.array(Group),
  por_marca: z.array(Group),
  por_regional: z.array(Group),
  por_bu: z.array(Group),
  por_ano: z.array(Group),
  /** Counted by treatment, controls left out. */
  por_modalidade: z.array(Group),
  /** Clay (%) against yield (kg/ha): a fixed, uniform sample of at most 1,000 points. */
  argila: z.object({ n: z.number(), pontos: z.array(ScatterPoint) }),
  /** At most ten, the highest mean return first. */
  produtos: z.array(ProductPerformance),
  /** At most ten, the highest mean gain (ratio) first; those of fewer than three trials come after all others. */
  produtos_ganho: z.array(ProductPerformance),
})
export type Overview = z.output<typeof Overview>

export const FilterOption = z.object({ valor: z.string(), n: z.number() })
export type FilterOption = z.output<typeof FilterOption>
/** The values in use, each with its count under the other filters. */
export const FilterOptions = z.object({
  regional: z.array(FilterOption),
  cultura: z.array(FilterOption),
  marca: z.array(FilterOption),
  ano: z.array(FilterOption),
  produto: z.array(FilterOption),
  consultoria: z.array(FilterOption),
  /** Organisations whose trials are seen, by their ids; there where the installation is of several. */
  origem: z.array(FilterOption.extend({ nome: z.string() })).optional(),
})
export type FilterOptions = z.output<typeof FilterOptions>

/** The values of the other filters in use, each with its count under all filters but itself. */
export const MoreFilterOptions = z.object({
  estado: z.array(FilterOption),
  modalidade: z.array(FilterOption),
  cultivar: z.array(FilterOption),
})
export type MoreFilterOptions = z.output<typeof MoreFilterOptions>

export const MapPoint = z.object({
  id: z.string(),
  lat: z.number(),
  lng: z.number(),
  /** The city is unknown and there are no coordinates: shown at the map's centre. */
  aproximada: z.boolean(),
  cidade: z.string(),
  estado: z.string(),
  consultoria: z.string(),
  marca: z.string(),
  cultura: z.string(),
  ano: z.number(),
  produtividade_media: z.number().nullable(),
  roi: z.number().nullable(),
  /** Gain over the control, %. */
  ganho_percent: z.number().nullable(),
  /** The return may be there and is not shown. */
  oculto: z.boolean(),
  regional: z.string(),
  n_tratamentos: z.number(),
  /** Applied in treatments other than the control, by name; at most three. */
  produtos: z.array(z.string()),
  /** How many experiments share the coordinates, to four decimals. */
  no_local: z.number(),
})
export type MapPoint = z.output<typeof MapPoint>

/** Places joined by the server when single markers could not be told apart. */
export const MapPlace = z.object({
  lat: z.number(),
  lng: z.number(),
  cidade: z.string(),
  estado: z.string(),
  n: z.number(),
  /** Mean gain over the control, %. */
  ganho_percent: z.number().nullable(),
})
export type MapPlace = z.output<typeof MapPlace>

export const MapView = z.object({
  /** Distinct city and state pairs. */
  localizacoes: z.number(),
  total: z.number(),
  produtividade_media: z.number().nullable(),
  estados: z.number(),
  /** Distinct crops: a mean over several says little. */
  culturas: z.number(),
  /** The brands on the map with their counts. */
  marcas: z.array(FilterOption),
  /** Every experiment, while there are at most `MAP_SINGLE_LIMIT` in view; else empty. */
  pontos: z.array(MapPoint),
  lugares: z.array(MapPlace),
})
export type MapView = z.output<typeof MapView>

const variableNames = [...Object.keys(NUMERIC_VARIABLES), ...Object.keys(CATEGORICAL_VARIABLES)] as [
  Variable,
  ...Variable[],
]
export const VariableName = z.enum(variableNames)

/** A pair of variables: Pearson over all rows when both are numeric, groups when one is categorical. */
export const Correlation = z.object({
  /** Experiments that have both values. */
  n: z.number(),
  /** Pearson's coefficient over all rows; null unless both are numeric and n >= 3. */
  r: z.number().nullable(),
  /** A fixed, uniform sample; empty unless both are numeric. */
  pontos: z.array(ScatterPoint),
  /** One per category (or pair of categories, joined by ' · '); empty when both are numeric. */
  grupos: z.array(
    z.object({
      chave: z.string(),
      n: z.number(),
      media: z.number().nullable(),
      desvio: z.number().nullable(),
    }),
  ),
  /** Crops in view, and r within each, when both are numeric. */
  por_cultura: z.array(z.object({ cultura: z.string(), n: z.number(), r: z.number().nullable() })),
})
export type Correlation = z.output<typeof Correlation>
