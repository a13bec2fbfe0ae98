import type { SynthesisAnswer } from '@ensaio/domain'

/** An effect on the scale of its picture: a ratio as %, a difference as it is. */
export const shown = (value: number, { medida }: Pick<SynthesisAnswer, 'medida'>): number =>
  medida === 'lnrr' ? 100 * Math.expm1(value) : value

export const SOURCES = {
  parcelas: 'parcelas',
  reconstruida: 'reconstruída',
  imputada: 'erro suposto',
  ausente: 'só médias',
} as const
