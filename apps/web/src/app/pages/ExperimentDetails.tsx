import { DocumentList } from '../../features/documents/DocumentList.tsx'
import { DetailsDialog } from '../../features/experiments/DetailsDialog.tsx'

/** The details of an experiment with its documents. */
export const ExperimentDetails = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <DetailsDialog
    id={id}
    onClose={onClose}
    documents={(experiment) => <DocumentList experiment={experiment} />}
  />
)
