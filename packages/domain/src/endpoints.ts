/**
 * Where each endpoint of the contract answers. Apart from the contract, so that a page can call without carrying
 * every schema.
 */
export const ENDPOINTS = {
  login: { method: 'POST', path: '/api/auth/login' },
  register: { method: 'POST', path: '/api/auth/register' },
  refresh: { method: 'POST', path: '/api/auth/refresh' },
  logout: { method: 'POST', path: '/api/auth/logout' },
  forgotPassword: { method: 'POST', path: '/api/auth/forgot-password' },
  checkLink: { method: 'POST', path: '/api/auth/check-link' },
  resetPassword: { method: 'POST', path: '/api/auth/reset-password' },
  getProfile: { method: 'GET', path: '/api/profile' },
  updateProfile: { method: 'PUT', path: '/api/profile' },
  changePassword: { method: 'PUT', path: '/api/users/change-password' },
  changePasswordByPost: { method: 'POST', path: '/api/users/change-password' },
  listExperiments: { method: 'GET', path: '/api/experiments' },
  createExperiment: { method: 'POST', path: '/api/experiments' },
  exportExperiments: { method: 'GET', path: '/api/experiments/export' },
  getExperiment: { method: 'GET', path: '/api/experiments/:id' },
  updateExperiment: { method: 'PUT', path: '/api/experiments/:id' },
  deleteExperiment: { method: 'DELETE', path: '/api/experiments/:id' },
  restoreExperiment: { method: 'POST', path: '/api/experiments/:id/restore' },
  listDeletedExperiments: { method: 'GET', path: '/api/admin/deleted-experiments' },
  experimentHistory: { method: 'GET', path: '/api/experiments/:id/history' },
  uploadDocument: { method: 'POST', path: '/api/uploads/document' },
  uploadBulk: { method: 'POST', path: '/api/uploads/bulk' },
  listDocuments: { method: 'GET', path: '/api/uploads/documents' },
  getDocument: { method: 'GET', path: '/api/uploads/documents/:id' },
  deleteDocument: { method: 'DELETE', path: '/api/uploads/documents/:id' },
  extract: { method: 'POST', path: '/api/extractions' },
  rememberLayout: { method: 'POST', path: '/api/layouts' },
  forgetLayout: { method: 'DELETE', path: '/api/layouts/:id' },
  lookupBrands: { method: 'GET', path: '/api/lookups/marcas' },
  lookupRegions: { method: 'GET', path: '/api/lookups/regioes' },
  lookupStates: { method: 'GET', path: '/api/lookups/estados' },
  lookupCrops: { method: 'GET', path: '/api/lookups/culturas' },
  lookupProducts: { method: 'GET', path: '/api/lookups/produtos-por-marca' },
  lookupCities: { method: 'GET', path: '/api/lookups/municipios' },
  events: { method: 'GET', path: '/api/events' },
  overview: { method: 'GET', path: '/api/dashboard/overview' },
  filterOptions: { method: 'GET', path: '/api/dashboard/filters' },
  mapView: { method: 'GET', path: '/api/dashboard/map' },
  correlation: { method: 'GET', path: '/api/dashboard/correlation' },
  settings: { method: 'GET', path: '/api/settings' },
  listSessions: { method: 'GET', path: '/api/profile/sessions' },
  revokeSession: { method: 'DELETE', path: '/api/profile/sessions/:id' },
  exportAccount: { method: 'GET', path: '/api/profile/export' },
  eraseAccount: { method: 'POST', path: '/api/profile/erase' },
  listOrganizations: { method: 'GET', path: '/api/organizations' },
  getOrganization: { method: 'GET', path: '/api/organizations/:id' },
  updateOrganization: { method: 'PUT', path: '/api/organizations/:id' },
  setOrganization: { method: 'PUT', path: '/api/profile/organization' },
  adminUsers: { method: 'GET', path: '/api/admin/users' },
  adminSetRole: { method: 'PUT', path: '/api/admin/users/:id/role' },
  adminSetBlocked: { method: 'PUT', path: '/api/admin/users/:id/blocked' },
  adminRoleRequests: { method: 'GET', path: '/api/admin/role-requests' },
  adminDecideRole: { method: 'PUT', path: '/api/admin/role-requests/:id' },
  adminLookups: { method: 'GET', path: '/api/admin/lookups/:kind' },
  adminAddLookup: { method: 'POST', path: '/api/admin/lookups/:kind' },
  adminChangeLookup: { method: 'PUT', path: '/api/admin/lookups/:kind/:id' },
  adminAudit: { method: 'GET', path: '/api/admin/audit' },
} as const satisfies Record<string, { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: `/${string}` }>
export type EndpointName = keyof typeof ENDPOINTS

/** The path with its parameters filled in and its query behind it. */
export function urlOf(
  { path }: { path: string },
  {
    params,
    query,
  }: { params?: Record<string, unknown> | undefined; query?: Record<string, unknown> | undefined } = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${filled}?${text}` : filled
}
