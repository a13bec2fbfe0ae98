import { readdirSync, readFileSync } from 'node:fs'
import {
  ActivityEntry,
  ALERT_VARIABLES,
  type AlertCondition,
  type AlertVariable,
  type AnalysisAnswer,
  CATEGORICAL_VARIABLES,
  type CategoricalVariable,
  Collection,
  Comment,
  type EffectRow,
  Experiment,
  type ExperimentFilter,
  ExperimentSummary,
  FILTER_KEYS,
  FilterOption,
  Group,
  Invitation,
  LACKS,
  LOOKUP_KINDS,
  LookupItem,
  MapPlace,
  MapPoint,
  Member,
  MORE_FILTERS,
  Organization,
  ProductPerformance,
  PublicLink,
  ReceivedInvitation,
  ScatterPoint,
  Share,
  SORT_KEYS,
  Transfer,
} from '@ensaio/domain'
import { type KyselyPlugin, NoResultError, type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import * as dimensions from './catalogue/dimensions.ts'
import * as experimentFilter from './catalogue/experiment-filter.ts'
import * as names from './catalogue/names.ts'
import type { Handle } from './database/handle.ts'
import { createTestDatabase, type TestDatabase } from './database/test-database.ts'
import { type Answer, preparing } from './database/test-prepare.ts'
import { wallOver } from './database/wall.ts'
import * as accountData from './features/accounts/account/account-data.repository.ts'
import * as admin from './features/accounts/admin/admin.repository.ts'
import * as grants from './features/accounts/applications/grants.repository.ts'
import * as factors from './features/accounts/factors/factors.repository.ts'
import * as limits from './features/accounts/limits/limits.repository.ts'
import * as oneTime from './features/accounts/proofs/one-time.repository.ts'
import * as scriptKeys from './features/accounts/sessions/script-keys.repository.ts'
import * as sessions from './features/accounts/sessions/sessions.repository.ts'
import * as signingKeys from './features/accounts/sessions/signing-keys.repository.ts'
import * as users from './features/accounts/users/users.repository.ts'
import * as brapi from './features/brapi/brapi.repository.ts'
import * as keptLists from './features/brapi/kept-lists.repository.ts'
import * as narrowing from './features/brapi/narrowing.repository.ts'
import * as correlation from './features/dashboard/correlation.repository.ts'
import * as dashboard from './features/dashboard/dashboard.repository.ts'
import * as filterOptions from './features/dashboard/filter-options.repository.ts'
import * as fold from './features/dashboard/fold.repository.ts'
import * as gains from './features/dashboard/gains.repository.ts'
import * as incomplete from './features/dashboard/incomplete.repository.ts'
import type { Sums } from './features/dashboard/kept-rows.repository.ts'
import * as keptRows from './features/dashboard/kept-rows.repository.ts'
import * as map from './features/dashboard/map.repository.ts'
import * as marginCondition from './features/dashboard/margin-condition.repository.ts'
import * as margins from './features/dashboard/margins.repository.ts'
import * as marks from './features/dashboard/marks.repository.ts'
import * as place from './features/dashboard/place.repository.ts'
import * as rebuild from './features/dashboard/rebuild.repository.ts'
import * as views from './features/dashboard/views.repository.ts'
import * as documents from './features/documents/documents.repository.ts'
import * as experimentList from './features/experiments/experiment-list.repository.ts'
import * as experimentWrites from './features/experiments/experiment-writes.repository.ts'
import * as experiments from './features/experiments/experiments.repository.ts'
import * as experimentTeam from './features/experiments/field-team.repository.ts'
import * as history from './features/experiments/history.repository.ts'
import * as idempotency from './features/experiments/idempotency.repository.ts'
import * as devices from './features/field/devices.repository.ts'
import * as fieldTeam from './features/field/team.repository.ts'
import * as imports from './features/imports/imports.repository.ts'
import * as importTemplates from './features/imports/templates.repository.ts'
import * as importTrials from './features/imports/trials.repository.ts'
import * as adminLookups from './features/lookups/admin-lookups.repository.ts'
import * as lookups from './features/lookups/lookups.repository.ts'
import * as organizationExport from './features/organizations/export.repository.ts'
import * as members from './features/organizations/members.repository.ts'
import * as organizations from './features/organizations/organizations.repository.ts'
import * as photos from './features/photos/photos.repository.ts'
import * as manyReports from './features/reports/reports.repository.ts'
import { parseQuery } from './features/rest/parse-query.ts'
import * as rest from './features/rest/rest.repository.ts'
import { TABLES } from './features/rest/tables.ts'
import * as collections from './features/sharing/collections.repository.ts'
import * as links from './features/sharing/links.repository.ts'
import * as records from './features/sharing/records.repository.ts'
import * as shares from './features/sharing/shares.repository.ts'
import * as synthesisRecords from './features/synthesis/records.repository.ts'
import * as syntheses from './features/synthesis/synthesis.repository.ts'
import * as analyses from './features/trials/analyses.repository.ts'
import * as changes from './features/trials/changes.repository.ts'
import * as effects from './features/trials/effects.repository.ts'
import * as quality from './features/trials/quality.repository.ts'
import * as sheets from './features/trials/sheets.repository.ts'
import * as alerts from './features/views/alerts.repository.ts'
import * as digest from './features/views/digest.repository.ts'
import * as savedViews from './features/views/views.repository.ts'
import * as watching from './features/views/watching.repository.ts'
import * as mailQueue from './mail/mail-queue.repository.ts'
import { experimentInput, form, pdf, startTestServer, type TestServer } from './test-server.ts'

type Call = (handle: Handle) => unknown
/** Every function that the file exports, with calls through each branch that writes other SQL. */
type Calls<M> = { [K in keyof M as M[K] extends (...given: never[]) => unknown ? K : never]: Call[] }
interface File {
  path: string
  functions: string[]
  calls: Record<string, Call[]>
}

const file = <M extends object>(path: string, module: M, calls: Calls<M>): File => ({
  path,
  functions: Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
  calls,
})
/** It asks nothing by itself. */
const ASKS_NOTHING: Call[] = []

/** A part of a statement, on rows of the table `e` or `k`. */
const condition =
  (from: RawBuilder<unknown>, part: RawBuilder<unknown>): Call =>
  (handle) =>
    sql`select from ${from} where ${part}`.execute(handle)
const EXPERIMENTS = sql`visto.experimentos e`
const COUNTED = sql`visto.contados e`

/** A made-up row of what the call answers has all that its type, whose keys the compiler wants to see, says. */
const answers =
  <R extends object>(
    keys: Record<keyof NoInfer<R>, unknown>,
    call: (handle: Handle) => Promise<R | readonly R[] | null>,
  ): Call =>
  async (handle) => {
    const found = await call(handle)
    for (const row of Array.isArray(found) ? found : found ? [found] : [])
      expect(Object.keys(row)).toEqual(expect.arrayContaining(Object.keys(keys)))
  }

const ID = '01900000-0000-7000-8000-000000000001'
const GROUP = { consultoria_id: 1, fabricante_id: 1, cultura_id: 1, ano: 2024 }
const HASH = Buffer.alloc(32)
const NOW = new Date('2026-01-01T12:00:00Z')
const VALUES: Required<ExperimentFilter> = {
  regional: 'Sul',
  cultura: 'Soja',
  marca: 'Aminoagro',
  ano: '2024',
  produto: 'amino',
  consultoria: 'Agro Cerrado',
  bu: 'BU1',
  origem: 'recebidos',
  estado: ['MT', 'GO'],
  cultivar: 'BRS 7981',
  modalidade: ['Foliar'],
  solo: ['argiloso', 'muito_argiloso'],
  materia_organica: 'medio',
  dados: ['parcelas', 'reconstruida', 'medias'],
  qualidade: ['sem_apontamentos', 'conferir', 'problema'],
  com_roi: '1',
  nao: ['cultura', 'estado', 'produto'],
}
/** None, each alone, the exact ones together, and what no figures are kept for. */
const STORED_REPORT = { id: 1, formato: 1, estado: 1, n: 1, progresso: 1, nome: 1 }
const TOLD_TRIAL = { nome: 1, cidade: 1, estado: 1, produtividade_media: 1, diferenca_percent: 1 }
const STORED_ALERT = {
  ...{ id: 1, vista_id: 1, vista: 1, estado: 1 },
  ...{ frequencia: 1, condicao: 1, pausado: 1, created_at: 1 },
}
const STORED_VIEW = { id: 1, nome: 1, dono: 1, estado: 1, pode_alterar: 1, updated_at: 1 }
const CANDIDATE = { id: 1, pessoa_id: 1, organizacao_id: 1, estado: 1, condicao: 1, experimentos: 1 }
const ALERT_OF_PRODUCT: AlertCondition = { tipo: 'produto', produto: 'Amino Boro', percentual: 5 }
const alertOf = (variavel: AlertVariable): AlertCondition => ({
  ...{ tipo: 'variavel', variavel, sentido: 'acima', valor: 300 },
})
const FILTERS: ExperimentFilter[] = [
  {},
  ...FILTER_KEYS.map((key) => ({ [key]: VALUES[key] })),
  { cultura: 'Soja', ano: '2024', regional: 'Sul', marca: 'Aminoagro', bu: 'BU1' },
  VALUES,
  ...MORE_FILTERS.map((key) => ({ [key]: VALUES[key] })),
  { com_roi: '0' },
  { origem: 'proprios' },
  { origem: ID },
  { ano: 'sem número', bu: 'BU9' },
]
const eachFilter = (calls: (filter: ExperimentFilter) => Call[]): Call[] => FILTERS.flatMap(calls)
const eachKept = (calls: (filter: ExperimentFilter, sums: Sums) => Call[]): Call[] =>
  FILTERS.flatMap((filter) =>
    SUMS.flatMap((sums) => (margins.grainFor(sums, filter) === 'counted' ? [] : calls(filter, sums))),
  )
const CATEGORIES = Object.keys(CATEGORICAL_VARIABLES) as CategoricalVariable[]
const NUMBERS = Object.values(dashboard.NUMERIC_COLUMNS)
const PRODUCT_LISTS = (['roi', 'ganho'] as const).map((order) => ({ limit: 10, order }))
/** Those of one view, and those of parts with narrow rows. */
const VIEW = { id: 1, parte: 0, acervos: [1], com_custos: [] }
const SUMS = [{ view: 1 }, 'parts'] as const
const OPTIONS = FILTER_KEYS.filter((key): key is filterOptions.OptionKey => key !== 'bu')
const BOUNDS = [
  null,
  { west: -60, south: -30, east: -40, north: -5 },
  { west: -70, south: -5, east: -65, north: 0 },
]

const LISTS = [
  {},
  { busca: 'soja', com_documento: '1' as const },
  { ...VALUES, busca: 'soja', com_documento: '0' as const },
]

const NAMES = { ...experimentInput(), modalidades: ['Foliar', 'Solo'], produtos: ['Amino Foliar'] }
const RECORD = {
  ...{ id: ID, input: experimentInput(), produtividadeMedia: 3250, custoTotal: 180.5 },
  qualidade: { apontamentos: 257, apontamentos_vistos: 1, regras: 1, achados: 1 },
}
const FACTS = {
  id: 1,
  ...{ cultura: 1, cultivar: 1, ano: 1, cidade: 1, estado: 1, latitude: 1, longitude: 1, teor_argila: 1 },
  ...{ teor_materia_organica: 1, tipo_estatistica: 1, custo_protocolo: 1, roi: 1, tratamentos: 1 },
  ...{ estatistica_informada: 1, ficha_versao: 1, abertos: 1, entradas: 1, referencias: 1, respostas: 1 },
}
const KEY = { userId: ID, key: 'chave', sha256: 'ab' }
const FACTOR = {
  id: ID,
  user_id: ID,
  friendly_name: 'x',
  factor_type: 'totp',
  secret_enc: HASH,
} as const
const CREDENTIAL = { id: 'x', publicKey: 'x', counter: 0, transports: ['usb'] }
const TOKEN = { user_id: ID, kind: 'signup', code_hash: HASH, link_hash: HASH, flow_state_id: null } as const
const SIGNING_KEY = { kid: 'x', private_sealed: HASH, public_jwk: { kty: 'EC' } }
const ORIGIN = { ip: '10.0.0.1', userAgent: 'x', field: false }

const USER: Record<keyof users.UserRow, 1> = {
  ...{ id: 1, email: 1, password_hash: 1, new_email: 1, app_role: 1, requested_role: 1, blocked_at: 1 },
  ...{ email_confirmed_at: 1, confirmation_sent_at: 1, recovery_sent_at: 1, email_change_sent_at: 1 },
  ...{ reauthentication_sent_at: 1, invited_at: 1, last_sign_in_at: 1, created_at: 1, updated_at: 1 },
  ...{ app_metadata: 1, user_metadata: 1, identities: 1, factors: 1 },
}
const EXTENT = { localizacoes: 1, estados: 1 }
/** As it is stored: whose it is and what of it is seen, in place of what is made of that. */
const SEEN = { organizacao_id: 1, organizacao_nome: 1, ve_custos: 1, ve_documentos: 1, ve_comentarios: 1 }
const PRESENTED = { organizacao: true, relacao: true, ocultos: true, permissoes: true } as const
const SUMMARY = { ...ExperimentSummary.omit(PRESENTED).shape, ...SEEN }
const STORED = { ...Experiment.omit({ ...PRESENTED, created_by_name: true }).shape, ...SEEN }
const INVITATION = Invitation.shape

const RECORDED = {
  ...{ id: 1, ordem: 1, variavel: 1, avaliacao: 1, opcoes: 1, teste: 1, titulo: 1, conclusao: 1 },
  ...{ dados_versao: 1, motor: 1, quem: 1, quando: 1, retirada_em: 1, retirada_por: 1, retirada_motivo: 1 },
  ...{ organizacao_id: 1, desatualizada: 1 },
}
const SHEET_ROW = { versao: 1, corpo: 1, informadas: 1, valores: 1, alterada_em: 1, alterada_por: 1 }
const SHEET = {
  versao: 1,
  corpo: { delineamento: 'DBC', parcelas: [{ id: ID, numero: 101, codigo: 'K7M2' }] } as sheets.SheetBody,
  informadas: { 1: 3250 },
  valores: [
    ...[
      {
        variavel: 'produtividade',
        avaliacao: null,
        valores: [3250, null],
        registros: [ID, null],
        textos: null,
      },
    ],
    ...[{ variavel: 'nota', avaliacao: null, valores: [null], registros: [null], textos: ['boa'] }],
  ],
  by: ID,
}
const CHANGE: changes.NewChange = {
  ...{ id: ID, pessoa_id: ID, origem: 'campo', aparelho: ID, seq: 1, coletor: null, tipo: 'valor' },
  ...{ parcela: ID, variavel: ID, avaliacao: null, amostra: null, valor: 82, motivo: null, base: null },
  ...{ quando: '2026-03-12T12:00:00Z', confirmado: false, fora: false, estado: 'aplicado', revisao: ID },
  extra: null,
}
const PHOTO: photos.NewPhoto = {
  ...{ id: ID, pessoa_id: ID, origem: 'campo', coletor: null, aparelho: ID, parcela: ID, variavel: null },
  ...{ avaliacao: null, quando: new Date('2026-03-12T12:00:00Z'), posicao: null, descricao: null, dados: {} },
  ...{ tamanho_enviado: 10, sha256_enviado: 'x' },
}
const STORED_PHOTO = {
  ...{ experimento_id: 1, id: 1, pessoa_id: 1, origem: 1, coletor: 1, parcela: 1, numero: 1, variavel: 1 },
  ...{ avaliacao: 1, quando: 1, posicao: 1, descricao: 1, dados: 1, tamanho_enviado: 1, sha256_enviado: 1 },
  ...{ armazenado: 1, sha256: 1, tamanho: 1, largura: 1, altura: 1 },
}
const STORED_CHANGE = { ...CHANGE, ordem: 1, recebido_em: 1, encerrado: 1 }
const ANALYSIS = {
  analise: {
    variavel: { chave: 'produtividade' },
    residuos: [{ cv: 6.7 }],
    dados_versao: 1,
    motor: '1.0.0',
  } as unknown as AnalysisAnswer,
  opcoes: {},
  teste: 'tukey',
  titulo: '',
  conclusao: '',
  by: ID,
  key: 'chave',
}

const IMPORT = {
  ...{
    id: 1,
    organizacao_id: 1,
    criada_por: 1,
    nome: 1,
    texto: 1,
    estado: 1,
    problema: 1,
    cabeca: 1,
    escolhas: 1,
  },
  ...{
    plano: 1,
    notas: 1,
    linhas: 1,
    entendidos: 1,
    rodada: 1,
    gravar: 1,
    gravada_em: 1,
    created_at: 1,
    resumo: 1,
  },
  ...{ criados: 1, atualizados: 1 },
}
const IMPORT_TEMPLATE = { id: 1, nome: 1, forma: 1, mapa: 1, padroes: 1, created_at: 1 }
const IMPORT_TRIAL: importTrials.UnderstoodTrial = {
  ...{
    n: 1,
    folhas: [0],
    linhas: [2],
    estado: 'novo',
    experimento_id: null,
    chave: null,
    marca: null,
    dados: {},
  },
  ...{ mudancas: [], problemas: [], avisos: false, mesmo_assim: false },
}
const SYNTHESIS_ROW = {
  ...{ id: 1, titulo: 1, conclusao: 1, compartilhada: 1, opcoes: 1, motor: 1, quem: 1, quando: 1 },
  ...{ ensaios: 1, ocultos: 1, sem_custos: 1, mudados: 1 },
}
const SYNTHESIS = {
  ...{ opcoes: { produto: 'amino' }, titulo: '', conclusao: '', compartilhada: false },
  ...{ by: ID, key: 'chave', organization: ID, resposta: '{}', experimentos: [ID], motor: '1.0.0' },
}
const EFFECTS: EffectRow = {
  ...{ variavel: 'produtividade', nome: 'Produtividade', busca: 'produtividade', produtividade: true },
  ...{ unidade: 'kg/ha', umidade: 13, origem: 'parcelas', testemunha: 1, n_parcelas: 8, repeticoes: 4 },
  ...{ cv: 6.7, dados: { n: [1, 2], m: [1, 2], gl: 3, d: [1, 1] }, ficha_versao: 1, motor: '1.0.0' },
}

const TABLE: File[] = [
  file('catalogue/dimensions.ts', dimensions, {
    dataOf: ASKS_NOTHING,
    nameIn: dimensions.DIMENSION_KEYS.map(
      (key) => (handle) => sql`select ${dimensions.nameIn('e', key)} from experimentos e`.execute(handle),
    ),
  }),
  file('catalogue/experiment-filter.ts', experimentFilter, {
    contains: ASKS_NOTHING,
    productSets: [condition(COUNTED, sql`e.conjunto_id = any(${experimentFilter.productSets('amino')})`)],
    filterCondition: eachFilter((filter) => [
      condition(EXPERIMENTS, experimentFilter.filterCondition(filter)),
    ]),
    countedCondition: eachFilter((filter) => [condition(COUNTED, experimentFilter.countedCondition(filter))]),
    foundBySearch: [true, false].flatMap((beyond) =>
      [EXPERIMENTS, COUNTED].map((from) =>
        condition(from, experimentFilter.foundBySearch('amino', { beyond })),
      ),
    ),
    walkedBySearch: [true, false].map((beyond) =>
      condition(EXPERIMENTS, experimentFilter.walkedBySearch('amino', { beyond })),
    ),
  }),
  file('catalogue/names.ts', names, {
    keysOf: [
      (handle) =>
        sql`with given_treatments as (select 'foliar' as modalidade), given_products as (select 'x' as produto),
          ${names.keysOf(NAMES)} select * from keys`.execute(handle),
    ],
    addMissingNames: [(handle) => names.addMissingNames(handle, [NAMES])],
    noteSpellings: [(handle) => names.noteSpellings(handle, NAMES)],
  }),
  file('features/accounts/account/account-data.repository.ts', accountData, {
    eventsOf: [(handle) => accountData.eventsOf(handle, ID)],
    recordsAlone: [accountData.recordsAlone],
    leaveRecords: [null, ID].map((to) => (handle) => accountData.leaveRecords(handle, to)),
    deleteUser: [(handle) => accountData.deleteUser(handle, ID)],
    deleteExpired: [accountData.deleteExpired],
  }),
  file('features/accounts/admin/admin.repository.ts', admin, {
    findUsers: [
      { busca: 'ana', after: ID },
      { busca: undefined, after: null },
    ].map((find) =>
      answers(USER, async (handle) => (await admin.findUsers(handle, { ...find, limit: 10 })).rows),
    ),
    openRoleRequests: [admin.openRoleRequests],
    decideRequest: [(handle) => admin.decideRequest(handle, { id: ID, by: ID, granted: true })],
    closeRequests: [
      (handle) => admin.closeRequests(handle, ID, ID),
      (handle) => admin.closeRequests(handle, ID, null),
    ],
    auditEvents: [
      (handle) => admin.auditEvents(handle, { before: 7, limit: 10 }),
      (handle) => admin.auditEvents(handle, { before: null, limit: 10 }),
    ],
    changeMode: [(handle) => admin.changeMode(handle, 'varias')],
    listAdmins: [admin.listAdmins],
  }),
  file('features/accounts/applications/grants.repository.ts', grants, {
    insertGrant: [
      (handle) =>
        grants.insertGrant(handle, {
          ...{ id: ID, person: ID, organization: ID, client: 'fieldbook', device: 'x', redirectUri: 'x' },
          ...{ scope: '', nonce: null, codeHash: HASH, challenge: 'x', codeUntil: NOW },
        }),
    ],
    takeCode: [
      answers(
        {
          ...{ id: 1, client_id: 1, device: 1, redirect_uri: 1, scope: 1, nonce: 1 },
          ...{ code_challenge: 1, code_until: 1 },
        },
        (handle) => grants.takeCode(handle, HASH),
      ),
    ],
    endByCode: [(handle) => grants.endByCode(handle, HASH)],
    beginGrant: [(handle) => grants.beginGrant(handle, ID, NOW)],
    actorOfGrant: [
      answers({ name: 1, role: 1, blocked: 1, organization: 1, papel: 1, closed: 1, several: 1 }, (handle) =>
        grants.actorOfGrant(handle, ID, 'fieldbook'),
      ),
    ],
    noteGrantUse: [(handle) => grants.noteGrantUse(handle, ID)],
    liveGrants: [
      answers({ id: 1, client_id: 1, device: 1, created_at: 1, not_after: 1, used_at: 1 }, grants.liveGrants),
    ],
    deleteGrant: [(handle) => grants.deleteGrant(handle, ID)],
    forgetGrants: [grants.forgetGrants],
  }),
  file('features/accounts/factors/factors.repository.ts', factors, {
    insertFactor: [(handle) => factors.insertFactor(handle, FACTOR)],
    lockFactor: [(handle) => factors.lockFactor(handle, ID, ID)],
    deleteStaleFactors: [(handle) => factors.deleteStaleFactors(handle, ID)],
    deleteFactor: [(handle) => factors.deleteFactor(handle, ID)],
    deleteUnverifiedOfKind: [(handle) => factors.deleteUnverifiedOfKind(handle, ID, 'webauthn')],
    markVerified: [
      (handle) => factors.markVerified(handle, ID, { lastStep: 7, credential: null }),
      (handle) => factors.markVerified(handle, ID, { lastStep: null, credential: CREDENTIAL }),
    ],
    countWrongCode: [(handle) => factors.countWrongCode(handle, ID)],
    insertChallenge: [
      (handle) =>
        factors.insertChallenge(handle, {
          id: ID,
          factor_id: ID,
          session_id: ID,
          webauthn_challenge: null,
        }),
    ],
    lockChallenge: [(handle) => factors.lockChallenge(handle, ID, ID)],
    useChallenge: [(handle) => factors.useChallenge(handle, ID)],
    countChallengeTry: [(handle) => factors.countChallengeTry(handle, ID)],
    raiseSession: [(handle) => factors.raiseSession(handle, { sessionId: ID, factorId: ID, method: 'totp' })],
    deleteWeakSessions: [(handle) => factors.deleteWeakSessions(handle, ID, ID)],
    lowerSessions: [(handle) => factors.lowerSessions(handle, ID, 'totp')],
  }),
  file('features/accounts/limits/limits.repository.ts', limits, {
    takeToken: [(handle) => limits.takeToken(handle, { key: 'x', capacity: 10, perSecond: 0.5 })],
    countGuess: [(handle) => limits.countGuess(handle, 'x', { free: 5, longestS: 900 })],
    familiarAddresses: [(handle) => limits.familiarAddresses(handle, 'ana@exemplo.com')],
    forgetFailures: [(handle) => limits.forgetFailures(handle, 'x')],
    forgetOldLimits: [limits.forgetOldLimits],
  }),
  file('features/accounts/proofs/one-time.repository.ts', oneTime, {
    putOneTime: [(handle) => oneTime.putOneTime(handle, { ...TOKEN, lifeMs: 60_000 })],
    oneTimeOf: [(handle) => oneTime.oneTimeOf(handle, ID, ['signup', 'recovery'])],
    oneTimeByLink: [(handle) => oneTime.oneTimeByLink(handle, HASH)],
    countTry: [(handle) => oneTime.countTry(handle, { ...TOKEN, tries: 0, expires_at: NOW })],
    dropOneTime: [(handle) => oneTime.dropOneTime(handle, { ...TOKEN, tries: 0, expires_at: NOW })],
    dropAllOneTime: [(handle) => oneTime.dropAllOneTime(handle, ID)],
  }),
  file('features/accounts/sessions/script-keys.repository.ts', scriptKeys, {
    actorOfKey: [
      answers(
        {
          ...{ id: 1, key: 1, can_write: 1, name: 1, role: 1, blocked: 1 },
          ...{ organization: 1, papel: 1, closed: 1, several: 1 },
        },
        (handle) => scriptKeys.actorOfKey(handle, HASH),
      ),
    ],
    noteUse: [(handle) => scriptKeys.noteUse(handle, ID)],
    insertKey: [
      (handle) =>
        scriptKeys.insertKey(handle, {
          ...{ person: ID, organization: ID, name: 'R', hash: HASH, write: true, days: 30, most: 20 },
        }),
    ],
    keysOf: [(handle) => scriptKeys.keysOf(handle, ID, ID)],
    deleteKey: [(handle) => scriptKeys.deleteKey(handle, ID, ID)],
    deleteKeys: [(handle) => scriptKeys.deleteKeys(handle, ID)],
    forgetKeys: [scriptKeys.forgetKeys],
  }),
  file('features/accounts/sessions/sessions.repository.ts', sessions, {
    insertSession: [
      (handle) =>
        sessions.insertSession(handle, { id: ID, userId: ID, method: 'password', lifeMs: 60_000, ...ORIGIN }),
      (handle) =>
        sessions.insertSession(handle, {
          ...{ id: ID, userId: ID, method: 'oauth', provider: 'google', lifeMs: 60_000 },
          ...{ ip: null, userAgent: null, field: true },
        }),
    ],
    lockSession: [(handle) => sessions.lockSession(handle, ID)],
    advanceSession: [
      (handle) => sessions.advanceSession(handle, ID, { counter: 7, lifeMs: null }),
      (handle) => sessions.advanceSession(handle, ID, { counter: 7, lifeMs: 60_000 }),
    ],
    amrOf: [(handle) => sessions.amrOf(handle, ID)],
    liveSession: [
      answers(
        USER,
        async (handle) => (await sessions.liveSession(handle, { userId: ID, sessionId: ID })).user,
      ),
    ],
    liveActor: [
      answers(
        {
          ...{ name: 1, role: 1, blocked: 1, guarded: 1, revoked: 1, aal: 1 },
          ...{ organization: 1, papel: 1, closed: 1, several: 1 },
        },
        (handle) => sessions.liveActor(handle, { userId: ID, sessionId: ID }, ID),
      ),
    ],
    insertPhoneSession: [
      (handle) =>
        sessions.insertPhoneSession(handle, { id: ID, from: ID, userId: ID, lifeMs: 60_000, ...ORIGIN }),
    ],
    deleteSession: [(handle) => sessions.deleteSession(handle, ID)],
    endSession: [(handle) => sessions.endSession(handle, ID, ID)],
    deleteSessions: [
      (handle) => sessions.deleteSessions(handle, ID),
      (handle) => sessions.deleteSessions(handle, ID, ID),
    ],
    sessionsOf: [(handle) => sessions.sessionsOf(handle, ID)],
  }),
  file('features/accounts/sessions/signing-keys.repository.ts', signingKeys, {
    currentKeys: [signingKeys.currentKeys],
    addFirstKey: [(handle) => signingKeys.addFirstKey(handle, SIGNING_KEY)],
    addNextKey: [
      (handle) => signingKeys.addNextKey(handle, { ...SIGNING_KEY, signsFrom: NOW, oldRetireAt: NOW }),
    ],
  }),
  file('features/accounts/users/users.repository.ts', users, {
    userById: [answers(USER, (handle) => users.userById(handle, ID))],
    userByEmail: [answers(USER, (handle) => users.userByEmail(handle, 'ana@exemplo.com'))],
    userByNewEmail: [answers(USER, (handle) => users.userByNewEmail(handle, 'ana@exemplo.com'))],
    lockUser: [(handle) => users.lockUser(handle, ID)],
    insertUser: [true, false].map(
      (confirmed) => (handle) =>
        users.insertUser(handle, {
          ...{ id: ID, email: 'ana@exemplo.com', passwordHash: null },
          ...{ confirmed, userMetadata: { name: 'Ana' } },
        }),
    ),
    insertIdentity: [
      (handle) =>
        users.insertIdentity(handle, {
          ...{ id: ID, userId: ID, provider: 'google', providerId: 'x' },
          ...{ data: { sub: 'x' }, email: null },
        }),
    ],
    updateUser: [
      (handle) => users.updateUser(handle, ID, {}),
      (handle) => users.updateUser(handle, ID, { user_metadata: {}, app_role: 'admin', blocked_at: null }),
    ],
    updateEmailIdentity: [
      (handle) => users.updateEmailIdentity(handle, ID, { email: 'ana@exemplo.com', verified: true }),
    ],
    requestRole: [(handle) => users.requestRole(handle, { id: ID, userId: ID, role: 'consultor' })],
    withdrawRoleRequest: [(handle) => users.withdrawRoleRequest(handle, ID)],
    lockAdmins: [users.lockAdmins],
    memberNames: [(handle) => users.memberNames(handle, [ID])],
    namesOf: [(handle) => users.namesOf(handle, [ID])],
  }),
  file('features/brapi/brapi.repository.ts', brapi, {
    studyRows: [
      answers(
        {
          ...{
            id: 1,
            consultoria: 1,
            marca: 1,
            bu: 1,
            cultura: 1,
            cultivar: 1,
            ano: 1,
            cidade: 1,
            estado: 1,
          },
          ...{ latitude: 1, longitude: 1, da_cidade: 1, teor_argila: 1, teor_materia_organica: 1 },
          ...{ created_by: 1, versao: 1, created_at: 1, updated_at: 1, titulo_de_varias: 1 },
          ...{ iguais: 1, iguais_na_cidade: 1, n_na_cidade: 1 },
        },
        async (handle) => [
          ...(await brapi.studyRows(handle, { trials: null, named: true })),
          ...(await brapi.studyRows(handle, { trials: [ID], named: true })),
          ...(await brapi.studyRows(handle, { trials: [ID], named: false })),
        ],
      ),
    ],
    sheetRows: [(handle) => brapi.sheetRows(handle, [ID]), (handle) => brapi.sheetRows(handle, [])],
    projectSeasons: [
      (handle) => brapi.projectSeasons(handle, [ID]),
      (handle) => brapi.projectSeasons(handle, []),
    ],
    seasonRows: [(handle) => brapi.seasonRows(handle, [ID]), (handle) => brapi.seasonRows(handle, [])],
    plotRows: [(handle) => brapi.plotRows(handle, [ID])],
    treatmentRows: [(handle) => brapi.treatmentRows(handle, [ID])],
    unitPage: [
      (handle) => brapi.unitPage(handle, { studies: [ID], ids: null, names: null, offset: 0, limit: 10 }),
      (handle) => brapi.unitPage(handle, { studies: [ID], ids: [ID], names: [101], offset: 10, limit: 10 }),
    ],
    plotsBetween: [(handle) => brapi.plotsBetween(handle, [[ID, ID]])],
    valuePage: [
      (handle) =>
        brapi.valuePage(handle, {
          ...{ studies: [ID], plots: null, columns: null, from: null, to: null, offset: 0, limit: 10 },
        }),
      (handle) =>
        brapi.valuePage(handle, {
          ...{ studies: [ID], plots: [ID], offset: 0, limit: 10 },
          columns: [{ experimento_id: ID, variavel: 'altura', avaliacao: null }],
          ...{ from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' },
        }),
    ],
    peopleIds: [brapi.peopleIds],
    peopleOfTrials: [
      (handle) => brapi.peopleOfTrials(handle, [ID]),
      (handle) => brapi.peopleOfTrials(handle, []),
    ],
    keepSearch: [(handle) => brapi.keepSearch(handle, { id: ID, person: ID, entity: 'studies', asked: {} })],
    keptSearch: [(handle) => brapi.keptSearch(handle, { id: ID, entity: 'studies' })],
    forgetSearches: [brapi.forgetSearches],
  }),
  file('features/brapi/kept-lists.repository.ts', keptLists, {
    collectionRows: [answers({ id: 1, nome: 1, criada_em: 1, experimentos: 1 }, keptLists.collectionRows)],
    plotCounts: [keptLists.plotCounts],
    plotIds: [(handle) => keptLists.plotIds(handle, ID)],
  }),
  file('features/brapi/narrowing.repository.ts', narrowing, {
    groupRows: [
      answers(
        {
          ...{ consultoria_id: 1, fabricante_id: 1, cultura_id: 1, ano: 1 },
          ...{ consultoria: 1, marca: 1, cultura: 1 },
        },
        narrowing.groupRows,
      ),
    ],
    firstRows: (
      ['programs', 'trials', 'commoncropnames', 'seasons', 'germplasm', 'locations', 'studies'] as const
    ).map(
      (list) => (handle) =>
        narrowing.firstRows(handle, {
          list,
          groups: list === 'trials' ? [GROUP] : null,
          offset: 0,
          limit: 10,
        }),
    ),
    trialsOfGroups: [
      (handle) => narrowing.trialsOfGroups(handle, { groups: null, planted: true, limit: 10 }),
      (handle) => narrowing.trialsOfGroups(handle, { groups: [GROUP], planted: false, limit: 10 }),
    ],
  }),
  file('features/dashboard/correlation.repository.ts', correlation, {
    pearson: eachFilter((filter) =>
      NUMBERS.map((y) => (handle) => correlation.pearson(handle, filter, { x: NUMBERS[0] ?? y, y })),
    ),
    meansByCategory: CATEGORIES.flatMap((category) =>
      NUMBERS.map((number) =>
        answers({ chave: 1, n: 1, media: 1, desvio: 1 }, (handle) =>
          correlation.meansByCategory(handle, VALUES, { category, number }),
        ),
      ),
    ),
    countsByCategories: CATEGORIES.map(
      (x) => (handle) => correlation.countsByCategories(handle, VALUES, { x, y: 'cultura' }),
    ),
  }),
  file('features/dashboard/dashboard.repository.ts', dashboard, {
    groups: eachFilter((filter) => [(handle) => dashboard.groups(handle, filter)]),
    activeConsultancies: eachFilter((filter) => [(handle) => dashboard.activeConsultancies(handle, filter)]),
    countWithCosts: eachFilter((filter) => [(handle) => dashboard.countWithCosts(handle, filter)]),
    countListed: [undefined, 'soja'].flatMap((busca) =>
      [null, true, false].map(
        (comDocumento) => (handle) => dashboard.countListed(handle, VALUES, { busca, comDocumento }),
      ),
    ),
    modalityGroups: eachFilter((filter) => [
      answers(Group.shape, (handle) => dashboard.modalityGroups(handle, filter)),
    ]),
    topProducts: eachFilter((filter) =>
      PRODUCT_LISTS.map((list) =>
        answers(ProductPerformance.shape, (handle) => dashboard.topProducts(handle, filter, list)),
      ),
    ),
    inOrder: [(handle) => dashboard.inOrder(handle, async () => undefined)],
    scatterSample: [undefined, { n: 900, of: 1000 }, { n: 1, of: 1000 }].flatMap((share) =>
      NUMBERS.map((y) =>
        answers(ScatterPoint.shape, (handle) =>
          dashboard.scatterSample(handle, VALUES, {
            ...{ x: NUMBERS[0] ?? y, y, limit: 10 },
            ...(share && { share }),
          }),
        ),
      ),
    ),
  }),
  file('features/dashboard/filter-options.repository.ts', filterOptions, {
    originOptions: eachFilter((filter) => [
      answers({ valor: 1, nome: 1, n: 1 }, (handle) => filterOptions.originOptions(handle, filter)),
    ]),
    moreOptionsOf: eachFilter((filter) =>
      (['estado', 'modalidade', 'cultivar'] as const).map((of) =>
        answers(FilterOption.shape, (handle) => filterOptions.moreOptionsOf(handle, filter, of)),
      ),
    ),
    optionsOf: eachFilter((filter) =>
      OPTIONS.flatMap((of) =>
        [null, ...SUMS].map((sums) =>
          answers(FilterOption.shape, (handle) => filterOptions.optionsOf(handle, filter, { of, sums })),
        ),
      ),
    ),
  }),
  file('features/dashboard/fold.repository.ts', fold, {
    takeDirty: [{ most: 10 }, { most: 10, of: ID }, { experiment: ID }].map(
      (which) => (handle) => fold.takeDirty(handle, which),
    ),
    narrowTo: [(handle) => fold.narrowTo(handle, [ID])],
    named: [fold.named],
    takeNext: [(handle) => fold.takeNext(handle, { most: 10, after: ID })],
    fold: [fold.fold, ...fold.FOLDING.map((statement) => (handle: Handle) => statement.execute(handle))],
    countOnly: [fold.countOnly],
    addUpAll: [fold.addUpAll],
    addUpSets: ([1, -1] as const).map(
      (sign) => (handle) => fold.addUpSets(handle, { ...VIEW, com_custos: [1] }, { sets: [1], sign }),
    ),
    dropEmpty: [fold.dropEmpty],
    tellChanged: [fold.tellChanged],
  }),
  // Parts of the others' statements.
  file('features/dashboard/gains.repository.ts', gains, { gainSums: ASKS_NOTHING }),
  file('features/dashboard/incomplete.repository.ts', incomplete, {
    countLacking: eachFilter((filter) => [(handle) => incomplete.countLacking(handle, filter)]),
    listLacking: eachFilter((filter) =>
      [undefined, ...LACKS].flatMap((falta) =>
        [null, ID].map(
          (after) => (handle) => incomplete.listLacking(handle, filter, { falta, after, limit: 10 }),
        ),
      ),
    ),
  }),
  // Parts of the others' statements.
  file('features/dashboard/kept-rows.repository.ts', keptRows, {
    ofView: ASKS_NOTHING,
    marginRows: ASKS_NOTHING,
    modalityRows: ASKS_NOTHING,
    productRows: ASKS_NOTHING,
    placeRows: ASKS_NOTHING,
  }),
  file('features/dashboard/map.repository.ts', map, {
    mapExtent: eachFilter((filter) => [answers(EXTENT, (handle) => map.mapExtent(handle, filter))]),
    countInView: BOUNDS.map((bounds) => (handle) => map.countInView(handle, VALUES, { bounds, enough: 100 })),
    mapPoints: BOUNDS.map((bounds) =>
      answers(MapPoint.shape, (handle) => map.mapPoints(handle, VALUES, { bounds, limit: 10 })),
    ),
    mapPlaces: BOUNDS.map((bounds) =>
      answers(MapPlace.shape, (handle) => map.mapPlaces(handle, VALUES, { bounds, degrees: 0.5, limit: 10 })),
    ),
    keptMapPlaces: BOUNDS.flatMap((bounds) =>
      eachKept((filter, sums) => [
        answers(MapPlace.shape, (handle) =>
          map.keptMapPlaces(handle, filter, sums, { bounds, shift: 2, limit: 10 }),
        ),
      ]),
    ),
  }),
  file('features/dashboard/margin-condition.repository.ts', marginCondition, {
    grainOf: ASKS_NOTHING,
    isExact: ASKS_NOTHING,
    isOneKey: ASKS_NOTHING,
    setKeys: ASKS_NOTHING,
    marginCondition: FILTERS.filter((filter) => marginCondition.grainOf(filter) === 'margins').map((filter) =>
      condition(sql`margens k`, marginCondition.marginCondition(filter)),
    ),
  }),
  file('features/dashboard/margins.repository.ts', margins, {
    grainFor: ASKS_NOTHING,
    keptFor: [answers({ sums: 1, everyCost: 1, everyDocument: 1 }, margins.keptFor)],
    seesOneOf: [(handle) => margins.seesOneOf(handle, [1, 2])],
    keptGroups: eachKept((filter, sums) => [(handle) => margins.keptGroups(handle, filter, sums)]),
    keptModalities: eachKept((filter, sums) => [
      answers(Group.shape, (handle) => margins.keptModalities(handle, filter, sums)),
    ]),
    keptConsultancies: eachKept((filter, sums) => [
      (handle) => margins.keptConsultancies(handle, filter, sums),
    ]),
    keptProducts: eachKept((filter, sums) =>
      PRODUCT_LISTS.map((list) =>
        answers(ProductPerformance.shape, (handle) => margins.keptProducts(handle, filter, sums, list)),
      ),
    ),
    keptOptions: eachKept((filter, sums) =>
      OPTIONS.map((of) =>
        answers(FilterOption.shape, (handle) => margins.keptOptions(handle, filter, sums, { of, limit: 10 })),
      ),
    ),
    keptCount: eachKept((filter, sums) =>
      [null, true, false].map(
        (comDocumento) => (handle) => margins.keptCount(handle, filter, sums, comDocumento),
      ),
    ),
    keptWithCosts: eachKept((filter, sums) => [(handle) => margins.keptWithCosts(handle, filter, sums)]),
    keptExtent: eachKept((filter, sums) => [
      answers(EXTENT, (handle) => margins.keptExtent(handle, filter, sums)),
    ]),
  }),
  file('features/dashboard/marks.repository.ts', marks, {
    foldLock: [undefined, 0, 500].map((patienceMs) => (handle) => marks.foldLock(handle, patienceMs)),
    ownDirty: [(handle) => marks.ownDirty(handle, ID)],
    anyDirty: [marks.anyDirty],
    someDirty: [(handle) => marks.someDirty(handle, 10)],
    setMarksAside: [(handle) => marks.setMarksAside(handle, ID, '22003')],
    tryAgain: [marks.tryAgain],
    tellAllChanged: [marks.tellAllChanged],
  }),
  file('features/dashboard/place.repository.ts', place, { squareDegrees: ASKS_NOTHING }),
  file('features/dashboard/rebuild.repository.ts', rebuild, {
    setAside: [rebuild.setAside],
    compareAside: [rebuild.compareAside],
  }),
  file('features/dashboard/views.repository.ts', views, {
    addViews: [views.addViews],
    sizesOf: [(handle) => views.sizesOf(handle, [1])],
    staleView: [views.staleView],
    setView: [(handle) => views.setView(handle, VIEW)],
    staleParts: [views.staleParts],
    setsSeenBy: [answers({ id: 1, owner: 1, n: 1, costs: 1 }, (handle) => views.setsSeenBy(handle, ID))],
    partsOf: [answers(VIEW, (handle) => views.partsOf(handle, ID))],
    addPart: [(handle) => views.addPart(handle, ID)],
    takeTime: [views.takeTime],
    tidyFigures: [views.tidyFigures],
  }),
  file('features/documents/documents.repository.ts', documents, {
    presentDocument: ASKS_NOTHING,
    insertDocument: [
      (handle) =>
        documents.insertDocument(handle, {
          ...{ id: ID, experimento_id: null, filename: 'x.pdf', armazenado: 'x' },
          ...{ sha256: 'ab', tamanho: 1, created_by: ID },
        }),
    ],
    documentById: [(handle) => documents.documentById(handle, ID)],
    documentsOf: [undefined, ID].flatMap((experimentId) =>
      [undefined, 'ab'].map(
        (sha256) => (handle) =>
          documents.documentsOf(handle, { experimentId, sha256, userId: ID, limit: 10 }),
      ),
    ),
    trialsWithCodes: [
      answers(
        { id: 1, nome: 1, codigo: 1, codigo_busca: 1, tem_relatorio: 1, created_by: 1, organizacao_id: 1 },
        async (handle) => documents.trialsWithCodes(handle, ['soja 1']),
      ),
    ],
    sameDocument: [null, ID].map(
      (experimentId) => (handle) =>
        documents.sameDocument(handle, { sha256: 'ab', experimentId, userId: ID }),
    ),
    countDocuments: [null, ID].map(
      (experimentId) => (handle) => documents.countDocuments(handle, { experimentId, userId: ID }),
    ),
    bytesOf: [(handle) => documents.bytesOf(handle, ID)],
    ownDocuments: [null, ID].map((after) => (handle) => documents.ownDocuments(handle, after, 10)),
    noteReading: [(handle) => documents.noteReading(handle, ID)],
    lockLoose: [(handle) => documents.lockLoose(handle, ID)],
    deleteDocument: [(handle) => documents.deleteDocument(handle, ID)],
    looseOf: [true, false].map((gone) => (handle) => documents.looseOf(handle, ID, { gone })),
    namedAmong: [(handle) => documents.namedAmong(handle, ['x'])],
  }),
  file('features/experiments/experiment-list.repository.ts', experimentList, {
    listExperiments: SORT_KEYS.flatMap((ordem) =>
      (['asc', 'desc'] as const).flatMap((sentido) =>
        [0, 1_000_000].flatMap((total) =>
          [null, { value: ordem === 'created_at' ? '2026-01-01' : '7', id: ID }].flatMap((cursor) =>
            LISTS.map((list) =>
              answers(SUMMARY, async (handle) => {
                const query = { ...list, ordem, sentido, limit: 10 }
                return (await experimentList.listExperiments(handle, query, { cursor, limit: 10, total }))
                  .rows
              }),
            ),
          ),
        ),
      ),
    ),
    summariesOf: [answers(SUMMARY, (handle) => experimentList.summariesOf(handle, [ID]))],
    listDeleted: [
      answers({ ...SUMMARY, deleted_at: 1, deleted_by: 1 }, (handle) =>
        experimentList.listDeleted(handle, 30),
      ),
    ],
  }),
  file('features/experiments/experiment-writes.repository.ts', experimentWrites, {
    insertExperiment: [null, KEY].map((key) =>
      answers(STORED, (handle) =>
        experimentWrites.insertExperiment(handle, { ...RECORD, createdBy: ID, key }),
      ),
    ),
    insertExperiments: [
      (handle) =>
        experimentWrites.insertExperiments(handle, [RECORD], { createdBy: ID, depois: { importacao: 'x' } }),
    ],
    replaceExperiment: [(handle) => experimentWrites.replaceExperiment(handle, RECORD)],
  }),
  file('features/experiments/experiments.repository.ts', experiments, {
    experimentById: [true, false].map((deleted) =>
      answers(STORED, (handle) => experiments.experimentById(handle, ID, { deleted })),
    ),
    lockExperiment: [(handle) => experiments.lockExperiment(handle, ID)],
    lockExperiments: [(handle) => experiments.lockExperiments(handle, [ID])],
    isDeleted: [(handle) => experiments.isDeleted(handle, ID)],
    ownerOf: [(handle) => experiments.ownerOf(handle, ID)],
    takenField: ASKS_NOTHING,
    present: ASKS_NOTHING,
    whole: ASKS_NOTHING,
    setMainDocument: [(handle) => experiments.setMainDocument(handle, ID, ID)],
    settleDocuments: [(handle) => experiments.settleDocuments(handle, ID)],
    markDeleted: [(handle) => experiments.markDeleted(handle, [ID], ID)],
    markRestored: [(handle) => experiments.markRestored(handle, [ID])],
    idsCreatedBy: [(handle) => experiments.idsCreatedBy(handle, ID)],
    putConclusion: [(handle) => experiments.putConclusion(handle, ID, 'Vale a pena.')],
    putEmbargo: [null, '2030-01-01'].map((day) => (handle) => experiments.putEmbargo(handle, ID, day)),
    putYields: [(handle) => experiments.putYields(handle, ID, [{ numero: 1, produtividade: 3250 }])],
    ownIds: [null, ID].map((after) => (handle) => experiments.ownIds(handle, after, 10)),
    deleteOlder: [(handle) => experiments.deleteOlder(handle, 30)],
  }),
  file('features/experiments/field-team.repository.ts', experimentTeam, {
    unsentOn: [(handle) => experimentTeam.unsentOn(handle, ID)],
    waitedFor: [(handle) => experimentTeam.waitedFor(handle, [ID])],
    isInTeam: [(handle) => experimentTeam.isInTeam(handle, ID, ID)],
    enterTeam: [(handle) => experimentTeam.enterTeam(handle, ID, ID)],
  }),
  file('features/experiments/history.repository.ts', history, {
    recordChanges: [(handle) => history.recordChanges(handle, [ID], { acao: 'excluído', quem: ID })],
    recordChange: [
      (handle) => history.recordChange(handle, ID, { acao: 'criado', quem: ID }),
      (handle) => history.recordChange(handle, ID, { acao: 'alterado', quem: ID, antes: {}, depois: {} }),
    ],
    changeInsert: [
      (handle) =>
        history
          .changeInsert(sql`(select id from experimentos)`, { acao: 'criado', quem: ID })
          .execute(handle),
      (handle) =>
        history
          .changeInsert(sql`(select id from experimentos)`, { acao: 'alterado', quem: ID })
          .execute(handle),
    ],
    changesOf: [
      answers(
        { id: 1, acao: 1, versao: 1, quem: 1, em_nome_de: 1, quando: 1, antes: 1, depois: 1 },
        (handle) => history.changesOf(handle, ID, { entries: 10, bytes: 1000 }),
      ),
    ],
  }),
  file('features/experiments/idempotency.repository.ts', idempotency, {
    claimKey: [(handle) => sql`with keys as (select) ${idempotency.claimKey(KEY, ID)}`.execute(handle)],
    madeByKey: [(handle) => idempotency.madeByKey(handle, KEY)],
    forgetOldKeys: [(handle) => idempotency.forgetOldKeys(handle, 7)],
  }),
  file('features/field/devices.repository.ts', devices, {
    touchDevice: [
      (handle) =>
        devices.touchDevice(handle, {
          person: ID,
          session: ID,
          device: ID,
          waiting: 3,
          brings: 5,
          most: 200,
        }),
      (handle) =>
        devices.touchDevice(handle, {
          ...{ person: ID, session: ID, device: ID, waiting: null, brings: 0, most: 200 },
        }),
    ],
    noteTaken: [(handle) => devices.noteTaken(handle, { person: ID, device: ID, experiment: ID })],
    devicesOf: [
      answers({ id: 1, criado_em: 1, contato_em: 1, pendentes: 1, ensaios: 1, revogado_em: 1 }, (handle) =>
        devices.devicesOf(handle, ID),
      ),
    ],
    markRevoked: [(handle) => devices.markRevoked(handle, { person: ID, device: ID, by: ID })],
    plotOfLabel: [
      answers({ experimento: 1, parcela: 1, numero: 1 }, (handle) =>
        devices.plotOfLabel(handle, 'ZZZZZZZZZZ'),
      ),
    ],
  }),
  file('features/field/team.repository.ts', fieldTeam, {
    membersFor: [
      answers({ id: 1, nome: 1, na_equipe: 1, pode: 1 }, (handle) => fieldTeam.membersFor(handle, ID)),
    ],
    teamNames: [(handle) => fieldTeam.teamNames(handle, ID)],
    addToTeam: [(handle) => fieldTeam.addToTeam(handle, ID, ID)],
    removeFromTeam: [(handle) => fieldTeam.removeFromTeam(handle, ID, ID)],
    trialsOfTeam: [(handle) => fieldTeam.trialsOfTeam(handle, ID)],
    insertInvitation: [
      (handle) =>
        fieldTeam.insertInvitation(handle, {
          ...{ experiment: ID, person: ID, hash: HASH, minutes: 15, days: 1, most: 100 },
        }),
    ],
    invitationsOf: [
      answers(
        {
          ...{ id: 1, nome: 1, quem: 1, aberto: 1, vencido: 1, revogado: 1, encerrado: 1, ate: 1 },
          ...{ contato_em: 1, pendentes: 1 },
        },
        (handle) => fieldTeam.invitationsOf(handle, ID),
      ),
    ],
    revokeInvitation: [(handle) => fieldTeam.revokeInvitation(handle, ID, ID)],
    redeemInvitation: [
      answers(
        {
          ...{ id: 1, experimento_id: 1, organizacao_id: 1, varias: 1, convidou: 1, aparelho: 1 },
          ...{ nome: 1, ate: 1 },
        },
        (handle) => fieldTeam.redeemInvitation(handle, { code: HASH, key: HASH, name: 'João' }),
      ),
    ],
    guestByKey: [
      answers(
        {
          ...{ id: 1, experimento_id: 1, aparelho: 1, nome: 1, encerrado: 1, pessoa_id: 1, convidou: 1 },
          ...{ papel_conta: 1, organizacao_id: 1, papel: 1, fechada: 1, varias: 1 },
        },
        (handle) => fieldTeam.guestByKey(handle, HASH),
      ),
    ],
  }),
  file('features/imports/imports.repository.ts', imports, {
    importById: [answers(IMPORT, (handle) => imports.importById(handle, ID))],
    importsOf: [answers(IMPORT, (handle) => imports.importsOf(handle, 30))],
    sameBytes: [(handle) => imports.sameBytes(handle, 'ab', 30)],
    ownImports: [answers({ esperando: 1, bytes_esperando: 1, bytes: 1 }, imports.ownImports)],
    insertImport: [
      (handle) =>
        imports.insertImport(handle, {
          ...{ id: ID, by: ID, nome: 'x', texto: false, sha256: 'ab', bytes: HASH, lease: 60 },
        }),
    ],
    fileOf: [(handle) => imports.fileOf(handle, ID)],
    lockImport: [answers({ estado: 1, rodada: 1, chave: 1 }, (handle) => imports.lockImport(handle, ID))],
    changeImport: [
      (handle) =>
        imports.changeImport(
          handle,
          ID,
          { estado: 'gravando', problema: null, notas: [], linhas: 1, gravada: true, lease: 60, chave: 'x' },
          { rodada: 1, next: true },
        ),
      (handle) => imports.changeImport(handle, ID, { lease: null, escolhas: {} }),
    ],
    removeImport: [(handle) => imports.removeImport(handle, ID)],
    insertRows: [
      (handle) => imports.insertRows(handle, ID, [{ folha: 0, linha: 1, celulas: ['x', 1, null] }]),
    ],
    removeRows: [(handle) => imports.removeRows(handle, ID)],
    rowsAfter: [
      answers({ folha: 1, linha: 1, celulas: 1 }, (handle) =>
        imports.rowsAfter(handle, ID, { sheets: [0], after: { folha: -1, linha: 0 }, limit: 10 }),
      ),
    ],
    rowsAt: [
      answers({ folha: 1, linha: 1, celulas: 1 }, (handle) =>
        imports.rowsAt(handle, ID, { folhas: [0], linhas: [1] }),
      ),
    ],
    putCells: [(handle) => imports.putCells(handle, ID, [{ folha: 0, linha: 1, coluna: 2, valor: 'x' }])],
    codesIn: [(handle) => imports.codesIn(handle, ID, { folha: 0, coluna: 1, from: 2, limit: 10 })],
    rowsWith: [(handle) => imports.rowsWith(handle, ID, { folha: 0, coluna: 1, valor: 'x', from: 2 })],
    forgetImports: [(handle) => imports.forgetImports(handle, 60)],
    takeAbandoned: [(handle) => imports.takeAbandoned(handle, 60)],
    problemsAfter: [answers({ n: 1, problemas: 1 }, (handle) => imports.problemsAfter(handle, ID, 0, 10))],
  }),
  file('features/imports/templates.repository.ts', importTemplates, {
    templatesOf: [answers(IMPORT_TEMPLATE, importTemplates.templatesOf)],
    templateById: [answers(IMPORT_TEMPLATE, (handle) => importTemplates.templateById(handle, ID))],
    templateByTitles: [
      answers(IMPORT_TEMPLATE, (handle) => importTemplates.templateByTitles(handle, ['Cultura', 'Ano'])),
    ],
    insertTemplate: [
      (handle) =>
        importTemplates.insertTemplate(handle, { nome: 'x', forma: 'longa', mapa: {}, padroes: {}, by: ID }),
    ],
    changeTemplate: [
      (handle) =>
        importTemplates.changeTemplate(handle, ID, { nome: 'x', forma: 'longa', mapa: {}, padroes: {} }),
    ],
    removeTemplate: [(handle) => importTemplates.removeTemplate(handle, ID)],
  }),
  file('features/imports/trials.repository.ts', importTrials, {
    putTrials: [(handle) => importTrials.putTrials(handle, ID, [IMPORT_TRIAL])],
    removeTrials: [(handle) => importTrials.removeTrials(handle, ID)],
    trialsPage: [
      answers({ ...IMPORT_TRIAL, gravado: 1, versao: 1, antes: 1, desfeito: 1 }, (handle) =>
        importTrials.trialsPage(handle, ID, { after: 0, limit: 10 }),
      ),
      (handle) =>
        importTrials.trialsPage(handle, ID, {
          ...{ after: 0, limit: 10, estado: 'erro', campo: 'estado', mensagem: 'x' },
        }),
      (handle) => importTrials.trialsPage(handle, ID, { after: 0, limit: 10, estado: 'aviso' }),
    ],
    trialsOfRows: [(handle) => importTrials.trialsOfRows(handle, ID, { folha: 0, linhas: [2] })],
    trialsByNumber: [(handle) => importTrials.trialsByNumber(handle, ID, [1])],
    firstWithMark: [(handle) => importTrials.firstWithMark(handle, ID, ['codigo x'])],
    nextToWrite: [
      (handle) => importTrials.nextToWrite(handle, ID, { atualizar: true, so: null, limit: 10 }),
      (handle) => importTrials.nextToWrite(handle, ID, { atualizar: false, so: [1], limit: 10 }),
    ],
    countToWrite: [(handle) => importTrials.countToWrite(handle, ID, { atualizar: true, so: [1] })],
    markWritten: [
      (handle) =>
        importTrials.markWritten(handle, ID, [
          { n: 1, experimento_id: ID, gravado: 'criado', versao: 1, antes: null },
        ]),
    ],
    markAlike: [(handle) => importTrials.markAlike(handle, ID, [{ n: 1, experimento_id: ID }])],
    receivedOf: [(handle) => importTrials.receivedOf(handle, [ID])],
    lockWriting: [(handle) => importTrials.lockWriting(handle)],
    markRefused: [
      (handle) =>
        importTrials.markRefused(handle, ID, {
          n: 1,
          problema: {
            ...{ folha: null, linha: 1, coluna: null, celula: null, titulo: null, campo: null, valor: null },
            ...{ gravidade: 'erro', mensagem: 'x', sugestao: null },
          },
        }),
    ],
    writtenAfter: [
      (handle) => importTrials.writtenAfter(handle, ID, { after: 0, desfeito: false, limit: 10 }),
    ],
    codesTaken: [(handle) => importTrials.codesTaken(handle, [ID])],
    markUndone: [
      (handle) =>
        importTrials.markUndone(handle, ID, [
          { n: 1, versao: 2, desfeito: true },
          { n: 2, versao: 2, desfeito: true, ficha_depois: 3 },
        ]),
    ],
    trialsByKeys: [
      answers({ id: 1, codigo_busca: 1, created_by: 1, versao: 1 }, (handle) =>
        importTrials.trialsByKeys(handle, { ids: [ID], codes: ['x'] }),
      ),
    ],
    alikeTrials: [
      answers({ n: 1, id: 1 }, (handle) =>
        importTrials.alikeTrials(handle, [
          { n: 1, ano: 2024, media: 3000, tratamentos: 2, cidade: 'Rio Verde', estado: 'GO' },
        ]),
      ),
    ],
    namesInUse: [(handle) => importTrials.namesInUse(handle)],
    municipalities: [answers({ nome: 1, estado: 1, busca: 1 }, importTrials.municipalities)],
  }),
  file('features/lookups/admin-lookups.repository.ts', adminLookups, {
    lookupItems: LOOKUP_KINDS.flatMap((kind) =>
      [{}, { id: 7 }, { several: true }].map((of) =>
        answers(LookupItem.shape, (handle) => adminLookups.lookupItems(handle, kind, of)),
      ),
    ),
    addLookup: LOOKUP_KINDS.flatMap((kind) =>
      [true, false].map(
        (several) => (handle: Handle) =>
          adminLookups.addLookup(
            handle,
            kind,
            { nome: 'Nova', sigla: 'NV', marca: 'Aminoagro' },
            { several },
          ),
      ),
    ),
    proposeName: LOOKUP_KINDS.map((kind) => (handle) => adminLookups.proposeName(handle, kind, 'Nova')),
    changeLookup: LOOKUP_KINDS.map(
      (kind) => (handle) =>
        adminLookups.changeLookup(handle, kind, 7, { nome: 'Nova', ativo: true, sigla: null, marca: null }),
    ),
  }),
  file('features/lookups/lookups.repository.ts', lookups, {
    offeredBrands: [true, false].map((own) => (handle) => lookups.offeredBrands(handle, own)),
    offeredRegions: [true, false].map((own) => (handle) => lookups.offeredRegions(handle, own)),
    states: [lookups.states],
    offeredCrops: [true, false].map((own) => (handle) => lookups.offeredCrops(handle, own)),
    offeredProducts: [true, false].map((own) =>
      answers({ marca: 1, produtos: 1 }, (handle) => lookups.offeredProducts(handle, own)),
    ),
    findCities: [undefined, 'GO'].map((estado) =>
      answers({ nome: 1, estado: 1, regional: 1, latitude: 1, longitude: 1 }, (handle) =>
        lookups.findCities(handle, { busca: 'rio', estado, limit: 10 }),
      ),
    ),
  }),
  file('features/organizations/export.repository.ts', organizationExport, {
    ownTrials: [(handle) => organizationExport.ownTrials(handle)],
    keptAfter: organizationExport.KEPT_KINDS.map(
      (kind) => (handle) => organizationExport.keptAfter(handle, kind, ''),
    ),
  }),
  file('features/organizations/members.repository.ts', members, {
    membersOf: [undefined, ID].map((person) =>
      answers(Member.shape, (handle) => members.membersOf(handle, ID, person)),
    ),
    setMemberRole: [(handle) => members.setMemberRole(handle, ID, ID, 'gestor')],
    deleteMember: [(handle) => members.deleteMember(handle, ID, ID)],
    hasRecords: [(handle) => members.hasRecords(handle, ID)],
    openInvitations: [answers(INVITATION, (handle) => members.openInvitations(handle, ID))],
    countInvitations: [
      answers({ open: 1, today: 1 }, (handle) => members.countInvitations(handle, ID, 'a@b.com')),
    ],
    putInvitation: [
      answers(INVITATION, (handle) =>
        members.putInvitation(handle, {
          ...{ organization: ID, email: 'a@b.com', papel: 'leitor', hash: HASH, by: ID },
        }),
      ),
    ],
    endInvitation: [(handle) => members.endInvitation(handle, ID, ID)],
    findInvitation: [null, ID].map((id) =>
      answers({ organizacao: 1, papel: 1, email: 1, expira_em: 1 }, (handle) =>
        members.findInvitation(handle, { hash: HASH, id }),
      ),
    ),
    acceptAs: [(handle) => members.acceptAs(handle, ID, HASH)],
    answerInvitation: [true, false].map(
      (accepts) => (handle) => members.answerInvitation(handle, { hash: HASH, id: ID }, accepts),
    ),
  }),
  file('features/organizations/organizations.repository.ts', organizations, {
    organizationsOf: [{}, { id: ID }].map((of) =>
      answers(Organization.shape, (handle) => organizations.organizationsOf(handle, { person: ID, ...of })),
    ),
    shownCode: ASKS_NOTHING,
    makeOrganization: [(handle) => organizations.makeOrganization(handle, { nome: 'x', tipo: 'fazenda' })],
    renewCode: [(handle) => organizations.renewCode(handle, ID)],
    closeOrganization: [true, false].map(
      (closes) => (handle) => organizations.closeOrganization(handle, closes),
    ),
    ownInvitations: [answers(ReceivedInvitation.shape, organizations.ownInvitations)],
    note: [(handle) => organizations.note(handle, ID, 'share.sent', { n: 1 })],
    activities: [null, 7].map((below) =>
      answers(
        ActivityEntry.shape,
        async (handle) => (await organizations.activities(handle, { below, limit: 1 })).events,
      ),
    ),
    setMode: [(handle) => organizations.setMode(handle, 'varias')],
    countOrganizations: [answers({ total: 1, nome: 1 }, organizations.countOrganizations)],
    changeOrganization: [
      (handle) => organizations.changeOrganization(handle, ID, { nome: 'x', tipo: 'fazenda' }),
    ],
    keepWithSession: [(handle) => organizations.keepWithSession(handle, ID, ID)],
    installationMode: [organizations.installationMode],
  }),
  file('features/photos/photos.repository.ts', photos, {
    photoOf: [answers(STORED_PHOTO, (handle) => photos.photoOf(handle, ID, ID))],
    photosOfPerson: [
      answers(STORED_PHOTO, (handle) => photos.photosOfPerson(handle, { person: ID, after: ID, limit: 10 })),
    ],
    livingPhoto: [answers(STORED_PHOTO, (handle) => photos.livingPhoto(handle, ID, ID))],
    describedPhotos: [
      answers(STORED_PHOTO, (handle) =>
        photos.describedPhotos(handle, { trials: [ID], ids: null, units: null, limit: 10 }),
      ),
      (handle) => photos.describedPhotos(handle, { trials: null, ids: [ID], units: [ID], limit: 10 }),
    ],
    photosByIds: [answers(STORED_PHOTO, (handle) => photos.photosByIds(handle, [ID]))],
    smallPhoto: [(handle) => photos.smallPhoto(handle, ID, ID)],
    countOfPlot: [(handle) => photos.countOfPlot(handle, ID, ID)],
    bytesOfDay: [(handle) => photos.bytesOfDay(handle, { person: ID, device: ID })],
    photosOf: [
      answers(STORED_PHOTO, (handle) => photos.photosOf(handle, ID, { after: null, limit: 10 })),
      (handle) =>
        photos.photosOf(handle, ID, { after: { quando: '2026-03-12T12:00:00Z', id: ID }, limit: 10 }),
    ],
    countPhotos: [(handle) => photos.countPhotos(handle, ID)],
    addPhoto: [(handle) => photos.addPhoto(handle, ID, PHOTO)],
    describePhoto: [(handle) => photos.describePhoto(handle, ID, PHOTO)],
    receivedOf: [(handle) => photos.receivedOf(handle, ID, ID)],
    addPart: [(handle) => photos.addPart(handle, ID, { id: ID, from: 0, bytes: HASH })],
    partsOf: [(handle) => photos.partsOf(handle, ID, ID)],
    dropParts: [(handle) => photos.dropParts(handle, ID, ID)],
    keepPicture: [
      answers({ before: 1 }, (handle) =>
        photos.keepPicture(handle, ID, {
          ...{ id: ID, armazenado: 'x.jpg', sha256: 'x', tamanho: 1, largura: 1, altura: 1 },
          miniatura: HASH,
        }),
      ),
    ],
    deletePhoto: [(handle) => photos.deletePhoto(handle, ID, ID)],
    forgetUnfinished: [(handle) => photos.forgetUnfinished(handle, 7)],
    ownPhotos: [
      answers({ id: 1, armazenado: 1, experimento_id: 1 }, (handle) => photos.ownPhotos(handle, null, 10)),
      (handle) => photos.ownPhotos(handle, ID, 10),
    ],
  }),
  file('features/reports/reports.repository.ts', manyReports, {
    trialsOfFilter: FILTERS.map((filter) =>
      answers({ total: 1, ids: 1 }, (handle) => manyReports.trialsOfFilter(handle, filter, 10)),
    ),
    visibleOf: [(handle) => manyReports.visibleOf(handle, [ID])],
    partsLeftOut: [answers({ experimento_sem: 1, consolidado_sem: 1 }, manyReports.partsLeftOut)],
    leaveOut: [
      (handle) => manyReports.leaveOut(handle, ID, { experimento_sem: ['economia'] }),
      (handle) => manyReports.leaveOut(handle, ID, { consolidado_sem: [] }),
    ],
    placesOf: [(handle) => manyReports.placesOf(handle, {}, 10)],
    insertReport: [
      (handle) =>
        manyReports.insertReport(handle, {
          ...{ person: ID, formato: 'pdf', pedido: {}, n: 1, nome: 'x' },
        }),
    ],
    ownReports: [answers({ fazendo: 1, guardados: 1, bytes: 1 }, manyReports.ownReports)],
    noteReceived: [
      (handle) => manyReports.noteReceived(handle, ID, { filtro: {} }, 10),
      (handle) => manyReports.noteReceived(handle, ID, { experimentos: [ID] }, 0),
    ],
    reportById: [answers(STORED_REPORT, (handle) => manyReports.reportById(handle, ID))],
    reportFile: [(handle) => manyReports.reportFile(handle, ID)],
    noteProgress: [(handle) => manyReports.noteProgress(handle, ID, 0.5)],
    finishReport: [
      (handle) => manyReports.finishReport(handle, ID, HASH),
      (handle) => manyReports.finishReport(handle, ID, null),
    ],
    removeReport: [(handle) => manyReports.removeReport(handle, ID)],
    forgetReports: [(handle) => manyReports.forgetReports(handle, 7)],
  }),
  file('features/rest/rest.repository.ts', rest, {
    readRows: Object.entries(TABLES).flatMap(([name, columns]) => {
      const table = { name, columns }
      const some = Object.keys(columns)
      const text = some.find((column) => columns[column] === 'text')
      const values = { uuid: ID, text: 'x', integer: '7', 'double precision': '1.5', boolean: 'true' }
      const given = { ...values, date: '2026-01-01', timestamptz: '2026-01-01T00:00:00Z' }
      const queries = [
        '',
        `order=${some.map((column) => `${column}.desc.nullslast`)}&limit=5&offset=5`,
        `order=${text}.asc.nullsfirst,${text}&${text}=eq.x&${text}=not.is.not_null`,
        ...some.flatMap((column) => {
          const value = given[columns[column] ?? 'text']
          return [
            ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'].map((to) => `${column}=${to}.${value}`),
            `${column}=eq(any).{${value}}`,
            `${column}=eq(any).{}`,
            `${column}=in.(${value})`,
            `${column}=in.()`,
            `${column}=not.is.null`,
            ...(columns[column] === 'boolean' ? ['true', 'false', 'unknown'] : []).map(
              (is) => `${column}=is.${is}`,
            ),
            `or=(${column}.eq.${value},and(${column}.is.null,${column}.gt.${value}))`,
          ]
        }),
        ...['like', 'ilike', 'match', 'imatch'].flatMap((to) => [
          `${text}=${to}.x`,
          `${text}=not.${to}(all).{x,y}`,
        ]),
      ]
      return queries.map(
        (raw): Call =>
          (handle) =>
            rest.readRows(handle, {
              ...{ table, query: parseQuery(table, raw, undefined) },
              ...{ role: 'authenticated', counted: true },
            }),
      )
    }),
  }),
  file('features/sharing/collections.repository.ts', collections, {
    collectionsOf: [undefined, ID].map((id) =>
      answers({ ...Collection.shape, number: 1 }, (handle) => collections.collectionsOf(handle, id)),
    ),
    countThrough: FILTERS.map((filter) => (handle: Handle) => collections.countThrough(handle, filter)),
    countCollections: [(handle) => collections.countCollections(handle, ID)],
    insertCollection: [null, {}, VALUES].map(
      (filter) => (handle) => collections.insertCollection(handle, { organization: ID, nome: 'x', filter }),
    ),
    updateCollection: [{}, { nome: 'x' }, { filter: VALUES }].map(
      (change) => (handle) => collections.updateCollection(handle, 7, change),
    ),
    deleteCollection: [(handle) => collections.deleteCollection(handle, 7)],
    changeList: [(handle) => collections.changeList(handle, 7, { add: [ID], remove: [ID] })],
    ownAmong: [answers({ seen: 1, own: 1 }, (handle) => collections.ownAmong(handle, [ID]))],
    sharesOf: [(handle) => collections.sharesOf(handle, 7)],
    sortNext: [(handle) => collections.sortNext(handle, 7, { most: 10 })],
    sortWithout: [(handle) => collections.sortWithout(handle, 7, 10)],
    markReady: [(handle) => collections.markReady(handle, 7, 0)],
    versionOf: [(handle) => collections.versionOf(handle, 7)],
    unsorted: [collections.unsorted],
  }),
  file('features/sharing/links.repository.ts', links, {
    linksOf: [answers(PublicLink.shape, (handle) => links.linksOf(handle, ID))],
    insertLink: [
      (handle) =>
        links.insertLink(handle, {
          ...{ experimentId: ID, organization: ID, by: ID, hash: HASH, ate: '2030-01-01' },
          ...{ custos: true, documentos: false, passwordHash: null },
        }),
    ],
    revokeLink: [(handle) => links.revokeLink(handle, ID)],
    openLink: [
      answers(
        {
          ...{ id: 1, experimento_id: 1, organizacao_id: 1, organizacao: 1 },
          ...{ custos: 1, documentos: 1, senha_hash: 1 },
        },
        (handle) => links.openLink(handle, HASH),
      ),
    ],
    countOpening: [(handle) => links.countOpening(handle, ID)],
  }),
  file('features/sharing/records.repository.ts', records, {
    commentsOf: [{ experimentId: ID }, { id: ID }].map((of) =>
      answers(Comment.shape, (handle) => records.commentsOf(handle, of)),
    ),
    insertComment: [
      (handle) => records.insertComment(handle, { experimentId: ID, organization: ID, by: ID, texto: 'x' }),
    ],
    deleteComment: [(handle) => records.deleteComment(handle, ID)],
    idsByFilter: eachFilter((filter) => [(handle) => records.idsByFilter(handle, filter)]),
    transfersSeen: [undefined, ID].map((id) =>
      answers(Transfer.shape, (handle) => records.transfersSeen(handle, id)),
    ),
    waitingTransfers: [answers({ all: 1, here: 1 }, (handle) => records.waitingTransfers(handle, ID))],
    insertTransfer: [
      (handle) => records.insertTransfer(handle, { organization: ID, to: ID, by: ID, experiments: [ID] }),
    ],
    takeTransfer: [(handle) => records.takeTransfer(handle, ID)],
    endTransfer: [(handle) => records.endTransfer(handle, ID)],
  }),
  file('features/sharing/shares.repository.ts', shares, {
    sharesSeen: [{}, { sent: true }, { id: ID }].map((of) =>
      answers({ ...Share.shape, sent: 1, experimento_id: 1, estado_guardado: 1 }, (handle) =>
        shares.sharesSeen(handle, of),
      ),
    ),
    countShares: [
      answers({ standing: 1, waiting: 1 }, (handle) =>
        shares.countShares(handle, { organization: ID, email: null }),
      ),
      (handle) => shares.countShares(handle, { organization: null, email: 'a@b.com' }),
    ],
    insertShare: [
      (handle) =>
        shares.insertShare(handle, {
          ...{ organization: ID, by: ID, to: { organization: null, email: 'a@b.com' } },
          ...{ target: 'tudo', collection: null, experiment: null, nome: 'x' },
          ...{ custos: true, documentos: false, comentarios: false, ate: null },
        }),
    ],
    organizationOfCode: [answers({ id: 1, known: 1 }, (handle) => shares.organizationOfCode(handle, 'ABCD'))],
    mailedToday: [shares.mailedToday],
    updateShare: [null, ID].map(
      (experimento_id) => (handle) =>
        shares.updateShare(
          handle,
          { id: ID, experimento_id },
          { custos: true, documentos: true, comentarios: true, ate: null },
        ),
    ),
    answerShare: [true, false].map((accepts) => (handle) => shares.answerShare(handle, ID, accepts)),
    endShare: [(handle) => shares.endShare(handle, ID)],
    ownExperiment: [answers({ nome: 1, own: 1 }, (handle) => shares.ownExperiment(handle, ID))],
    endOverdue: [answers({ embargos: 1, compartilhamentos: 1 }, shares.endOverdue)],
    destroyClosed: [(handle) => shares.destroyClosed(handle, 30)],
    today: [shares.today],
  }),
  file('features/synthesis/records.repository.ts', synthesisRecords, {
    recordsOf: [answers(SYNTHESIS_ROW, synthesisRecords.recordsOf)],
    recordById: [
      answers({ ...SYNTHESIS_ROW, resposta: 1 }, (handle) => synthesisRecords.recordById(handle, ID)),
    ],
    recordByKey: [
      answers({ id: 1, same: 1 }, (handle) =>
        synthesisRecords.recordByKey(handle, { key: 'chave', by: ID, content: SYNTHESIS }),
      ),
    ],
    insertRecord: [(handle) => synthesisRecords.insertRecord(handle, SYNTHESIS)],
    removeRecord: [(handle) => synthesisRecords.removeRecord(handle, ID, ID)],
  }),
  file('features/synthesis/synthesis.repository.ts', syntheses, {
    countFiltered: eachFilter((filter) => [(handle) => syntheses.countFiltered(handle, filter)]),
    othersOf: eachFilter((filter) => [
      answers({ id: 1, nome: 1 }, (handle) => syntheses.othersOf(handle, filter, filter)),
    ]),
    trialsOf: [
      ...eachFilter((filter) => [
        answers({ n: 1, json: 1 }, (handle) => syntheses.trialsOf(handle, filter, filter)),
      ]),
      (handle) => syntheses.trialsOf(handle, { tratamento: 'Produto A', variavel: 'altura' }, {}),
      (handle) => syntheses.trialsOf(handle, { todos: 'Marca A' }, { ids: [ID] }),
      (handle) =>
        syntheses.trialsOf(
          handle,
          { produto: 'amino', subgrupo: 'modalidade', preco: 120, sozinho: '1', dose_min: 1 },
          {},
        ),
    ],
    medianCvs: [(handle) => syntheses.medianCvs(handle)],
    productsOf: eachFilter((filter) => [
      answers({ produto: 1, ensaios: 1 }, (handle) => syntheses.productsOf(handle, filter, undefined)),
      (handle) => syntheses.productsOf(handle, filter, 'amino'),
    ]),
    triedProducts: eachFilter((filter) => [
      answers({ produtos: 1, de: 1 }, (handle) =>
        syntheses.triedProducts(handle, filter, { least: 2, most: 20 }),
      ),
    ]),
    sheetsOf: eachFilter((filter) => [
      answers({ n: 1, total: 1, filtro: 1, sem: 1, json: 1 }, (handle) => syntheses.sheetsOf(handle, filter)),
    ]),
  }),
  file('features/trials/analyses.repository.ts', analyses, {
    versionsOf: [answers({ versao: 1, ficha: 1, conflitos: 1 }, (handle) => analyses.versionsOf(handle, ID))],
    recordsOf: [answers(RECORDED, (handle) => analyses.recordsOf(handle, ID))],
    recordById: [answers({ ...RECORDED, resposta: 1 }, (handle) => analyses.recordById(handle, ID, ID))],
    recordByKey: [
      answers({ id: 1, same: 1 }, (handle) =>
        analyses.recordByKey(handle, ID, { key: 'chave', by: ID, content: ANALYSIS }),
      ),
    ],
    insertRecord: [(handle) => analyses.insertRecord(handle, ID, ANALYSIS)],
    withdraw: [(handle) => analyses.withdraw(handle, ID, { id: ID, by: ID, motivo: 'engano' })],
    cvBands: [answers({ cultura: 1, variavel: 1, limites: 1 }, analyses.cvBands)],
    putCvBands: [
      (handle) => analyses.putCvBands(handle, [{ cultura: 'Soja', variavel: '', limites: [8, 12, 20] }]),
    ],
    cvsOf: [
      answers({ n: 1, mediana: 1, p25: 1, p75: 1 }, (handle) =>
        analyses.cvsOf(handle, { cultura: 'Soja', variavel: 'produtividade' }),
      ),
    ],
  }),
  file('features/trials/changes.repository.ts', changes, {
    changesByIds: [answers(STORED_CHANGE, (handle) => changes.changesByIds(handle, ID, [ID]))],
    changesOfCells: [
      answers(STORED_CHANGE, (handle) =>
        changes.changesOfCells(handle, ID, { plots: [ID], variables: [ID] }),
      ),
    ],
    isTakenBack: [(handle) => changes.isTakenBack(handle, ID, ID)],
    changesAfter: [
      answers(STORED_CHANGE, (handle) => changes.changesAfter(handle, ID, { after: 3, limit: 10 })),
    ],
    openChanges: [answers(STORED_CHANGE, (handle) => changes.openChanges(handle, ID, 'guardado'))],
    trialsEntered: [(handle) => changes.trialsEntered(handle, ID)],
    changesOfPerson: [
      answers(STORED_CHANGE, (handle) =>
        changes.changesOfPerson(handle, ID, { person: ID, after: 3, limit: 10 }),
      ),
    ],
    lastChange: [(handle) => changes.lastChange(handle, ID)],
    addChanges: [(handle) => changes.addChanges(handle, ID, [CHANGE])],
    shelveConflicts: [
      (handle) =>
        changes.shelveConflicts(handle, ID, {
          ...{ stays: { parcelas: [ID], variaveis: [ID], avaliacoes: [] }, reason: 'x' },
        }),
    ],
    closeChanges: [(handle) => changes.closeChanges(handle, ID, [ID])],
    entriesOfDevice: [
      answers({ id: 1, seq: 1 }, (handle) =>
        changes.entriesOfDevice(handle, { person: ID, device: ID, seqs: [1] }),
      ),
    ],
    keepWithoutRight: [(handle) => changes.keepWithoutRight(handle, ID, { device: ID, changes: [CHANGE] })],
  }),
  file('features/trials/effects.repository.ts', effects, {
    reportOf: [
      answers({ estatistica_informada: 1, tratamentos: 1 }, (handle) => effects.reportOf(handle, ID)),
    ],
    effectsOfTrial: [answers(EFFECTS, (handle) => effects.effectsOfTrial(handle, ID))],
    putEffects: [(handle) => effects.putEffects(handle, ID, [EFFECTS])],
    setEffectsAside: [(handle) => effects.setEffectsAside(handle, ID)],
    nextPending: [(handle) => effects.nextPending(handle, 5)],
    noteAttempt: [(handle) => effects.noteAttempt(handle, ID)],
    withEffects: [(handle) => effects.withEffects(handle, null, 10)],
  }),
  file('features/trials/quality.repository.ts', quality, {
    factsOf: (['visto', 'public'] as const).map((scope) =>
      answers(FACTS, (handle) => quality.factsOf(handle, [ID], scope)),
    ),
    putCounts: [
      (handle) =>
        quality.putCounts(handle, [
          { id: ID, apontamentos: 257, apontamentos_vistos: 1, regras: 1, achados: 1 },
        ]),
    ],
    putAnswer: [
      (handle) =>
        quality.putAnswer(handle, ID, {
          ...{ codigo: 'solo.classe', lugar: 'teor_argila', valor: 'x', texto: 'Turfa', quem: ID },
        }),
    ],
    staleTrials: [(handle) => quality.staleTrials(handle, 1, 10)],
    usualDoses: [(handle) => quality.usualDoses(handle, [ID])],
    setAside: [(handle) => quality.setAside(handle, ID, 1)],
    lookAtOthersAgain: [(handle) => quality.lookAtOthersAgain(handle, [ID])],
    readYields: [(handle) => quality.readYields(handle, [ID])],
    putReferences: [(handle) => quality.putReferences(handle, [{ id: ID, doses: [], lidas: [] }])],
    cropRanges: [answers({ versao: 1, faixas: 1 }, async (handle) => [await quality.cropRanges(handle)])],
    putCropRanges: [
      (handle) =>
        quality.putCropRanges(handle, [
          {
            ...{ cultura: 'Trigo', media: 3000, safra: '2025', abaixo: 900, acima: 7500, impossivel: 12_000 },
            ...{ fonte: 'CONAB', endereco: null, publicada: '2025', ligada: true },
          },
        ]),
    ],
    ownRange: [answers({ ensaios: 1, de: 1, ate: 1 }, (handle) => quality.ownRange(handle, 'Soja'))],
    answersByRule: [(handle) => quality.answersByRule(handle)],
    foundByRule: [(handle) => quality.foundByRule(handle)],
    municipalityPoints: [
      answers({ nome: 1, estado: 1, latitude: 1, longitude: 1, area: 1 }, quality.municipalityPoints),
    ],
  }),
  file('features/trials/sheets.repository.ts', sheets, {
    sheetOf: [answers(SHEET_ROW, (handle) => sheets.sheetOf(handle, ID))],
    sheetWithEntries: [answers(SHEET_ROW, (handle) => sheets.sheetWithEntries(handle, ID))],
    isBlind: [(handle) => sheets.isBlind(handle, ID)],
    blocksOf: [(handle) => sheets.blocksOf(handle, ID)],
    assignBlocks: [(handle) => sheets.assignBlocks(handle, ID, [{ bloco: 1, quem: 'Ana' }])],
    setBlind: [(handle) => sheets.setBlind(handle, ID, true)],
    putSheet: [(handle) => sheets.putSheet(handle, ID, SHEET)],
    putColumns: [
      (handle) =>
        sheets.putColumns(handle, ID, {
          ...{ versao: 2, informadas: {}, by: ID },
          columns: SHEET.valores.map((column, at) => ({ ...column, ordem: at + 1 })),
        }),
    ],
    foreignPlots: [(handle) => sheets.foreignPlots(handle, ID, [ID])],
    removeSheet: [(handle) => sheets.removeSheet(handle, ID)],
    lastVersion: [(handle) => sheets.lastVersion(handle, ID)],
  }),
  file('features/views/alerts.repository.ts', alerts, {
    alertsOf: [answers(STORED_ALERT, alerts.alertsOf)],
    alertById: [answers(STORED_ALERT, (handle) => alerts.alertById(handle, ID))],
    insertAlert: [
      (handle) =>
        alerts.insertAlert(handle, {
          ...{ person: ID, view: ID, marks: ['cultura:soja'], most: 20 },
          ...{ frequencia: 'na_hora', condicao: null },
        }),
    ],
    updateAlert: [
      (handle) =>
        alerts.updateAlert(handle, ID, { frequencia: 'por_dia', condicao: ALERT_OF_PRODUCT, pausado: null }),
    ],
    deleteAlert: [(handle) => alerts.deleteAlert(handle, ID)],
    noticesOf: [
      answers(
        { ...TOLD_TRIAL, alerta_id: 1, vista_id: 1, vista: 1, experimento_id: 1, quando: 1, lido: 1 },
        (handle) => alerts.noticesOf(handle, 50),
      ),
    ],
    countUnread: [alerts.countUnread],
    markRead: [
      (handle) => alerts.markRead(handle, NOW, null),
      (handle) => alerts.markRead(handle, null, null),
      (handle) => alerts.markRead(handle, null, { alerta: ID, experimento: ID }),
    ],
  }),
  file('features/views/digest.repository.ts', digest, {
    dueDigests: [
      answers({ pessoa_id: 1, organizacao_id: 1, desde: 1 }, (handle) => digest.dueDigests(handle, NOW)),
    ],
    digestQueued: [(handle) => digest.digestQueued(handle, { person: ID, organization: ID, at: NOW })],
    endDigest: [(handle) => digest.endDigest(handle, { person: ID, organization: ID })],
    wantsDigest: [digest.wantsDigest],
    weekOf: [
      answers({ proprios: 1, recebidos: 1, importacoes: 1, ofertas: 1, convites: 1, avisos: 1 }, (handle) =>
        digest.weekOf(handle, NOW),
      ),
    ],
    newestSince: [answers({ id: 1, ...TOLD_TRIAL }, (handle) => digest.newestSince(handle, NOW, 10))],
    viewsFollowed: [answers({ id: 1, nome: 1, estado: 1 }, (handle) => digest.viewsFollowed(handle, 20))],
    sumOf: FILTERS.map((filter) =>
      answers({ total: 1, media: 1 }, (handle) => digest.sumOf(handle, { filter, search: 'x' })),
    ),
    lastSums: [answers({ vista_id: 1, total: 1, media: 1 }, (handle) => digest.lastSums(handle, ID))],
    keepSums: [(handle) => digest.keepSums(handle, ID, [{ id: ID, total: 1, media: null }])],
  }),
  file('features/views/views.repository.ts', savedViews, {
    viewsOf: [answers(STORED_VIEW, savedViews.viewsOf)],
    viewById: [answers(STORED_VIEW, (handle) => savedViews.viewById(handle, ID))],
    countViews: [(handle) => savedViews.countViews(handle, ID)],
    insertView: [
      (handle) => savedViews.insertView(handle, { nome: 'x', alcance: 'pessoal', estado: {} }, ID),
    ],
    updateView: [
      (handle) => savedViews.updateView(handle, ID, { nome: 'x', alcance: 'organizacao', estado: {} }, ID),
    ],
    deleteView: [(handle) => savedViews.deleteView(handle, ID)],
    preferencesOf: [answers({ vista_padrao: 1, resumo_semanal: 1 }, savedViews.preferencesOf)],
    setPreferences: [
      (handle) => savedViews.setPreferences(handle, ID, { vista_padrao: null }),
      (handle) => savedViews.setPreferences(handle, ID, { resumo_semanal: true }),
    ],
  }),
  file('features/views/watching.repository.ts', watching, {
    watchAlone: [watching.watchAlone],
    nextNews: [
      answers(
        {
          ...{ id: 1, acao: 1, antes: 1, depois: 1, experimento_id: 1 },
          ...{ organizacao_id: 1, acervo_id: 1, quando: 1 },
        },
        (handle) => watching.nextNews(handle, 10),
      ),
    ],
    newsSeen: [(handle) => watching.newsSeen(handle, ['1'])],
    candidatesFor: [answers(CANDIDATE, (handle) => watching.candidatesFor(handle, ['1']))],
    candidatesOfSet: [
      answers(CANDIDATE, (handle) =>
        watching.candidatesOfSet(handle, { organization: ID, set: 1, since: NOW, most: 10 }),
      ),
    ],
    exactOf: [(handle) => watching.exactOf(handle, [ID])],
    passing: FILTERS.flatMap((filter) =>
      [null, ALERT_OF_PRODUCT, ...ALERT_VARIABLES.map(alertOf)].map(
        (condition) => (handle: Handle) =>
          watching.passing(handle, [{ condition, among: [ID], filter, search: 'x' }]),
      ),
    ),
    addNotices: [(handle) => watching.addNotices(handle, [{ alert: ID, experiment: ID }])],
    noteFailures: [(handle) => watching.noteFailures(handle, [ID], 'x')],
    standingAlerts: [answers({ id: 1, estado: 1 }, watching.standingAlerts)],
    goneNames: [
      answers({ tipo: 1, nome: 1 }, (handle) =>
        watching.goneNames(handle, [
          { tipo: 'marca', nome: 'Raiz' },
          { tipo: 'origem', nome: ID },
        ]),
      ),
    ],
    pauseAlerts: [(handle) => watching.pauseAlerts(handle, [{ id: ID, why: 'x' }])],
    setMarks: [(handle) => watching.setMarks(handle, ID, ['cultura:soja'])],
    dueAlerts: [
      answers({ id: 1, pessoa_id: 1, organizacao_id: 1 }, (handle) => watching.dueAlerts(handle, NOW)),
    ],
    noticesTold: [(handle) => watching.noticesTold(handle, ID, NOW)],
    letterOf: [
      answers({ vista_id: 1, vista: 1, estado: 1, condicao: 1, experimentos: 1 }, (handle) =>
        watching.letterOf(handle, ID, NOW),
      ),
    ],
    toldOf: [answers({ id: 1, ...TOLD_TRIAL }, (handle) => watching.toldOf(handle, [ID]))],
    letterSent: [(handle) => watching.letterSent(handle, ID)],
    endAlert: [(handle) => watching.endAlert(handle, ID)],
  }),
  file('mail/mail-queue.repository.ts', mailQueue, {
    addMail: [(handle) => mailQueue.addMail(handle, { id: ID, recipient: 'ana@exemplo.com', message: HASH })],
    takeMail: [
      answers({ id: 1, recipient: 1, message: 1, attempts: 1 }, (handle) => mailQueue.takeMail(handle, 60)),
    ],
    dropMailsTo: [(handle) => mailQueue.dropMailsTo(handle, ['ana@exemplo.com'])],
    dropMail: [(handle) => mailQueue.dropMail(handle, ID)],
    postponeMail: [(handle) => mailQueue.postponeMail(handle, ID, 60)],
  }),
]

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseServer'))
  client = new pg.Client(database.owner)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('every file that writes SQL as text is here', () => {
  const root = new URL('.', import.meta.url)
  const writers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.repository\.ts$|^catalogue\/[\w-]+\.ts$/.test(path))
    .filter((path) => /\bsql[<`]/.test(readFileSync(new URL(path, root), 'utf8')))
  expect(TABLE.map(({ path }) => path)).toEqual(writers.sort())
})

/** What has to be there before: scratch tables, figures set aside. */
const BEFORE: Record<string, Call> = {
  'features/dashboard/fold.repository.ts': async (handle) => {
    await fold.takeDirty(handle, { most: 1 })
  },
  'features/dashboard/rebuild.repository.ts': rebuild.setAside,
}

describe.each(TABLE)('the statements of $path', ({ path, functions, calls }) => {
  test.each(functions)('%s', async (name) => {
    const all = calls[name]
    if (!all) throw new Error(`${name} is not in the table`)
    for (const answer of ['no row', 'one row'] satisfies Answer[]) {
      const handle = preparing(client, answer)
      await client.query('begin')
      try {
        if (name !== 'setAside') await BEFORE[path]?.(handle)
        for (const call of all) await unlessWithoutRow(call, handle)
      } finally {
        await client.query('rollback')
      }
    }
  })
})

describe('in the name of an organisation that sees nothing', () => {
  const CANARY = 'Canário Kz'
  /** Asked by the owner of the tables alone, or of accounts and names, which belong to nobody. */
  const OTHERS =
    /accounts\/|catalogue\/|dashboard\/(fold|marks|rebuild|views)\.|features\/views\/(digest|watching)\.|lookups\/lookups\.|mail\//
  let server: TestServer
  /** Files whose statements tell a trial's own words. */
  const TELLS = /experiments\.repository|experiment-list|history\.|documents\.repository/
  let theirs: Handle
  let own: Handle
  let canaries: string[]

  beforeAll(async () => {
    server = await startTestServer()
    const owner = await server.person()
    const input = experimentInput({ cultivar: `${CANARY} 1`, codigo: `${CANARY} 2`, roi: 987_654.25 })
    const { body } = await server.call('POST', '/api/experiments', {
      token: owner.token,
      body: form({ dados: JSON.stringify(input), pdf: pdf() }, `${CANARY} 3.pdf`),
    })
    // The table asks for things by this id: it is there, and not theirs.
    await sql`
      insert into experimentos (id, consultoria_id, fabricante_id, bu, regiao_id, cidade_id, cultura_id, cultivar, ano,
        tipo_estatistica, custo_protocolo, produtividade_media, n_tratamentos, created_by)
      select ${ID}, consultoria_id, fabricante_id, bu, regiao_id, cidade_id, cultura_id, ${`${CANARY} 4`}, ano,
        tipo_estatistica, 987654.5, produtividade_media, n_tratamentos, created_by
      from experimentos
    `.execute(server.handle)
    await sql`
      insert into documentos (id, experimento_id, filename, armazenado, sha256, tamanho, created_by)
      values (${ID}, ${ID}, ${`${CANARY} 5.pdf`}, 'x', 'ab', 1, ${owner.id})
    `.execute(server.handle)
    await sql`
      insert into alteracoes (experimento_id, acao, quem, depois)
      values (${ID}, 'alterado', ${owner.id}, ${JSON.stringify({ cultivar: `${CANARY} 6` })})
    `.execute(server.handle)
    expect((await server.call('GET', '/api/dashboard/overview', { token: owner.token })).body.total).toBe(2)
    canaries = [CANARY, body.experimento.id, owner.id, '987654']
    const { rows } = await sql<{ id: string }>`
      insert into organizacoes (nome, tipo) values ('Outra', 'fazenda') returning id
    `.execute(server.handle)
    const [one] = await server.handle.selectFrom('instalacao').select('organizacao_id').execute()
    const wall = wallOver(server.pool.raw)
    theirs = wall.for({ id: (await server.person()).id, organization: rows[0]?.id ?? '' })
    own = wall.for({ id: owner.id, organization: one?.organizacao_id ?? '' })
  })
  afterAll(() => server.stop())

  /** All that the calls answer, each undone. */
  const answersOf = async (handle: Handle, calls: Record<string, Call[]>): Promise<string> => {
    const told: unknown[] = []
    const hears: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        told.push(...result.rows)
        return result
      },
    }
    for (const call of Object.values(calls).flat())
      await handle
        .transaction()
        .execute(async (transaction) => {
          await call(transaction.withPlugin(hears))
          throw new Undone()
        })
        // What is refused tells nothing either: its sentence is looked at too.
        .catch((error: unknown) => error instanceof Undone || told.push(String(error)))
    return JSON.stringify(told)
  }

  test.each(TABLE.filter(({ path }) => !OTHERS.test(path)))('$path', async ({ path, calls }) => {
    const told = await answersOf(theirs, calls)
    for (const canary of canaries) expect(told).not.toContain(canary)
    // Its own organisation is answered.
    if (TELLS.test(path)) expect(await answersOf(own, calls)).toContain(CANARY)
  })
})

class Undone extends Error {}

/** What always answers a row need not go on without one. */
async function unlessWithoutRow(call: Call, handle: Handle): Promise<void> {
  try {
    await call(handle)
  } catch (error) {
    if (!(error instanceof NoResultError)) throw error
  }
}
