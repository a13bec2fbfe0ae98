import type { Contract, EndpointName, OutputOf } from '@ensaio/domain'
import { useQuery } from '@tanstack/react-query'
import { actingKey } from './acting.ts'
import type { ApiError, CallOf } from './client.ts'
import { queryClient } from './query-client.ts'
import { currentSource, type Source, serverSource, useSource } from './source.ts'

export const keyOf = <N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  source: Source['name'] = 'server',
) => [actingKey(), name, source, input]

/** What asks for an answer, for several at once. */
export const reading = <N extends EndpointName>(name: N, input: CallOf<N>, source: Source) => ({
  queryKey: keyOf(name, input, source.name),
  queryFn: ({ signal }: { signal: AbortSignal }) => source.read(name, input, { signal }),
})

type Options<Input> = {
  enabled?: boolean
  /** Shows the last answer while the next one is fetched; a function tells for which question it may stand. */
  keep?: boolean | ((before: Input) => boolean)
  staleTime?: number
  /** Never answered by the demo set: what is asked about the person, not about trials. */
  ofServer?: boolean
}

/** Reads an endpoint. */
export function useEndpoint<N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  options: Options<CallOf<N>> = {},
) {
  const shown = useSource()
  const source = options.ofServer ? serverSource : shown
  const mayStand = typeof options.keep === 'function' ? options.keep : () => options.keep === true
  return useQuery<OutputOf<Contract[N]>, ApiError>({
    ...reading(name, input, source),
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.keep
      ? {
          placeholderData: (last, query) =>
            // The key is the one made above; what the demo answered never stands for the server, nor the other way.
            query?.queryKey[0] === actingKey() &&
            query.queryKey[2] === source.name &&
            mayStand(query.queryKey[3] as CallOf<N>)
              ? last
              : undefined,
        }
      : {}),
    ...(options.staleTime === undefined ? {} : { staleTime: options.staleTime }),
  })
}

/** Begins to read what a page is about to ask for. */
export function readAhead<N extends EndpointName>(name: N, input: CallOf<N>): void {
  void queryClient.prefetchQuery(reading(name, input, currentSource()))
}

/** Everything that shows experiments reads again. */
export function experimentsChanged(): Promise<unknown> {
  const names: EndpointName[] = [
    'overview',
    'filterOptions',
    'mapView',
    'correlation',
    'listExperiments',
    'incompleteExperiments',
    'getExperiment',
    'experimentHistory',
    'experimentQuality',
    'listDocuments',
    'getPlots',
    'analysis',
    'listAnalyses',
    'getPrices',
    'economicBase',
    'synthesis',
    'synthesisProducts',
    'jointAnalysis',
    'listSyntheses',
    'rerunSynthesis',
  ]
  return Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [actingKey(), name] })))
}
