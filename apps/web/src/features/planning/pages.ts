import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const planning: Pages = {
  protected: [page(paths.planning, async () => (await import('./PlanningPage.tsx')).PlanningPage)],
}
