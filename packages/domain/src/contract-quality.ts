import { z } from 'zod'
import { ADVICE_CODES, ADVICE_WEIGHTS } from './advice-facts.ts'
import { QUALITY_LEVELS } from './advice-level.ts'
import { ById, endpoint } from './endpoint.ts'
import { cleaned } from './experiment.ts'
import { LONGEST_RAW, shortText } from './text.ts'

const AdvicePlaceShape = z.object({
  campo: z.string().nullable(),
  parcela: z.number().nullable(),
  variavel: z.string().nullable(),
  avaliacao: z.string().nullable(),
})

export const QualityFinding = z.object({
  codigo: z.enum(ADVICE_CODES),
  peso: z.enum(ADVICE_WEIGHTS),
  onde: AdvicePlaceShape,
  texto: z.string(),
  /** The place and what stands there as short texts: an answer names both. */
  lugar: z.string(),
  valor: z.string(),
  fonte: z.object({
    titulo: z.string(),
    endereco: z.string().nullable(),
    /** 'aaaa-mm-dd' */
    lido_em: z.string(),
    /** 'Fonte de 2003', where it is old. */
    antiga: z.string().nullable(),
  }),
  resposta: z
    .object({
      /** Null to other organisations. */
      texto: z.string().nullable(),
      quem: z.string().nullable(),
      quando: z.string(),
    })
    .nullable(),
})
export type QualityFinding = z.output<typeof QualityFinding>

export const Quality = z.object({
  nivel: z.enum(QUALITY_LEVELS),
  /** Open ones: problems times 256, and the rest to check. */
  apontamentos_abertos: z.number(),
  regras_versao: z.number(),
  apontamentos: z.array(QualityFinding),
})
export type Quality = z.output<typeof Quality>

const SENTENCE = 'Diga por que está certo, em 5 a 300 caracteres'
const QualityAnswer = z.object({
  lugar: shortText(200, { required: 'Este campo é obrigatório' }),
  valor: shortText(40, { required: 'Este campo é obrigatório' }),
  texto: shortText(LONGEST_RAW, { required: SENTENCE })
    .transform(cleaned)
    .pipe(z.string().min(5, SENTENCE).max(300, SENTENCE)),
})
export type QualityAnswer = z.output<typeof QualityAnswer>

export const qualityContract = {
  experimentQuality: endpoint('experimentQuality', {
    access: 'session',
    summary: 'O que as regras de qualidade apontam em um experimento, com fonte e resposta',
    params: ById,
    status: 200,
    output: Quality,
  }),
  answerQuality: endpoint('answerQuality', {
    access: 'session',
    summary: "'Está certo assim': responde um apontamento; a resposta vale enquanto o valor for o mesmo",
    params: ById.extend({ codigo: z.enum(ADVICE_CODES, { error: 'Apontamento desconhecido' }) }),
    body: QualityAnswer,
    status: 200,
    output: Quality,
  }),
} as const
