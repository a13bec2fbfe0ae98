import { z } from 'zod'
import {
  BUSINESS_UNITS,
  CONTROL_NAME,
  DOSE_UNITS,
  FIRST_YEAR,
  LAST_YEAR,
  STATE_CODES,
  STATISTICS_TYPES,
} from './constants.ts'
import { LONGEST_RAW, list, shortText } from './text.ts'

/** Free text: trimmed, no control characters, at most 200 characters. */
const text = (required: string) =>
  shortText(LONGEST_RAW, { required, tooLong: 'Use no máximo 200 caracteres' })
    .transform((value) => cleaned(value))
    .pipe(z.string().min(1, required).max(200, 'Use no máximo 200 caracteres'))

function cleaned(value: string): string {
  return (
    value
      // Control characters and lone surrogates part words; what nobody can see is not there.
      .replace(/[\p{Cc}\p{Cs}]+/gu, ' ')
      .replace(/\p{Cf}/gu, '')
      .normalize('NFC')
      .trim()
  )
}

const number = (required: string) =>
  z.number({
    error: (issue) =>
      issue.input === undefined || issue.input === null || issue.input === ''
        ? required
        : 'Informe um número',
  })

/** A number that may be missing: undefined and null are both null. */
const optional = <T extends z.ZodType>(schema: T) =>
  z
    .union([schema, z.null()])
    .optional()
    .transform((value) => value ?? null)

const money = (required: string) =>
  number(required).min(0, 'Custo deve ser positivo').max(100_000_000, 'Valor alto demais')

const optionalNumber = (check: (schema: z.ZodNumber) => z.ZodNumber) =>
  z.preprocess(
    (value) => value ?? null,
    z.nullable(check(z.number({ error: 'Informe um número' }))),
  ) as z.ZodType<number | null, number | null | undefined>

/** A product as it was applied in one treatment. */
export const AppliedProduct = z.object({
  nome: text('Nome é obrigatório'),
  /** The number that goes with `unidade`. */
  dose: optionalNumber((schema) =>
    schema.min(0, 'Dose deve ser positiva').max(1_000_000, 'Valor alto demais'),
  ),
  unidade: optional(z.enum(DOSE_UNITS, { error: 'Escolha uma unidade da lista' })),
  /** R$/ha */
  custo: optionalNumber((schema) =>
    schema.min(0, 'Custo deve ser positivo').max(100_000_000, 'Valor alto demais'),
  ),
})
export type AppliedProduct = z.output<typeof AppliedProduct>

/** A variable measured beside the yield. */
export const AdditionalAnalysis = z.object({
  nome: text('Nome é obrigatório'),
  valor: number('Valor é obrigatório')
    .min(-1e9, 'Valor fora do intervalo')
    .max(1e9, 'Valor fora do intervalo'),
  unidade: shortText(40)
    .nullish()
    .transform((value) => (value ? cleaned(value) : '')),
})
export type AdditionalAnalysis = z.output<typeof AdditionalAnalysis>

export const Treatment = z.object({
  nome: text('Nome é obrigatório'),
  modalidade: text('Modalidade é obrigatória'),
  /** kg/ha */
  produtividade: number('Produtividade é obrigatória')
    .min(0, 'Produtividade deve ser positiva')
    .max(1_000_000, 'Valor alto demais'),
  /** R$/ha */
  custo: optionalNumber((schema) =>
    schema.min(0, 'Custo deve ser positivo').max(100_000_000, 'Valor alto demais'),
  ),
  produtos_aplicados: list(AppliedProduct, { most: 50, message: 'Use no máximo 50 produtos' }).default([]),
  analises_adicionais: list(AdditionalAnalysis, {
    most: 100,
    message: 'Use no máximo 100 análises',
  }).default([]),
})
export type Treatment = z.output<typeof Treatment>

const required = 'Este campo é obrigatório'

/** More than any screen or figure is made for; single trials test a few dozen. */
const MOST_PRODUCTS = 200
const distinctProducts = (treatments: readonly Pick<Treatment, 'produtos_aplicados'>[]): number =>
  new Set(treatments.flatMap(({ produtos_aplicados }) => produtos_aplicados.map(({ nome }) => nome))).size

const MOST_TREATMENTS = 500
/** What the treatments of one experiment hold together. */
const MOST_HELD = [
  ['produtos_aplicados', 2000, 'Use no máximo 2.000 produtos aplicados no experimento'],
  ['analises_adicionais', 5000, 'Use no máximo 5.000 análises adicionais no experimento'],
] as const

