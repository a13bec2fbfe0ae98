import { DemoGate } from '../../features/demo/DemoGate.tsx'
import { DocumentList } from '../../features/documents/DocumentList.tsx'
import { RecordPage } from '../../features/record/RecordPage.tsx'
import { ExportButton } from '../../features/reports/ExportButton.tsx'
import { ReportButton } from '../../features/reports/ReportButton.tsx'
import { RecordSharing } from '../../features/sharing/RecordSharing.tsx'
import { late } from '../../shell/late.tsx'
import { WithActions } from './WithActions.tsx'

const PlotsTab = late(async () => (await import('../../features/plots/PlotsTab.tsx')).PlotsTab)
const AnalysisTab = late(async () => (await import('../../features/analysis/AnalysisTab.tsx')).AnalysisTab)
const EconomicsTab = late(
  async () => (await import('../../features/economics/EconomicsTab.tsx')).EconomicsTab,
)
const QualityTab = late(async () => (await import('../../features/quality/QualityTab.tsx')).QualityTab)
const PayingSentence = late(
  async () => (await import('../../features/economics/PayingSentence.tsx')).PayingSentence,
)

/** A trial's own page; its heavier parts come when they are first opened. */
export const RecordRoute = () => (
  <DemoGate>
    <WithActions>
      <RecordPage
        plots={(experiment) => <PlotsTab experiment={experiment} />}
        analysis={(experiment) => <AnalysisTab experiment={experiment} />}
        economics={(experiment) => <EconomicsTab key={experiment.id} experiment={experiment} />}
        quality={(experiment) => <QualityTab key={experiment.id} experiment={experiment} />}
        paying={(experiment) => <PayingSentence experiment={experiment} />}
        documents={(experiment) => <DocumentList experiment={experiment} heading="h2" />}
        report={(experiment) => (
          <>
            <ReportButton experiment={experiment} />
            <ExportButton experiment={experiment} />
          </>
        )}
        sharing={(experiment) => <RecordSharing key={experiment.id} experiment={experiment} />}
      />
    </WithActions>
  </DemoGate>
)
