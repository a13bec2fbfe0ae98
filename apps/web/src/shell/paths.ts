/** Every address of the app, in one place. */
export const paths = {
  landing: '/',
  login: '/login',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  terms: '/termos-de-uso',
  privacy: '/politica-privacidade',
  help: '/ajuda',
  dashboard: '/dashboard',
  wizard: '/novo-experimento',
  extractor: '/extractor',
  profile: '/profile',
  authorize: '/oauth/authorize',
  admin: '/admin',
  organization: '/organizacao',
  sharing: '/compartilhamento',
  invitation: '/convite',
  publicLink: '/p',
  report: '/relatorios',
  views: '/vistas',
  view: '/v',
  endAlert: '/encerrar-aviso',
  record: '/experimentos',
  planning: '/planejamento',
  imports: '/importar',
  incomplete: '/incompletos',
  product: '/produto',
  apiDocs: '/api-docs',
  gallery: '/dev/gallery',
} as const

export const loginFor = (wanted: string): string =>
  wanted === paths.dashboard ? paths.login : `${paths.login}?voltar=${encodeURIComponent(wanted)}`

/** Where to go after signing in: only a path of this app, never another site. */
export function returnPath(search: URLSearchParams): string {
  const wanted = search.get('voltar') ?? ''
  return /^\/(?![/\\])/.test(wanted) ? wanted : paths.dashboard
}

export const editExperiment = (id: string): string => `${paths.wizard}?id=${id}`

/** A page under filters and what else its address keeps; what is empty is left out. */
export function withSearch(
  path: string,
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
): string {
  const search = new URLSearchParams(
    Object.entries(values).flatMap(([key, value]) =>
      [value ?? []].flat().flatMap((one) => (one ? [[key, one]] : [])),
    ),
  ).toString()
  return search ? `${path}?${search}` : path
}

/** A trial's own page, at one of its parts. */
export const recordPage = (id: string, part?: string): string =>
  `${paths.record}/${id}${part === undefined ? '' : `?aba=${part}`}`
/** One cell of its plots: the plot's number, and the variable and its date where it is of one. */
export const cellPage = (
  id: string,
  {
    parcela,
    variavel,
    avaliacao,
  }: { parcela: number | null; variavel: string | null; avaliacao: string | null },
): string => {
  const given = Object.entries({ parcela, variavel, avaliacao }).filter(([, value]) => value !== null)
  const place = new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
  return `${recordPage(id, 'parcelas')}${place.size > 0 ? `&${place}` : ''}`
}
/** The wizard at one of its pages, from 1. */
export const editPage = (id: string, page: number): string => `${editExperiment(id)}&passo=${page}`
/** The same at one field, whose findings stand under it at once. */
export const editField = (id: string, page: number, field: string): string =>
  `${editPage(id, page)}&campo=${encodeURIComponent(field)}`
/** A trial in the phone's own application, which is loaded anew. */
export const fieldPage = (id: string): string => `/campo/${id}`
