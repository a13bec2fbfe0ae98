import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const gallery: Pages = import.meta.env.DEV
  ? { public: [page(paths.gallery, async () => (await import('./Gallery.tsx')).Gallery)] }
  : {}
