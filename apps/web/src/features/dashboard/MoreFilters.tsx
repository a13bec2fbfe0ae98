import { ListFilter } from 'lucide-react'
import { Suspense, useState } from 'react'
import { late } from '../../shell/late.tsx'
import { Button } from '../../ui/Button.tsx'

const MoreFiltersDialog = late(async () => (await import('./MoreFiltersDialog.tsx')).MoreFiltersDialog)

export function MoreFilters() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        className="no-print"
        size="small"
        variant="quiet"
        icon={<ListFilter aria-hidden className="size-4" />}
        onClick={() => setOpen(true)}
      >
        Mais filtros
      </Button>
      {open && (
        <Suspense>
          <MoreFiltersDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
