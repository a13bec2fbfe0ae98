import { z } from 'zod'
import { CONTROL_NAME, DOSE_UNITS, TREATMENTS_PAGE } from './constants.ts'
import {
  type ExperimentField,
  eachField,
  type FieldKey,
  type FieldValues,
  fieldsOfPage,
} from './experiment-fields.ts'
import { ReportedStatistics } from './reported-statistics.ts'
import { cleaned, LONGEST_RAW, list, shortText } from './text.ts'

const LONGEST_TEXT = 200

/** Free text: trimmed, no control characters, of a bounded length. */
function text(
  required: string,
  {
    longest = LONGEST_TEXT,
    shortest,
  }: { longest?: number; shortest?: readonly [number, string] | undefined } = {},
) {
  const tooLong = `Use no máximo ${longest} caracteres`
  const present = z.string().min(1, required)
  return shortText(LONGEST_RAW, { required, tooLong })
    .transform((value) => cleaned(value))
    .pipe((shortest ? present.min(...shortest) : present).max(longest, tooLong))
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
    .nullable(schema)
    .optional()
    .transform((value) => value ?? null)

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

const tratamentos = z.preprocess(
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
      treatments.map((treatment, index) => (index === 0 ? { ...treatment, nome: CONTROL_NAME } : treatment)),
    ),
)

function schemaOf(field: ExperimentField): z.ZodType {
  if (field.type === 'number') return numberSchema(field)
  if (field.type === 'choice') {
    const { of, required, unknown } = field
    if (unknown === undefined) return z.enum(of, { error: required })
    return shortText(LONGEST_RAW, { required, tooLong: unknown })
      .min(1, required)
      .refine((value) => value === '' || of.includes(value), unknown)
  }
  const { required, shortest, longest = LONGEST_TEXT } = field
  if (required !== undefined) return text(required, { shortest, longest })
  const tooLong = `Use no máximo ${longest} caracteres`
  return shortText(LONGEST_RAW, { tooLong })
    .transform((value) => cleaned(value))
    .pipe(z.string().max(longest, tooLong))
    .nullish()
    .transform((value) => value || null)
}

function numberSchema({ required, least, most, whole }: ExperimentField & { type: 'number' }): z.ZodType {
  const within = (schema: z.ZodNumber) =>
    (whole === undefined ? schema : schema.int(whole)).min(...least).max(...most)
  return required === undefined ? optionalNumber(within) : within(number(required))
}

type Given<K extends FieldKey> = null extends FieldValues[K] ? FieldValues[K] | undefined : FieldValues[K]
/** The table's types cannot be followed through the schemas made of it; both stand in experiment-fields.ts. */
const SCHEMAS = eachField((_, field) => schemaOf(field)) as {
  [K in FieldKey]: z.ZodType<FieldValues[K], Given<K>>
}

/** Left out, what is stored stays. */
const estatistica_informada = ReportedStatistics.nullish()
const STATISTICS_PAGE = 6

/** The form's pages, one schema each; the whole form is their sum. */
export const WIZARD_STEPS: readonly z.ZodObject[] = [1, 2, 3, 4, 5, 6].map((page) =>
  z.object(
    page === TREATMENTS_PAGE
      ? { tratamentos }
      : {
          ...Object.fromEntries(fieldsOfPage(page).map((key) => [key, SCHEMAS[key]])),
          ...(page === STATISTICS_PAGE && { estatistica_informada }),
        },
  ),
)

/** What a person enters of an experiment, in the order of the form; the PDF travels beside it. */
export const ExperimentInput = z.object(
  Object.assign({}, ...WIZARD_STEPS.map(({ shape }) => shape)) as typeof SCHEMAS & {
    tratamentos: typeof tratamentos
    estatistica_informada: typeof estatistica_informada
  },
)
export type ExperimentInput = z.output<typeof ExperimentInput>

/** An update names the version that it was made from. */
export const ExperimentUpdate = ExperimentInput.extend({
  versao: z.number({ error: required }).int().min(1),
})
export type ExperimentUpdate = z.output<typeof ExperimentUpdate>

const id = z.uuid()
const instant = z.string()

/** As the server answers it; a list that has changed since leaves what was stored before as it is. */
const STORED_FIELDS = eachField((_, field) => {
  const held = field.type === 'number' ? z.number() : z.string()
  return field.required === undefined ? held.nullable() : held
}) as { [K in FieldKey]: z.ZodType<Stored<FieldValues[K]>> }
type Stored<T> = T extends string ? string : T

/** What the asking person may do with a trial, as their organisation and role let them. */
export const ExperimentRights = z.object({
  editar: z.boolean(),
  excluir: z.boolean(),
  compartilhar: z.boolean(),
  comentar: z.boolean(),
  ver_custos: z.boolean(),
  ver_documentos: z.boolean(),
})
export type ExperimentRights = z.output<typeof ExperimentRights>

/** What is not shown where costs are hidden; null on the wire, and named in `ocultos`. */
export const COST_FIELDS = [
  'custo_protocolo',
  'custo_total',
  'roi',
  'tratamentos.custo',
  'tratamentos.produtos_aplicados.custo',
] as const

/** What every list and card shows. */
export const ExperimentSummary = z.object({
  id,
  /** 'crop - consultancy - year' */
  nome: z.string(),
  ...STORED_FIELDS,
  /** R$/ha; null when it is hidden */
  custo_protocolo: z.number().nullable(),
  /** kg/ha, the mean of the treatments */
  produtividade_media: z.number().nullable(),
  /** R$/ha, the sum of the treatments' costs; null when none is known */
  custo_total: z.number().nullable(),
  n_tratamentos: z.number(),
  pdf_filename: z.string().nullable(),
  /** Open findings of the rules of advice: problems times 256, and the rest to check; null until they were looked for. */
  apontamentos: z.number().nullable(),
  /** What stands behind its means: plots, a report's own statistics, or nothing. */
  dados: z.enum(['parcelas', 'reconstruida']).nullable(),
  created_by: z.string().nullable(),
  versao: z.number(),
  created_at: instant,
  updated_at: instant,
  /** Whose it is. */
  organizacao: z.object({ id, nome: z.string() }),
  relacao: z.enum(['propria', 'compartilhada']),
  /** The first day on which others may see it, 'aaaa-mm-dd'; null for none. */
  embargo_ate: z.string().nullable(),
  /** Fields whose values are there and not shown. */
  ocultos: z.array(z.string()),
  permissoes: ExperimentRights,
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
  estatistica_informada: ReportedStatistics.nullable(),
  /** In the words of who conducted it; null where there is none, and where costs are hidden: it may tell of them. */
  conclusao: z.string().nullable(),
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
  /** That the trial had after it; null where that was not written down. */
  versao: z.number().nullable(),
  quem: z.string().nullable(),
  quando: instant,
  campos: z.array(z.object({ campo: z.string(), antes: z.unknown(), depois: z.unknown() })),
})
export type Change = z.output<typeof Change>
