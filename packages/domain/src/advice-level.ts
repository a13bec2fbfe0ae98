/** The light of a trial, apart from the rules: a list needs only this. */
export const QUALITY_LEVELS = ['sem_apontamentos', 'conferir', 'problema'] as const
export type QualityLevel = (typeof QUALITY_LEVELS)[number]
export const QUALITY_NAMES: Record<QualityLevel, string> = {
  sem_apontamentos: 'Sem apontamentos',
  conferir: 'A conferir',
  problema: 'Problemas',
}

/** Problems before the rest in one number, as it is kept and compared: 256 is one problem. */
const PER_PROBLEM = 256
export const keptCounts = ({ problemas, conferir }: { problemas: number; conferir: number }): number =>
  PER_PROBLEM * Math.min(problemas, 1000) + Math.min(conferir, PER_PROBLEM - 1)
export const countsOfKept = (kept: number) => ({
  problemas: Math.floor(kept / PER_PROBLEM),
  conferir: kept % PER_PROBLEM,
})
export const levelOfKept = (kept: number): QualityLevel =>
  kept >= PER_PROBLEM ? 'problema' : kept > 0 ? 'conferir' : 'sem_apontamentos'

/** 'Sem apontamentos', '2 a conferir', '1 problema'. */
export function lightText(kept: number): string {
  const { problemas, conferir } = countsOfKept(kept)
  if (problemas > 0) return `${problemas} ${problemas === 1 ? 'problema' : 'problemas'}`
  return conferir > 0 ? `${conferir} a conferir` : QUALITY_NAMES.sem_apontamentos
}
