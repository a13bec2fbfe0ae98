import { z } from 'zod'
import { ROLES } from './account-rules.ts'
import { ById, endpoint, NeutralAnswer, Page } from './endpoint.ts'
import { LONGEST_RAW, shortText } from './text.ts'
import { User } from './user.ts'

export const AdminUser = User.extend({
  blocked: z.boolean(),
  confirmed: z.boolean(),
  lastSignInAt: z.string().nullable(),
})
export type AdminUser = z.output<typeof AdminUser>

export const LOOKUP_KINDS = ['marcas', 'produtos', 'regionais', 'culturas'] as const
export type LookupKind = (typeof LOOKUP_KINDS)[number]
export const LookupItem = z.object({
  id: z.number(),
  nome: z.string(),
  /** Offered in forms; one that somebody typed is not until an administrator says so. */
  ativo: z.boolean(),
  /** Of a regional. */
  sigla: z.string().nullable(),
  /** Of a product: its brand's name. */
  marca: z.string().nullable(),
  /** Experiments that use it. */
  em_uso: z.number(),
})
export type LookupItem = z.output<typeof LookupItem>

const name = shortText(LONGEST_RAW, {
  required: 'Este campo é obrigatório',
  tooLong: 'Use no máximo 200 caracteres',
})
  .trim()
  .min(1, 'Este campo é obrigatório')
  .max(200, 'Use no máximo 200 caracteres')
const Kind = z.object({ kind: z.enum(LOOKUP_KINDS) })

/** What the audit tells, by the action's name in the database. */
export const AUDIT_ACTIONS = {
  'user.sign_up': 'Conta criada',
  'user.verified': 'Link ou código de email usado',
  'user.email_changed': 'Email alterado',
  'user.password_changed': 'Senha alterada',
  'user.password_reset': 'Senha redefinida por link',
  'user.recovery_requested': 'Recuperação de senha pedida',
  'user.blocked': 'Conta bloqueada',
  'user.unblocked': 'Conta desbloqueada',
  'user.erased': 'Conta excluída',
  'session.sign_in': 'Entrada',
  'session.phone_opened': 'Aplicativo de campo aberto com a sessão do navegador',
  'session.sign_out': 'Saída',
  'session.wrong_password': 'Senha incorreta',
  'session.revoked': 'Sessão encerrada',
  'session.token_reuse': 'Sessão encerrada: chave antiga reutilizada',
  'role.requested': 'Papel solicitado',
  'role.changed': 'Papel alterado',
  'role.refused': 'Solicitação de papel recusada',
  'factor.enrolled': 'Segundo fator iniciado',
  'factor.verified': 'Segundo fator usado',
  'factor.wrong_code': 'Código do segundo fator incorreto',
  'factor.unenrolled': 'Segundo fator removido',
  'identity.linked': 'Acesso externo vinculado',
  'identity.unlinked': 'Acesso externo desvinculado',
  'application.allowed': 'Acesso de aplicativo permitido',
  'application.revoked': 'Acesso de aplicativo encerrado',
  'organization.renamed': 'Organização renomeada',
  'installation.mode': 'Modo da instalação alterado',
} as const
export type AuditAction = keyof typeof AUDIT_ACTIONS

export const AuditEntry = z.object({
  id: z.number(),
  at: z.string(),
  /** One of `AUDIT_ACTIONS`, or what an older version recorded. */
  action: z.string(),
  /** Names; null for nobody or an erased account. */
  actor: z.string().nullable(),
  subject: z.string().nullable(),
  ip: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.output<typeof AuditEntry>

export const adminContract = {
  adminUsers: endpoint('adminUsers', {
    access: 'admin',
    summary: 'Pessoas, por parte do nome, do email ou da empresa',
    query: Page.extend({ busca: z.string().max(200).optional() }),
    status: 200,
    output: z.object({ users: z.array(AdminUser), total: z.number(), next_cursor: z.string().nullable() }),
  }),
  adminSetRole: endpoint('adminSetRole', {
    access: 'admin',
    summary: 'Define o papel de uma pessoa',
    params: ById,
    body: z.object({ role: z.enum(ROLES, { error: 'Perfil inválido' }) }),
    status: 200,
    output: z.object({ user: AdminUser }),
  }),
  adminSetBlocked: endpoint('adminSetBlocked', {
    access: 'admin',
    summary: 'Bloqueia ou desbloqueia uma pessoa; o bloqueio encerra as sessões',
    params: ById,
    body: z.object({ blocked: z.boolean({ error: 'Este campo é obrigatório' }) }),
    status: 200,
    output: z.object({ user: AdminUser }),
  }),
  adminRoleRequests: endpoint('adminRoleRequests', {
    access: 'admin',
    summary: 'Solicitações de papel à espera de decisão',
    status: 200,
    output: z.object({
      requests: z.array(
        z.object({ id: z.uuid(), role: z.enum(ROLES), created_at: z.string(), user: AdminUser }),
      ),
    }),
  }),
  adminDecideRole: endpoint('adminDecideRole', {
    access: 'admin',
    summary: 'Concede ou recusa uma solicitação de papel',
    params: ById,
    body: z.object({ granted: z.boolean({ error: 'Este campo é obrigatório' }) }),
    status: 200,
    output: z.object({ user: AdminUser }),
  }),
  adminLookups: endpoint('adminLookups', {
    access: 'admin',
    summary: 'Marcas, produtos, regionais ou culturas, também os que não são oferecidos',
    params: Kind,
    status: 200,
    output: z.object({ items: z.array(LookupItem) }),
  }),
  adminAddLookup: endpoint('adminAddLookup', {
    access: 'admin',
    summary: 'Acrescenta um item, que passa a ser oferecido',
    params: Kind,
    body: z.object({ nome: name, sigla: name.nullish(), marca: name.nullish() }),
    status: 201,
    output: z.object({ item: LookupItem }),
  }),
  adminChangeLookup: endpoint('adminChangeLookup', {
    access: 'admin',
    summary: 'Renomeia, oferece ou deixa de oferecer um item',
    params: Kind.extend({ id: z.coerce.number().int().min(1) }),
    body: z.object({
      nome: name.optional(),
      ativo: z.boolean().optional(),
      sigla: name.nullish(),
      marca: name.nullish(),
    }),
    status: 200,
    output: z.object({ item: LookupItem }),
  }),
  proposeLookup: endpoint('proposeLookup', {
    access: 'session',
    summary: 'Propõe para todos um nome que a própria organização usa',
    body: z.object({ tipo: z.enum(LOOKUP_KINDS, { error: 'Tipo inválido' }), nome: name }),
    status: 202,
    output: NeutralAnswer,
  }),
  adminAudit: endpoint('adminAudit', {
    access: 'admin',
    summary: 'Eventos de segurança, o mais recente primeiro',
    query: Page,
    status: 200,
    output: z.object({ events: z.array(AuditEntry), next_cursor: z.string().nullable() }),
  }),
} as const
