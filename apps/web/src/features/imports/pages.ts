import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const imports: Pages = {
  protected: [page(paths.imports, async () => (await import('./ImportPage.tsx')).ImportPage)],
}
