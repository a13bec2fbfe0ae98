import { searchable } from '../format.ts'

/** Bags and arrobas of the trade, kg. */
const SACK_KG = 60
const ARROBA_KG = 15

const PER_HECTARE: Readonly<Record<string, number>> = {
  kg: 1,
  kgha: 1,
  quilos: 1,
  sc: SACK_KG,
  saca: SACK_KG,
  sacas: SACK_KG,
  saco: SACK_KG,
  sacos: SACK_KG,
  t: 1000,
  ton: 1000,
  toneladas: 1000,
  tonelada: 1000,
  mg: 1000,
  '@': ARROBA_KG,
  arroba: ARROBA_KG,
  arrobas: ARROBA_KG,
  g: 0.001,
}

/** What a value in this unit is multiplied by to be in ours; undefined for a unit that we do not know there. */
export function factorOf(campo: string, unit: string): number | undefined {
  const plain = searchable(unit.slice(0, 40)).replace(/[\s()[\]]+/g, '')
  if (/(^|\.)produtividade$/.test(campo)) {
    const [, name, area = 'ha'] =
      /^([a-z@]{1,10}?)(?:(?:\/|por|\.|⋅|·)?(ha|hectare|m2|m²)(?:-1|⁻¹)?)?(?:60kg)?$/.exec(plain) ?? []
    const factor = name === undefined ? undefined : PER_HECTARE[name]
    return factor === undefined ? undefined : factor * (/^m/.test(area) ? 10_000 : 1)
  }
  if (campo === 'teor_argila' || campo === 'teor_materia_organica') {
    if (/^(%|dag\/?kg(-1)?|dagkg-1|g\/100g|dag\/dm3|percentual|porcento)$/.test(plain)) return 1
    if (/^(g\/?kg(-1)?|g\/?dm-?3|g\/dm³)$/.test(plain)) return 0.1
    return undefined
  }
  if (isMoney(campo)) return /^(r\$|rs|brl|reais)?(\/?(ha|hectare)(-1)?)?$/.test(plain) ? 1 : undefined
  if (campo === 'latitude' || campo === 'longitude')
    return /^(°|º|graus?|grausdecimais|decimal|gd|wgs84)$/.test(plain) ? 1 : undefined
  return 1
}

/** Fields in R$/ha. */
export const isMoney = (campo: string): boolean => /(^|\.)custo$|^custo_protocolo$|^roi$/.test(campo)

/** 'sc/ha será convertido para kg/ha (× 60)'; null where nothing is converted. */
export function conversionOf(campo: string, unit: string | null, factor: number | undefined): string | null {
  if (unit === null || factor === undefined || factor === 1) return null
  const ours = /produtividade$/.test(campo) ? 'kg/ha' : '%'
  const by = factor >= 1 ? `× ${factor.toLocaleString('pt-BR')}` : `÷ ${(1 / factor).toLocaleString('pt-BR')}`
  return `${unit} será convertido para ${ours} (${by})`
}
