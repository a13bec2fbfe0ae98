import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/Surface.tsx'
import { CorrelationTool } from './CorrelationTool.tsx'

const MapPanel = lazy(async () => ({ default: (await import('./MapPanel.tsx')).MapPanel }))

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
