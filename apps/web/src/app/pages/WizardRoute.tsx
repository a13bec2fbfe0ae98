import { WizardPage } from '../../features/wizard/WizardPage.tsx'
import { TilesProvider } from '../TilesProvider.tsx'

export function WizardRoute() {
  return (
    <TilesProvider>
      <WizardPage />
    </TilesProvider>
  )
}
