import { matchesFilter } from './aggregates.ts'
import type { AlertCondition, ViewState } from './contract-views.ts'
import { ExperimentFilter } from './dashboard.ts'
import type { Experiment } from './experiment.ts'
import { formatNumber, searchable } from './format.ts'
import { gainOf, gainPercent } from './gain.ts'
import { reaisText } from './prices.ts'
import { filterValues, NUMERIC_VARIABLES } from './variables.ts'

export const MOST_VIEWS = 200
export const MOST_ALERTS = 20
/** Parts of a view's state, and values of a part. */
export const MOST_VIEW_VALUES = 60
export const ALERT_FREQUENCIES = ['na_hora', 'por_dia', 'por_semana'] as const
export type AlertFrequency = (typeof ALERT_FREQUENCIES)[number]
export const ALERT_FREQUENCY_NAMES: Record<AlertFrequency, string> = {
  na_hora: 'Na hora',
  por_dia: 'Por dia',
  por_semana: 'Por semana',
}
/** Numbers of a trial that an alert may ask about. */
export const ALERT_VARIABLES = [
  'roi',
  'produtividade_media',
  'ganho_percent',
  'custo_protocolo',
  'custo_total',
  'teor_argila',
  'teor_materia_organica',
] as const
export type AlertVariable = (typeof ALERT_VARIABLES)[number]

/** What a view asks of trials: its filters, and the search of its table. */
export interface ViewQuestion {
  filter: ExperimentFilter
  search: string
}

/** What a view asks; parts that are no filter ask nothing. */
export function viewQuestion(state: ViewState): ViewQuestion {
  const asked: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(state)) {
    const nested = typeof value === 'object' && !Array.isArray(value) ? value : { [key]: value }
    for (const [name, given] of Object.entries(nested)) {
      const values = [given].flat().map((one) => String(one).replaceAll('\0', ''))
      asked[name] = values.length === 1 ? values[0] : values
    }
  }
  const filter: Record<string, unknown> = {}
  for (const [key, schema] of Object.entries(ExperimentFilter.shape)) {
    const parsed = schema.safeParse(asked[key])
    if (parsed.success && parsed.data !== undefined && parsed.data !== '') filter[key] = parsed.data
  }
  return {
    // Of each part what its own schema lets through.
    filter: filter as ExperimentFilter,
    search: typeof asked.busca === 'string' ? asked.busca.trim().slice(0, 200) : '',
  }
}

/** Exact fields by which a trial is told apart at once, the most telling first. */
const EXACT = ['consultoria', 'marca', 'cultura', 'regional', 'estado', 'ano'] as const
export type ExactField = (typeof EXACT)[number]

/** The exact fields that the filter asks one value of. */
export function exactAsked({ filter }: ViewQuestion): [ExactField, string][] {
  const turned = filterValues(filter.nao)
  return EXACT.flatMap((key): [ExactField, string][] => {
    const [only, ...more] = turned.includes(key) ? [] : filterValues(filter[key])
    return only === undefined || more.length > 0 ? [] : [[key, only]]
  })
}

/** Marks that every trial has which passes the filter: 'cultura:soja'. */
export const exactMarks = (question: ViewQuestion): string[] =>
  exactAsked(question).map(([key, value]) => `${key}:${searchable(value)}`)

/**
 * Filters that name what is chosen from a list. A product or cultivar is typed, and who asks for one that no trial has
 * yet wants to be told of the first.
 */
const NAMING = ['consultoria', 'marca', 'cultura', 'regional', 'modalidade'] as const
export interface AskedName {
  tipo: (typeof NAMING)[number] | 'origem'
  /** Of an organisation its id. */
  nome: string
}

/** What a view asks for by name, each once: also what a filter leaves out. */
export function namesAsked({ filter }: ViewQuestion): AskedName[] {
  const { origem } = filter
  return [
    ...NAMING.flatMap((tipo) => [...new Set(filterValues(filter[tipo]))].map((nome) => ({ tipo, nome }))),
    ...(origem && origem !== 'proprios' && origem !== 'recebidos'
      ? [{ tipo: 'origem' as const, nome: origem }]
      : []),
  ]
}

