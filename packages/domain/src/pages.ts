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
  '/organizacao',
  '/compartilhamento',
  '/planejamento',
  '/importar',
  '/incompletos',
  '/produto',
  '/vistas',
])
/** Below each of these a secret is the address: neither kept, nor indexed, nor told to where a link leads. */
export const TOKEN_PAGES: ReadonlySet<string> = new Set(['/convite', '/p', '/encerrar-aviso'])
/** Below each of these a record's own id is the address. */
export const RECORD_PAGES: ReadonlySet<string> = new Set(['/experimentos', '/v', '/relatorios'])

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const FIELD_PAGE = new RegExp(
  `^/(?:campo(?:/aparelho|/convite|/${ID}(?:/(?:coleta|conflitos|etiquetas))?)?|q/[0-9a-z]{1,20})/?$`,
  'i',
)
/** The phone's own entry, an application of its own; a label's address is in capitals. */
export const isFieldPage = (path: string): boolean => FIELD_PAGE.test(path)
