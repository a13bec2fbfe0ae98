import type { Contract, EndpointName, OutputOf } from '@ensaio/domain'
import { useSyncExternalStore } from 'react'
import { type CallOf, call, open } from './client.ts'

type Options = { signal?: AbortSignal }

/** Where the reading screens get their data: the server, or the demo set in its place. Never both at once. */
export type Source = {
  name: 'server' | 'demo'
  read: <N extends EndpointName>(
    name: N,
    input: CallOf<N>,
    options?: Options,
  ) => Promise<OutputOf<Contract[N]>>
  /** The bytes of a stored document. */
  document: (id: string) => Promise<Response>
}

export const serverSource: Source = {
  name: 'server',
  read: call,
  document: (id) => open('getDocument', { params: { id } }, { timeoutMs: 120_000 }),
}

/** A file that ships with the app. */
export const fetchStatic = (path: `/${string}`): Promise<Response> => fetch(path)

let current = serverSource
const listeners = new Set<() => void>()

export const currentSource = (): Source => current

export function setSource(source: Source): void {
  if (source === current) return
  current = source
  for (const listener of listeners) listener()
}

export const useSource = (): Source =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, currentSource)
