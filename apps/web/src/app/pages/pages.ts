import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

/** The pages that are put together of several features. */
export const composed: Pages = {
  protected: [
    page(paths.dashboard, async () => (await import('./DashboardRoute.tsx')).DashboardRoute),
    page(paths.admin, async () => (await import('./AdminRoute.tsx')).AdminRoute),
    page(`${paths.record}/:id`, async () => (await import('./RecordRoute.tsx')).RecordRoute),
    page(paths.incomplete, async () => (await import('./IncompleteRoute.tsx')).IncompleteRoute),
    page(paths.product, async () => (await import('./ProductRoute.tsx')).ProductRoute),
    page(paths.wizard, async () => (await import('./WizardRoute.tsx')).WizardRoute),
  ],
}
