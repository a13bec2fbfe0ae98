import { z } from 'zod'
import { SharedFilter } from './dashboard.ts'
import { ById, endpoint } from './endpoint.ts'
import { Experiment } from './experiment.ts'
import { LONGEST_RAW, list, nameText, shortText } from './text.ts'
import { Email } from './user.ts'

const required = 'Este campo é obrigatório'
const Name = nameText(120, required)
const Ids = (most: number) =>
  list(z.uuid({ error: 'Identificador inválido' }), {
    most,
    message: `Use no máximo ${most.toLocaleString('pt-BR')} experimentos`,
    required,
  }).min(1, 'Escolha pelo menos um experimento')
const Switch = z.boolean({ error: required })

/** A day of the calendar in Brasília, 'aaaa-mm-dd'. */
export const Day = z.iso.date({ error: 'Data inválida' })

/** How many trials are picked by hand in one request. */
export const PICKED_MOST = 1_000
export const COLLECTIONS_MOST = 200
export const COMMENT_MAX = 2_000
/** How long a public link may be offered, in days. */
export const LINK_DAYS = { least: 1, most: 365, offered: 30 } as const
/** How far ahead an embargo may end. */
export const EMBARGO_YEARS = 5

export const Collection = z.object({
  id: z.uuid(),
  nome: z.string(),
  /** By a filter, which lets new trials in as they come, or picked by hand. */
  tipo: z.enum(['filtro', 'lista']),
  filtro: SharedFilter.nullable(),
  /** Trials in it. */
  n: z.number(),
  /** Names of the organisations that see it. */
  compartilhada_com: z.array(z.string()),
})
export type Collection = z.output<typeof Collection>

export const SHARE_STATES = ['pendente', 'aceito', 'recusado', 'revogado', 'vencido'] as const
export type ShareState = (typeof SHARE_STATES)[number]
const SWITCHES = {
  /** Costs and returns are seen. */
  custos: z.boolean(),
  /** The report is seen; not while costs are hidden, since it shows them. */
  documentos: z.boolean(),
  /** The recipient's members may comment. */
  comentarios: z.boolean(),
}
export const Share = z.object({
  id: z.uuid(),
  estado: z.enum(SHARE_STATES),
  alvo: z.object({
    tipo: z.enum(['colecao', 'experimento', 'tudo']),
    nome: z.string(),
    /** Trials; null to a recipient who has not accepted. */
    n: z.number().nullable(),
  }),
  /** The other one; by e-mail not accepted yet, the address to the sender. */
  organizacao: z.object({ nome: z.string() }),
  ...SWITCHES,
  /** The last day on which it holds; null for no end. */
  ate: z.string().nullable(),
  created_at: z.string(),
})
export type Share = z.output<typeof Share>

export const PublicLink = z.object({
  id: z.uuid(),
  /** The last day on which it holds. */
  ate: z.string(),
  custos: z.boolean(),
  documentos: z.boolean(),
  /** A password is asked for. */
  senha: z.boolean(),
  /** How often it was opened, and on which day last. */
  aberturas: z.number(),
  aberto_em: z.string().nullable(),
  created_at: z.string(),
})
export type PublicLink = z.output<typeof PublicLink>

export const Comment = z.object({
  id: z.uuid(),
  texto: z.string(),
  /** The person's name, to members of their organisation; null to others, who read the organisation's. */
  autor: z.string().nullable(),
  organizacao: z.string(),
  quando: z.string(),
  /** Whether the asking person may delete it. */
  excluir: z.boolean(),
})
export type Comment = z.output<typeof Comment>

export const Transfer = z.object({
  id: z.uuid(),
  direcao: z.enum(['enviada', 'recebida']),
  estado: z.enum(['pendente', 'aceita', 'recusada', 'vencida']),
  /** Trials. */
  n: z.number(),
  organizacao: z.object({ nome: z.string() }),
  expira_em: z.string(),
  created_at: z.string(),
})
export type Transfer = z.output<typeof Transfer>

/** A trial as a public link shows it: nothing that names a person or finds a neighbour. */
export const PublicExperiment = Experiment.omit({
  id: true,
  created_by: true,
  created_by_name: true,
  versao: true,
  permissoes: true,
  relacao: true,
  embargo_ate: true,
  conclusao: true,
}).extend({
  organizacao: z.object({ nome: z.string() }),
  /** Whether the report is offered. */
  documento: z.boolean(),
})
export type PublicExperiment = z.output<typeof PublicExperiment>

