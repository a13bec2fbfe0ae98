/** Soil classes at the limits of the decisions on the specification. Contents are in %. */
export type SoilClass = { label: string; range: string }

export function clayClass(teorArgila: number): SoilClass {
  if (teorArgila < 15) return { label: 'Solo arenoso', range: '0 a 15%' }
  if (teorArgila < 35) return { label: 'Solo médio', range: '15 a 35%' }
  if (teorArgila <= 60) return { label: 'Solo argiloso', range: '35 a 60%' }
  return { label: 'Solo muito argiloso', range: 'acima de 60%' }
}

export function organicMatterClass(teorMateriaOrganica: number): SoilClass {
  if (teorMateriaOrganica < 2) return { label: 'Teor baixo', range: '0 a 2%' }
  if (teorMateriaOrganica < 4) return { label: 'Teor médio', range: '2 a 4%' }
  if (teorMateriaOrganica <= 6) return { label: 'Teor alto', range: '4 a 6%' }
  return { label: 'Teor muito alto', range: 'acima de 6%' }
}
