import type { Contract, EndpointName, OutputOf } from '@ensaio/domain'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ApiError, CallOf } from './client.ts'
import { queryClient } from './query-client.ts'
import { currentSource, type Source, useSource } from './source.ts'

export const keyOf = <N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  source: Source['name'] = 'server',
) => [name, source, input]

const reading = <N extends EndpointName>(name: N, input: CallOf<N>, source: Source) => ({
  queryKey: keyOf(name, input, source.name),
  queryFn: ({ signal }: { signal: AbortSignal }) => source.read(name, input, { signal }),
})

type Options = { enabled?: boolean; keep?: boolean; staleTime?: number }

/** Reads an endpoint; `keep` shows the last answer while the next one is fetched. */
export function useEndpoint<N extends EndpointName>(name: N, input: CallOf<N>, options: Options = {}) {
  const source = useSource()
  return useQuery<OutputOf<Contract[N]>, ApiError>({
    ...reading(name, input, source),
    ...(options.enabled === undefined ? {} : { enabled: options.enabled }),
    ...(options.keep ? { placeholderData: keepPreviousData } : {}),
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
    'getExperiment',
    'experimentHistory',
    'listDocuments',
  ]
  return Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
}
