import type { ExperimentFilter } from '@ensaio/domain'
import type { ReactNode } from 'react'
import { ExperimentActionsProvider } from '../../features/experiments/ExperimentActionsProvider.tsx'
import { late } from '../../shell/late.tsx'

const ExperimentDetails = late(
  async () => (await import('./ExperimentDetails.tsx')).ExperimentDetails,
  'over',
)
const ShareDialog = late(
  async () => (await import('../../features/sharing/ShareDialog.tsx')).ShareDialog,
  'over',
)
const TransferDialog = late(
  async () => (await import('../../features/sharing/TransferDialog.tsx')).TransferDialog,
  'over',
)
const isPicked = (target: readonly string[] | ExperimentFilter): target is readonly string[] =>
  Array.isArray(target)

/** What can be done with an experiment, wherever one is shown; its dialogs are features of their own. */
export const WithActions = ({ children }: { children: ReactNode }) => (
  <ExperimentActionsProvider
    details={(id, onClose) => <ExperimentDetails id={id} onClose={onClose} />}
    share={(target, onClose) => <ShareDialog target={target} onClose={onClose} />}
    transfer={(target, onClose) => (
      <TransferDialog
        target={isPicked(target) ? { experimentos: [...target] } : { filtro: target }}
        onClose={onClose}
      />
    )}
  >
    {children}
  </ExperimentActionsProvider>
)
