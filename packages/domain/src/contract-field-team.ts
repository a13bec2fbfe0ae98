import { z } from 'zod'
import { ById, endpoint } from './endpoint.ts'
import { shortText } from './text.ts'
import { shown, whole } from './trial-fields.ts'

const uuid = z.uuid({ error: 'Identificador inválido' })
export const MOST_INVITATION_DAYS = 90
export const INVITATION_MINUTES = 15

/** 256 bits, in base64url. */
const Secret = (message: string) => shortText(43).regex(/^[\w-]{43}$/, message)

const TeamMember = z.object({ id: z.string(), nome: z.string() })
const FieldInvitation = z.object({
  id: z.string(),
  /** Who took it; null as long as nobody did. */
  nome: z.string().nullable(),
  quem: z.string().nullable(),
  estado: z.enum(['aberto', 'vencido', 'usado', 'encerrado', 'revogado']),
  ate: z.string(),
  contato_em: z.string().nullable(),
  /** Entries that its phone said are waiting there. */
  pendentes: z.number(),
})
export type FieldInvitation = z.output<typeof FieldInvitation>

/** Who records in a trial besides those who edit it. */
export const fieldTeamContract = {
  fieldTeam: endpoint('fieldTeam', {
    access: 'session',
    summary: 'A equipe de campo de um ensaio, quem pode entrar nela, e os convites, para quem o altera',
    params: ById,
    status: 200,
    output: z.object({
      equipe: z.array(TeamMember),
      /** Members of the organisation that may not record there yet. */
      outros: z.array(TeamMember),
      convites: z.array(FieldInvitation),
    }),
  }),
  addToFieldTeam: endpoint('addToFieldTeam', {
    access: 'session',
    summary: 'Põe um membro da organização na equipe de campo: ele registra valores, e nada mais',
    params: ById.extend({ person: uuid }),
    status: 204,
  }),
  removeFromFieldTeam: endpoint('removeFromFieldTeam', {
    access: 'session',
    summary: 'Tira uma pessoa da equipe de campo; o que ela registrou fica',
    params: ById.extend({ person: uuid }),
    status: 204,
  }),
  createFieldInvitation: endpoint('createFieldInvitation', {
    access: 'session',
    summary: 'Convite de campo: um código de um uso, que vale 15 minutos e dá a um celular só este ensaio',
    params: ById,
    body: z.object({
      dias: whole(1, MOST_INVITATION_DAYS, `Informe de 1 a ${MOST_INVITATION_DAYS} dias`),
    }),
    status: 201,
    output: z.object({
      /** The code stands behind the address's '#', which no server is sent. */
      convite: z.object({ id: z.string(), url: z.string(), expira_em: z.string(), ate: z.string() }),
    }),
  }),
  revokeFieldInvitation: endpoint('revokeFieldInvitation', {
    access: 'session',
    summary: 'Revoga um convite de campo, usado ou não',
    params: ById.extend({ invitation: uuid }),
    status: 204,
  }),
  redeemFieldInvitation: endpoint('redeemFieldInvitation', {
    access: 'public',
    summary: 'Troca o código de um convite de campo por acesso a um ensaio, com a chave que o celular fez',
    body: z.object({
      codigo: Secret('Convite inválido'),
      /** Made by the phone, kept by the server as its hash: the same may ask again where the answer was lost. */
      chave: Secret('Chave inválida'),
      nome: shown(60, 'Informe o seu nome'),
    }),
    status: 200,
    output: z.object({
      id: z.string(),
      nome: z.string(),
      experimento: z.string(),
      /** Empty where there is one organisation for everybody. */
      organizacao: z.string(),
      aparelho: z.string(),
      convidou: z.string(),
      ate: z.string(),
    }),
  }),
  myFieldTrials: endpoint('myFieldTrials', {
    access: 'session',
    summary: 'Os ensaios em cuja equipe de campo a pessoa está',
    status: 200,
    output: z.object({ experimentos: z.array(z.string()) }),
  }),
}
