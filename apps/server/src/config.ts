import { resolve } from 'node:path'
import { z } from 'zod'

const OSM_TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png'
const OSM_ATTRIBUTION =
  '© <a href="https://www.openstreetmap.org/copyright">colaboradores do OpenStreetMap</a>'

const blankIsAbsent = (value: unknown) => (value === '' ? undefined : value)
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsAbsent, schema.optional())
const onOff = (name: string) =>
  optional(
    z
      .enum(['on', 'off', '1', '0', 'true', 'false'], { error: `${name} deve ser on ou off.` })
      .transform((value) => value === 'on' || value === '1' || value === 'true'),
  )
const url = (name: string, protocols: readonly string[]) =>
  optional(
    z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
      error: `${name} deve ser um endereço que comece com ${protocols.map((p) => `${p}//`).join(' ou ')}.`,
    }),
  )
const seconds = (name: string) =>
  optional(
    z.coerce
      .number({ error: `${name} deve ser um número de segundos.` })
      .min(0, `${name} não pode ser negativo.`),
  )

const Environment = z.object({
  PORT: z.preprocess(
    blankIsAbsent,
    z.coerce
      .number({ error: 'PORT deve ser um número de 0 a 65535.' })
      .int('PORT deve ser um número inteiro.')
      .min(0, 'PORT deve ser um número de 0 a 65535.')
      .max(65535, 'PORT deve ser um número de 0 a 65535.')
      .default(3000),
  ),
  HOST: z.preprocess(blankIsAbsent, z.string().default('localhost')),
  SITE_URL: url('SITE_URL', ['http:', 'https:']),
  DATA_DIR: z.preprocess(blankIsAbsent, z.string().default('./data')),
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:']),
  STORAGE_URL: url('STORAGE_URL', ['s3:']),
  SMTP_URL: url('SMTP_URL', ['smtp:', 'smtps:']),
  MAIL_FROM: optional(z.string()),
  TILE_URL: optional(
    z
      .string()
      .refine(
        (value) =>
          value === 'off' ||
          /^https?:\/\/.+\{z\}.*\{x\}.*\{y\}|^https?:\/\/.+\{z\}.*\{y\}.*\{x\}/.test(value),
        {
          error: 'TILE_URL deve ser um endereço http com {z}, {x} e {y}, ou off.',
        },
      ),
  ),
  TILE_ATTRIBUTION: optional(z.string()),
  OPERATOR_NAME: optional(z.string().max(200)),
  BRAPI_ORIGINS: optional(z.string().max(4000)),
  BRAPI_CLIENTS: optional(z.string().max(8000)),
  BRAPI_TOKEN_HOURS: optional(
    z.coerce
      .number({ error: 'BRAPI_TOKEN_HOURS deve ser um número de horas.' })
      .int('BRAPI_TOKEN_HOURS deve ser um número inteiro.')
      .min(1, 'BRAPI_TOKEN_HOURS deve ser de 1 a 72.')
      .max(72, 'BRAPI_TOKEN_HOURS deve ser de 1 a 72.'),
  ),
  ADMIN_EMAIL: optional(
    z
      .string()
      .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'ADMIN_EMAIL deve ser um endereço de e-mail.')
      .transform((email) => email.toLowerCase()),
  ),
  LIMITS: onOff('LIMITS'),
  TEST_OUTBOX: onOff('TEST_OUTBOX'),
  TRUST_PROXY: optional(z.string()),
  METRICS_TOKEN: optional(z.string().min(16, 'METRICS_TOKEN deve ter pelo menos 16 caracteres.')),
  LOG_LEVEL: z.preprocess(
    blankIsAbsent,
    z
      .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], {
        error: 'LOG_LEVEL deve ser fatal, error, warn, info, debug ou silent.',
      })
      .default('warn'),
  ),
  AI_URL: url('AI_URL', ['http:', 'https:']),
  AI_MODEL: optional(z.string()),
  AI_KEY: optional(z.string()),
  READERS: optional(
    z.coerce
      .number({ error: 'READERS deve ser um número de processos.' })
      .int('READERS deve ser um número inteiro.')
      .min(1, 'READERS deve ser pelo menos 1.')
      .max(64, 'READERS deve ser no máximo 64.'),
  ),
  AI_TIMEOUT: optional(
    z.coerce
      .number({ error: 'AI_TIMEOUT deve ser um número de segundos.' })
      .positive('AI_TIMEOUT deve ser maior que 0.')
      .max(120, 'AI_TIMEOUT deve ser no máximo 120 segundos.'),
  ),
  AUTH_AUTOCONFIRM: onOff('AUTH_AUTOCONFIRM'),
  AUTH_MAIL_INTERVAL: seconds('AUTH_MAIL_INTERVAL'),
  AUTH_REUSE_INTERVAL: seconds('AUTH_REUSE_INTERVAL'),
  AUTH_SIGNING_JWK: optional(z.string()),
  AUTH_SECRET: optional(z.string().min(32, 'AUTH_SECRET deve ter pelo menos 32 caracteres.')),
  AUTH_REDIRECTS: optional(z.string()),
  AUTH_LINKING: onOff('AUTH_LINKING'),
  AUTH_SAML_ENTRY_POINT: url('AUTH_SAML_ENTRY_POINT', ['http:', 'https:']),
  AUTH_SAML_ISSUER: optional(z.string()),
  AUTH_SAML_CERTIFICATE: optional(z.string()),
  AUTH_SAML_DOMAINS: optional(z.string()),
  AUTH_SAML_PROVIDER_ID: optional(z.string()),
})

