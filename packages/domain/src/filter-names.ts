import { QUALITY_NAMES } from './advice-level.ts'
import type { ExperimentFilter } from './dashboard.ts'
import { SOIL_CLASSES } from './soil.ts'
import { filterValues } from './variables.ts'

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
  qualidade: 'Qualidade',
  com_roi: 'ROI',
}

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
    if (key === 'qualidade') return (QUALITY_NAMES as Readonly<Record<string, string>>)[one] ?? one
    if (key === 'com_roi') return one === '1' ? 'informado' : 'não informado'
    return one
  }
  return filterValues(value).map(name).join(' ou ')
}

/** A filter in words: 'Cultura: Soja; Regional não é: Sul'. Of an organisation only that it is asked for. */
export function filterText(filter: ExperimentFilter): string {
  const turned = filterValues(filter.nao)
  const parts = (Object.keys(FILTER_NAMES) as ChipKey[]).flatMap((key) => {
    const said = valuesText(key, filter[key] ?? '')
    if (!said) return []
    const value = key !== 'origem' ? said : (ORIGIN_NAMES[said] ?? 'uma organização')
    return [`${FILTER_NAMES[key]}${turned.includes(key) ? ' não é' : ''}: ${value}`]
  })
  return parts.length === 0 ? 'Todos os ensaios' : parts.join('; ')
}
const ORIGIN_NAMES: Readonly<Record<string, string>> = { proprios: 'próprios', recebidos: 'recebidos' }
