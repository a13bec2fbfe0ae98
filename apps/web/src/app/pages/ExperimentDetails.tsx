import { DocumentList } from '../../features/documents/DocumentList.tsx'
import { DetailsDialog } from '../../features/experiments/DetailsDialog.tsx'
import { ExportButton } from '../../features/reports/ExportButton.tsx'
import { RecordSharing } from '../../features/sharing/RecordSharing.tsx'

/** The details of an experiment with its documents, and who else sees it. */
export const ExperimentDetails = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <DetailsDialog
    id={id}
    onClose={onClose}
    documents={(experiment) => (
      <>
        <DocumentList experiment={experiment} />
        <div className="no-print mt-4">
          <ExportButton experiment={experiment} />
        </div>
      </>
    )}
    sharing={(experiment) => <RecordSharing key={experiment.id} experiment={experiment} />}
  />
)
