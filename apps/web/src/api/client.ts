import {
  type BodyOf,
  type Contract,
  ENDPOINTS,
  type EndpointName,
  type FieldProblem,
  type OutputOf,
  type ParamsOf,
  type ProblemBody,
  type QueryOf,
  REQUEST_TIMEOUT_MS,
  RETRY_ATTEMPTS,
  RETRY_DELAY_MS,
  urlOf,
} from '@ensaio/domain'
import { type Acting, actingNow, notIn } from './acting.ts'
import { auth, renewSession } from './auth-client.ts'
import { whileSignedIn } from './kept-session.ts'

/** A failed call, ready to be shown: `message` is the sentence for the person. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: readonly FieldProblem[]
  readonly current: unknown

  constructor(
    message: string,
    of: { status?: number; code?: string; fields?: readonly FieldProblem[]; current?: unknown } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = of.status ?? 0
    this.code = of.code ?? 'network'
    this.fields = of.fields ?? []
    this.current = of.current
  }

  /** The server could not be reached at all. */
  get offline(): boolean {
    return this.status === 0
  }
}

/** The sentence for whatever was thrown. */
export const reasonOf = (
  error: unknown,
  instead = 'Erro do servidor. Tente novamente mais tarde.',
): string =>
  // That data are invalid is no reason; which, is.
  error instanceof ApiError ? (error.fields[0]?.message ?? error.message) : instead

const NETWORK = 'Erro de conexão. Verifique sua internet.'

type Provided<Key extends string, Value> = Value extends undefined
  ? Record<Key, never> | object
  : Record<Key, Value>
export type CallOf<N extends EndpointName> = Provided<'params', ParamsOf<Contract[N]>> &
  (QueryOf<Contract[N]> extends undefined ? object : { query?: QueryOf<Contract[N]> }) &
  (BodyOf<Contract[N]> extends undefined ? object : { body?: BodyOf<Contract[N]> })

type Options = {
  signal?: AbortSignal
  /** In whose name; else whoever the tab acts for when it is called. */
  acting?: Acting | null
  form?: FormData
  headers?: Record<string, string>
  timeoutMs?: number
}
type Called = (typeof ENDPOINTS)[EndpointName]
type AnyCall = { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/** Calls an endpoint of the contract and answers its output; throws an ApiError. */
export async function call<N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  options: Options = {},
): Promise<OutputOf<Contract[N]>> {
  const response = await request(ENDPOINTS[name], input as AnyCall, options)
  if (response.status === 204) return undefined as OutputOf<Contract[N]>
  return (await response.json()) as OutputOf<Contract[N]>
}

/** The same, answering the raw response: for files and event streams. */
export function open<N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  options: Options = {},
): Promise<Response> {
  return request(ENDPOINTS[name], input as AnyCall, options)
}

async function request(endpoint: Called, input: AnyCall, asked: Options): Promise<Response> {
  // In whose name it was asked, it is asked to the end.
  const options = { ...asked, acting: asked.acting ?? actingNow() }
  if (endpoint.method === 'GET')
    options.signal = AbortSignal.any([whileSignedIn(), ...(asked.signal ? [asked.signal] : [])])
  const attempts = endpoint.method === 'GET' ? RETRY_ATTEMPTS : 1
  for (let attempt = 1; ; attempt++) {
    const outcome = await once(endpoint, input, options)
    if (outcome instanceof Response) return outcome
    const passing = outcome.offline || outcome.status === 503 || outcome.status === 502
    if (!passing || attempt >= attempts || options.signal?.aborted) throw outcome
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
  }
}

async function once(
  endpoint: Called,
  input: AnyCall,
  options: Options,
  again = false,
): Promise<Response | ApiError> {
  const headers = new Headers({ accept: 'application/json', ...options.headers })
  const { data } = await auth.getSession()
  if (data.session) headers.set('authorization', `Bearer ${data.session.access_token}`)
  const { acting: chosen = null } = options
  const acting = chosen !== null && chosen.person === data.session?.user.id ? chosen.organization : null
  if (acting !== null && !headers.has('x-organization')) headers.set('x-organization', acting)
  let body: BodyInit | null = null
  if (options.form) body = options.form
  else if (input.body !== undefined) {
    headers.set('content-type', 'application/json')
    body = JSON.stringify(input.body)
  }
  const timeout = AbortSignal.timeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    const url = urlOf(endpoint, input)
    const ahead = endpoint.method === 'GET' ? askedAhead(url, data.session?.access_token, acting) : undefined
    const response = await (ahead ?? fetch(url, { method: endpoint.method, headers, body, signal }))
    if (response.status === 401 && data.session && !again && (await renewSession()))
      return await once(endpoint, input, options, true)
    if (response.ok) return response
    const failed = await failure(response)
    const ofAnother = headers.get('x-organization') !== acting || input.params !== undefined
    if (failed.code === 'organization.not_found' && acting !== null && data.session && !ofAnother)
      notIn(data.session.user.id, acting)
    return failed
  } catch (error) {
    if (options.signal?.aborted) throw error
    return new ApiError(NETWORK, { code: timeout.aborted ? 'timeout' : 'network' })
  }
}

/** What boot.js asked for before this module was there; each answer is taken once, and only while it is fresh. */
declare global {
  var ensaioAhead:
    | { token: string; organization: string | null; at: number; answers: Map<string, Promise<Response>> }
    | undefined
}
const AHEAD_MS = 15_000

function askedAhead(
  url: string,
  token: string | undefined,
  organization: string | null,
): Promise<Response> | undefined {
  const ahead = globalThis.ensaioAhead
  if (!ahead || ahead.token !== token || ahead.organization !== organization) return undefined
  if (performance.now() - ahead.at > AHEAD_MS) return undefined
  const answer = ahead.answers.get(url)
  ahead.answers.delete(url)
  return answer
}

async function failure(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => null)) as Partial<ProblemBody> | null
  return new ApiError(problem?.detail ?? `Erro na API: ${response.status}`, {
    status: response.status,
    ...(problem?.code === undefined ? {} : { code: problem.code }),
    ...(problem?.fields === undefined ? {} : { fields: problem.fields }),
    current: problem?.current,
  })
}