/** An OpenID Connect provider: AUTH_OIDC_<NAME>_ISSUER, _CLIENT_ID and _CLIENT_SECRET. */
export interface OidcProvider {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

export interface SamlSettings {
  entryPoint: string
  issuer: string
  certificate: string
  domains: string[]
  providerId: string
}

function readOidcProviders(environment: NodeJS.ProcessEnv): OidcProvider[] {
  const names = Object.keys(environment).flatMap(
    (key) => /^AUTH_OIDC_([A-Z0-9]+)_ISSUER$/.exec(key)?.[1] ?? [],
  )
  return names.map((name) => {
    const read = (member: string) => environment[`AUTH_OIDC_${name}_${member}`] ?? ''
    const issuer = read('ISSUER')
    const valid =
      URL.canParse(issuer) &&
      (issuer.startsWith('https:') || (issuer.startsWith('http:') && LOOPBACK.test(new URL(issuer).hostname)))
    if (!valid) throw new ConfigError([`AUTH_OIDC_${name}_ISSUER deve ser um endereço https://.`])
    if (!read('CLIENT_ID') || !read('CLIENT_SECRET'))
      throw new ConfigError([`Faltam AUTH_OIDC_${name}_CLIENT_ID e AUTH_OIDC_${name}_CLIENT_SECRET.`])
    return {
      name: name.toLowerCase(),
      issuer,
      clientId: read('CLIENT_ID'),
      clientSecret: read('CLIENT_SECRET'),
    }
  })
}

function readSaml(env: z.output<typeof Environment>): SamlSettings | null {
  const {
    AUTH_SAML_ENTRY_POINT: entryPoint,
    AUTH_SAML_ISSUER: issuer,
    AUTH_SAML_CERTIFICATE: certificate,
  } = env
  if (!entryPoint) return null
  if (!issuer || !certificate || !env.AUTH_SAML_DOMAINS)
    throw new ConfigError([
      'AUTH_SAML_ENTRY_POINT pede também AUTH_SAML_ISSUER, AUTH_SAML_CERTIFICATE e AUTH_SAML_DOMAINS.',
    ])
  const domains = env.AUTH_SAML_DOMAINS.split(',').map((domain) => domain.trim().toLowerCase())
  return { entryPoint, issuer, certificate, domains, providerId: env.AUTH_SAML_PROVIDER_ID ?? 'saml' }
}

/** A language model that is asked for what the reading engine doubts, behind the OpenAI chat protocol. */
export interface LanguageModel {
  /** Base of the protocol's addresses, without a trailing slash. */
  url: string
  model: string
  key: string | null
  timeoutMs: number
}

function readLanguageModel(env: z.output<typeof Environment>): LanguageModel | null {
  const { AI_URL: url, AI_MODEL: model } = env
  if (!url && !model) return null
  if (!url) throw new ConfigError(['AI_MODEL pede também AI_URL.'])
  if (!model) throw new ConfigError(['AI_URL pede também AI_MODEL.'])
  return {
    url: url.replace(/\/+$/, ''),
    model,
    key: env.AI_KEY ?? null,
    timeoutMs: (env.AI_TIMEOUT ?? 20) * 1000,
  }
}

/** Another application that may ask people for access. */
export interface BrapiClient {
  id: string
  /** Addresses that the answer may go to, to the letter. */
  addresses: readonly string[]
}

/** `id=endereço` with commas between them; an id may stand with several addresses. */
function readBrapiClients(text = ''): BrapiClient[] {
  const clients = new Map<string, string[]>()
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, id = '', address = ''] = /^([a-z][a-z0-9-]{0,40})=(\S{1,500})$/.exec(entry) ?? []
    if (!mayReceive(address))
      throw new ConfigError([
        'BRAPI_CLIENTS deve ser uma lista de id=endereço, com endereços https://, deste computador ou do próprio aplicativo.',
      ])
    clients.set(id, [...(clients.get(id) ?? []), address])
  }
  return [...clients].map(([id, addresses]) => ({ id, addresses }))
}

