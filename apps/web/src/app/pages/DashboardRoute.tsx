import { filterText } from '@ensaio/domain'
import { Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useLiveExperiments } from '../../api/live.ts'
import { OriginContext } from '../../charts/mark.ts'
import { DashboardPage } from '../../features/dashboard/DashboardPage.tsx'
import { DemoGate } from '../../features/demo/DemoGate.tsx'
import { ExperimentsTable } from '../../features/experiments/ExperimentsTable.tsx'
import { ManyReportButton } from '../../features/reports/ManyReportButton.tsx'
import { FilterActions } from '../../features/sharing/FilterActions.tsx'
import { DigestOffer } from '../../features/views/DigestOffer.tsx'
import { useDefaultView } from '../../features/views/default-view.ts'
import { ViewBar } from '../../features/views/ViewBar.tsx'
import { useSetAddress } from '../../shell/address.ts'
import { useFilters } from '../../shell/filters.ts'
import { type Handoff, leaveForWizard, WIZARD_FROM_REVIEW } from '../../shell/handoff.ts'
import { late } from '../../shell/late.tsx'
import { useOriginOf } from '../../shell/organization.tsx'
import { Skeleton } from '../../ui/Surface.tsx'
import { TilesProvider } from '../TilesProvider.tsx'
import { WithActions } from './WithActions.tsx'

const DocumentsTab = late(
  async () => (await import('../../features/documents/DocumentsTab.tsx')).DocumentsTab,
)
const SynthesisTab = late(
  async () => (await import('../../features/synthesis/SynthesisTab.tsx')).SynthesisTab,
)
const ExtractorDialog = late(
  async () => (await import('../../features/extractor/ExtractorDialog.tsx')).ExtractorDialog,
  'over',
)

/** Puts the features of the dashboard together. */
export function DashboardRoute() {
  const navigate = useNavigate()
  const origin = useOriginOf(filterText(useFilters().filter))
  useLiveExperiments()
  useDefaultView()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const setExtracting = (open: boolean) => write({ extrair: open ? '1' : '' })
  const confirm = (handoff: Handoff) => {
    leaveForWizard(handoff)
    navigate(WIZARD_FROM_REVIEW)
  }
  return (
    <TilesProvider>
      <DemoGate>
        <WithActions>
          <OriginContext value={origin}>
            <DashboardPage
              onExtract={() => setExtracting(true)}
              notice={<DigestOffer />}
              filterActions={(filter) => (
                <>
                  <ViewBar />
                  <FilterActions filter={filter} />
                  <ManyReportButton of={{ filtro: filter }} />
                </>
              )}
              table={(filter) => (
                <ExperimentsTable
                  filter={filter}
                  report={(experimentos) => <ManyReportButton of={{ experimentos }} />}
                />
              )}
              documents={
                <Suspense fallback={<Skeleton className="h-96" />}>
                  <DocumentsTab />
                </Suspense>
              }
              synthesis={
                <Suspense fallback={<Skeleton className="h-96" />}>
                  <SynthesisTab />
                </Suspense>
              }
            />
          </OriginContext>
          {search.get('extrair') === '1' && (
            <Suspense>
              <ExtractorDialog onClose={() => setExtracting(false)} onConfirm={confirm} />
            </Suspense>
          )}
        </WithActions>
      </DemoGate>
    </TilesProvider>
  )
}
