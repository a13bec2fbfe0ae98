import {
  BRANDS,
  BUSINESS_UNITS,
  CROPS,
  FIRST_YEAR,
  LAST_YEAR,
  REGIONS,
  STATES,
  STATISTICS_TYPES,
  YEARS,
} from './constants.ts'

/**
 * What stands once in an experiment. From this table follow what is accepted, stored, read out of a report, entered,
 * reviewed, compared, told in the history and taken away as a spreadsheet; the treatments are of their own shape
 * (experiment.ts). In the order of spreadsheets; forms go by their pages.
 */
interface Common {
  /** As forms and histories name it; the unit stands behind it. */
  label: string
  /** The page of the wizard that asks for it. */
  page: 1 | 2 | 3 | 4 | 6
  /** For whoever reads a report. */
  meaning: string
  /** Title, without the unit, and width of its column in a spreadsheet. */
  column: readonly [title: string, width: number]
  /** What a form says where it is missing; without it the field may be left out. */
  required?: string
}
interface TextField extends Common {
  type: 'text'
  shortest?: readonly [length: number, sentence: string]
  /** At most; 200 characters where it is not said. */
  longest?: number
  /** Names in use; others are welcome. */
  known?: readonly string[]
  /**
   * What is said of a text that another live experiment has, whatever its case and accents. Stored beside it as
   * `searchable` makes it, in a column of the same name with `_busca` behind; such a text is searched, too.
   */
  unique?: string
}
interface ChoiceField extends Common {
  type: 'choice'
  of: readonly string[]
  required: string
  /** What is said of a value that is not in the list, where that is not what is said of a missing one. */
  unknown?: string
}
interface NumberField extends Common {
  type: 'number'
  unit?: string
  least: readonly [number, sentence: string]
  most: readonly [number, sentence: string]
  /** What is said of a number that is not whole, where only whole ones are taken. */
  whole?: string
  /** Decimal degrees, south and west negative: shown with six places and read without grouping. */
  coordinate?: true
  /** A year: written without grouping. */
  year?: true
  known?: readonly number[]
}
export type ExperimentField = TextField | ChoiceField | NumberField

const share = {
  type: 'number',
  unit: '%',
  least: [0, 'Valor deve ser maior que 0'],
  most: [100, 'Valor deve ser menor que 100'],
} as const
const money = (sentence: string) =>
  ({ type: 'number', unit: 'R$/ha', least: [0, sentence], most: [100_000_000, 'Valor alto demais'] }) as const
const degrees = (sentence: string, most: number) =>
  ({ type: 'number', coordinate: true, least: [-most, sentence], most: [most, sentence] }) as const
const YEAR_RANGE = `Ano deve ser entre ${FIRST_YEAR} e ${LAST_YEAR}`

export const EXPERIMENT_FIELDS = {
  consultoria: {
    type: 'text',
    page: 1,
    label: 'Consultoria',
    meaning: 'empresa que conduziu o ensaio',
    column: ['Consultoria', 28],
    required: 'Nome da consultoria é obrigatório',
    shortest: [2, 'Nome deve ter pelo menos 2 caracteres'],
  },
  marca: {
    type: 'text',
    page: 1,
    label: 'Marca',
    meaning: 'marca (fabricante) dos produtos testados',
    column: ['Marca', 14],
    required: 'Marca é obrigatória',
    known: BRANDS,
  },
  bu: {
    type: 'choice',
    page: 1,
    label: 'Business Unit',
    meaning: 'Business Unit: BU1, BU2 ou BU3',
    column: ['Business Unit', 16],
    required: 'Business Unit é obrigatória',
    of: BUSINESS_UNITS,
  },
  regional: {
    type: 'text',
    page: 1,
    label: 'Regional',
    meaning: 'regional comercial',
    column: ['Regional', 14],
    required: 'Regional é obrigatória',
    known: REGIONS.map(({ nome }) => nome),
  },
  cidade: {
    type: 'text',
    page: 2,
    label: 'Cidade',
    meaning: 'município do ensaio, não o da sede da consultoria',
    column: ['Cidade', 22],
    required: 'Cidade é obrigatória',
  },
  estado: {
    type: 'choice',
    page: 2,
    label: 'Estado',
    meaning: 'sigla do estado do ensaio',
    column: ['Estado', 8],
    required: 'Estado é obrigatório',
    of: STATES.map(({ sigla }): string => sigla),
    unknown: 'Escolha um estado da lista',
  },
  latitude: {
    ...degrees('Latitude deve ser entre -90 e 90', 90),
    page: 2,
    label: 'Latitude',
    meaning: 'graus decimais, sul negativo',
    column: ['Latitude', 11],
  },
  longitude: {
    ...degrees('Longitude deve ser entre -180 e 180', 180),
    page: 2,
    label: 'Longitude',
    meaning: 'graus decimais, oeste negativo',
    column: ['Longitude', 11],
  },
  cultura: {
    type: 'text',
    page: 4,
    label: 'Cultura',
    meaning: 'cultura do ensaio',
    column: ['Cultura', 16],
    required: 'Cultura é obrigatória',
    known: CROPS,
  },
  cultivar: {
    type: 'text',
    page: 4,
    label: 'Cultivar',
    meaning: 'cultivar ou híbrido',
    column: ['Cultivar', 20],
    required: 'Cultivar é obrigatório',
  },
  ano: {
    type: 'number',
    page: 4,
    label: 'Ano',
    meaning: 'ano do ensaio',
    column: ['Ano', 7],
    required: 'Ano é obrigatório',
    whole: 'Ano deve ser entre 2020 e 2030',
    least: [FIRST_YEAR, YEAR_RANGE],
    most: [LAST_YEAR, YEAR_RANGE],
    year: true,
    known: YEARS,
  },
  teor_argila: {
    ...share,
    page: 3,
    label: 'Teor de Argila',
    meaning: 'argila do solo, %',
    column: ['Teor de argila', 12],
  },
  teor_materia_organica: {
    ...share,
    page: 3,
    label: 'Matéria Orgânica',
    meaning: 'matéria orgânica do solo, %',
    column: ['Matéria orgânica', 12],
  },
  tipo_estatistica: {
    type: 'choice',
    page: 6,
    label: 'Tipo de Estatística',
    meaning: 'delineamento ou análise estatística',
    column: ['Tipo de estatística', 22],
    required: 'Tipo de estatística é obrigatório',
    of: STATISTICS_TYPES,
  },
  custo_protocolo: {
    ...money('Custo deve ser positivo'),
    page: 6,
    label: 'Custo do Protocolo',
    meaning: 'custo do protocolo, R$/ha',
    column: ['Custo do protocolo', 16],
    required: 'Custo do protocolo é obrigatório',
  },
  roi: {
    ...money('ROI deve ser positivo'),
    page: 6,
    label: 'ROI',
    meaning: 'retorno em R$/ha, nunca em %',
    column: ['ROI', 14],
  },
  codigo: {
    type: 'text',
    page: 1,
    label: 'Código do ensaio',
    meaning: 'código ou número pelo qual quem conduziu o ensaio o identifica',
    column: ['Código do ensaio', 18],
    longest: 60,
    unique: 'Já existe um experimento com este código',
  },
} as const satisfies Readonly<Record<string, ExperimentField>>

