import { z } from 'zod'
import { cleaned, shortText } from './text.ts'

const MOST_MARGIN = 1e12

export const shown = (longest: number, required = 'Este campo é obrigatório') =>
  shortText(longest * 4, { required })
    .transform(cleaned)
    .pipe(z.string().min(1, required).max(longest, `Use no máximo ${longest} caracteres`))
export const free = (longest: number) =>
  shortText(longest * 4)
    .transform(cleaned)
    .pipe(z.string().max(longest, `Use no máximo ${longest} caracteres`))
export const slug = shortText(60, { required: 'Este campo é obrigatório' }).regex(
  /^[a-z0-9][a-z0-9_-]{0,59}$/,
  'Use letras minúsculas sem acento, números e sublinhado',
)
export const whole = (least: number, most: number, message: string) =>
  z.number({ error: message }).int(message).min(least, message).max(most, message)
export const finite = z
  .number({ error: 'Informe um número' })
  .min(-MOST_MARGIN, 'Valor fora do intervalo')
  .max(MOST_MARGIN, 'Valor fora do intervalo')
/** Kept for good: a name, a number or the layout may change while a phone is away. */
export const keptId = z.uuid({ error: 'Identificador inválido' }).optional()
