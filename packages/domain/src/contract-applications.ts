import { z } from 'zod'
import { ById, endpoint } from './endpoint.ts'

/** What an application asks by an address of OAuth 2; whether it may is the server's to say. */
export const AuthorizationRequest = z.object({
  client_id: z.string().min(1).max(100),
  redirect_uri: z.string().min(1).max(500),
  response_type: z.string().max(60),
  scope: z.string().max(200).optional(),
  state: z.string().max(1000).optional(),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.string().max(20).optional(),
  nonce: z.string().max(300).optional(),
  prompt: z.string().max(100).optional(),
})
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>

/** An application that the person allowed to ask in their name, until a time. */
export const Application = z.object({
  id: z.string(),
  aplicativo: z.string(),
  aparelho: z.string(),
  criada_em: z.string(),
  vale_ate: z.string(),
  usada_em: z.string().nullable(),
})
export type Application = z.output<typeof Application>

/** Applications of others that a person lets in. */
export const applicationsContract = {
  lookAtApplication: endpoint('lookAtApplication', {
    access: 'public',
    summary: 'O aplicativo que pede acesso, e se é preciso entrar de novo para ele',
    query: AuthorizationRequest,
    status: 200,
    output: z.object({ aplicativo: z.string(), entrar: z.boolean() }),
  }),
  answerApplication: endpoint('answerApplication', {
    access: 'session',
    summary: 'Permite ou recusa o acesso de um aplicativo, e diz para onde o navegador volta',
    body: z.object({ pedido: AuthorizationRequest, permitir: z.boolean() }),
    status: 200,
    output: z.object({ destino: z.string() }),
  }),
  listApplications: endpoint('listApplications', {
    access: 'session',
    summary: 'Os aplicativos que têm acesso em nome da pessoa, e o QR que configura o Field Book',
    status: 200,
    output: z.object({
      concessoes: z.array(Application),
      /** The address that applications ask for, and an SVG picture of the code. */
      configuracao: z.object({ endereco: z.string(), qr: z.string() }),
    }),
  }),
  revokeApplication: endpoint('revokeApplication', {
    access: 'session',
    summary: 'Encerra o acesso de um aplicativo',
    params: ById,
    status: 204,
  }),
} as const
