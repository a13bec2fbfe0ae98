import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'
import { Landing } from './Landing.tsx'

export const landing: Pages = {
  public: [
    { path: paths.landing, Component: Landing },
    page(paths.terms, async () => (await import('./Terms.tsx')).Terms),
    page(paths.privacy, async () => (await import('./Privacy.tsx')).Privacy),
  ],
}
