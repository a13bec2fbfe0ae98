import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const help: Pages = {
  public: [page(paths.help, async () => (await import('./HelpPage.tsx')).HelpPage)],
}
