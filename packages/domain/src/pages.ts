/** Addresses that the web application has a page for; any other is told to be none by its status too. */
export const PAGES: ReadonlySet<string> = new Set([
  '/',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/termos-de-uso',
  '/politica-privacidade',
  '/ajuda',
  '/dashboard',
  '/novo-experimento',
  '/extractor',
  '/profile',
  '/admin',
  '/api-docs',
])
