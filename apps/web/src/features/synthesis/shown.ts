import type { Subgroup, SynthesisAnswer } from '@ensaio/domain'

/** An effect on the scale of its picture: a ratio as %, a difference as it is. */
export const shown = (value: number, { medida }: Pick<SynthesisAnswer, 'medida'>): number =>
  medida === 'lnrr' ? 100 * Math.expm1(value) : value

export const SOURCES = {
  parcelas: 'parcelas',
  reconstruida: 'reconstruída',
  imputada: 'erro suposto',
  ausente: 'só médias',
} as const

export const SUBGROUP_NAMES: Record<Subgroup, string> = {
  cultura: 'Cultura',
  regional: 'Regional',
  marca: 'Marca',
  ano: 'Ano',
  modalidade: 'Modalidade',
  solo: 'Classe de solo',
}
