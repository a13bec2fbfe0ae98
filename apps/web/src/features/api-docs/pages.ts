import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const apiDocs: Pages = {
  public: [page(paths.apiDocs, async () => (await import('./ApiDocs.tsx')).ApiDocs)],
}
