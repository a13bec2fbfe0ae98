import { type AdviceFacts, type AdviceRule, atField, finding, isNumber } from './advice-facts.ts'
import { distanceKm, inState, type Point, stateAt } from './advice-place.ts'
import { ADVICE_LIMITS, WIDE_STATES } from './advice-table.ts'
import { formatNumber } from './format.ts'

const { raios, folga, raio, raio_grande, contorno } = ADVICE_LIMITS.lugar

/** How many km from its point a place may be and be the municipality's. */
function reachKm({ estado, municipio }: AdviceFacts): number {
  const area = municipio?.area
  if (isNumber(area)) return raios * Math.sqrt(area / Math.PI) + folga
  return WIDE_STATES.has(estado ?? '') ? raio_grande : raio
}

/** Near enough to the municipality's point, and in the state where that is known. */
function fits(facts: AdviceFacts, point: Point): boolean {
  const { estado, municipio } = facts
  const km = municipio ? distanceKm(municipio, point) : null
  if (km !== null && km > reachKm(facts)) return false
  // Close to its town a place may be beyond a coarse outline: an island, a river's mouth.
  return (km !== null && km <= contorno) || inState(estado ?? '', point, contorno)
}

/** What coordinates may have been meant by others: exchanged, or without their sign. */
function meantPoint(facts: AdviceFacts, { latitude: a, longitude: b }: Point) {
  const swapped: Point[] = [
    [b, a],
    [-b, a],
    [b, -a],
    [-b, -a],
  ].map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }))
  const signed: Point[] = [
    [-a, b],
    [a, -b],
    [-a, -b],
  ].map(([latitude = 0, longitude = 0]) => ({ latitude, longitude }))
  const inside = (point: Point) => Math.abs(point.latitude) <= 90 && fits(facts, point)
  const sign = signed.find(inside)
  if (sign)
    return { point: sign, texto: 'Parece faltar o sinal de menos: sul e oeste são negativos. Trocar?' }
  const swap = swapped.find(inside)
  return swap ? { point: swap, texto: 'Parecem trocadas. Trocar?' } : null
}

/** `local.municipio` */
export const placeRule: AdviceRule = (facts) => {
  const { latitude, longitude, estado, municipio } = facts
  if (!isNumber(latitude) || !isNumber(longitude) || !estado) return []
  const point = { latitude, longitude }
  if (fits(facts, point)) return []
  const state = stateAt(point, contorno)
  const elsewhere = state !== estado && !inState(estado, point, contorno)
  const km = municipio ? distanceKm(municipio, point) : null
  const meant = meantPoint(facts, point)
  const where =
    state === null
      ? 'As coordenadas caem no mar ou fora do Brasil.'
      : elsewhere
        ? `As coordenadas caem em ${state}, e o estado informado é ${estado}.`
        : `As coordenadas estão a ${formatNumber(km, 0)} km do município informado.`
  return [
    finding('local.municipio', {
      peso: elsewhere ? 'problema' : 'conferir',
      onde: atField('latitude'),
      texto: meant ? `${where} ${meant.texto}` : where,
      valor: [latitude, longitude, estado],
      correcao: meant && {
        rotulo: 'Trocar',
        valores: [
          { campo: 'latitude', valor: meant.point.latitude },
          { campo: 'longitude', valor: meant.point.longitude },
        ],
      },
    }),
  ]
}
