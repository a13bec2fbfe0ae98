import { constants } from 'node:zlib'
import { CLOSED_ORGANIZATION_DAYS, contract, problem, validationWords } from '@ensaio/domain'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Config } from './config.ts'
import { listenOn } from './database/listener.ts'
import type { Pool } from './database/pool.ts'
import { wallOver } from './database/wall.ts'
import { createAccountsFeature } from './features/accounts/accounts.feature.ts'
import { forgetSearches } from './features/brapi/brapi.repository.ts'
import { brapiV2, replyBrapi } from './features/brapi/brapi.routes.ts'
import { createImages } from './features/brapi/images.ts'
import { createLists } from './features/brapi/lists.ts'
import { createMiappe } from './features/brapi/miappe.ts'
import { worldsOf } from './features/brapi/world.ts'
import { createWriter } from './features/brapi/write.ts'
import { keepCells } from './features/dashboard/cells.ts'
import { dashboardRoutes } from './features/dashboard/dashboard.routes.ts'
import { createDashboard } from './features/dashboard/dashboard.service.ts'
import { addViews, keepViews } from './features/dashboard/views.ts'
import { documentRoutes } from './features/documents/documents.routes.ts'
import { createDocuments } from './features/documents/documents.service.ts'
import { experimentRoutes } from './features/experiments/experiments.routes.ts'
import { createExperiments } from './features/experiments/experiments.service.ts'
import { createHistory } from './features/experiments/history.service.ts'
import { forgetOldKeys } from './features/experiments/idempotency.repository.ts'
import { extractionRoutes } from './features/extraction/extraction.routes.ts'
import { createExtraction, type Extractor } from './features/extraction/extraction.service.ts'
import { forgetOldLayouts } from './features/extraction/layouts.repository.ts'
import { forgetOldReadings } from './features/extraction/readings.repository.ts'
import { createSecondOpinion } from './features/extraction/second-opinion.ts'
import { fieldRoutes } from './features/field/field.routes.ts'
import { createField } from './features/field/field.service.ts'
import { fieldTeamRoutes } from './features/field/team.routes.ts'
import { createFieldTeam } from './features/field/team.service.ts'
import { importRoutes } from './features/imports/imports.routes.ts'
import { createImports } from './features/imports/imports.service.ts'
import { adminLookupRoutes } from './features/lookups/admin-lookups.routes.ts'
import { lookupRoutes } from './features/lookups/lookups.routes.ts'
import { brandOf } from './features/organizations/brand.repository.ts'
import { brandRoutes } from './features/organizations/brand.routes.ts'
import { exportRoutes } from './features/organizations/export.routes.ts'
import { invitations } from './features/organizations/invitations.ts'
import { memberRoutes } from './features/organizations/members.routes.ts'
import { installationMode } from './features/organizations/organizations.repository.ts'
import { organizationRoutes } from './features/organizations/organizations.routes.ts'
import { createOrganizations } from './features/organizations/organizations.service.ts'
import { photoRoutes } from './features/photos/photos.routes.ts'
import { createPhotos } from './features/photos/photos.service.ts'
import { createManyReports } from './features/reports/many.service.ts'
import { reportRoutes } from './features/reports/reports.routes.ts'
import { createReports } from './features/reports/reports.service.ts'
import { restV1 } from './features/rest/rest.routes.ts'
import { createCollections } from './features/sharing/collections.service.ts'
import { linkRoutes } from './features/sharing/links.routes.ts'
import { recordRoutes } from './features/sharing/records.routes.ts'
import { destroyClosed, endOverdue } from './features/sharing/shares.repository.ts'
import { shareRoutes } from './features/sharing/shares.routes.ts'
import { createSynthesisRecords } from './features/synthesis/records.service.ts'
import { synthesisRoutes } from './features/synthesis/synthesis.routes.ts'
import { createSyntheses } from './features/synthesis/synthesis.service.ts'
import { createAnalyses } from './features/trials/analysis.service.ts'
import { createEconomics } from './features/trials/economics.service.ts'
import { createEffects } from './features/trials/effects.service.ts'
import { createQuality, createQualityPage } from './features/trials/quality.service.ts'
import { trialRoutes } from './features/trials/trials.routes.ts'
import { createTrials } from './features/trials/trials.service.ts'
import { createAlerts } from './features/views/alerts.service.ts'
import { createDigest } from './features/views/digest.service.ts'
import { byKind, endTokens } from './features/views/telling.ts'
import { viewRoutes } from './features/views/views.routes.ts'
import { createViews } from './features/views/views.service.ts'
import { createWatching } from './features/views/watching.service.ts'
import { boundWork } from './http/admission.ts'
import { boundConnections, endConnections } from './http/connections.ts'
import { type Actor, accountOf, contractRoutes, whoAsks } from './http/contract-routes.ts'
import { healthRoutes } from './http/health.ts'
import { acceptJson } from './http/json-body.ts'
import { metricsRoute } from './http/metrics.ts'
import { notFound } from './http/not-found.ts'
import { openApiRoute } from './http/openapi.ts'
import { replyProblem } from './http/problem-reply.ts'
import { loggingOptions, logRequests } from './http/request-log.ts'
import { secure } from './http/security-headers.ts'
import { slowRefusals } from './http/slow-refusals.ts'
import { replyToUnparsed } from './http/unparsed-requests.ts'
import { inlineScripts, serveWebApp } from './http/web-app.ts'
import { startKernel } from './jobs/kernel.ts'
import { startMaintenance } from './jobs/maintenance.ts'
import { createWorkbooks } from './jobs/workbooks.ts'
import type { Deliver } from './mail/transport.ts'
import type { DocumentStore } from './storage/document-store.ts'
import { freeSpace } from './storage/free-space.ts'

