import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useEndpoint } from '../api/queries.ts'
import { TilesContext } from '../map/tiles.ts'

/** Tells the maps where their tiles come from; without an answer they draw the outline alone. */
export function TilesProvider({ children }: { children: ReactNode }) {
  const settings = useEndpoint('settings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const url = settings.data?.tileUrl ?? null
  const attribution = settings.data?.tileAttribution ?? ''
  const known = !settings.isPending
  const tiles = useMemo(() => (known ? { url, attribution } : null), [known, url, attribution])
  return <TilesContext value={tiles}>{children}</TilesContext>
}
