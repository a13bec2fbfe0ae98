import { z } from 'zod'
import { ORGANIZATION_ROLES } from './account-rules.ts'
import { ById, endpoint, NeutralAnswer, Page } from './endpoint.ts'
import { LONGEST_RAW, nameText, shortText } from './text.ts'
import { Email } from './user.ts'

/** What an organisation is; it changes the icon and the wording, and nobody's rights. */
export const ORGANIZATION_TYPES = ['consultoria', 'fabricante', 'fazenda', 'pessoal'] as const
export type OrganizationType = (typeof ORGANIZATION_TYPES)[number]
export const ORGANIZATION_TYPE_NAMES: Readonly<Record<OrganizationType, string>> = {
  consultoria: 'Consultoria',
  fabricante: 'Fabricante',
  fazenda: 'Fazenda',
  pessoal: 'Espaço pessoal',
}

export const Organization = z.object({
  id: z.uuid(),
  nome: z.string(),
  tipo: z.enum(ORGANIZATION_TYPES),
  /** What the asking person is in it. */
  papel: z.enum(ORGANIZATION_ROLES),
  /** Names it to who shares with it, 'XXXX-XXXX-XXXX'; null to who may not share. */
  codigo: z.string().nullable(),
  /** How many members it has. */
  membros: z.number(),
  created_at: z.string(),
  /** From then on it is closed to changes. */
  fecha_em: z.string().nullable(),
})
export type Organization = z.output<typeof Organization>

export const Member = z.object({
  /** The person's. */
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  papel: z.enum(ORGANIZATION_ROLES),
  desde: z.string(),
  /** Blocked by the installation: as removed, until it is let in again. */
  bloqueado: z.boolean(),
})
export type Member = z.output<typeof Member>

/** The id of no organisation. */
const NOBODYS = '00000000-0000-0000-0000-000000000000'

/** A mailed offer of membership, to who sent it. */
export const Invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  papel: z.enum(ORGANIZATION_ROLES),
  expira_em: z.string(),
})
export type Invitation = z.output<typeof Invitation>

/** The same, to whom it was sent. */
export const ReceivedInvitation = z.object({
  id: z.uuid(),
  /** The organisation's name. */
  organizacao: z.string(),
  papel: z.enum(ORGANIZATION_ROLES),
  expira_em: z.string(),
})
export type ReceivedInvitation = z.output<typeof ReceivedInvitation>

/** What an organisation's owners are told of it, by the name in the database. */
export const ACTIVITY = {
  'member.invited': 'Convite enviado',
  'member.joined': 'Entrou na organização',
  'member.role': 'Papel alterado',
  'member.removed': 'Membro removido',
  'member.left': 'Saiu da organização',
  'share.sent': 'Compartilhamento enviado',
  'share.accepted': 'Compartilhamento aceito',
  'share.declined': 'Compartilhamento recusado',
  'share.changed': 'Compartilhamento alterado',
  'share.revoked': 'Compartilhamento encerrado',
  'share.left': 'Deixou de receber um compartilhamento',
  'share.expired': 'Compartilhamento vencido',
  'document.opened': 'Abriu um relatório compartilhado',
  'link.made': 'Link público criado',
  'link.opened': 'Link público aberto',
  'link.revoked': 'Link público revogado',
  'embargo.set': 'Embargo definido',
  'embargo.ended': 'Embargo encerrado',
  'transfer.offered': 'Transferência oferecida',
  'transfer.accepted': 'Transferência aceita',
  'transfer.declined': 'Transferência recusada',
  'collection.made': 'Coleção criada',
  'collection.changed': 'Coleção alterada',
  'collection.removed': 'Coleção excluída',
  'export.made': 'Exportação feita',
  'organization.made': 'Organização criada',
  'organization.renamed': 'Organização renomeada',
  'organization.closed': 'Organização fechada',
  'organization.reopened': 'Organização reaberta',
  'organization.code': 'Código renovado',
} as const
export type Activity = keyof typeof ACTIVITY

