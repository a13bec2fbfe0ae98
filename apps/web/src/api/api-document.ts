import { auth } from './auth-client.ts'
import { ApiError } from './client.ts'

/** As much of JSON Schema as the server's document uses. */
export interface Schema {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  format?: string
  $ref?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: Schema
}

export interface Operation {
  /** In capitals. */
  method: string
  /** With `{name}` for what is filled in. */
  path: string
  summary: string
  tag: string
  needsSession: boolean
  parameters: Parameter[]
  /** By media type. */
  bodies: Record<string, Schema>
  answers: { status: string; description: string; schema: Schema | null; media: string[] }[]
}

interface Content {
  [media: string]: { schema?: Schema }
}
interface WireOperation {
  summary?: string
  tags?: string[]
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
export interface ApiDocument {
  paths: Record<string, Record<string, WireOperation>>
}

export async function readApiDocument(): Promise<Operation[]> {
  const answer = await fetch('/api/openapi.json').catch(() => null)
  if (!answer?.ok)
    throw new ApiError('A descrição da API não pôde ser lida.', { status: answer?.status ?? 0 })
  return operationsOf((await answer.json()) as ApiDocument)
}

export function operationsOf({ paths }: ApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, wire]) => ({
      method: method.toUpperCase(),
      path,
      summary: wire.summary ?? '',
      tag: wire.tags?.[0] ?? 'api',
      needsSession: (wire.security ?? []).length > 0,
      parameters: wire.parameters ?? [],
      bodies: Object.fromEntries(
        Object.entries(wire.requestBody?.content ?? {}).map(([media, { schema = {} }]) => [media, schema]),
      ),
      answers: Object.entries(wire.responses).map(([status, { description, content = {} }]) => ({
        status,
        description,
        schema: Object.values(content)[0]?.schema ?? null,
        media: Object.keys(content),
      })),
    })),
  )
}

export interface Tried {
  status: number
  ms: number
  headers: [string, string][]
  /** Indented when it is JSON; what is no text is only measured. */
  text: string
}

const LONGEST_SHOWN = 200_000
const PATIENCE_MS = 120_000

/** Sends a request as the person wrote it, with their session if they have one. */
export async function tryOut(request: {
  method: string
  url: string
  body: string | FormData | null
}): Promise<Tried> {
  const headers = new Headers()
  const { data } = await auth.getSession()
  if (data.session) headers.set('authorization', `Bearer ${data.session.access_token}`)
  if (typeof request.body === 'string') headers.set('content-type', 'application/json')
  const start = performance.now()
  const answer = await fetch(request.url, {
    method: request.method,
    headers,
    body: request.body,
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => {
    throw new ApiError('Erro de conexão. Verifique sua internet.')
  })
  return {
    status: answer.status,
    headers: [...answer.headers],
    text: await readable(answer),
    ms: Math.round(performance.now() - start),
  }
}

async function readable(answer: Response): Promise<string> {
  const type = answer.headers.get('content-type') ?? ''
  if (type.startsWith('text/event-stream')) return firstEvents(answer)
  if (!/json|text|xml/.test(type)) {
    const { size } = await answer.blob()
    return size === 0 ? '' : `(${size} bytes de ${type || 'tipo não informado'})`
  }
  const text = await answer.text()
  return shown(/json/.test(type) ? indented(text) : text)
}

/** A stream has no end to wait for. */
async function firstEvents(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return `${new TextDecoder().decode(value)}…`
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const shown = (text: string) => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}\n…` : text)
