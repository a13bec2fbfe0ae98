import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const views: Pages = {
  public: [page(`${paths.endAlert}/:token`, async () => (await import('./EndAlert.tsx')).EndAlert)],
  protected: [
    page(paths.views, async () => (await import('./ViewsPage.tsx')).ViewsPage),
    page(`${paths.view}/:id`, async () => (await import('./ViewLink.tsx')).ViewLink),
  ],
}
