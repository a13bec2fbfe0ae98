import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const organizations: Pages = {
  public: [
    page(`${paths.invitation}/:token`, async () => (await import('./InvitationPage.tsx')).InvitationPage),
  ],
  protected: [
    page(paths.organization, async () => (await import('./OrganizationPage.tsx')).OrganizationPage),
  ],
}