/** 'XXXX-XXXX-XXXX' in any case, with or without the strokes. */
const Code = shortText(LONGEST_RAW, { required })
  .transform((code) => code.toUpperCase().replace(/[^A-Z0-9]/g, ''))
  .pipe(z.string().min(1, required).max(40, 'Código não encontrado. Confira com quem o enviou.'))
const CodeOnly = z.object({ codigo: Code })

/** What a share may be changed to; a report that shows costs is not shown without them. */
const hidesCostsIn = ({
  custos,
  documentos,
}: {
  custos?: boolean | undefined
  documentos?: boolean | undefined
}) => !(documentos && custos === false)
const PDF_SHOWS_COSTS = {
  path: ['documentos'],
  message: 'O PDF mostra os custos; para enviá-lo, mostre os custos.',
}

const ByToken = z.object({ token: z.string().min(1).max(200) })

/** Who else may see trials, for how long, and what is said about them. */
export const sharingContract = {
  listCollections: endpoint('listCollections', {
    access: 'session',
    summary: 'Coleções da organização',
    status: 200,
    output: z.object({ colecoes: z.array(Collection) }),
  }),
  createCollection: endpoint('createCollection', {
    access: 'session',
    summary: 'Cria uma coleção, por filtro ou escolhida a dedo',
    body: z
      .object({
        nome: Name,
        filtro: SharedFilter.optional(),
        experimentos: Ids(PICKED_MOST).optional(),
      })
      .refine(({ filtro, experimentos }) => (filtro === undefined) !== (experimentos === undefined), {
        path: ['experimentos'],
        message: 'Informe um filtro ou uma lista de experimentos',
      }),
    status: 201,
    output: z.object({ colecao: Collection }),
  }),
  changeCollection: endpoint('changeCollection', {
    access: 'session',
    summary: 'Renomeia uma coleção, muda o seu filtro, ou inclui e retira experimentos',
    params: ById,
    body: z.object({
      nome: Name.optional(),
      filtro: SharedFilter.optional(),
      incluir: Ids(PICKED_MOST).optional(),
      retirar: Ids(PICKED_MOST).optional(),
    }),
    status: 200,
    output: z.object({ colecao: Collection }),
  }),
  removeCollection: endpoint('removeCollection', {
    access: 'session',
    summary: 'Exclui uma coleção; os seus compartilhamentos se encerram',
    params: ById,
    status: 204,
  }),

  listShares: endpoint('listShares', {
    access: 'session',
    summary: 'Compartilhamentos enviados ou recebidos',
    query: z.object({ direcao: z.enum(['enviados', 'recebidos']).optional() }),
    status: 200,
    output: z.object({ compartilhamentos: z.array(Share) }),
  }),
  createShare: endpoint('createShare', {
    access: 'session',
    summary: 'Oferece uma coleção, um experimento ou tudo a outra organização, que precisa aceitar',
    body: z
      .object({
        alvo: z.union(
          [
            z.strictObject({ colecao: z.uuid() }),
            z.strictObject({ experimento: z.uuid() }),
            z.strictObject({ tudo: z.literal(true) }),
          ],
          { error: 'Escolha uma coleção, um experimento ou tudo' },
        ),
        para: z.union([z.strictObject({ codigo: Code }), z.strictObject({ email: Email })], {
          error: 'Informe um código ou um email',
        }),
        custos: Switch.default(false),
        documentos: Switch.default(false),
        comentarios: Switch.default(false),
        ate: Day.nullish().transform((day) => day ?? null),
      })
      .refine(({ custos, documentos }) => custos || !documentos, PDF_SHOWS_COSTS),
    status: 202,
    output: z.object({ compartilhamento: Share }),
  }),
  changeShare: endpoint('changeShare', {
    access: 'session',
    summary: 'Muda o que um compartilhamento mostra, ou até quando',
    params: ById,
    body: z
      .object({
        custos: Switch.optional(),
        documentos: Switch.optional(),
        comentarios: Switch.optional(),
        ate: Day.nullish(),
      })
      .refine(hidesCostsIn, PDF_SHOWS_COSTS),
    status: 200,
    output: z.object({ compartilhamento: Share }),
  }),
  acceptShare: endpoint('acceptShare', {
    access: 'session',
    summary: 'Aceita um compartilhamento recebido',
    params: ById,
    status: 200,
    output: z.object({ compartilhamento: Share }),
  }),
  declineShare: endpoint('declineShare', {
    access: 'session',
    summary: 'Recusa um compartilhamento recebido',
    params: ById,
    status: 204,
  }),
  removeShare: endpoint('removeShare', {
    access: 'session',
    summary: 'Quem enviou revoga; quem recebeu deixa de receber',
    params: ById,
    status: 204,
  }),

  listLinks: endpoint('listLinks', {
    access: 'session',
    summary: 'Links públicos de um experimento',
    params: ById,
    status: 200,
    output: z.object({ links: z.array(PublicLink) }),
  }),
  createLink: endpoint('createLink', {
    access: 'session',
    summary: 'Cria um link público; o endereço é mostrado uma única vez',
    params: ById,
    body: z
      .object({
        ate: Day,
        custos: Switch.optional(),
        documentos: Switch.optional(),
        senha: shortText(200, { tooLong: 'Use no máximo 200 caracteres' }).nullish(),
      })
      .refine(({ custos, documentos }) => custos === true || !documentos, PDF_SHOWS_COSTS),
    status: 201,
    output: z.object({
      link: z.object({
        id: z.uuid(),
        url: z.string(),
        token: z.string(),
        ate: z.string(),
        custos: z.boolean(),
        documentos: z.boolean(),
      }),
    }),
  }),
  revokeLink: endpoint('revokeLink', {
    access: 'session',
    summary: 'Revoga um link público',
    params: ById,
    status: 204,
  }),
  publicExperiment: endpoint('publicExperiment', {
    access: 'public',
    summary: 'O experimento de um link público; a senha vai em X-Link-Password',
    params: ByToken,
    status: 200,
    output: z.object({ experimento: PublicExperiment }),
  }),
  publicDocument: endpoint('publicDocument', {
    access: 'public',
    summary: 'O relatório de um link público',
    params: ByToken,
    status: 200,
    media: ['application/pdf'],
    others: {
      206: { description: 'A parte pedida em Range' },
      304: { description: 'O mesmo que o navegador já tem' },
    },
  }),

  setEmbargo: endpoint('setEmbargo', {
    access: 'session',
    summary: 'Até o dia anterior, só a própria organização vê o experimento',
    params: ById,
    body: z.object({ ate: Day.nullable() }),
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),

  listComments: endpoint('listComments', {
    access: 'session',
    summary: 'Comentários de um experimento, o mais antigo primeiro',
    params: ById,
    status: 200,
    output: z.object({ comentarios: z.array(Comment) }),
  }),
  addComment: endpoint('addComment', {
    access: 'session',
    summary: 'Comenta um experimento',
    params: ById,
    body: z.object({
      texto: shortText(COMMENT_MAX * 4, { required, tooLong: 'Use no máximo 2.000 caracteres' })
        .transform((text) => text.replace(/[^\P{Cc}\n\t]+/gu, ' ').trim())
        .pipe(z.string().min(1, required).max(COMMENT_MAX, 'Use no máximo 2.000 caracteres')),
    }),
    status: 201,
    output: z.object({ comentario: Comment }),
  }),
  removeComment: endpoint('removeComment', {
    access: 'session',
    summary: 'Exclui um comentário próprio; o dono da organização do experimento, qualquer um',
    params: ById,
    status: 204,
  }),

  listTransfers: endpoint('listTransfers', {
    access: 'session',
    summary: 'Transferências oferecidas e recebidas; só o dono',
    status: 200,
    output: z.object({ transferencias: z.array(Transfer) }),
  }),
  offerTransfer: endpoint('offerTransfer', {
    access: 'session',
    summary: 'Oferece experimentos a outra organização, que passa a ser dona deles quando aceita',
    body: z
      .object({
        para: CodeOnly,
        filtro: SharedFilter.optional(),
        experimentos: Ids(PICKED_MOST).optional(),
      })
      .refine(({ filtro, experimentos }) => (filtro === undefined) !== (experimentos === undefined), {
        path: ['experimentos'],
        message: 'Informe um filtro ou uma lista de experimentos',
      }),
    status: 202,
    output: z.object({ transferencia: Transfer }),
  }),
  acceptTransfer: endpoint('acceptTransfer', {
    access: 'session',
    summary: 'Aceita uma transferência; só um dono',
    params: ById,
    status: 200,
    output: z.object({ transferencia: Transfer }),
  }),
  removeTransfer: endpoint('removeTransfer', {
    access: 'session',
    summary: 'Recusa ou retira uma transferência',
    params: ById,
    status: 204,
  }),
} as const
