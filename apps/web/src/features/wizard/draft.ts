import { type EnteredValues, eachField, isNumberKey } from '@ensaio/domain'
import { z } from 'zod'
import { lasting } from '../../storage/browser-storage.ts'
import { blankReported, type WizardValues } from './form-values.ts'

/** What is kept between visits: the form, never the file, which is asked for again by its name. */
export type Draft = {
  values: WizardValues
  step: number
  filename: string | null
  /** The version of the experiment being edited, so that a newer one is not overwritten. */
  versao: number | null
  savedAt: string
}

const number = z.number().nullable()
/** A draft of before a field was known begins it blank. */
const FIELDS = eachField((key) => (isNumberKey(key) ? number.default(null) : z.string().default(''))) as {
  [K in keyof EnteredValues]: z.ZodDefault<z.ZodType<EnteredValues[K]>>
}
const Values = z.object({
  ...FIELDS,
  tratamentos: z
    .array(
      z.object({
        nome: z.string(),
        modalidade: z.string(),
        produtividade: number,
        custo: number,
        produtos_aplicados: z.array(
          z.object({ nome: z.string(), dose: number, unidade: z.string(), custo: number }),
        ),
        analises_adicionais: z.array(z.object({ nome: z.string(), valor: number, unidade: z.string() })),
        letra: z.string().default(''),
        das_parcelas: z.boolean().default(false),
      }),
    )
    .min(1),
  estatistica_informada: z
    .object({
      delineamento: z.string(),
      repeticoes: number,
      cv: number,
      cv_casas: number,
      dms: number,
      dms_teste: z.string(),
      gl_residuo: number,
      teste: z.string(),
    })
    .default(blankReported),
})
const Stored = z.object({
  values: Values,
  step: z.number().int().min(1).max(7),
  filename: z.string().nullable(),
  versao: z.number().int().nullable().default(null),
  savedAt: z.string(),
})

const PREFIX = 'ensaio.draft.'
const MOST_DRAFTS = 20
const DRAFT_LIFE_MS = 60 * 24 * 3_600_000

/** One draft per person, organisation and experiment being edited. */
const keyOf = (keeper: string, experimentId: string | null) => `${PREFIX}${keeper}.${experimentId ?? 'novo'}`

function draftAt(key: string): Draft | null {
  try {
    const parsed = Stored.safeParse(JSON.parse(lasting.getItem(key) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export function readDraft(keeper: string, experimentId: string | null): Draft | null {
  forgetOldDrafts()
  return draftAt(keyOf(keeper, experimentId))
}

/** What nobody has come back to goes: the old, the unreadable, and the oldest of too many. */
function forgetOldDrafts(): void {
  const drafts = lasting
    .keys()
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, savedAt: Date.parse(draftAt(key)?.savedAt ?? '') || 0 }))
    .sort((a, b) => b.savedAt - a.savedAt)
  for (const [place, { key, savedAt }] of drafts.entries())
    if (place >= MOST_DRAFTS || Date.now() - savedAt > DRAFT_LIFE_MS) lasting.removeItem(key)
}

/** Whether it will be there after the page is closed. */
export const writeDraft = (
  keeper: string,
  experimentId: string | null,
  draft: Omit<Draft, 'savedAt'>,
): boolean =>
  lasting.setItem(
    keyOf(keeper, experimentId),
    JSON.stringify({ ...draft, savedAt: new Date().toISOString() }),
  )

export const dropDraft = (keeper: string, experimentId: string | null): void =>
  lasting.removeItem(keyOf(keeper, experimentId))