const JSON_LIMIT = 1024 * 1024
/**
 * What a slow sender or reader gets: so long for the headers, for the whole request, and without a byte moving.
 * The longest honest wait is a report that is read in one answer.
 */
const PATIENCE = {
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 2_000 },
  requestTimeout: 200_000,
  connectionTimeout: 240_000,
}
const CONNECTIONS = { most: 4_000, crowded: 2_800, perAddress: 500, perVisitor: 400 }
/** How long a repeated request still finds its first answer. */
const KEEP_KEYS_DAYS = 7
const KEEP_READINGS_DAYS = 90
/** A layout that no report has had for so long is forgotten. */
const KEEP_LAYOUTS_DAYS = 365

const BRAPI = /^\/brapi\/v2(\/|\?|$)/

/** How soon what is new is looked at. */
const ALERTS_MS = 3_000

/** The whole server, put together by hand: what each part gets is what stands here. */
export async function buildApp(input: {
  config: Config
  /** Of the role that requests run as. */
  pool: Pool
  /** Of the tables' owner: it loads keys and folds figures, and no request reaches it. */
  owner: Pool
  store: DocumentStore
  extractor: Extractor
  deliver: Deliver
  /** The built web application. */
  webFolder: string
}): Promise<FastifyInstance> {
  const { config, pool, owner } = input
  const { handle } = pool
  const wall = wallOver(pool.raw)

  // What zod says of its own accord reaches people too.
  z.config({ localeError: validationWords })
  const app = Fastify({
    // What no route takes, such as an address that cannot be read.
    frameworkErrors: (error, request, reply) =>
      (BRAPI.test(request.url) ? replyBrapi : replyProblem)(error, request, reply),
    clientErrorHandler: replyToUnparsed,
    ...loggingOptions(config),
    trustProxy: config.trustProxy,
    bodyLimit: JSON_LIMIT,
    ...PATIENCE,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200 },
    // An address that was typed with a slash at its end, before what an application adds to it.
    rewriteUrl: ({ url = '/' }) => url.replace(/^\/{2,}(?=(brapi|\.well-known)\/)/, '/'),
  })
  logRequests(app)
  endConnections(app)
  boundConnections(app, connectionLimits(config))
  openApiRoute(app, { siteUrl: config.siteUrl })
  const registry = metricsRoute(app, { config, pool })
  boundWork(app, { registry, who: whoAsks, account: accountOf })
  slowRefusals(app, whoAsks)
  acceptJson(app)
  app.setErrorHandler(replyProblem)
  secure(app, config, inlineScripts(input.webFolder))
  // What is asked of no route sends its body to nobody; the two dialects say so in their own words.
  let pages: ReturnType<typeof notFound> | undefined
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 && !/^\/((auth|rest)\/v1|brapi\/v2)(\/|$)/.test(request.url))
      return pages?.(request, reply)
  })
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // The default, eleven, takes ten times as long for a tenth less.
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  // Whose file it is says how large it may be.
  await app.register(multipart, { throwFileSizeLimit: false })

  const accounts = await createAccountsFeature({
    app,
    config,
    handle,
    wall,
    owner: owner.handle,
    deliver: input.deliver,
    invitations,
  })
  const documents = createDocuments({ wall, owner: owner.handle, store: input.store })
  const kernel = startKernel()
  app.addHook('onClose', () => kernel.stop())
  const effects = createEffects({ kernel, owner: owner.handle })
  const quality = await createQuality({ owner: owner.handle })
  const cells = keepCells({ handle: owner.handle, log: (error) => app.log.error({ err: error }, 'cells') })
  app.addHook('onClose', () => cells.stop())
  const experiments = createExperiments({
    wall,
    owner: owner.handle,
    documents,
    effects,
    quality,
    namesOf: accounts.namesOf,
    settled: cells.settled,
  })
  const extraction = createExtraction({
    wall,
    extractor: input.extractor,
    secondOpinion:
      config.languageModel &&
      createSecondOpinion({
        languageModel: config.languageModel,
        log: (reason) => app.log.warn({ reason }, 'second opinion'),
      }),
  })
  const dashboard = createDashboard({ wall, cells })

  await app.register(restV1({ handle, wall, authenticate: accounts.authenticate, limited: config.limits }), {
    prefix: '/rest/v1',
  })

  const space = config.databaseUrl && config.storageUrl ? null : freeSpace(config.dataDir)
  const team = createFieldTeam({
    ...{ wall, handle, experiments, authenticate: accounts.authenticate, siteUrl: config.siteUrl },
  })
  const mayBring = async (userId: string) => {
    const left = config.storageUrl ? null : ((await space?.left()) ?? null)
    if (left !== null && (await documents.fillsShare(userId, left))) throw problem('document.share_full')
  }
  const route = contractRoutes({
    app,
    authenticate: accounts.authenticate,
    authenticateGuest: team.authenticate,
    ...{ space, mayBring, limited: config.limits },
  })
  const trials = createTrials({ wall, experiments, effects, quality, namesOf: accounts.namesOf })
  const photos = createPhotos({
    ...{ wall, owner: owner.handle, store: input.store, experiments, trials, namesOf: accounts.namesOf },
    ...{ mac: accounts.mac, siteUrl: config.siteUrl },
  })
  const analyses = createAnalyses({ wall, experiments, trials, kernel, namesOf: accounts.namesOf })
  const economics = createEconomics({ wall, experiments, trials, analyses, namesOf: accounts.namesOf })
  const syntheses = createSyntheses({ wall, kernel, fresh: cells.fresh })
  const synthesisRecords = createSynthesisRecords({ wall, syntheses, namesOf: accounts.namesOf })
  accounts.routes(route, {
    gather: async (reader) => ({
      experimentos: experiments.createdBy(reader),
      fichas: trials.createdBy(reader),
      analises: analyses.createdBy(reader),
      cenarios: economics.createdBy(reader),
      sinteses: synthesisRecords.createdBy(reader),
      registros_de_campo: trials.cells.enteredBy(reader),
      fotos: photos.takenBy(reader),
      documentos_soltos: await documents.looseOf(reader),
    }),
    forget: documents.removeLoose,
  })
  adminLookupRoutes(route, { wall })
  const { settled } = cells
  const history = createHistory({ wall, experiments, namesOf: accounts.namesOf })
  experimentRoutes(route, {
    ...{ wall, experiments, extraction, history, dashboard, settled },
    namesOf: accounts.namesOf,
  })
  documentRoutes(route, { wall, documents, experiments })
  extractionRoutes(route, { wall, extraction })
  const organizations = createOrganizations(wall)
  organizationRoutes(route, {
    wall,
    organizations,
    audit: accounts.audit,
    confirmPassword: accounts.confirmPassword,
    tellClosed: accounts.tellClosed,
  })
  memberRoutes(route, {
    wall,
    handle,
    organizations,
    send: accounts.sendInvitation,
    perPerson: accounts.perPerson,
    sent: accounts.wakePost,
    siteUrl: config.siteUrl,
    mails: config.smtpUrl !== null,
  })
  brandRoutes(route, { wall, organizations })
  exportRoutes(route, { wall, organizations, experiments, documents, photos })
  const collections = createCollections({ wall, owner: owner.handle, settled })
  const { perPerson } = accounts
  shareRoutes(route, {
    ...{ wall, collections, settled, perPerson, siteUrl: config.siteUrl },
    mail: { send: accounts.sendOffer, sent: accounts.wakePost },
  })
  linkRoutes(route, {
    ...{ wall, handle, experiments, documents, siteUrl: config.siteUrl },
    hashPassword: accounts.hashPassword,
    checkPassword: accounts.checkLinkPassword,
  })
  recordRoutes(route, { wall, experiments, collections, settled, perPerson })
  lookupRoutes(route, { handle, wall, authenticate: accounts.authenticate, limited: config.limits })
  const workbooks = createWorkbooks()
  const qualityPage = createQualityPage({
    wall,
    owner: owner.handle,
    quality,
    experiments,
    namesOf: accounts.namesOf,
  })
  trialRoutes(route, {
    ...{ wall, experiments, trials, analyses, economics, workbooks, qualityPage },
    mac: accounts.mac,
  })
  const brand = (actor: Actor) => brandOf(wall.for(actor), actor.organization)
  const organizationName = async (actor: Actor) => (await organizations.one(actor, actor.organization)).nome
  const field = createField({
    ...{ wall, experiments, trials, photos, namesOf: accounts.namesOf, mac: accounts.mac },
    siteUrl: config.siteUrl,
  })
  fieldRoutes(route, { wall, field })
  photoRoutes(route, { photos })
  fieldTeamRoutes(route, { team, tryInvitation: accounts.tryInvitation })
  const manyReports = createManyReports({
    ...{ brand, organizationName },
    ...{ wall, owner: owner.handle, experiments, dashboard, syntheses, synthesisRecords },
    siteUrl: config.siteUrl,
    tell: accounts.tell,
    log: (error) => app.log.error({ err: error }, 'reports'),
  })
  app.addHook('onClose', () => manyReports.settled())
  const worlds = worldsOf({
    ...{ wall, organizationName, siteUrl: config.siteUrl, mac: accounts.mac },
  })
  const handleOf = (actor: Actor) => wall.for(actor)
  const images = createImages({ handleOf, photos, mayBring })
  const lists = createLists(accounts.namesOf, images)
  reportRoutes(route, {
    handleOf,
    reports: createReports({
      ...{ experiments, analyses, trials, economics, documents, history },
      ...{ brand, dashboard, organizationName },
    }),
    many: manyReports,
    miappe: createMiappe({ worldOf: worlds.of, lists, experiments, namesOf: accounts.namesOf }),
  })
  await app.register(
    brapiV2({
      authenticate: accounts.authenticateApplication,
      ...{
        handleOf,
        worlds,
        lists,
        images,
        origins: config.brapiOrigins,
        siteUrl: config.siteUrl,
        limited: config.limits,
      },
      write: createWriter({ handleOf, worldOf: worlds.of, lists, trials, namesOf: accounts.namesOf }),
    }),
    { prefix: '/brapi/v2' },
  )
  synthesisRoutes(route, { syntheses, records: synthesisRecords })
  const tokens = endTokens(accounts.mac)
  const telling = { wall, owner: owner.handle, accounts, tokens, siteUrl: config.siteUrl }
  const digest = createDigest(telling)
  const watching = createWatching({
    ...{ ...telling, experiments },
    log: (error) => app.log.error({ err: error }, 'alerts'),
  })
  accounts.tellBy(byKind({ alert: watching.letters, digest: digest.letters, report: manyReports.letters }))
  viewRoutes(route, {
    watching,
    views: createViews({ wall, owner: owner.handle }),
    alerts: createAlerts({ wall }),
  })
  const imports = createImports({
    wall,
    owner: owner.handle,
    workbooks,
    experiments,
    trials,
    namesOf: accounts.namesOf,
    settled,
    log: (error) => app.log.error({ err: error }, 'imports'),
  })
  // What is being written is finished; what is being read is read anew by the next server.
  app.addHook('preClose', async () => {
    imports.halt()
    workbooks.close()
  })
  app.addHook('onClose', () => imports.stop())
  importRoutes(route, { imports, wall })
  const changes = listenOn(pool.raw, ['experimentos', 'saidas'], (error) =>
    app.log.error({ err: error }, 'listen'),
  )
  app.addHook('preClose', () => changes.close())
  dashboardRoutes(route, { dashboard, changes })
  route(contract.settings, async () => ({
    tileUrl: config.tileUrl,
    tileAttribution: config.tileAttribution,
    autoconfirm: config.auth.autoconfirm,
    secondOpinion: config.languageModel !== null,
    organizacoes: await installationMode(handle),
    operador: config.operatorName,
  }))

  const maintenance = startMaintenance({
    tasks: [
      ...accounts.maintenance,
      () => forgetOldKeys(owner.handle, KEEP_KEYS_DAYS),
      () => forgetSearches(owner.handle),
      () => forgetOldReadings(owner.handle, KEEP_READINGS_DAYS),
      () => forgetOldLayouts(owner.handle, KEEP_LAYOUTS_DAYS),
      () => experiments.purge(),
      () => cells.sweep(),
      () => destroyClosed(owner.handle, CLOSED_ORGANIZATION_DAYS),
      () => photos.forget(),
      () => documents.sweep(),
      () => imports.forget(),
      () => watching.pauseNameless(),
      () => manyReports.forget(),
    ],
    log: (error) => app.log.error({ err: error }, 'maintenance'),
  })
  app.addHook('onClose', async () => maintenance.stop())
  // What a day ends is ended soon after it.
  const deadlines = startMaintenance({
    tasks: [() => endOverdue(owner.handle), () => collections.sortRest(), () => addViews(owner.handle)],
    everyMs: 60_000,
    log: (error) => app.log.error({ err: error }, 'deadlines'),
  })
  // Until then what is seen is added up row by row.
  const sums = startMaintenance({
    tasks: [() => keepViews(owner.handle)],
    everyMs: 10_000,
    log: (error) => app.log.error({ err: error }, 'sums'),
  })
  // Apart from the sums: after an update there may be many.
  const waiting = startMaintenance({
    tasks: [() => effects.settle(), () => quality.settle()],
    everyMs: 10_000,
    log: (error) => app.log.error({ err: error }, 'effects'),
  })
  const alerts = startMaintenance({
    tasks: [() => watching.look(), () => watching.tell(), () => digest.tell()],
    firstMs: ALERTS_MS,
    everyMs: ALERTS_MS,
    log: (error) => app.log.error({ err: error }, 'alerts'),
  })
  app.addHook('onClose', () =>
    Promise.all([deadlines.stop(), sums.stop(), waiting.stop(), alerts.stop()]).then(() => undefined),
  )

  healthRoutes(app, { pool })
  const web = await serveWebApp(app, input.webFolder)
  await app.register(accounts.oauth(web))
  pages = notFound(web)
  app.setNotFoundHandler(pages)
  return app
}

/** A proxy has as many connections as its visitors make it need; what it says of them counts all the same. */
const connectionLimits = ({ limits, trustProxy }: Config) => ({
  ...CONNECTIONS,
  ...((!limits || trustProxy) && { perAddress: CONNECTIONS.most }),
  ...(!limits && { perVisitor: CONNECTIONS.most }),
})