/** An https page, one of this machine, or a scheme of the application's own; nothing that a browser would run. */
function mayReceive(address: string): boolean {
  if (!URL.canParse(address) || address.includes('#')) return false
  const { protocol, hostname, username } = new URL(address)
  if (username !== '') return false
  if (protocol === 'https:') return true
  if (protocol === 'http:') return LOOPBACK.test(hostname)
  return /^[a-z][a-z0-9.+-]*:\/\//.test(address) && !OF_BROWSERS.test(protocol)
}
const OF_BROWSERS =
  /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|ftp|wss?|intent|content|chrome):$/

const LOOPBACK = /^(localhost|(::ffff:)?127(\.\d{1,3}){3}|::1|\[::1\])$/
/** Whether a host's name or address is this machine's own. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host)

export type Config = ReturnType<typeof readConfig>

/**
 * The environment, read once.
 * @throws ConfigError with one sentence for each bad value
 */
export function readConfig(environment: NodeJS.ProcessEnv) {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => issue.message))
  const env = parsed.data
  const loopback = LOOPBACK.test(env.HOST)
  const limits = env.LIMITS ?? true
  const testOutbox = env.TEST_OUTBOX ?? false
  const refused = [
    ...(!limits && !loopback ? ['LIMITS=off só é aceito com HOST local (localhost ou 127.0.0.1).'] : []),
    ...(testOutbox && !loopback
      ? ['TEST_OUTBOX=1 só é aceito com HOST local (localhost ou 127.0.0.1).']
      : []),
  ]
  if (refused.length > 0) throw new ConfigError(refused)
  const tileUrl = env.TILE_URL === 'off' ? null : (env.TILE_URL ?? OSM_TILES)
  return {
    port: env.PORT,
    host: env.HOST,
    loopback,
    /** Without a trailing slash. */
    siteUrl: (env.SITE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL ?? null,
    storageUrl: env.STORAGE_URL ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? 'Ensaio <nao-responda@ensaio.local>',
    tileUrl,
    tileAttribution: env.TILE_ATTRIBUTION ?? (tileUrl === OSM_TILES ? OSM_ATTRIBUTION : ''),
    /** Who runs the installation, as the privacy page names them. */
    operatorName: env.OPERATOR_NAME ?? null,
    adminEmail: env.ADMIN_EMAIL ?? null,
    /** Pages of other sites that may read what /brapi/v2 answers their users; null: every one. */
    brapiOrigins: env.BRAPI_ORIGINS?.split(',').map((origin) => origin.trim()) ?? null,
    brapiClients: readBrapiClients(env.BRAPI_CLIENTS),
    /** How long another application may ask without its person signing in again. */
    brapiTokenHours: env.BRAPI_TOKEN_HOURS ?? 12,
    limits,
    testOutbox,
    trustProxy: env.TRUST_PROXY?.split(',').map((proxy) => proxy.trim()) ?? false,
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
    languageModel: readLanguageModel(env),
    /** Reports read at once: so many that are text, and so many with pictures. */
    readers: env.READERS ?? 1,
    auth: {
      autoconfirm: env.AUTH_AUTOCONFIRM ?? env.SMTP_URL === undefined,
      mailIntervalMs: (env.AUTH_MAIL_INTERVAL ?? (limits ? 60 : 0)) * 1000,
      reuseIntervalMs: (env.AUTH_REUSE_INTERVAL ?? 10) * 1000,
      signingJwk: env.AUTH_SIGNING_JWK ?? null,
      secret: env.AUTH_SECRET ?? null,
      linking: env.AUTH_LINKING ?? false,
      oidc: readOidcProviders(environment),
      saml: readSaml(env),
      redirects: env.AUTH_REDIRECTS?.split(',').map((entry) => entry.trim()) ?? [],
    },
  }
}

export class ConfigError extends Error {
  constructor(sentences: readonly string[]) {
    super(`Configuração inválida:\n${sentences.map((sentence) => `  - ${sentence}`).join('\n')}`)
  }
}
