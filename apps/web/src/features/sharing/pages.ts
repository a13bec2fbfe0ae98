import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const sharing: Pages = {
  public: [page(`${paths.publicLink}/:token`, async () => (await import('./PublicPage.tsx')).PublicPage)],
  protected: [page(paths.sharing, async () => (await import('./SharingPage.tsx')).SharingPage)],
}
