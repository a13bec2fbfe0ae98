import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const admin: Pages = {
  protected: [page(paths.admin, async () => (await import('./AdminPage.tsx')).AdminPage)],
}
