import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const extractor: Pages = {
  protected: [page(paths.extractor, async () => (await import('./ExtractorPage.tsx')).ExtractorPage)],
}
