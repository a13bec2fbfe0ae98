import { z } from 'zod'
import { ROLES } from './account-rules.ts'
import { accountsContract } from './contract-accounts.ts'
import { adminContract } from './contract-admin.ts'
import { analysisContract } from './contract-analysis.ts'
import { applicationsContract } from './contract-applications.ts'
import { economicsContract } from './contract-economics.ts'
import { experimentsContract } from './contract-experiments.ts'
import { fieldContract } from './contract-field.ts'
import { fieldTeamContract } from './contract-field-team.ts'
import { importsContract } from './contract-imports.ts'
import { organizationsContract } from './contract-organizations.ts'
import { qualityContract } from './contract-quality.ts'
import { reportsContract } from './contract-reports.ts'
import { sharingContract } from './contract-sharing.ts'
import { synthesisContract } from './contract-synthesis.ts'
import { viewsContract } from './contract-views.ts'
import {
  Correlation,
  ExperimentFilter,
  FilterOptions,
  MapView,
  MoreFilterOptions,
  Overview,
  VariableName,
} from './dashboard.ts'
import { type Endpoint, endpoint, NeutralAnswer } from './endpoint.ts'
import { incompleteContract } from './incomplete.ts'
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

export const MapQuery = ExperimentFilter.extend({
  /** What is in view: 'west,south,east,north' in degrees; absent means everything. */
  bbox: z.string().max(120).optional(),
  zoom: z.coerce.number().min(0).max(22).optional(),
})
export type MapQuery = z.output<typeof MapQuery>

/** Every call of the product API: the server registers its routes from here, the web calls by it. */
export const contract = {
  ...accountsContract,
  ...applicationsContract,
  ...adminContract,
  ...analysisContract,
  ...economicsContract,
  ...synthesisContract,
  ...fieldContract,
  ...fieldTeamContract,
  ...experimentsContract,
  ...incompleteContract,
  ...importsContract,
  ...organizationsContract,
  ...qualityContract,
  ...reportsContract,
  ...sharingContract,
  ...viewsContract,

  // accounts
  login: endpoint('login', {
    access: 'public',
    summary: 'Entra com email e senha',
    body: z.object({
      email: Email,
      password: z.string({ error: 'Este campo é obrigatório' }).min(1, 'Este campo é obrigatório').max(1000),
    }),
    status: 200,
    output: SessionAnswer,
  }),
  register: endpoint('register', {
    access: 'public',
    summary: 'Cria uma conta; um email já cadastrado recebe a mesma resposta',
    body: z.object({
      name: PersonName,
      email: Email,
      password: Password,
      company: Company.optional(),
      /** The role that the person asks for; never the role that is stored. */
      requestedRole: z.enum(ROLES, { error: 'Perfil inválido' }).optional(),
      /** The token of an invitation to this address, which the link proves. */
      convite: z.string().max(200).optional(),
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
  openOnPhone: endpoint('openOnPhone', {
    access: 'public',
    summary:
      'Uma sessão do aplicativo de campo ao lado da deste navegador, que continua; sair desta encerra as duas',
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
  checkLink: endpoint('checkLink', {
    access: 'public',
    summary: 'Diz se o link de um email ainda vale; não o usa',
    body: z.object({
      token_hash: z.string({ error: 'Este campo é obrigatório' }).min(1, 'Este campo é obrigatório').max(500),
      type: z.enum(['recovery', 'signup', 'email_change']),
    }),
    status: 200,
    output: z.object({ valid: z.boolean() }),
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
    summary: 'Avisa, por eventos (changed), que experimentos mudaram; também nos últimos ha milissegundos',
    query: z.object({ ha: z.coerce.number().int().min(0).max(60_000).optional() }),
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
  moreFilterOptions: endpoint('moreFilterOptions', {
    access: 'session',
    summary: 'Opções dos filtros que se somam (estado, modalidade, cultivar), com contagem sob os outros',
    query: ExperimentFilter,
    status: 200,
    output: MoreFilterOptions,
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
      /** Whether the installation is of one organisation or of several. */
      organizacoes: z.enum(['uma', 'varias']),
      /** Who runs the installation; null where they have not said so. */
      operador: z.string().nullable(),
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
