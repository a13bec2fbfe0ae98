import type { AnalysisAnswer } from '@ensaio/domain'
import type { Group } from '@ensaio/statistics'

/** What a group compares, in words. */
export const within = (analysis: AnalysisAnswer, group: Pick<Group, 'efeito' | 'dentro'>): string => {
  const name = (key: string) =>
    key === 'tratamento' ? 'Tratamentos' : (analysis.fatores[key as 'A' | 'B' | 'C']?.nome ?? key)
  const effect = group.efeito.split(':').map(name).join(' × ')
  if (!group.dentro) return effect
  return `${effect} dentro de ${Object.entries(group.dentro)
    .map(([key, level]) => `${name(key)} = ${level}`)
    .join(', ')}`
}