/** Each list may be as long as it is allowed to be, all of them may not: told before any member is looked at. */
function checkHeld(treatments: z.input<typeof Treatment>[], context: z.RefinementCtx): typeof treatments {
  // The type is what is asked for; what comes may be anything.
  if (!Array.isArray(treatments) || treatments.length > MOST_TREATMENTS) return treatments
  for (const [name, most, message] of MOST_HELD) {
    const held = treatments.reduce((sum, treatment) => {
      const members = treatment?.[name]
      return sum + (Array.isArray(members) ? members.length : 0)
    }, 0)
    if (held > most) context.addIssue({ code: 'custom', message })
  }
  return treatments
}

/** The form's pages, one schema each; the whole form is their sum. */
export const WIZARD_STEPS = [
  z.object({
    consultoria: shortText(LONGEST_RAW, {
      required: 'Nome da consultoria é obrigatório',
      tooLong: 'Use no máximo 200 caracteres',
    })
      .transform((value) => cleaned(value))
      .pipe(
        z
          .string()
          .min(1, 'Nome da consultoria é obrigatório')
          .min(2, 'Nome deve ter pelo menos 2 caracteres')
          .max(200, 'Use no máximo 200 caracteres'),
      ),
    marca: text('Marca é obrigatória'),
    bu: z.enum(BUSINESS_UNITS, { error: 'Business Unit é obrigatória' }),
    regional: text('Regional é obrigatória'),
  }),
  z.object({
    cidade: text('Cidade é obrigatória'),
    /** Two-letter code of the federative unit. */
    estado: shortText(LONGEST_RAW, {
      required: 'Estado é obrigatório',
      tooLong: 'Escolha um estado da lista',
    })
      .min(1, 'Estado é obrigatório')
      .refine((value) => value === '' || STATE_CODES.has(value), 'Escolha um estado da lista'),
    /** Decimal degrees, south negative. */
    latitude: optionalNumber((schema) =>
      schema.min(-90, 'Latitude deve ser entre -90 e 90').max(90, 'Latitude deve ser entre -90 e 90'),
    ),
    /** Decimal degrees, west negative. */
    longitude: optionalNumber((schema) =>
      schema.min(-180, 'Longitude deve ser entre -180 e 180').max(180, 'Longitude deve ser entre -180 e 180'),
    ),
  }),
  z.object({
    /** % */
    teor_argila: optionalNumber((schema) =>
      schema.min(0, 'Valor deve ser maior que 0').max(100, 'Valor deve ser menor que 100'),
    ),
    /** % */
    teor_materia_organica: optionalNumber((schema) =>
      schema.min(0, 'Valor deve ser maior que 0').max(100, 'Valor deve ser menor que 100'),
    ),
  }),
  z.object({
    cultura: text('Cultura é obrigatória'),
    cultivar: text('Cultivar é obrigatório'),
    ano: number('Ano é obrigatório')
      .int('Ano é obrigatório')
      .min(FIRST_YEAR, `Ano deve ser entre ${FIRST_YEAR} e ${LAST_YEAR}`)
      .max(LAST_YEAR, `Ano deve ser entre ${FIRST_YEAR} e ${LAST_YEAR}`),
  }),
  z.object({
    /** In the order of the report; the first is the control and is always named 'Testemunha'. */
    tratamentos: z.preprocess(
      checkHeld,
      list(Treatment, {
        most: MOST_TREATMENTS,
        message: `Use no máximo ${MOST_TREATMENTS} tratamentos`,
        required: 'Adicione pelo menos um tratamento',
      })
        .min(1, 'Adicione pelo menos um tratamento')
        .refine(
          (treatments) => distinctProducts(treatments) <= MOST_PRODUCTS,
          `Use no máximo ${MOST_PRODUCTS} produtos diferentes no experimento`,
        )
        .transform((treatments) =>
          treatments.map((treatment, index) =>
            index === 0 ? { ...treatment, nome: CONTROL_NAME } : treatment,
          ),
        ),
    ),
  }),
  z.object({
    tipo_estatistica: z.enum(STATISTICS_TYPES, { error: 'Tipo de estatística é obrigatório' }),
    /** R$/ha */
    custo_protocolo: money('Custo do protocolo é obrigatório'),
    /** R$/ha, an amount and not a ratio */
    roi: optionalNumber((schema) =>
      schema.min(0, 'ROI deve ser positivo').max(100_000_000, 'Valor alto demais'),
    ),
  }),
] as const

