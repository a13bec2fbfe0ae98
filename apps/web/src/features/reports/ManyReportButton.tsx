import type { ExperimentFilter } from '@ensaio/domain'
import { MOST_NAMED_TRIALS } from '@ensaio/domain'
import { FileText } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSource } from '../../api/source.ts'
import { late } from '../../shell/late.tsx'
import { Button } from '../../ui/Button.tsx'

const ManyReport = late(async () => (await import('./ManyReport.tsx')).ManyReport, 'over')

/** What a consolidated report is of: all that a filter lets through, or trials picked by hand. */
export type ReportOf = { filtro: ExperimentFilter } | { experimentos: string[] }

/** The consolidated report, beside the filters and beside what was picked. */
export function ManyReportButton({ of }: { of: ReportOf }) {
  const [open, setOpen] = useState(false)
  const picked = 'experimentos' in of ? of.experimentos.length : 0
  if (useSource().name === 'demo') return null
  return (
    <>
      <Button
        className="no-print"
        size="small"
        variant={picked ? 'secondary' : 'quiet'}
        {...(picked > MOST_NAMED_TRIALS && {
          disabled: true,
          title: `O relatório reúne no máximo ${MOST_NAMED_TRIALS} ensaios escolhidos`,
        })}
        icon={<FileText aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      >
        {picked ? 'Relatório dos escolhidos' : 'Relatório consolidado'}
      </Button>
      {open && (
        <Suspense>
          <ManyReport of={of} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
