import { useCallback } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useLiveExperiments } from '../../api/live.ts'
import { DashboardPage } from '../../features/dashboard/DashboardPage.tsx'
import { DemoGate } from '../../features/demo/DemoGate.tsx'
import { DocumentsTab } from '../../features/documents/DocumentsTab.tsx'
import { ExperimentActionsProvider } from '../../features/experiments/ExperimentActionsProvider.tsx'
import { ExperimentsTable } from '../../features/experiments/ExperimentsTable.tsx'
import { ExtractorDialog } from '../../features/extractor/ExtractorDialog.tsx'
import { type Handoff, leaveForWizard, WIZARD_FROM_REVIEW } from '../handoff.ts'
import { TilesProvider } from '../TilesProvider.tsx'

/** Puts the features of the dashboard together. */
export function DashboardRoute() {
  const navigate = useNavigate()
  useLiveExperiments()
  const [search, setSearch] = useSearchParams()
  const setExtracting = useCallback(
    (open: boolean) =>
      setSearch(
        (before) => {
          const after = new URLSearchParams(before)
          if (open) after.set('extrair', '1')
          else after.delete('extrair')
          return after
        },
        { preventScrollReset: true },
      ),
    [setSearch],
  )
  const confirm = (handoff: Handoff) => {
    leaveForWizard(handoff)
    navigate(WIZARD_FROM_REVIEW)
  }
  return (
    <TilesProvider>
      <DemoGate>
        <ExperimentActionsProvider>
          <DashboardPage
            onExtract={() => setExtracting(true)}
            table={(filter) => <ExperimentsTable filter={filter} />}
            documents={<DocumentsTab />}
          />
          {search.get('extrair') === '1' && (
            <ExtractorDialog onClose={() => setExtracting(false)} onConfirm={confirm} />
          )}
        </ExperimentActionsProvider>
      </DemoGate>
    </TilesProvider>
  )
}
