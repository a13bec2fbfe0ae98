import { z } from 'zod'
import { ROLES } from './account-rules.ts'
import { accountsContract } from './contract-accounts.ts'
import { adminContract } from './contract-admin.ts'
import { Correlation, ExperimentFilter, FilterOptions, MapView, Overview, VariableName } from './dashboard.ts'
import { ById, type Endpoint, endpoint, NeutralAnswer, Page } from './endpoint.ts'
import {
  Change,
  Document,
  Experiment,
  ExperimentInput,
  ExperimentSummary,
  ExperimentUpdate,
} from './experiment.ts'
import { ExtractionResult } from './extraction.ts'
import { Company, Email, Password, PersonName, ProfileInput, User } from './user.ts'

const PasswordChange = z.object({
  currentPassword: z.string().min(1, 'Este campo é obrigatório').max(1000),
  newPassword: Password,
})
const SessionAnswer = z.object({
  user: User,
  access_token: z.string(),
  refresh_token: z.string(),
  /** Unix seconds. */
  expires_at: z.number(),
})

export const SORT_KEYS = [
  'created_at',
  'consultoria',
  'regional',
  'cultura',
  'marca',
  'produtividade_media',
  'roi',
  'ano',
] as const
export const ExperimentListQuery = ExperimentFilter.extend({
  ...Page.shape,
  /** Contained in consultoria, cidade, cultura or marca, whatever the case. */
  busca: z.string().max(200).optional(),
  ordem: z.enum(SORT_KEYS).optional(),
  sentido: z.enum(['asc', 'desc']).optional(),
  /** '1': only experiments with a document. */
  com_documento: z.enum(['1', '0']).optional(),
})
export type ExperimentListQuery = z.output<typeof ExperimentListQuery>

export const ExportQuery = ExperimentListQuery.omit({ cursor: true, limit: true }).extend({
  formato: z.enum(['csv', 'xlsx'], { error: 'Escolha csv ou xlsx' }),
})

export const MapQuery = ExperimentFilter.extend({
  /** What is in view: 'west,south,east,north' in degrees; absent means everything. */
  bbox: z.string().max(120).optional(),
  zoom: z.coerce.number().min(0).max(22).optional(),
})
export type MapQuery = z.output<typeof MapQuery>

