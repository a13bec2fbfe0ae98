import type { ExperimentFilter } from '@ensaio/domain'
import { FileText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSource } from '../../api/source.ts'
import { late } from '../../shell/late.tsx'
import { Button } from '../../ui/Button.tsx'

const ManyReport = late(async () => (await import('./ManyReport.tsx')).ManyReport, 'over')

/** The consolidated report, beside the filters. */
export function ManyReportButton({ filter }: { filter: ExperimentFilter }) {
  const [open, setOpen] = useState(false)
  if (useSource().name === 'demo') return null
  return (
    <>
      <Button
        className="no-print"
        size="small"
        variant="quiet"
        icon={<FileText aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      >
        Relatório consolidado
      </Button>
      {open && (
        <Suspense>
          <ManyReport filter={filter} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
