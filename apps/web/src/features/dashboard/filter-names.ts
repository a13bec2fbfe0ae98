import { type ExperimentFilter, filterValues, SOIL_CLASSES } from '@ensaio/domain'
import type { FilterKey } from '../../shell/filters.ts'

/** Everything that a chip can stand for. */
export type ChipKey = Exclude<keyof ExperimentFilter, 'nao'>

export const FILTER_NAMES: Readonly<Record<ChipKey, string>> = {
  regional: 'Regional',
  cultura: 'Cultura',
  marca: 'Marca',
  ano: 'Ano',
  produto: 'Produto',
  consultoria: 'Consultoria',
  bu: 'Business Unit',
  origem: 'Origem',
  estado: 'Estado',
  solo: 'Solo (argila)',
  materia_organica: 'Matéria orgânica',
  modalidade: 'Modalidade',
  cultivar: 'Cultivar',
  dados: 'Dados',
  com_roi: 'ROI',
} satisfies Readonly<Record<FilterKey | ChipKey, string>>

export const DATA_NAMES = {
  parcelas: 'com parcelas',
  reconstruida: 'com análise reconstruída',
  medias: 'só médias',
} as const

/** 'Solo argiloso ou Solo muito argiloso' */
export function valuesText(key: ChipKey, value: string | readonly string[]): string {
  const name = (one: string): string => {
    if (key === 'solo' || key === 'materia_organica')
      return (SOIL_CLASSES[key] as Readonly<Record<string, { label: string }>>)[one]?.label ?? one
    if (key === 'dados') return (DATA_NAMES as Readonly<Record<string, string>>)[one] ?? one
    if (key === 'com_roi') return one === '1' ? 'informado' : 'não informado'
    return one
  }
  return filterValues(value).map(name).join(' ou ')
}
