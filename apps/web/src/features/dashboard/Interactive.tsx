import { Suspense } from 'react'
import { late } from '../../shell/late.tsx'
import { Skeleton } from '../../ui/Surface.tsx'
import { CorrelationTool } from './CorrelationTool.tsx'

const MapPanel = late(async () => (await import('./MapPanel.tsx')).MapPanel)

export function Interactive() {
  return (
    <>
      <Suspense fallback={<Skeleton className="h-[640px]" />}>
        <MapPanel />
      </Suspense>
      <CorrelationTool />
    </>
  )
}
