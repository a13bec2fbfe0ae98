import { lazy, Suspense, useState } from 'react'
import { Touch } from './parts.tsx'

const ScanSheet = lazy(async () => ({ default: (await import('./ScanSheet.tsx')).ScanSheet }))

/** @param within the trial that is open, whose labels lead to its plots */
export function ScanButton({
  within,
  begun = false,
  onPlot,
}: {
  within: string | null
  /** Open from the first. */
  begun?: boolean
  onPlot?: (plot: number) => void
}) {
  const [open, setOpen] = useState(begun)
  return (
    <>
      <Touch onClick={() => setOpen(true)}>Ler etiqueta</Touch>
      {open && (
        <Suspense>
          <ScanSheet
            within={within}
            onClose={() => setOpen(false)}
            onPlot={(plot) => {
              setOpen(false)
              onPlot?.(plot)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
