import { z } from 'zod'
import { shortText } from './text.ts'

const missing = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)
const within = (least: number, most: number, message: string) =>
  z.number({ error: 'Informe um número' }).min(least, message).max(most, message)
const whole = (least: number, most: number, message: string) => within(least, most, message).int(message)

/**
 * What a report tells of its own statistics, as printed: with the design, the repetitions and the CV (or the DMS) an
 * analysis can be rebuilt from the means. Everything may be missing.
 */
export const ReportedStatistics = z.object({
  delineamento: missing(z.enum(['DIC', 'DBC', 'DQL'], { error: 'Escolha DIC, DBC ou DQL' })),
  repeticoes: missing(whole(1, 100, 'Informe de 1 a 100 repetições')),
  /** % */
  cv: missing(within(0, 1000, 'Informe o CV, em %')),
  /** Decimals of the CV as it is printed. */
  cv_casas: missing(whole(0, 6, 'Informe de 0 a 6 casas')),
  /** In the unit of the means, kg/ha. */
  dms: missing(within(0, 1_000_000, 'Informe a DMS')),
  dms_teste: missing(z.enum(['tukey', 't'], { error: 'Escolha Tukey ou t' })),
  gl_residuo: missing(whole(1, 10_000, 'Informe os graus de liberdade')),
  teste: missing(shortText(60).trim()),
  /** Letters as printed, by the treatment's number: { '1': 'b', '2': 'a' }. */
  letras: missing(
    z
      .record(shortText(3).regex(/^\d{1,3}$/), shortText(12))
      .refine((letters) => Object.keys(letters).length <= 500, 'Use no máximo 500 tratamentos'),
  ),
})
export type ReportedStatistics = z.output<typeof ReportedStatistics>

/** Whether it holds enough to rebuild an analysis; whether that is allowed, the analysis says. */
export const canRebuild = (of: ReportedStatistics | null): boolean =>
  of !== null && of.repeticoes !== null && (of.cv !== null || of.dms !== null)
