import { type ExtractionResult, type FieldKey, STATES, searchable } from '@ensaio/domain'
import { call } from '../../api/client.ts'
import { propose, type ReviewState, reviewOf } from './review-state.ts'

/** What follows from the city and its state: region and coordinates. Nothing, where the server cannot be asked. */
async function fromPlace({
  cidade,
  estado,
}: Pick<ReviewState['data'], 'cidade' | 'estado'>): Promise<Partial<Record<FieldKey, string | number>>> {
  const region = STATES.find(({ sigla }) => sigla === estado)?.regional
  const known = region === undefined ? {} : { regional: region }
  if (!cidade) return known
  try {
    const { municipios } = await call('lookupCities', { query: { busca: cidade } })
    const named = municipios.filter(
      ({ nome, estado: own }) =>
        searchable(nome) === searchable(cidade) && (estado === null || own === estado),
    )
    const [city] = named
    if (!city || named.length > 1) return known
    const { regional, latitude, longitude } = city
    return { regional, estado: city.estado, latitude, longitude }
  } catch {
    return known
  }
}

/** A reading as its review begins: with what follows from its place, marked as proposed. */
export async function startReview(result: ExtractionResult): Promise<ReviewState> {
  const state = reviewOf(result)
  const { latitude, longitude, ...others } = await fromPlace(state.data)
  // Half of a place that the report gives is not completed by another's.
  const whole = state.data.latitude === null && state.data.longitude === null
  return propose(state, whole ? { ...others, ...at(latitude, longitude) } : others)
}

const at = (latitude: string | number | undefined, longitude: string | number | undefined) =>
  latitude === undefined || longitude === undefined ? {} : { latitude, longitude }
