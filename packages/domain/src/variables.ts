/** What the dashboard filters by and compares; apart from the schemas, which a page need not carry. */

export const FILTER_KEYS = ['regional', 'cultura', 'marca', 'ano', 'produto', 'consultoria', 'bu'] as const
export type FilterKey = (typeof FILTER_KEYS)[number]

/** Filters that add to those: of several values, and with 'não é'. */
export const MORE_FILTERS = [
  'estado',
  'solo',
  'materia_organica',
  'modalidade',
  'cultivar',
  'dados',
  'qualidade',
] as const
export type MoreFilter = (typeof MORE_FILTERS)[number]
/** The values of a filter that may have several. */
export const filterValues = (value: string | readonly string[] | undefined): string[] =>
  [value ?? []].flat().filter((one) => one !== '')

/** What a trial's numbers rest on. */
export const DATA_KINDS = ['parcelas', 'reconstruida', 'medias'] as const

export const MAP_SINGLE_LIMIT = 500

export const NUMERIC_VARIABLES = {
  teor_argila: { nome: 'Teor de argila', unidade: '%' },
  teor_materia_organica: { nome: 'Matéria orgânica', unidade: '%' },
  produtividade_media: { nome: 'Produtividade média', unidade: 'kg/ha' },
  custo_protocolo: { nome: 'Custo do protocolo', unidade: 'R$/ha' },
  custo_total: { nome: 'Custo total', unidade: 'R$/ha' },
  roi: { nome: 'ROI', unidade: 'R$/ha' },
  ganho_percent: { nome: 'Ganho sobre a Testemunha', unidade: '%' },
  ano: { nome: 'Ano', unidade: '' },
} as const
export const CATEGORICAL_VARIABLES = {
  cultura: { nome: 'Cultura' },
  marca: { nome: 'Marca' },
  regional: { nome: 'Regional' },
  bu: { nome: 'Business Unit' },
  consultoria: { nome: 'Consultoria' },
  estado: { nome: 'Estado' },
  tipo_estatistica: { nome: 'Tipo de estatística' },
} as const
export type NumericVariable = keyof typeof NUMERIC_VARIABLES
export type CategoricalVariable = keyof typeof CATEGORICAL_VARIABLES
export type Variable = NumericVariable | CategoricalVariable

export const isNumericVariable = (name: Variable): name is NumericVariable => name in NUMERIC_VARIABLES

/** Strength of Pearson's coefficient: above 0.7 strong, above 0.3 moderate, else weak. */
export function pearsonStrength(r: number): 'forte' | 'moderada' | 'fraca' {
  const size = Math.abs(r)
  return size > 0.7 ? 'forte' : size > 0.3 ? 'moderada' : 'fraca'
}

/** Products of fewer trials than these are ranked by gain after all others. */
export const FEW_TRIALS = 3
