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
  login: endpoint('login', {
    access: 'public',
    summary: 'Entra com e-mail e senha',
    body: z.object({
      email: Email,
      password: z.string({ error: 'Este campo é obrigatório' }).min(1, 'Este campo é obrigatório').max(1000),
    }),
    status: 200,
    output: SessionAnswer,
  }),
  register: endpoint('register', {
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
  refresh: endpoint('refresh', {
    access: 'public',
    summary: 'Renova a sessão',
    body: z.object({ refresh_token: z.string().min(1).max(1000) }),
    status: 200,
    output: SessionAnswer,
  }),
  logout: endpoint('logout', {
    access: 'session',
    summary: 'Encerra a sessão',
    status: 204,
  }),
  forgotPassword: endpoint('forgotPassword', {
    access: 'public',
    summary: 'Envia o link de recuperação; a resposta é sempre a mesma',
    body: z.object({ email: Email }),
    status: 200,
    output: NeutralAnswer,
  }),
  resetPassword: endpoint('resetPassword', {
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
  getProfile: endpoint('getProfile', {
    access: 'session',
    summary: 'O próprio perfil',
    status: 200,
    output: z.object({ user: User }),
  }),
  updateProfile: endpoint('updateProfile', {
    access: 'session',
    summary: 'Altera o próprio perfil; outro papel vira uma solicitação',
    body: ProfileInput,
    status: 200,
    output: z.object({ user: User, message: z.string() }),
  }),
  changePassword: endpoint('changePassword', {
    access: 'session',
    summary: 'Troca a senha e encerra as outras sessões',
    body: PasswordChange,
    status: 200,
    output: NeutralAnswer,
  }),
  /** The older product's method is not known; both mean the same. */
  changePasswordByPost: endpoint('changePasswordByPost', {
    access: 'session',
    summary: 'Troca a senha e encerra as outras sessões',
    body: PasswordChange,
    status: 200,
    output: NeutralAnswer,
  }),

  // experiments
  listExperiments: endpoint('listExperiments', {
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
  createExperiment: endpoint('createExperiment', {
    access: 'session',
    summary:
      'Cria um experimento (JSON; ou multipart com pdf e dados); multipart só com pdf extrai e nada cria',
    body: ExperimentInput,
    multipart: { pdf: 'arquivo PDF de até 10 MB', dados: 'o experimento em JSON' },
    status: 201,
    output: z.object({ experimento: Experiment }),
    others: { 200: { description: 'O que se leu do relatório', output: ExtractionResult } },
  }),
  exportExperiments: endpoint('exportExperiments', {
    access: 'session',
    summary: 'O que o filtro mostra, como planilha (CSV com ponto e vírgula, ou XLSX)',
    query: ExportQuery,
    status: 200,
    media: ['text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  }),
  getExperiment: endpoint('getExperiment', {
    access: 'session',
    summary: 'Um experimento, inteiro',
    params: ById,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  updateExperiment: endpoint('updateExperiment', {
    access: 'session',
    summary: 'Altera um experimento a partir da versão que se leu',
    params: ById,
    body: ExperimentUpdate,
    multipart: { pdf: 'arquivo PDF que substitui o atual', dados: 'o experimento em JSON, com versao' },
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  deleteExperiment: endpoint('deleteExperiment', {
    access: 'session',
    summary: 'Exclui um experimento',
    params: ById,
    status: 204,
  }),
  restoreExperiment: endpoint('restoreExperiment', {
    access: 'admin',
    summary: 'Restaura um experimento excluído há menos de 30 dias',
    params: ById,
    status: 200,
    output: z.object({ experimento: Experiment }),
  }),
  listDeletedExperiments: endpoint('listDeletedExperiments', {
    access: 'admin',
    summary: 'Experimentos excluídos que ainda podem ser restaurados',
    status: 200,
    output: z.object({
      experimentos: z.array(
        ExperimentSummary.extend({ deleted_at: z.string(), deleted_by_name: z.string().nullable() }),
      ),
    }),
  }),
  experimentHistory: endpoint('experimentHistory', {
    access: 'session',
    summary: 'Quem mudou o quê, o mais recente primeiro',
    params: ById,
    status: 200,
    output: z.object({ alteracoes: z.array(Change) }),
  }),

  // documents
  uploadDocument: endpoint('uploadDocument', {
    access: 'session',
    summary: 'Anexa um PDF a um experimento',
    multipart: { pdf: 'arquivo PDF de até 10 MB', experimentId: 'o experimento' },
    status: 201,
    output: z.object({ document: Document }),
  }),
  uploadBulk: endpoint('uploadBulk', {
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
  listDocuments: endpoint('listDocuments', {
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
  getDocument: endpoint('getDocument', {
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
  deleteDocument: endpoint('deleteDocument', {
    access: 'session',
    summary: 'Exclui um documento',
    params: ById,
    status: 204,
  }),

  // extraction; the multipart create without `dados` answers the same
  extract: endpoint('extract', {
    access: 'session',
    summary: 'Lê um relatório e responde por eventos: progress, result ou problem',
    multipart: { pdf: 'arquivo PDF de até 10 MB' },
    status: 200,
    media: ['text/event-stream'],
  }),

  // lookups
  lookupBrands: endpoint('lookupBrands', {
    access: 'public',
    summary: 'Marcas',
    status: 200,
    output: z.object({ marcas: z.array(z.string()) }),
  }),
  lookupRegions: endpoint('lookupRegions', {
    access: 'public',
    summary: 'Regionais',
    status: 200,
    output: z.object({ regioes: z.array(z.object({ nome: z.string(), sigla: z.string() })) }),
  }),
  lookupStates: endpoint('lookupStates', {
    access: 'public',
    summary: 'Estados',
    status: 200,
    output: z.object({ estados: z.array(z.object({ sigla: z.string(), nome: z.string() })) }),
  }),
  lookupCrops: endpoint('lookupCrops', {
    access: 'public',
    summary: 'Culturas',
    status: 200,
    output: z.object({ culturas: z.array(z.string()) }),
  }),
  lookupProducts: endpoint('lookupProducts', {
    access: 'public',
    summary: 'Produtos de cada marca',
    status: 200,
    output: z.object({ produtosPorMarca: z.record(z.string(), z.array(z.string())) }),
  }),
  lookupCities: endpoint('lookupCities', {
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
  events: endpoint('events', {
    access: 'session',
    summary: 'Avisa, por eventos (changed), que experimentos mudaram',
    status: 200,
    media: ['text/event-stream'],
  }),
  overview: endpoint('overview', {
    access: 'session',
    summary: 'Cartões, gráficos e produtos sob um filtro',
    query: ExperimentFilter,
    status: 200,
    output: Overview,
  }),
  filterOptions: endpoint('filterOptions', {
    access: 'session',
    summary: 'Opções de cada filtro, com contagem sob os outros',
    query: ExperimentFilter,
    status: 200,
    output: FilterOptions,
  }),
  mapView: endpoint('mapView', {
    access: 'session',
    summary: 'Pontos do mapa sob um filtro',
    query: MapQuery,
    status: 200,
    output: MapView,
  }),
  correlation: endpoint('correlation', {
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
  settings: endpoint('settings', {
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
