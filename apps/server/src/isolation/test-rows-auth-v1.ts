import { PASSWORD } from '../test-server.ts'
import { ALL, OPEN, type Row, row } from './test-row.ts'
import { session } from './test-rows-accounts.ts'

const open = (status: number) => OPEN.replaceAll('200', String(status))
const each = (status: number) => ALL.replaceAll('200', String(status))
const UNKNOWN = '01900000-0000-7000-8000-000000000001'

/** The dialect of accounts knows persons and no organisations: nothing of others is to be had there. */
export const AUTH_ROWS: Row[] = [
  row('GET /auth/v1/health', 'of the server', OPEN),
  row('GET /auth/v1/settings', 'of the server', OPEN),
  row('GET /auth/v1/.well-known/jwks.json', 'of the server', OPEN),
  row('POST /auth/v1/signup', 'with an address that is taken', open(422), (world) => ({
    body: { email: world.people.D.email, password: PASSWORD, data: { name: 'Nova' } },
  })),
  row('POST /auth/v1/signup', 'by an invitation to another address', open(422), (world) => ({
    body: {
      email: world.people.G.email,
      password: PASSWORD,
      data: { name: 'Nova', convite: world.invitation.token },
    },
  })),
  row('POST /auth/v1/token', 'as the dono, by guessing', open(400), (world) => ({
    path: '/auth/v1/token?grant_type=password',
    body: { email: world.people.D.email, password: 'senha-errada-mesmo' },
  })),
  row('POST /auth/v1/token', 'as oneself', OPEN, (world, caller) => ({
    path: '/auth/v1/token?grant_type=password',
    body: { email: world.people[caller === 'V' ? 'O' : caller].email, password: PASSWORD },
  })),
  row('POST /auth/v1/recover', "the dono's", OPEN, (world) => ({ body: { email: world.people.D.email } })),
  row('POST /auth/v1/resend', "the dono's", OPEN, (world) => ({
    body: { type: 'signup', email: world.people.D.email },
  })),
  row('POST /auth/v1/verify', 'an unknown link', open(403), {
    body: { type: 'recovery', token_hash: 'nada' },
  }),
  row('GET /auth/v1/verify', 'an unknown link', open(303), {
    path: '/auth/v1/verify?type=recovery&token=nada',
  }),
  row('GET /auth/v1/authorize', 'by a provider that is not there', open(400), {
    path: '/auth/v1/authorize?provider=google',
  }),
  row('GET /auth/v1/callback', 'of nothing', open(400), {
    path: `/auth/v1/callback?state=${UNKNOWN}&code=x`,
  }),
  row('GET /auth/v1/user', 'oneself', ALL),
  row('PUT /auth/v1/user', 'as it is', ALL, { body: { data: {} } }),
  row('GET /auth/v1/reauthenticate', 'oneself', ALL),
  row('GET /auth/v1/user/identities/authorize', 'not switched on', each(404), {
    path: '/auth/v1/user/identities/authorize?provider=google',
  }),
  row('DELETE /auth/v1/user/identities/{id}', 'not switched on', each(404), {
    path: `/auth/v1/user/identities/${UNKNOWN}`,
  }),
  row('POST /auth/v1/sso', 'of no domain', open(404), { body: { domain: 'exemplo.com.br' } }),
  row('GET /auth/v1/sso/saml/metadata', 'not switched on', open(404)),
  row('POST /auth/v1/sso/saml/acs', 'not switched on', open(404), { body: {} }),
  row('POST /auth/v1/factors', "one's own", ALL, (_world, caller) => ({
    body: { factor_type: 'totp', friendly_name: `de ${caller}` },
  })),
  row('POST /auth/v1/factors/{id}/challenge', "the researcher's", each(404), (world, caller) => ({
    path: `/auth/v1/factors/${caller === 'P' ? UNKNOWN : world.factor}/challenge`,
    body: {},
  })),
  row('POST /auth/v1/factors/{id}/verify', "the researcher's", each(404), (world, caller) => ({
    path: `/auth/v1/factors/${caller === 'P' ? UNKNOWN : world.factor}/verify`,
    body: { challenge_id: UNKNOWN, code: '123456' },
  })),
  row('DELETE /auth/v1/factors/{id}', "the researcher's", each(404), (world, caller) => ({
    path: `/auth/v1/factors/${caller === 'P' ? UNKNOWN : world.factor}`,
  })),
  row('POST /auth/v1/logout', 'a session', each(204), async (world, caller) => {
    const { access_token: token } = await session(world, caller)
    return { path: '/auth/v1/logout?scope=local', ...(token !== undefined && { token }) }
  }),
]
