import { PASSWORD } from '../test-server.ts'
import { ALL, NOBODYS, OPEN, type Row, row } from './test-row.ts'
import { type Caller, NAMES, type World } from './test-world.ts'

/** Everybody with a session gets the same. */
const each = (status: number) => ALL.replaceAll('200', String(status))
/** Nobody's password. */
const WRONG = { currentPassword: 'senha-errada-mesmo', newPassword: 'outra-correta-cavalo' }

/** One more session of the same person, which the call may end. */
export async function session(world: World, caller: Caller) {
  if (caller === 'V') return { access_token: undefined, refresh_token: 'nada' }
  const { email, password } = world.people[caller]
  const address = '/auth/v1/token?grant_type=password'
  const { body } = await world.server.call('POST', address, { body: { email, password } })
  return body as { access_token: string; refresh_token: string }
}
const another = async (world: World, caller: Caller) => {
  const { access_token: token } = await session(world, caller)
  return token === undefined ? {} : { token }
}
/** A session of the researcher's beside the one that asks. */
async function ofResearcher(world: World) {
  const { access_token: token = '' } = await session(world, 'P')
  const { body } = await world.server.call('GET', '/api/profile/sessions', { token })
  const { id } = body.sessions.find(({ current }: { current: boolean }) => current)
  return { params: { id } }
}
let addresses = 0

const SIGNING: Row[] = [
  row('login', 'as oneself', OPEN, (world, caller) => ({
    body: { email: world.people[caller === 'V' ? 'O' : caller].email, password: PASSWORD },
  })),
  row('login', 'as the dono, by guessing', OPEN.replaceAll('200', '401'), (world) => ({
    body: { email: world.people.D.email, password: 'senha-errada-mesmo' },
  })),
  row('register', 'anew', OPEN.replaceAll('200', '201'), () => {
    addresses += 1
    return { body: { name: 'Nova', email: `nova${addresses}@exemplo.com.br`, password: PASSWORD } }
  }),
  row('register', 'with an address that is taken', OPEN.replaceAll('200', '201'), (world) => ({
    body: { name: 'Nova', email: world.people.D.email, password: PASSWORD },
  })),
  row('refresh', 'a session', ALL.replace('401', '400'), async (world, caller) => ({
    body: { refresh_token: (await session(world, caller)).refresh_token },
  })),
  row('openOnPhone', 'beside a session', ALL.replace('401', '400'), async (world, caller) => ({
    body: { refresh_token: (await session(world, caller)).refresh_token },
  })),
  row('logout', 'a session', each(204), another),
  row('forgotPassword', "the dono's", OPEN, (world) => ({ body: { email: world.people.D.email } })),
  row('checkLink', 'an unknown one', OPEN, { body: { token_hash: 'nada', type: 'recovery' } }),
  row('resetPassword', 'by an unknown link', OPEN.replaceAll('200', '403'), {
    body: { token_hash: 'nada', password: 'outra-correta-cavalo' },
  }),
]

const PROFILE: Row[] = [
  row('getProfile', 'own', ALL),
  row('updateProfile', 'as it is', ALL, (_world, caller) => ({
    body: { name: caller === 'V' ? 'Ninguém' : NAMES[caller] },
  })),
  row('changePassword', 'without knowing it', each(422), { body: WRONG }),
  row('changePasswordByPost', 'without knowing it', each(422), { body: WRONG }),
  row('listSessions', 'own', ALL),
  row('revokeSession', "the researcher's", NOBODYS.split(' ').with(2, '204').join(' '), ofResearcher),
  row('listScriptKeys', 'own', ALL),
  row('createScriptKey', 'own', ALL.replaceAll('200', '201'), { body: { nome: 'R', dias: 1 } }),
  row('removeScriptKey', 'of nobody', NOBODYS, { params: { id: '01900000-0000-4000-8000-0000000000fe' } }),
  row('exportAccount', 'own', ALL),
  row('eraseAccount', 'without knowing the password', each(422), { body: WRONG }),
]

export const ACCOUNT_ROWS: Row[] = [
  ...SIGNING,
  ...PROFILE,
  row('settings', 'of the installation', OPEN),
  ...(
    [
      'lookupBrands',
      'lookupRegions',
      'lookupStates',
      'lookupCrops',
      'lookupProducts',
      'lookupCities',
    ] as const
  ).map((name) => row(name, 'what is offered', OPEN)),
  row('lookupCities', 'by a part of a name', OPEN, { query: { busca: 'Kz' } }),
  row('proposeLookup', "the owner's name", '202 202 403 403 404 403 404 404 401', {
    body: { tipo: 'marcas', nome: 'Marca a Propor' },
  }),
  ...(['/metrics', '/healthz', '/readyz', '/api/openapi.json'] as const).map((path) =>
    row(`GET ${path}` as const, 'of the server', OPEN),
  ),
]
