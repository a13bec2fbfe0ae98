import { z } from 'zod'
import { ADVICE_CODES, ADVICE_WEIGHTS } from './advice-facts.ts'
import { QUALITY_LEVELS } from './advice-level.ts'
import { ById, endpoint } from './endpoint.ts'
import { cleaned, LONGEST_RAW, list, shortText } from './text.ts'

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
  /** Within what 95 % of the own trials of the crop lie, kg/ha; null below 30 of them, or to other organisations. */
  faixa_propria: z
    .object({ cultura: z.string(), ensaios: z.number(), de: z.number(), ate: z.number() })
    .nullable(),
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

const amount = z
  .number({ error: 'Este campo é obrigatório' })
  .positive('Use um número maior que zero')
  .max(1_000_000, 'Use no máximo 1.000.000')
const words = (most: number) =>
  shortText(most, { required: 'Este campo é obrigatório', tooLong: `Use no máximo ${most} caracteres` })
    .transform(cleaned)
    .pipe(z.string().min(1, 'Este campo é obrigatório'))

/** A crop's range of yields, kg/ha, with where its mean was read. */
export const KeptRange = z
  .object({
    cultura: words(200),
    media: amount,
    safra: words(40),
    fonte: words(300),
    endereco: z
      .url({ protocol: /^https?$/, error: 'Use um endereço da internet' })
      .max(500)
      .nullable(),
    /** 'aaaa' or 'aaaa-mm-dd'; null for what has no date. */
    publicada: z
      .string()
      .regex(/^\d{4}(?:-\d{2}-\d{2})?$/, 'Use o ano ou a data')
      .nullable(),
    abaixo: amount,
    acima: amount,
    impossivel: amount,
    /** Off: no yield of the crop is compared. */
    ligada: z.boolean({ error: 'Este campo é obrigatório' }),
  })
  .refine(({ abaixo, acima, impossivel }) => abaixo < acima && acima < impossivel, {
    path: ['acima'],
    message: 'Os limites crescem: abaixo, acima, impossível',
  })
export type KeptRange = z.output<typeof KeptRange>

export const QualityAdmin = z.object({
  faixas: z.array(KeptRange),
  /** Rules that are answered 'Está certo assim' in more than 30 % of at least 20 trials. */
  regras: z.array(z.object({ codigo: z.enum(ADVICE_CODES), respondidos: z.number(), casos: z.number() })),
  /** Sources older than 24 months: 'Fonte de 2003'. */
  fontes: z.array(z.object({ titulo: z.string(), endereco: z.string().nullable(), antiga: z.string() })),
})
export type QualityAdmin = z.output<typeof QualityAdmin>

export const qualityContract = {
  cropRanges: endpoint('cropRanges', {
    access: 'session',
    summary: 'Faixas de produtividade por cultura com que os apontamentos comparam',
    status: 200,
    output: z.object({ faixas: z.array(KeptRange) }),
  }),
  adminQuality: endpoint('adminQuality', {
    access: 'admin',
    summary: 'Faixas por cultura, regras muito respondidas e fontes antigas',
    status: 200,
    output: QualityAdmin,
  }),
  adminPutCropRanges: endpoint('adminPutCropRanges', {
    access: 'admin',
    summary: 'Substitui as faixas por cultura; os apontamentos são refeitos',
    body: z.object({
      faixas: list(KeptRange, { most: 100, message: 'Use no máximo 100 faixas' }).min(
        1,
        'Deixe ao menos uma faixa',
      ),
    }),
    status: 200,
    output: QualityAdmin,
  }),
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
