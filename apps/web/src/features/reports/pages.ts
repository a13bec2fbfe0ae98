import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const reports: Pages = {
  protected: [page(`${paths.report}/:id`, async () => (await import('./ReportPage.tsx')).ReportPage)],
}
