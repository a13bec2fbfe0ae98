import { request } from '../features/accounts/applications/test-application.ts'
import { ALL, OPEN, type Row, row } from './test-row.ts'

const each = (status: number) => ALL.replaceAll('200', String(status))
const open = (status: number) => OPEN.replaceAll('200', String(status))
const form = (of: Record<string, string>) => ({
  body: new URLSearchParams(of).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const PEDIDO = request({ prompt: undefined })
const UNKNOWN = '01900000-0000-7000-8000-0000000000fd'

/** Applications of others know persons by what those allow: of anybody else nothing is to be had. */
export const OAUTH_ROWS: Row[] = [
  row('lookAtApplication', 'Field Book', OPEN, { query: PEDIDO }),
  row('answerApplication', 'refused', ALL, { body: { pedido: PEDIDO, permitir: false } }),
  row('answerApplication', 'of another address', each(400), {
    body: { pedido: { ...PEDIDO, redirect_uri: 'https://mau.exemplo' }, permitir: true },
  }),
  row('listApplications', 'own', ALL),
  row('revokeApplication', 'of nobody', each(404), { params: { id: UNKNOWN } }),
  row('GET /.well-known/openid-configuration', 'of the server', OPEN),
  row('GET /brapi/v2/.well-known/openid-configuration', 'of the server', OPEN),
  row('GET /oauth/jwks', 'of the server', OPEN),
  row('GET /oauth/authorize', 'of a stranger', open(400), { path: '/oauth/authorize?client_id=estranho' }),
  row('POST /oauth/token', 'by guessing', open(400), () =>
    form({ grant_type: 'authorization_code', client_id: 'fieldbook', code: `${UNKNOWN}.${UNKNOWN}.x` }),
  ),
  row('POST /oauth/revoke', 'of nothing', OPEN, () => form({ token: 'nada', client_id: 'fieldbook' })),
  ...['/oauth/token', '/oauth/revoke'].flatMap((path) =>
    ['GET', 'PUT', 'DELETE', 'PATCH'].map((method) =>
      row(`${method} ${path}` as `${string} /${string}`, 'which is no way to it', open(405)),
    ),
  ),
  row('GET /oauth/logout', 'of nothing', OPEN, { path: '/oauth/logout?id_token_hint=nada' }),
]
