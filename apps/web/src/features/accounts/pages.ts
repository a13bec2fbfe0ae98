import { type Pages, page } from '../../shell/pages.ts'
import { paths } from '../../shell/paths.ts'

export const accounts: Pages = {
  public: [
    page(paths.login, async () => (await import('./Login.tsx')).Login),
    page(paths.register, async () => (await import('./Register.tsx')).Register),
    page(paths.forgotPassword, async () => (await import('./ForgotPassword.tsx')).ForgotPassword),
    page(paths.authorize, async () => (await import('./AllowApplication.tsx')).AllowApplication),
    page(paths.resetPassword, async () => (await import('./ResetPassword.tsx')).ResetPassword),
  ],
  protected: [page(paths.profile, async () => (await import('./Profile.tsx')).Profile)],
}
