import { z } from 'zod'
import { CONTROL_MODALITY, CONTROL_NAME, DOSE_UNITS, FIRST_YEAR, LAST_YEAR } from './constants.ts'
import { ExperimentInput } from './experiment.ts'
import {
  eachField,
  FIELD_KEYS,
  type FieldKey,
  type FoundValues,
  fieldOf,
  isNumberKey,
} from './experiment-fields.ts'
import { fieldProblems } from './problems.ts'
import { COLUMN_ROLES, ROW_LABELS } from './report-tables.ts'
import { ReportedStatistics } from './reported-statistics.ts'

const maybeText = z.string().nullable()
const maybeNumber = z.number().nullable()

/** What was read before a field was known has nothing of it. */
const FOUND_FIELDS = eachField((key) =>
  isNumberKey(key) ? maybeNumber.default(null) : maybeText.default(null),
) as {
  [K in FieldKey]: z.ZodDefault<z.ZodType<FoundValues[K]>>
}

/** An experiment as it was read out of a report; what does not stand in it is null. */
export const ExtractedExperiment = z.object({
  ...FOUND_FIELDS,
  /** What was read before it was looked for has none. */
  estatistica_informada: ReportedStatistics.nullable().default(null),
  tratamentos: z.array(
    z.object({
      nome: maybeText,
      modalidade: maybeText,
      /** kg/ha */
      produtividade: maybeNumber,
      /** R$/ha */
      custo: maybeNumber,
      produtos_aplicados: z.array(
        z.object({ nome: maybeText, dose: maybeNumber, unidade: maybeText.optional(), custo: maybeNumber }),
      ),
      analises_adicionais: z.array(z.object({ nome: maybeText, valor: maybeNumber, unidade: maybeText })),
    }),
  ),
})
export type ExtractedExperiment = z.output<typeof ExtractedExperiment>

/** Where a value was read. */
export const Evidence = z.object({
  /** Probability that the value is right, 0 to 1. */
  confidence: z.number(),
  /** From 1. */
  page: z.number(),
  /** [x0, y0, x1, y1] in PDF points from the page's top left. */
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  text: z.string(),
  method: z.string(),
})
export type Evidence = z.output<typeof Evidence>

const Box = z.tuple([z.number(), z.number(), z.number(), z.number()])
const TableCell = z.object({ text: z.string(), page: z.number(), bbox: Box })

/** A table of a report as it was understood, its treatments one below the other however it is printed. */
export const ReadTable = z.object({
  page: z.number(),
  bbox: Box,
  title: z.string(),
  /** Whether treatments were read from it. */
  used: z.boolean(),
  columns: z.array(z.object({ heading: z.string(), role: z.enum(COLUMN_ROLES) })),
  rows: z.array(z.object({ label: z.enum(ROW_LABELS), cells: z.array(TableCell.nullable()) })),
})
export type ReadTable = z.output<typeof ReadTable>

/**
 * The tables that hold the treatments, as a person says: by their place in the reading where they stay as they were
 * understood, described in full where they do not; a column without a role is what the reader takes it for. Words are taken from the page, where the cells say.
 */
export const GivenTables = z
  .array(
    z.union([
      z.int().min(0).max(100),
      z.object({
        title: z.string().max(500),
        columns: z
          .array(z.object({ role: z.enum(COLUMN_ROLES).nullish() }))
          .min(1)
          .max(40),
        rows: z
          .array(
            z.object({
              label: z.enum(ROW_LABELS),
              cells: z.array(TableCell.omit({ text: true }).nullable()).max(40),
            }),
          )
          .max(200),
      }),
    ]),
  )
  .max(30)
export type GivenTables = z.output<typeof GivenTables>

export const ExtractionResult = z.object({
  data: ExtractedExperiment,
  metadata: z.object({
    /** Expected share of the report's values that were found and are right, 0 to 1. */
    confidence: z.number(),
    /** Paths of the fields that were found, e.g. 'tratamentos[2].produtos_aplicados[0].dose'. */
    extracted_fields: z.array(z.string()),
    engine: z.string().optional(),
    pages: z.number().optional(),
    /** Path -> where it was read and how sure. */
    fields: z.record(z.string(), Evidence),
    /** Why no treatments are given: the document is hardly the report of one trial. */
    held: z.enum(['not_one_trial']).optional(),
    tables: z.array(ReadTable).optional(),
    /** Min-hashes of what is fixed in the report's layout: the share that two have in common is how alike they are. */
    layout: z.array(z.number()).optional(),
    /** It follows a layout that was put right before. */
    learnt: z.boolean().optional(),
    /** That layout (id). */
    template: z.string().optional(),
  }),
})
export type ExtractionResult = z.output<typeof ExtractionResult>

export const ExtractionProgress = z.object({
  stage: z.enum(['queued', 'read', 'ocr', 'layout', 'tables', 'fields']),
  /** While it is queued: how many others are read before it. */
  ahead: z.number().optional(),
  page: z.number().optional(),
  pages: z.number().optional(),
})
export type ExtractionProgress = z.output<typeof ExtractionProgress>

/** A value as soon as it is read; a later one of the same path replaces it, null takes it back. */
export const FoundField = z.object({
  path: z.string(),
  value: z.union([z.string(), z.number()]).nullable(),
  confidence: z.number(),
  page: z.number(),
  bbox: z.tuple([z.number(), z.number(), z.number(), z.number()]),
})
export type FoundField = z.output<typeof FoundField>

/**
 * What was read, as the beginning of an experiment: the first treatment is the control, a unit or year that no
 * form offers is left out, and what does not stand in the report stays null.
 */
export function draftOfExtraction(data: ExtractedExperiment): ExtractedExperiment {
  const { ano } = data
  return {
    ...data,
    ano: ano !== null && ano >= FIRST_YEAR && ano <= LAST_YEAR ? ano : null,
    tratamentos: data.tratamentos.map((treatment, index) => ({
      ...treatment,
      nome: index === 0 ? CONTROL_NAME : treatment.nome,
      modalidade: treatment.modalidade ?? (index === 0 ? CONTROL_MODALITY : null),
      produtos_aplicados: treatment.produtos_aplicados.map((product) => ({
        ...product,
        unidade: DOSE_UNITS.some((unit) => unit === product.unidade) ? (product.unidade ?? null) : null,
      })),
    })),
  }
}

/** What must be there before it can be saved: the required fields and the treatments. */
export const REQUIRED_PARTS: readonly string[] = [
  ...FIELD_KEYS.filter((key) => fieldOf(key).required !== undefined),
  'tratamentos',
]

export interface Completeness {
  /** How many of `REQUIRED_PARTS` are there and may be saved. */
  done: number
  /** What stands against saving, by path as the evidence names it: 'tratamentos[1].nome'. */
  problems: { path: string; message: string }[]
}

export function completenessOf(data: ExtractedExperiment): Completeness {
  const parsed = ExperimentInput.safeParse(draftOfExtraction(data))
  const problems = parsed.success
    ? []
    : fieldProblems(parsed.error).map(({ path, message }) => ({ path: bracketed(path), message }))
  const wanting = new Set(problems.map(({ path }) => /^\w+/.exec(path)?.[0]))
  return { done: REQUIRED_PARTS.filter((part) => !wanting.has(part)).length, problems }
}

/** 'tratamentos.1.nome' as the evidence names it, 'tratamentos[1].nome'. */
export const bracketed = (path: string): string => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]')
