import type { FieldKey } from './experiment-fields.ts'

export { BUSINESS_UNIT_NAMES, BUSINESS_UNITS, DOSE_UNITS } from './constants.ts'

/** The words by which the report of a trial says what is what; the reader knows a report of ours by them. */
export const REPORT_LABELS = {
  codigo: 'Código do ensaio',
  consultoria: 'Consultoria',
  marca: 'Marca',
  bu: 'Business Unit',
  regional: 'Regional',
  cidade: 'Cidade',
  estado: 'Estado',
  latitude: 'Latitude',
  longitude: 'Longitude',
  teor_argila: 'Teor de argila',
  teor_materia_organica: 'Matéria orgânica',
  cultura: 'Cultura',
  cultivar: 'Cultivar',
  ano: 'Ano',
  tipo_estatistica: 'Delineamento',
  custo_protocolo: 'Custo do protocolo',
  roi: 'ROI',
} as const satisfies Record<FieldKey, string>

/** Titles of its tables, and the headings that they begin with. */
export const REPORT_TABLES = {
  treatments: {
    title: 'Tratamentos.',
    heads: ['Trat.', 'Tratamento', 'Produto', 'Dose', 'Unidade', 'Modalidade'],
  },
  yields: {
    title: 'Produtividade por tratamento.',
    heads: ['Trat.', 'Tratamento', 'Produtividade (kg/ha)'],
  },
  analyses: { title: 'Análises adicionais.', heads: ['Trat.', 'Tratamento'] },
} as const
/** Behind the headings of the treatments, where a cost is known. */
export const REPORT_COST = 'Custo do tratamento (R$/ha)'
/** In place of a value that does not exist, and of one that is not known (IBGE); no cell is empty. */
export const REPORT_BLANKS = { none: '–', unknown: '...' } as const
