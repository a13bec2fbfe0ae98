/** Soil classes at the limits of the decisions on the specification. Contents are in %. */
export type SoilClass = { label: string; range: string }

/** The classes as a filter names them, with the contents (%) that they hold: from, and below. */
export const CLAY_CLASSES = ['arenoso', 'medio', 'argiloso', 'muito_argiloso'] as const
export type ClayKey = (typeof CLAY_CLASSES)[number]
export const ORGANIC_CLASSES = ['baixo', 'medio', 'alto', 'muito_alto'] as const
export type OrganicKey = (typeof ORGANIC_CLASSES)[number]

/** The first two classes end below their limit, the third with it. */
const classAt = <T>(
  content: number,
  [low, middle, high]: readonly [number, number, number],
  keys: readonly T[],
) => keys[content < low ? 0 : content < middle ? 1 : content <= high ? 2 : 3] as T
export const CLAY_LIMITS = [15, 35, 60] as const
export const ORGANIC_LIMITS = [2, 4, 6] as const
export const clayKey = (content: number): ClayKey => classAt(content, CLAY_LIMITS, CLAY_CLASSES)
export const organicKey = (content: number): OrganicKey => classAt(content, ORGANIC_LIMITS, ORGANIC_CLASSES)

const CLAY: Record<ClayKey, SoilClass> = {
  arenoso: { label: 'Solo arenoso', range: '0 a 15%' },
  medio: { label: 'Solo médio', range: '15 a 35%' },
  argiloso: { label: 'Solo argiloso', range: '35 a 60%' },
  muito_argiloso: { label: 'Solo muito argiloso', range: 'acima de 60%' },
}
const ORGANIC: Record<OrganicKey, SoilClass> = {
  baixo: { label: 'Teor baixo', range: '0 a 2%' },
  medio: { label: 'Teor médio', range: '2 a 4%' },
  alto: { label: 'Teor alto', range: '4 a 6%' },
  muito_alto: { label: 'Teor muito alto', range: 'acima de 6%' },
}
export const SOIL_CLASSES = { solo: CLAY, materia_organica: ORGANIC } as const

export const clayClass = (teorArgila: number): SoilClass => CLAY[clayKey(teorArgila)]
export const organicMatterClass = (teorMateriaOrganica: number): SoilClass =>
  ORGANIC[organicKey(teorMateriaOrganica)]