/** Every call of the product API: the server registers its routes from here, the web calls by it. */
export const contract = {
  ...accountsContract,
  ...adminContract,

  // accounts
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Entra com e-mail e senha',
    body: z.object({
      email: Email,
      password: z.string({ error: 'Este campo é obrigatório' }).min(1, 'Este campo é obrigatório').max(1000),
    }),
    status: 200,
    output: SessionAnswer,
  }),
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    summary: 'Cria uma conta; um e-mail já cadastrado recebe a mesma resposta',
    body: z.object({
      name: PersonName,
      email: Email,
      password: Password,
      company: Company.optional(),
      /** The role that the person asks for; never the role that is stored. */
      requestedRole: z.enum(ROLES, { error: 'Perfil inválido' }).optional(),
    }),
    status: 201,
    output: z.union([SessionAnswer, NeutralAnswer]),
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh',
    access: 'public',
    summary: 'Renova a sessão',
    body: z.object({ refresh_token: z.string().min(1).max(1000) }),
    status: 200,
    output: SessionAnswer,
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'session',
    summary: 'Encerra a sessão',
    status: 204,
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    summary: 'Envia o link de recuperação; a resposta é sempre a mesma',
    body: z.object({ email: Email }),
    status: 200,
    output: NeutralAnswer,
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    summary: 'Define a nova senha com o código ou o link recebido',
    body: z.object({
      token: z.string().max(500).optional(),
      token_hash: z.string().max(500).optional(),
      email: Email.optional(),
      otp: z.string().max(20).optional(),
      password: Password,
    }),
    status: 200,
    output: NeutralAnswer,
  }),
  getProfile: endpoint({
    method: 'GET',
    path: '/api/profile',
    access: 'session',
    summary: 'O próprio perfil',
    status: 200,
    output: z.object({ user: User }),
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/api/profile',
    access: 'session',
    summary: 'Altera o próprio perfil; outro papel vira uma solicitação',
    body: ProfileInput,
    status: 200,
    output: z.object({ user: User, message: z.string() }),
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/users/change-password',
    access: 'session',
    summary: 'Troca a senha e encerra as outras sessões',
    body: PasswordChange,
    status: 200,
    output: NeutralAnswer,
  }),
  /** The older product's method is not known; both mean the same. */
  changePasswordByPost: endpoint({
    method: 'POST',
    path: '/api/users/change-password',
    access: 'session',
    summary: 'Troca a senha e encerra as outras sessões',
    body: PasswordChange,
    status: 200,
    output: NeutralAnswer,
  }),

  // experiments
  listExperiments: endpoint({
    method: 'GET',
    path: '/api/experiments',
    access: 'session',
    summary: 'Lista de experimentos, em páginas',
    query: ExperimentListQuery,
    status: 200,
    output: z.object({
      experimentos: z.array(ExperimentSummary),
      total: z.number(),
      next_cursor: z.string().nullable(),
    }),
  }),
  createExperiment: endpoint({
    method: 'POST',
    path: '/api/experiments',
    access: 'session',
    summary:
      'Cria um experimento (JSON; ou multipart com pdf e dados); multipart só com pdf extrai e nada cria',
    body: ExperimentInput,
    multipart: { pdf: 'arquivo PDF de até 10 MB', dados: 'o experimento em JSON' },
    status: 201,
    output: z.object({ experimento: Experiment }),
    others: { 200: { description: 'O que se leu do relatório', output: ExtractionResult } },
  }),
  exportExperiments: endpoint({
    method: 'GET',
    path: '/api/experiments/export',
    access: 'session',
    summary: 'O que o filtro mostra, como planilha (CSV com ponto e vírgula, ou XLSX)',
    query: ExportQuery,
    status: 200,
    media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  }),
  getExperiment: endpoint({
    method: 'GET',
    path: '/api/experiments/:id',
    access: 'session',
    summary: 'Um experimento, inteiro',
    params: ById,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  updateExperiment: endpoint({
    method: 'PUT',
    path: '/api/experiments/:id',
    access: 'session',
    summary: 'Altera um experimento a partir da versão que se leu',
    params: ById,
    body: ExperimentUpdate,
    multipart: { pdf: 'arquivo PDF que substitui o atual', dados: 'o experimento em JSON, com versao' },
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  deleteExperiment: endpoint({
    method: 'DELETE',
    path: '/api/experiments/:id',
    access: 'session',
    summary: 'Exclui um experimento',
    params: ById,
    status: 204,
  }),
  restoreExperiment: endpoint({
    method: 'POST',
    path: '/api/experiments/:id/restore',
    access: 'admin',
    summary: 'Restaura um experimento excluído há menos de 30 dias',
    params: ById,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  listDeletedExperiments: endpoint({
    method: 'GET',
    path: '/api/admin/deleted-experiments',
    access: 'admin',
    summary: 'Experimentos excluídos que ainda podem ser restaurados',
    status: 200,
    output: z.object({
      experimentos: z.array(
        ExperimentSummary.extend({ deleted_at: z.string(), deleted_by_name: z.string().nullable() }),
      ),
    }),
  }),
  experimentHistory: endpoint({
    method: 'GET',
    path: '/api/experiments/:id/history',
    access: 'session',
    summary: 'Quem mudou o quê, o mais recente primeiro',
    params: ById,
    status: 200,
    output: z.object({ alteracoes: z.array(Change) }),
  }),

  // documents
  uploadDocument: endpoint({
    method: 'POST',
    path: '/api/uploads/document',
    access: 'session',
    summary: 'Anexa um PDF a um experimento',
    multipart: { pdf: 'arquivo PDF de até 10 MB', experimentId: 'o experimento' },
    status: 201,
    output: z.object({ document: Document }),
  }),
  uploadBulk: endpoint({
    method: 'POST',
    path: '/api/uploads/bulk',
    access: 'session',
    summary: 'Anexa até 20 PDFs, com uma resposta para cada um',
    multipart: { pdf: 'até 20 arquivos PDF', experimentId: 'o experimento' },
    status: 200,
    output: z.object({
      results: z.array(
        z.object({ filename: z.string(), document: Document.nullable(), error: z.string().nullable() }),
      ),
    }),
  }),
  listDocuments: endpoint({
    method: 'GET',
    path: '/api/uploads/documents',
    access: 'session',
    summary: 'Documentos de um experimento',
    query: z.object({
      experimentId: z.uuid({ error: 'Identificador inválido' }).optional(),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
      limit: z.coerce.number().int().min(1).max(50).optional(),
    }),
    status: 200,
    output: z.object({ documents: z.array(Document) }),
  }),
  getDocument: endpoint({
    method: 'GET',
    path: '/api/uploads/documents/:id',
    access: 'session',
    summary: 'O arquivo PDF',
    params: ById,
    status: 200,
    media: ['application/pdf'],
    others: {
      206: { description: 'A parte pedida em Range' },
      304: { description: 'O mesmo que o navegador já tem' },
    },
  }),
  deleteDocument: endpoint({
    method: 'DELETE',
    path: '/api/uploads/documents/:id',
    access: 'session',
    summary: 'Exclui um documento',
    params: ById,
    status: 204,
  }),

  // extraction; the multipart create without `dados` answers the same
  extract: endpoint({
    method: 'POST',
    path: '/api/extractions',
    access: 'session',
    summary: 'Lê um relatório e responde por eventos: progress, result ou problem',
    multipart: { pdf: 'arquivo PDF de até 10 MB' },
    status: 200,
    media: ['text/event-stream'],
  }),

  // lookups
  lookupBrands: endpoint({
    method: 'GET',
    path: '/api/lookups/marcas',
    access: 'public',
    summary: 'Marcas',
    status: 200,
    output: z.object({ marcas: z.array(z.string()) }),
  }),
  lookupRegions: endpoint({
    method: 'GET',
    path: '/api/lookups/regioes',
    access: 'public',
    summary: 'Regionais',
    status: 200,
    output: z.object({ regioes: z.array(z.object({ nome: z.string(), sigla: z.string() })) }),
  }),
  lookupStates: endpoint({
    method: 'GET',
    path: '/api/lookups/estados',
    access: 'public',
    summary: 'Estados',
    status: 200,
    output: z.object({ estados: z.array(z.object({ sigla: z.string(), nome: z.string() })) }),
  }),
  lookupCrops: endpoint({
    method: 'GET',
    path: '/api/lookups/culturas',
    access: 'public',
    summary: 'Culturas',
    status: 200,
    output: z.object({ culturas: z.array(z.string()) }),
  }),
  lookupProducts: endpoint({
    method: 'GET',
    path: '/api/lookups/produtos-por-marca',
    access: 'public',
    summary: 'Produtos de cada marca',
    status: 200,
    output: z.object({ produtosPorMarca: z.record(z.string(), z.array(z.string())) }),
  }),
  lookupCities: endpoint({
    method: 'GET',
    path: '/api/lookups/municipios',
    access: 'public',
    summary: 'Municípios por parte do nome, sem distinguir acentos',
    query: z.object({ busca: z.string().max(100).optional(), estado: z.string().max(2).optional() }),
    status: 200,
    output: z.object({
      municipios: z.array(
        z.object({
          nome: z.string(),
          estado: z.string(),
          regional: z.string(),
          latitude: z.number(),
          longitude: z.number(),
        }),
      ),
    }),
  }),

  // dashboard
  events: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'session',
    summary: 'Avisa, por eventos (changed), que experimentos mudaram',
    status: 200,
    media: ['text/event-stream'],
  }),
  overview: endpoint({
    method: 'GET',
    path: '/api/dashboard/overview',
    access: 'session',
    summary: 'Cartões, gráficos e produtos sob um filtro',
    query: ExperimentFilter,
    status: 200,
    output: Overview,
  }),
  filterOptions: endpoint({
    method: 'GET',
    path: '/api/dashboard/filters',
    access: 'session',
    summary: 'Opções de cada filtro, com contagem sob os outros',
    query: ExperimentFilter,
    status: 200,
    output: FilterOptions,
  }),
  mapView: endpoint({
    method: 'GET',
    path: '/api/dashboard/map',
    access: 'session',
    summary: 'Pontos do mapa sob um filtro',
    query: MapQuery,
    status: 200,
    output: MapView,
  }),
  correlation: endpoint({
    method: 'GET',
    path: '/api/dashboard/correlation',
    access: 'session',
    summary: 'Um par de variáveis sob um filtro',
    query: ExperimentFilter.extend({
      x: VariableName,
      y: VariableName,
      pontos: z.coerce.number().int().min(10).max(5000).optional(),
    }),
    status: 200,
    output: Correlation,
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/settings',
    access: 'public',
    summary: 'O que o navegador precisa saber da instalação',
    status: 200,
    output: z.object({
      /** Absent tiles: the outline of the states only. */
      tileUrl: z.string().nullable(),
      tileAttribution: z.string(),
      autoconfirm: z.boolean(),
      /** A language model is asked for what the reading of a report leaves in doubt. */
      secondOpinion: z.boolean(),
    }),
  }),
} as const satisfies Record<string, Endpoint>

export type Contract = typeof contract
export type EndpointName = keyof Contract
export type ParamsOf<E extends Endpoint> = E extends { params: infer P extends z.ZodType }
  ? z.input<P>
  : undefined
export type QueryOf<E extends Endpoint> = E extends { query: infer Q extends z.ZodType }
  ? z.input<Q>
  : undefined
export type BodyOf<E extends Endpoint> = E extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : undefined
export type OutputOf<E extends Endpoint> = E extends { output: infer O extends z.ZodType }
  ? z.output<O>
  : undefined

/** The path with its parameters filled in and its query behind it. */
export function urlOf(
  endpoint: Endpoint,
  {
    params,
    query,
  }: { params?: Record<string, unknown> | undefined; query?: Record<string, unknown> | undefined } = {},
): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name] ?? '')),
  )
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}
