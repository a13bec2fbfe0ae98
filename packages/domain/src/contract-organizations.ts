import { z } from 'zod'
import { ORGANIZATION_ROLES } from './account-rules.ts'
import { ById, endpoint } from './endpoint.ts'
import { LONGEST_RAW, shortText } from './text.ts'

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
  /** How many members it has. */
  membros: z.number(),
  created_at: z.string(),
  /** From then on it is closed to changes. */
  fecha_em: z.string().nullable(),
})
export type Organization = z.output<typeof Organization>

const Name = shortText(LONGEST_RAW, {
  required: 'Este campo é obrigatório',
  tooLong: 'Use no máximo 120 caracteres',
})
  .trim()
  .min(1, 'Este campo é obrigatório')
  .max(120, 'Use no máximo 120 caracteres')

export const organizationsContract = {
  listOrganizations: endpoint('listOrganizations', {
    access: 'session',
    summary: 'As organizações da pessoa, e aquela em nome da qual ela age',
    status: 200,
    output: z.object({ organizacoes: z.array(Organization), ativa: z.uuid() }),
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
  setOrganization: endpoint('setOrganization', {
    access: 'session',
    summary: 'A organização em nome da qual esta sessão age',
    body: z.object({ id: z.uuid({ error: 'Identificador inválido' }) }),
    status: 200,
    output: z.object({ organizacao: Organization }),
  }),
} as const