/** What a person enters of an experiment; the PDF travels beside it. */
export const ExperimentInput = z.object({
  ...WIZARD_STEPS[0].shape,
  ...WIZARD_STEPS[1].shape,
  ...WIZARD_STEPS[2].shape,
  ...WIZARD_STEPS[3].shape,
  ...WIZARD_STEPS[4].shape,
  ...WIZARD_STEPS[5].shape,
})
export type ExperimentInput = z.output<typeof ExperimentInput>

/** An update names the version that it was made from. */
export const ExperimentUpdate = ExperimentInput.extend({
  versao: z.number({ error: required }).int().min(1),
})
export type ExperimentUpdate = z.output<typeof ExperimentUpdate>

const id = z.uuid()
const instant = z.string()

/** What every list and card shows. */
export const ExperimentSummary = z.object({
  id,
  /** 'crop - consultancy - year' */
  nome: z.string(),
  consultoria: z.string(),
  marca: z.string(),
  bu: z.string(),
  regional: z.string(),
  cidade: z.string(),
  estado: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  cultura: z.string(),
  cultivar: z.string(),
  ano: z.number(),
  teor_argila: z.number().nullable(),
  teor_materia_organica: z.number().nullable(),
  tipo_estatistica: z.string(),
  custo_protocolo: z.number(),
  roi: z.number().nullable(),
  /** kg/ha, the mean of the treatments */
  produtividade_media: z.number().nullable(),
  /** R$/ha, the sum of the treatments' costs; null when none is known */
  custo_total: z.number().nullable(),
  n_tratamentos: z.number(),
  pdf_filename: z.string().nullable(),
  created_by: z.string().nullable(),
  versao: z.number(),
  created_at: instant,
  updated_at: instant,
})
export type ExperimentSummary = z.output<typeof ExperimentSummary>

export const StoredTreatment = z.object({
  nome: z.string(),
  modalidade: z.string(),
  produtividade: z.number(),
  custo: z.number().nullable(),
  produtos_aplicados: z.array(
    z.object({
      nome: z.string(),
      dose: z.number().nullable(),
      unidade: z.string().nullable(),
      custo: z.number().nullable(),
    }),
  ),
  analises_adicionais: z.array(z.object({ nome: z.string(), valor: z.number(), unidade: z.string() })),
})
export type StoredTreatment = z.output<typeof StoredTreatment>

export const Experiment = ExperimentSummary.extend({
  tratamentos: z.array(StoredTreatment),
  /** The statistical design, as text. */
  analise_estatistica: z.string().nullable(),
  /** Name of who created it; null for an erased account. */
  created_by_name: z.string().nullable(),
})
export type Experiment = z.output<typeof Experiment>

export const experimentName = (of: Pick<ExperimentInput, 'cultura' | 'consultoria' | 'ano'>): string =>
  `${of.cultura} - ${of.consultoria} - ${of.ano}`

/** Mean of the treatments' productivities in kg/ha; null when there is none. */
export function meanProductivity(treatments: readonly { produtividade: number }[]): number | null {
  if (treatments.length === 0) return null
  return treatments.reduce((sum, treatment) => sum + treatment.produtividade, 0) / treatments.length
}

/** Sum of the treatments' costs in R$/ha; null when no cost is known. */
export function totalCost(treatments: readonly { custo: number | null }[]): number | null {
  const known = treatments.flatMap((treatment) => (treatment.custo === null ? [] : [treatment.custo]))
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0)
}

export const Document = z.object({
  id,
  filename: z.string(),
  experimento_id: id.nullable(),
  /** bytes */
  tamanho: z.number(),
  sha256: z.string(),
  created_at: instant,
})
export type Document = z.output<typeof Document>

/** One entry of an experiment's history. */
export const Change = z.object({
  id: z.union([z.string(), z.number()]),
  acao: z.enum(['criado', 'alterado', 'excluído', 'restaurado']),
  quem: z.string().nullable(),
  quando: instant,
  campos: z.array(z.object({ campo: z.string(), antes: z.unknown(), depois: z.unknown() })),
})
export type Change = z.output<typeof Change>
