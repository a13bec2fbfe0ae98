import { z } from 'zod'
import { ExperimentFilter } from './dashboard.ts'
import { endpoint, Page } from './endpoint.ts'
import { type Experiment, ExperimentSummary } from './experiment.ts'
import { gainOf } from './gain.ts'
import { NO_CULTIVAR } from './no-cultivar.ts'

/**
 * What a trial may lack for an answer, in the order of the bits that the server keeps: a comparison with a control, what
 * is asked of its soil, place and plants, its treatments' costs, an experimental error.
 */
export const LACKS = [
  'comparacao',
  'teor_argila',
  'teor_materia_organica',
  'coordenadas',
  'cultivar',
  'custos',
  'erro',
] as const
export const Lack = z.enum(LACKS, { error: 'Escolha o que falta' })
export type Lack = z.output<typeof Lack>

/** As a person reads it, and what it is wanted for. */
export const LACK_NAMES: Record<Lack, { nome: string; para: string }> = {
  comparacao: {
    nome: 'Comparação',
    para: 'menos de dois tratamentos, ou Testemunha sem produtividade: não há ganho a calcular',
  },
  teor_argila: { nome: 'Argila', para: 'sem teor de argila não entra nas respostas por solo' },
  teor_materia_organica: {
    nome: 'Matéria orgânica',
    para: 'sem matéria orgânica não entra nas respostas por solo',
  },
  coordenadas: { nome: 'Coordenadas', para: 'sem coordenadas o mapa o põe no centro da cidade' },
  cultivar: { nome: 'Cultivar', para: 'a cultivar não está identificada' },
  custos: { nome: 'Custos', para: 'há tratamento sem custo: a margem não pode ser calculada' },
  erro: {
    nome: 'Erro experimental',
    para: 'sem parcelas nem estatística informada não se sabe quão certo é o resultado',
  },
}

/** What a trial lacks, of what its reader sees: hidden costs are not said to be missing. */
export function lacksOf(experiment: Experiment): Lack[] {
  const { cultivar, tratamentos, permissoes } = experiment
  const lacking: Record<Lack, boolean> = {
    comparacao: gainOf(experiment) === null,
    teor_argila: experiment.teor_argila === null,
    teor_materia_organica: experiment.teor_materia_organica === null,
    coordenadas: experiment.latitude === null || experiment.longitude === null,
    cultivar: NO_CULTIVAR.has(cultivar.trim().toLocaleLowerCase('pt-BR')),
    custos: permissoes.ver_custos && tratamentos.some(({ custo }) => custo === null),
    erro: experiment.dados === null,
  }
  return LACKS.filter((lack) => lacking[lack])
}

export const IncompleteExperiment = ExperimentSummary.extend({ faltas: z.array(Lack) })
export type IncompleteExperiment = z.output<typeof IncompleteExperiment>

export const incompleteContract = {
  incompleteExperiments: endpoint('incompleteExperiments', {
    access: 'session',
    summary: 'Experimentos do filtro a que falta algo para uma resposta, em páginas, e quantos de cada falta',
    query: ExperimentFilter.extend({ ...Page.shape, falta: Lack.optional() }),
    status: 200,
    output: z.object({
      experimentos: z.array(IncompleteExperiment),
      /** Under the filter, whatever they lack; of what is hidden none is counted. */
      total: z.number(),
      contagens: z.record(Lack, z.number()),
      next_cursor: z.string().nullable(),
    }),
  }),
} as const