type Fields = typeof EXPERIMENT_FIELDS
export type FieldKey = keyof Fields
export type NumberKey = { [K in FieldKey]: Fields[K] extends { type: 'number' } ? K : never }[FieldKey]

/** What a field holds once it has been accepted. */
type Held<F> = F extends { type: 'number' } ? number : F extends { of: readonly (infer C)[] } ? C : string
export type FieldValues = {
  [K in FieldKey]: Fields[K] extends { required: string } ? Held<Fields[K]> : Held<Fields[K]> | null
}
/** The same where anything may be missing yet: as a report gives it. */
export type FoundValues = { [K in FieldKey]: (K extends NumberKey ? number : string) | null }
/** The same while it is being entered: '' for a text that is not there, null for a number. */
export type EnteredValues = { [K in FieldKey]: K extends NumberKey ? number | null : string }

export const FIELD_KEYS = Object.keys(EXPERIMENT_FIELDS) as FieldKey[]
export const fieldOf = (key: FieldKey): ExperimentField => EXPERIMENT_FIELDS[key]
export const isFieldKey = (key: string): key is FieldKey => key in EXPERIMENT_FIELDS
export const isNumberKey = (key: FieldKey): key is NumberKey => fieldOf(key).type === 'number'

type Optional = { [K in FieldKey]: Fields[K] extends { required: string } ? never : K }[FieldKey]
/** What may be left out, left out. */
export const UNGIVEN = Object.fromEntries(
  FIELD_KEYS.filter((key) => fieldOf(key).required === undefined).map((key) => [key, null]),
) as { [K in Optional]: null }
/** What a report gives in which nothing stands. */
export const NOT_FOUND = eachField(() => null) as { [K in FieldKey]: null }

/** Those that tell experiments apart, each with what is said of one that is taken. */
export const UNIQUE_FIELDS = FIELD_KEYS.flatMap((key) => {
  const field = fieldOf(key)
  return field.type === 'text' && field.unique !== undefined ? [{ key, taken: field.unique }] : []
})

/** The fields of one page of the wizard, from 1. */
export const fieldsOfPage = (page: number): FieldKey[] =>
  FIELD_KEYS.filter((key) => fieldOf(key).page === page)

/** 'Teor de Argila (%)' */
export function labelWithUnit(key: FieldKey): string {
  const field = fieldOf(key)
  return field.type === 'number' && field.unit ? `${field.label} (${field.unit})` : field.label
}

/** A value for every field; the result has the shape that `value` gives it. */
export function eachField<T>(value: (key: FieldKey, field: ExperimentField) => T): Record<FieldKey, T> {
  return Object.fromEntries(FIELD_KEYS.map((key) => [key, value(key, fieldOf(key))])) as Record<FieldKey, T>
}
