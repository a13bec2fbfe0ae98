import { z } from 'zod'
import type { WizardValues } from './form-values.ts'

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
const Values = z.object({
  consultoria: z.string(),
  marca: z.string(),
  bu: z.string(),
  regional: z.string(),
  cidade: z.string(),
  estado: z.string(),
  latitude: number,
  longitude: number,
  teor_argila: number,
  teor_materia_organica: number,
  cultura: z.string(),
  cultivar: z.string(),
  ano: number,
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
      }),
    )
    .min(1),
  tipo_estatistica: z.string(),
  custo_protocolo: number,
  roi: number,
})
const Stored = z.object({
  values: Values,
  step: z.number().int().min(1).max(7),
  filename: z.string().nullable(),
  versao: z.number().int().nullable().default(null),
  savedAt: z.string(),
})

/** One draft per user and per experiment being edited. */
const keyOf = (userId: string, experimentId: string | null) =>
  `ensaio.draft.${userId}.${experimentId ?? 'novo'}`

export function readDraft(userId: string, experimentId: string | null): Draft | null {
  try {
    const parsed = Stored.safeParse(JSON.parse(localStorage.getItem(keyOf(userId, experimentId)) ?? 'null'))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

export function writeDraft(userId: string, experimentId: string | null, draft: Omit<Draft, 'savedAt'>): void {
  localStorage.setItem(
    keyOf(userId, experimentId),
    JSON.stringify({ ...draft, savedAt: new Date().toISOString() }),
  )
}

export const dropDraft = (userId: string, experimentId: string | null): void =>
  localStorage.removeItem(keyOf(userId, experimentId))