/** What an alert says that is paused for a name. */
export const namelessText = ({ tipo, nome }: AskedName): string =>
  tipo === 'origem'
    ? 'O filtro usa uma organização que não existe mais.'
    : `O filtro usa “${nome}”, que não existe mais.`

/** What a view asks beyond its exact fields. */
export function beyondExact(question: ViewQuestion): ViewQuestion {
  const exact = new Set<string>(exactAsked(question).map(([key]) => key))
  return {
    // Some of the filter's own parts.
    filter: Object.fromEntries(
      Object.entries(question.filter).filter(([key]) => !exact.has(key)),
    ) as ExperimentFilter,
    search: question.search,
  }
}

/** Fields of a trial that the question and the condition look at: a change of any other leaves them as they were. */
export function fieldsAsked({ filter, search }: ViewQuestion, condition: AlertCondition | null): Set<string> {
  const fields = new Set(Object.keys(filter).flatMap((key) => FIELDS_OF[key] ?? [key]))
  if (search)
    for (const field of ['consultoria', 'cidade', 'cultura', 'marca', 'tratamentos', 'codigo'])
      fields.add(field)
  if (condition?.tipo === 'produto' || (condition && DERIVED.has(condition.variavel)))
    fields.add('tratamentos')
  if (condition?.tipo === 'variavel') fields.add(condition.variavel)
  return fields
}
const FIELDS_OF: Readonly<Record<string, readonly string[]>> = {
  produto: ['tratamentos'],
  modalidade: ['tratamentos'],
  solo: ['teor_argila'],
  materia_organica: ['teor_materia_organica'],
  dados: ['estatistica_informada', 'parcelas'],
  com_roi: ['roi'],
  nao: [],
  origem: [],
}
const DERIVED: ReadonlySet<string> = new Set(['produtividade_media', 'custo_total', 'ganho_percent'])

/** Whether a whole trial passes: for what it was before a change. */
export function passes(
  experiment: Experiment,
  question: ViewQuestion,
  condition: AlertCondition | null,
): boolean {
  return (
    matchesFilter(experiment, question.filter) &&
    found(experiment, searchable(question.search)) &&
    (condition === null || fulfils(experiment, condition))
  )
}

function found({ consultoria, cidade, cultura, marca, codigo, tratamentos }: Experiment, text: string) {
  const products = tratamentos.flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome))
  return [consultoria, cidade, cultura, marca, codigo ?? '', ...products].some((name) =>
    searchable(name).includes(text),
  )
}

function fulfils(experiment: Experiment, condition: AlertCondition): boolean {
  if (condition.tipo === 'variavel') {
    const value =
      condition.variavel === 'ganho_percent'
        ? gainPercent(gainOf(experiment)?.razao)
        : experiment[condition.variavel]
    if (value === null) return false
    return condition.sentido === 'acima' ? value > condition.valor : value < condition.valor
  }
  const [control, ...others] = experiment.tratamentos
  const name = searchable(condition.produto)
  return others.some(
    ({ produtividade, produtos_aplicados }) =>
      control !== undefined &&
      control.produtividade > 0 &&
      produtividade > control.produtividade * (1 + condition.percentual / 100) &&
      produtos_aplicados.some((product) => searchable(product.nome) === name),
  )
}

/** 'ROI acima de R$ 300,00'. */
export function conditionText(condition: AlertCondition): string {
  if (condition.tipo === 'produto')
    return `${condition.produto} venceu a testemunha por mais de ${formatNumber(condition.percentual, 2)} %`
  const { nome, unidade } = NUMERIC_VARIABLES[condition.variavel]
  const value =
    unidade === 'R$/ha' ? reaisText(condition.valor) : `${formatNumber(condition.valor, 2)} ${unidade}`
  return `${nome} ${condition.sentido} de ${value}`
}
