import { z } from 'zod'
import { ExperimentFilter } from './dashboard.ts'
import { ById, endpoint } from './endpoint.ts'
import type { JointAnswer } from './synthesis-joint.ts'
import type { SynthesisAnswer } from './synthesis-shapes.ts'
import { LONGEST_RAW, shortText } from './text.ts'

const key = shortText(200)
const yes = z.enum(['0', '1']).optional()
const decimal = (least: number, most: number, message: string) =>
  z.coerce.number({ error: message }).min(least, message).max(most, message)

/** Trials that a person puts back or takes out by name. */
const MOST_CHOSEN = 500
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ids = shortText(MOST_CHOSEN * 37, { tooLong: `Use no máximo ${MOST_CHOSEN} ensaios` })
  .refine((text) => text.split(',').every((id) => id === '' || UUID.test(id)), 'Identificador inválido')
  .optional()

export const MODERATORS = ['teor_argila', 'teor_materia_organica', 'ano', 'latitude', 'testemunha'] as const
export type Moderator = (typeof MODERATORS)[number]
export const SUBGROUPS = ['cultura', 'regional', 'marca', 'ano', 'modalidade', 'solo'] as const
export type Subgroup = (typeof SUBGROUPS)[number]

/** What is asked of a synthesis besides the dashboard's filters: which comparison, as what, and why it varies. */
export const SynthesisQuery = ExperimentFilter.extend({
  /** Name of a treatment, in place of a product: one of each trial. */
  tratamento: key.optional(),
  /** Key or name of the variable; without it the yield. */
  variavel: key.optional(),
  /** Without it the ratio over several crops or years, else the difference. */
  medida: z.enum(['diferenca', 'lnrr'], { error: 'Escolha diferenca ou lnrr' }).optional(),
  /** Only treatments that have no other product. */
  sozinho: yes,
  /** In the unit of the product's dose. */
  dose_min: decimal(0, 1e9, 'Informe a dose').optional(),
  dose_max: decimal(0, 1e9, 'Informe a dose').optional(),
  moderador: z.enum(MODERATORS, { error: 'Escolha um moderador da lista' }).optional(),
  subgrupo: z.enum(SUBGROUPS, { error: 'Escolha um subgrupo da lista' }).optional(),
  /** Ids joined by commas: repeated trials that count all the same, and trials that do not. */
  incluir: ids,
  retirar: ids,
  /** A third estimate, with the median CV of the crop where no error is known. */
  imputar: yes,
  /** R$ per trading unit, and its weight in kg. */
  preco: decimal(0.01, 1e9, 'Informe o preço').optional(),
  kg_por_unidade: decimal(0.01, 10_000, 'Informe o peso da unidade, em kg').optional(),
})
export type SynthesisQuery = z.output<typeof SynthesisQuery>
/** What a synthesis answers: of a product, a treatment, or under a name all treatments of each trial. */
export type SynthesisQuestion = SynthesisQuery & { todos?: string }

/** Of the trials with plots under the filter; the treatments by their names, joined by commas. */
export const JointQuery = ExperimentFilter.extend({
  variavel: key.optional(),
  tratamentos: shortText(5000).optional(),
})
export type JointQuery = z.output<typeof JointQuery>

/** Shapes are those of who makes them; over the wire they go whole. */
const SynthesisBody = z.looseObject({ k: z.number() }) as unknown as z.ZodType<SynthesisAnswer>
const JointBody = z.looseObject({ k: z.number() }) as unknown as z.ZodType<JointAnswer>

export const RecordedSynthesis = z.object({
  id: z.uuid(),
  titulo: z.string(),
  conclusao: z.string(),
  /** Others of the organisation read it too. */
  compartilhada: z.boolean(),
  opcoes: SynthesisQuery,
  motor: z.string(),
  /** Who recorded it; null where the account is gone. */
  quem: z.string().nullable(),
  propria: z.boolean(),
  quando: z.string(),
  /** Trials in it. */
  ensaios: z.number(),
  /** Trials of it have changed, or are gone. */
  desatualizada: z.boolean(),
  /** It rests on trials that the asker sees no more: neither its numbers nor its words are shown. */
  oculta: z.boolean(),
})
export type RecordedSynthesis = z.output<typeof RecordedSynthesis>

const WholeRecord = RecordedSynthesis.extend({ sintese: SynthesisBody.nullable() })
export type WholeSynthesis = z.output<typeof WholeRecord>

export const SynthesisRecord = SynthesisQuery.extend({
  titulo: shortText(LONGEST_RAW).trim().max(200, 'Use no máximo 200 caracteres').default(''),
  conclusao: shortText(10_000).trim().max(5000, 'Use no máximo 5.000 caracteres').default(''),
  compartilhada: z.boolean().default(false),
})
export type SynthesisRecord = z.output<typeof SynthesisRecord>

/** What is another now than when a synthesis was recorded. */
const SynthesisChanges = z.object({
  /** Sentences, none where nothing changed. */
  frases: z.array(z.string()),
  /** Trials that came in, went out, or have another effect or error, with their names. */
  entraram: z.array(z.string()),
  sairam: z.array(z.string()),
  mudaram: z.array(z.string()),
})
export type SynthesisChanges = z.output<typeof SynthesisChanges>

/** One answer of many trials. */
export const synthesisContract = {
  synthesis: endpoint('synthesis', {
    access: 'session',
    summary: 'O efeito de um produto contra a Testemunha nos ensaios do filtro',
    query: SynthesisQuery,
    status: 200,
    output: z.object({ sintese: SynthesisBody }),
  }),
  synthesisProducts: endpoint('synthesisProducts', {
    access: 'session',
    summary: 'Produtos aplicados nos ensaios do filtro, com o número de ensaios de cada um',
    query: ExperimentFilter.omit({ produto: true }).extend({ busca: key.optional() }),
    status: 200,
    output: z.object({
      /** At most fifty, the most tried first. */
      produtos: z.array(z.object({ produto: z.string(), ensaios: z.number() })),
      total: z.number(),
    }),
  }),
  jointAnalysis: endpoint('jointAnalysis', {
    access: 'session',
    summary: 'Análise conjunta e estabilidade dos ensaios com parcelas do filtro',
    query: JointQuery,
    status: 200,
    output: z.object({ conjunta: JointBody }),
  }),
  recordSynthesis: endpoint('recordSynthesis', {
    access: 'session',
    summary: 'Registra uma síntese com as suas opções',
    body: SynthesisRecord,
    status: 201,
    output: z.object({ registro: WholeRecord }),
  }),
  listSyntheses: endpoint('listSyntheses', {
    access: 'session',
    summary: 'As sínteses próprias e as compartilhadas da organização',
    status: 200,
    output: z.object({ registros: z.array(RecordedSynthesis) }),
  }),
  getSynthesis: endpoint('getSynthesis', {
    access: 'session',
    summary: 'Uma síntese registrada, inteira',
    params: ById,
    status: 200,
    output: z.object({ registro: WholeRecord }),
  }),
  rerunSynthesis: endpoint('rerunSynthesis', {
    access: 'session',
    summary: 'A mesma pergunta com os dados de agora, e o que mudou; nada é gravado',
    params: ById,
    status: 200,
    output: z.object({ sintese: SynthesisBody, mudancas: SynthesisChanges }),
  }),
  removeSynthesis: endpoint('removeSynthesis', {
    access: 'session',
    summary: 'Exclui uma síntese própria',
    params: ById,
    status: 204,
  }),
} as const
