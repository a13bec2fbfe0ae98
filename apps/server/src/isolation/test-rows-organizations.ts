import { LOOKUP_KINDS } from '@ensaio/domain'
import { PASSWORD } from '../test-server.ts'
import { type Canary, word } from './test-canaries.ts'
import { ADMIN, ALL, MEMBERS, NOBODYS, OPEN, type Row, row } from './test-row.ts'
import { join, OWNER_NAME, type World } from './test-world.ts'

const OWNERS = '200 403 403 403 404 404 404 404 401'
const LEADS = { 200: '200 200 403 403 404 404 404 404 401', 204: '204 204 403 403 404 404 404 404 401' }
const UNKNOWN = '01900000-0000-7000-8000-000000000001'

const owner = (world: World) => ({ params: { id: world.organizations.owner } })
const member = (world: World) => ({
  params: { id: world.organizations.owner, person: world.extra.id },
})
const closing = (world: World) => ({
  params: { id: world.organizations.spare },
  body: { nome: word('organizacao', 'reserva'), currentPassword: PASSWORD },
})
let invited = 0
async function invitation(world: World) {
  invited += 1
  const { owner: id } = world.organizations
  const { convite } = await world.made('D', 'POST', `/api/organizations/${id}/invitations`, {
    email: `passageira${invited}@exemplo.com.br`,
    papel: 'leitor',
  })
  return { params: { id, invitation: convite.id } }
}
/** A member who is there for one call. */
async function passing(world: World) {
  const person = await world.server.person({ name: 'Membro Passageiro' })
  const { owner: organization } = world.organizations
  await join(world, 'D', { organization, person, papel: 'leitor' })
  return { params: { id: organization, person: person.id } }
}
/** The number of a brand that the owner alone has typed. */
async function brand(world: World) {
  const [found] = await world.made('D', 'GET', `/rest/v1/fabricantes?nome=eq.${word('own', 'marca')}`)
  return { params: { kind: 'marcas', id: found.id }, body: { ativo: true } }
}

/** Accounts are the administrator's, with their names and addresses. */
const PEOPLE = { tells: ({ kind }: Canary, caller: string) => caller === 'A' && kind === 'person' }
const INVITED = {
  tells: ({ text }: Canary) => text === OWNER_NAME || text === 'kzconvidada@exemplo.com.br',
}
let names = 0

const INVITATIONS: Row[] = [
  row(
    'getInvitation',
    'by its link',
    OPEN,
    (world) => ({ params: { token: world.invitation.token } }),
    INVITED,
  ),
  row('getInvitation', 'by its id', OPEN.replaceAll('200', '404'), (world) => ({
    params: { token: world.invitation.id },
  })),
  ...(['acceptInvitation', 'declineInvitation'] as const).flatMap((name) => [
    row(name, 'by the link of another address', '403 403 403 403 403 403 403 403 401', (world) => ({
      params: { token: world.invitation.token },
    })),
    row(name, 'by the id of another’s'.replace('’', "'"), NOBODYS, (world) => ({
      params: { token: world.invitation.id },
    })),
  ]),
]

const ADMINISTRATION: Row[] = [
  row('getInstallation', 'the mode', ADMIN),
  row('setInstallation', 'as it is', ADMIN, { body: { organizacoes: 'varias' } }),
  row('setInstallation', 'back to one', ADMIN.replace('200', '409'), { body: { organizacoes: 'uma' } }),
  row('adminUsers', 'all', ADMIN, { query: { limit: 100 } }, PEOPLE),
  row('adminUsers', 'by a name', ADMIN, { query: { busca: 'KzNome' } }, PEOPLE),
  row(
    'adminSetRole',
    'as it is',
    ADMIN,
    (world) => ({ params: { id: world.people.P.id }, body: { role: 'user' } }),
    PEOPLE,
  ),
  row(
    'adminSetBlocked',
    'as it is',
    ADMIN,
    (world) => ({ params: { id: world.people.P.id }, body: { blocked: false } }),
    PEOPLE,
  ),
  row('adminRoleRequests', 'none', ADMIN, {}, PEOPLE),
  row('adminDecideRole', 'of nobody', ADMIN.replace('200', '404'), {
    params: { id: UNKNOWN },
    body: { granted: true },
  }),
  ...LOOKUP_KINDS.map((kind) => row('adminLookups', kind, ADMIN, { params: { kind } })),
  ...LOOKUP_KINDS.map((kind) =>
    row('adminAddLookup', kind, ADMIN.replace('200', '201'), () => {
      names += 1
      return { params: { kind }, body: { nome: `Nome Novo ${names}`, sigla: `N${names}` } }
    }),
  ),
  row('adminChangeLookup', 'a public one', ADMIN, {
    params: { kind: 'marcas', id: 1 },
    body: { ativo: true },
  }),
  row('adminChangeLookup', "the owner's own", ADMIN.replace('200', '404'), brand),
  row('adminAudit', 'all', ADMIN, { query: { limit: 100 } }, PEOPLE),
]

const colour = () => {
  const form = new FormData()
  form.set('cor', '#1f4d3a')
  return form
}

export const ORGANIZATION_ROWS: Row[] = [
  row('listOrganizations', 'own', ALL),
  row('createOrganization', 'one more', '201 201 201 201 201 201 201 201 401', {
    body: { nome: 'Mais Uma', tipo: 'fazenda' },
  }),
  row('getOrganization', "the owner's", MEMBERS, owner),
  row('updateOrganization', "the owner's", OWNERS, (world) => ({
    ...owner(world),
    body: { tipo: 'consultoria' },
  })),
  row('getBrand', "the owner's", MEMBERS, owner),
  row('putBrand', 'a colour', OWNERS, (world) => ({ ...owner(world), body: colour() })),
  row('setOrganization', "the owner's", MEMBERS, (world) => ({
    body: { id: world.organizations.owner },
  })),
  row('renewOrganizationCode', 'of the spare one', OWNERS, (world) => ({
    params: { id: world.organizations.spare },
  })),
  row('closeOrganization', 'the spare one', OWNERS, closing),
  row('reopenOrganization', 'the spare one', OWNERS, closing),
  row('exportOrganization', "the owner's", OWNERS, owner),
  row('organizationAudit', "the owner's", OWNERS, owner),
  row('listMembers', "the owner's", MEMBERS, owner),
  row('changeMember', 'as it is', OWNERS, (world) => ({
    ...member(world),
    body: { papel: 'pesquisador' },
  })),
  row('removeMember', 'one made for it', LEADS[204], passing),
  row('listInvitations', "the owner's", LEADS[200], owner),
  row('invite', 'a leitor', LEADS[200].replaceAll('200', '202'), (world) => ({
    ...owner(world),
    body: { email: 'leitora.nova@exemplo.com.br', papel: 'leitor' },
  })),
  row('invite', 'a gestor', OWNERS.replace('200', '202'), (world) => ({
    ...owner(world),
    body: { email: 'gestora.nova@exemplo.com.br', papel: 'gestor' },
  })),
  row('revokeInvitation', 'one made for it', LEADS[204], invitation),
  ...INVITATIONS,
  ...ADMINISTRATION,
]
