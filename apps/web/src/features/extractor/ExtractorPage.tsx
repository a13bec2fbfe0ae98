import { File, Files } from 'lucide-react'
import { useNavigate, useSearchParams } from 'react-router'
import { leaveForWizard, WIZARD_FROM_REVIEW } from '../../shell/handoff.ts'
import { useActingFor } from '../../shell/organization.tsx'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Batch } from './Batch.tsx'
import { Extractor } from './Extractor.tsx'

export function ExtractorPage() {
  useTitle('Extrator')
  const navigate = useNavigate()
  const { known, keeper } = useActingFor()
  const [search, setSearch] = useSearchParams()
  const many = search.get('modo') === 'lote'
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-display font-semibold">Extrator de PDF</h1>
          <p className="text-muted">
            {many
              ? 'Envie um ou muitos relatórios: eles são lidos em fila, os completos são salvos de uma vez e os outros você confere.'
              : 'Envie um relatório de ensaio e veja o que é lido dele, com o lugar de cada valor.'}
          </p>
        </div>
        <Button
          icon={many ? <File aria-hidden className="size-4" /> : <Files aria-hidden className="size-4" />}
          onClick={() => setSearch(many ? {} : { modo: 'lote' })}
        >
          {many ? 'Um relatório' : 'Vários relatórios'}
        </Button>
      </header>
      {many ? (
        // A list is one person's in one organisation, whoever signs in on this page.
        known && <Batch key={keeper} />
      ) : (
        <Extractor
          onSaved={() => navigate(paths.dashboard)}
          onConfirm={(handoff) => {
            leaveForWizard(handoff)
            navigate(WIZARD_FROM_REVIEW)
          }}
        />
      )}
    </div>
  )
}
