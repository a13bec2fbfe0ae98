import { type ExtractionResult, type FieldKey, STATES, searchable } from '@ensaio/domain'
import { useEffect } from 'react'
import { call } from '../../api/client.ts'
import { useStable } from '../../shell/stable.ts'
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
export const startReview = async (result: ExtractionResult): Promise<ReviewState> => {
  const state = reviewOf(result)
  const values = await proposalsFor(state)
  return propose(state, values)
}

const RESTED_MS = 500

/** What follows from the place, anew when the person corrects it. */
export function useProposals(
  state: ReviewState,
  onState: (change: (before: ReviewState) => ReviewState) => void,
): void {
  const { cidade, estado } = state.data
  const corrected = state.corrected.includes('cidade') || state.corrected.includes('estado')
  const tell = useStable(onState)
  const now = useStable(() => state)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place has changed
  useEffect(() => {
    if (!corrected) return
    let gone = false
    const timer = setTimeout(() => {
      void proposalsFor(now()).then((values) => !gone && tell((before) => propose(before, values)))
    }, RESTED_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [cidade, estado, corrected])
}

async function proposalsFor(state: ReviewState): Promise<Partial<Record<FieldKey, string | number>>> {
  const { latitude, longitude, ...others } = await fromPlace(state.data)
  // Half of a place that the report gives is not completed by another's.
  const whole = state.data.latitude === null && state.data.longitude === null
  return whole ? { ...others, ...at(latitude, longitude) } : others
}

const at = (latitude: string | number | undefined, longitude: string | number | undefined) =>
  latitude === undefined || longitude === undefined ? {} : { latitude, longitude }