export const ActivityEntry = z.object({
  id: z.number(),
  quando: z.string(),
  /** One of `ACTIVITY`, or what another version recorded. */
  acao: z.string(),
  /** The person's name; of another organisation's people, the organisation's; null for nobody or an erased account. */
  quem: z.string().nullable(),
  /** Numbers, dates and names of this organisation's own things. */
  detalhes: z.record(z.string(), z.unknown()),
})
export type ActivityEntry = z.output<typeof ActivityEntry>

export const OrganizationRoleInput = z.enum(ORGANIZATION_ROLES, { error: 'Papel inválido' })
const OfOrganization = { params: ById } as const
/** A mailed token, or the id of an invitation. */
const ByToken = z.object({ token: z.string().min(1).max(200) })
/** What ends an organisation, or brings it back, is said twice. */
const Confirmation = z.object({
  nome: z.string({ error: 'Este campo é obrigatório' }).max(LONGEST_RAW),
  currentPassword: z
    .string({ error: 'Este campo é obrigatório' })
    .min(1, 'Este campo é obrigatório')
    .max(1000),
})

const Name = nameText(120, 'Este campo é obrigatório')

export const LOGO_MAX_BYTES = 1024 * 1024
/** A colour as it is sent; '' for none. */
export const BrandColour = shortText(7)
  .transform((text) => text.toLowerCase() || null)
  .pipe(z.union([z.null(), z.string().regex(/^#[0-9a-f]{6}$/)], { error: 'Informe a cor como #1a2b3c' }))
/** How an organisation signs its reports. */
export const Brand = z.object({
  cor: z.string().nullable(),
  /** A picture as a data URL. */
  logo: z.string().nullable(),
})
export type Brand = z.output<typeof Brand>

export const organizationsContract = {
  listOrganizations: endpoint('listOrganizations', {
    access: 'session',
    summary: 'As organizações da pessoa, e aquela em nome da qual ela age',
    status: 200,
    output: z.object({
      organizacoes: z.array(Organization),
      convites: z.array(ReceivedInvitation),
      ativa: z.uuid(),
    }),
  }),
  createOrganization: endpoint('createOrganization', {
    access: 'session',
    summary: 'Cria uma organização, da qual a pessoa é dona; só na instalação de várias organizações',
    body: z.object({ nome: Name, tipo: z.enum(ORGANIZATION_TYPES, { error: 'Tipo inválido' }) }),
    status: 201,
    output: z.object({ organizacao: Organization }),
  }),
  getOrganization: endpoint('getOrganization', {
    access: 'session',
    summary: 'Uma organização da pessoa',
    params: ById,
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  updateOrganization: endpoint('updateOrganization', {
    access: 'session',
    summary: 'Renomeia a organização ou muda o seu tipo; só o dono',
    params: ById,
    body: z.object({
      nome: Name.optional(),
      tipo: z.enum(ORGANIZATION_TYPES, { error: 'Tipo inválido' }).optional(),
    }),
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  getBrand: endpoint('getBrand', {
    access: 'session',
    summary: 'O logotipo e a cor dos relatórios da organização',
    params: ById,
    status: 200,
    output: z.object({ marca: Brand }),
  }),
  putBrand: endpoint('putBrand', {
    access: 'session',
    summary: 'Muda o logotipo e a cor dos relatórios da organização; só o dono',
    params: ById,
    multipart: {
      logo: 'PNG, JPEG ou SVG de até 1 MB, que é desenhado de novo',
      cor: "cor dos relatórios, '#1f4d3a'; vazia tira a cor",
      sem_logo: "'1' tira o logotipo",
    },
    status: 200,
    output: z.object({ marca: Brand }),
  }),
  setOrganization: endpoint('setOrganization', {
    access: 'session',
    summary: 'A organização em nome da qual esta sessão age',
    // What is no id names none of one's own, and is not found.
    body: z.object({ id: z.uuid().catch(NOBODYS) }),
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  renewOrganizationCode: endpoint('renewOrganizationCode', {
    access: 'session',
    summary: 'Dá um código novo à organização; o antigo deixa de valer',
    ...OfOrganization,
    status: 200,
    output: z.object({ codigo: z.string() }),
  }),
  closeOrganization: endpoint('closeOrganization', {
    access: 'session',
    summary: 'Fecha a organização: só leitura, e em 30 dias tudo é destruído',
    ...OfOrganization,
    body: Confirmation,
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  reopenOrganization: endpoint('reopenOrganization', {
    access: 'session',
    summary: 'Reabre uma organização fechada, até o dia em que é destruída',
    ...OfOrganization,
    body: Confirmation,
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  exportOrganization: endpoint('exportOrganization', {
    access: 'session',
    summary: 'Tudo o que a organização tem, como um arquivo zip: JSON, planilha e documentos',
    ...OfOrganization,
    status: 200,
    media: ['application/zip'],
  }),
  organizationAudit: endpoint('organizationAudit', {
    access: 'session',
    summary: 'O que aconteceu na organização, o mais recente primeiro; só o dono',
    ...OfOrganization,
    query: Page,
    status: 200,
    output: z.object({ eventos: z.array(ActivityEntry), next_cursor: z.string().nullable() }),
  }),
  listMembers: endpoint('listMembers', {
    access: 'session',
    summary: 'Membros da organização, o mais antigo primeiro',
    ...OfOrganization,
    status: 200,
    output: z.object({ membros: z.array(Member) }),
  }),
  changeMember: endpoint('changeMember', {
    access: 'session',
    summary: 'Muda o papel de um membro; só o dono',
    params: ById.extend({ person: z.uuid({ error: 'Identificador inválido' }) }),
    body: z.object({ papel: OrganizationRoleInput }),
    status: 200,
    output: z.object({ membro: Member }),
  }),
  removeMember: endpoint('removeMember', {
    access: 'session',
    summary: 'Remove um membro; a própria pessoa sai',
    params: ById.extend({ person: z.uuid({ error: 'Identificador inválido' }) }),
    status: 204,
  }),
  listInvitations: endpoint('listInvitations', {
    access: 'session',
    summary: 'Convites em aberto da organização',
    ...OfOrganization,
    status: 200,
    output: z.object({ convites: z.array(Invitation) }),
  }),
  invite: endpoint('invite', {
    access: 'session',
    summary: 'Convida um email; a resposta é a mesma, tenha ele conta ou não',
    ...OfOrganization,
    body: z.object({ email: Email, papel: OrganizationRoleInput }),
    status: 202,
    output: NeutralAnswer.extend({
      convite: Invitation.extend({
        /** Only where no mail is sent: for the inviter to pass on. */
        url: z.string().optional(),
      }),
    }),
  }),
  revokeInvitation: endpoint('revokeInvitation', {
    access: 'session',
    summary: 'Encerra um convite',
    params: ById.extend({ invitation: z.uuid({ error: 'Identificador inválido' }) }),
    status: 204,
  }),
  getInvitation: endpoint('getInvitation', {
    access: 'public',
    summary: 'O que um convite oferece, a quem tem o link',
    params: ByToken,
    status: 200,
    output: z.object({
      convite: z.object({
        organizacao: z.string(),
        papel: z.enum(ORGANIZATION_ROLES),
        email: z.string(),
        expira_em: z.string(),
      }),
    }),
  }),
  acceptInvitation: endpoint('acceptInvitation', {
    access: 'session',
    summary: 'Aceita um convite: a pessoa passa a ser membro, e a sessão a agir pela organização',
    params: ByToken,
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
  declineInvitation: endpoint('declineInvitation', {
    access: 'session',
    summary: 'Recusa um convite',
    params: ByToken,
    status: 204,
  }),
  setInstallation: endpoint('setInstallation', {
    access: 'admin',
    summary: 'Uma organização para todos, ou várias que não se veem',
    body: z.object({ organizacoes: z.enum(['uma', 'varias'], { error: 'Escolha uma ou varias' }) }),
    status: 200,
    output: z.object({
      instalacao: z.object({
        organizacoes: z.enum(['uma', 'varias']),
        /** How many organisations there are. */
        total: z.number(),
      }),
    }),
  }),
  getInstallation: endpoint('getInstallation', {
    access: 'admin',
    summary: 'O modo da instalação e quantas organizações há',
    status: 200,
    output: z.object({
      instalacao: z.object({
        organizacoes: z.enum(['uma', 'varias']),
        total: z.number(),
        /** The name of the one that accounts of before belong to. */
        nome: z.string(),
      }),
    }),
  }),
} as const
