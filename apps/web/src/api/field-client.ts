import {
  type Contract,
  ENDPOINTS,
  type EndpointName,
  type OutputOf,
  type PhotoProgress,
  urlOf,
} from '@ensaio/domain'
import type { CallOf } from './client.ts'

/** Longer than this, it is given up and asked again. */
const TIMEOUT_MS = 60_000
/** Characters from which a body is packed: a day's queue is a tenth of itself. */
const PACKED_FROM = 2_000

export interface Asked {
  /** Null: of what anybody may ask. */
  token: string | null
  /** In whose name, whatever any tab shows; null where there is one organisation for everybody. */
  organization: string | null
}
/** An answer that is not our JSON, as a captive portal's page or a proxy's, is none. */
export type FieldAnswer<T> =
  | { kind: 'ok'; body: T }
  | { kind: 'refused'; status: number; code: string; detail: string; retryAfterS: number | null }
  | { kind: 'none' }

export async function askField<N extends EndpointName>(
  name: N,
  input: CallOf<N>,
  asked: Asked,
  /** Whether it is what was asked for. */
  fits: (body: unknown) => boolean,
): Promise<FieldAnswer<OutputOf<Contract[N]>>> {
  const of = input as { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }
  if (of.body === undefined) return sent(name, of, { asked, body: null }, fits)
  const headers = { 'content-type': 'application/json' }
  const json = JSON.stringify(of.body)
  const plain = () => sent(name, of, { asked, body: json, headers }, fits)
  const body = json.length < PACKED_FROM || unpackedOnly ? null : await packed(json)
  if (body === null) return plain()
  const answer = await sent(
    name,
    of,
    { asked, body, headers: { ...headers, 'content-encoding': 'gzip' } },
    fits,
  )
  const refused = answer.kind === 'refused' && (answer.status === 400 || answer.status === 415)
  if (answer.kind === 'ok') nobodyThere = false
  if (!refused && (answer.kind !== 'none' || nobodyThere)) return answer
  // What stands between may not pass a packed body on; the server counts each entry once.
  const again = await plain()
  unpackedOnly ||= again.kind === 'ok'
  nobodyThere = again.kind === 'none'
  return again
}
/** Something on the way takes no packed bodies. */
let unpackedOnly = false
/** An unpacked body had no answer either: it was not the packing. */
let nobodyThere = false

/** Null where the browser cannot pack. */
async function packed(text: string): Promise<Blob | null> {
  try {
    const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))
    return await new Response(stream).blob()
  } catch {
    return null
  }
}

/** One part of a picture, from a byte on. */
export function putPart(
  { id, photo, ...asked }: Asked & { id: string; photo: string },
  from: number,
  part: Blob,
): Promise<FieldAnswer<PhotoProgress>> {
  const body = new FormData()
  body.set('de', String(from))
  body.set('parte', part, 'parte')
  return sent('putPhotoPart', { params: { id, photo } }, { asked, body }, (given) => {
    const { recebido, pronto } = (given ?? {}) as Record<string, unknown>
    return typeof recebido === 'number' && typeof pronto === 'boolean'
  })
}

async function sent<N extends EndpointName>(
  name: N,
  of: { params?: Record<string, unknown>; query?: Record<string, unknown> },
  { asked, body, headers }: { asked: Asked; body: string | Blob | FormData | null; headers?: object },
  fits: (body: unknown) => boolean,
): Promise<FieldAnswer<OutputOf<Contract[N]>>> {
  try {
    const response = await fetch(urlOf(ENDPOINTS[name], of), {
      method: ENDPOINTS[name].method,
      headers: { ...headersOf(asked), ...headers },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!isOurs(response)) return { kind: 'none' }
    const answer: unknown = await response.json()
    if (!response.ok) return refusal(response, answer)
    // The shape was looked at as far as it will be used.
    return fits(answer) ? { kind: 'ok', body: answer as OutputOf<Contract[N]> } : { kind: 'none' }
  } catch {
    return { kind: 'none' }
  }
}

/** A photo that is on the server, small. */
export const smallPhoto = ({
  id,
  photo,
  ...asked
}: Asked & { id: string; photo: string }): Promise<FieldAnswer<Blob>> =>
  fileOf(urlOf(ENDPOINTS.getPhoto, { params: { id, photo }, query: { pequena: '1' } }), 'image/jpeg', asked)

/** The labels of a trial's plots. */
export const labelsFile = (
  { id, ...asked }: Asked & { id: string },
  query: Record<string, string | number>,
): Promise<FieldAnswer<Blob>> =>
  fileOf(urlOf(ENDPOINTS.fieldLabels, { params: { id }, query }), 'application/pdf', asked)

/** A file of one kind; what is of another is a page of somebody else's. */
async function fileOf(url: string, type: string, asked: Asked): Promise<FieldAnswer<Blob>> {
  try {
    const response = await fetch(url, {
      headers: { ...headersOf(asked), accept: type },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok)
      return response.headers.get('content-type') === type
        ? { kind: 'ok', body: await response.blob() }
        : { kind: 'none' }
    return isOurs(response) ? refusal(response, await response.json()) : { kind: 'none' }
  } catch {
    return { kind: 'none' }
  }
}

const headersOf = ({ token, organization }: Asked): Record<string, string> => ({
  accept: 'application/json',
  ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  ...(organization === null ? {} : { 'x-organization': organization }),
})

const isOurs = ({ headers }: Response): boolean =>
  /^application\/(problem\+)?json/.test(headers.get('content-type') ?? '')

function refusal(response: Response, body: unknown): FieldAnswer<never> {
  const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown }
  if (typeof code !== 'string') return { kind: 'none' }
  const wait = Number(response.headers.get('retry-after'))
  return {
    ...{ kind: 'refused', status: response.status, code },
    detail: typeof detail === 'string' ? detail : 'Erro do servidor. Tente novamente mais tarde.',
    retryAfterS: Number.isFinite(wait) && wait > 0 ? wait : null,
  }
}

/** What has come of a package so far; it goes on from there. */
export interface Partial {
  tag: string
  bytes: Uint8Array
}
export type Taken =
  | { kind: 'same' }
  | { kind: 'whole'; text: string; tag: string }
  | { kind: 'cut'; partial: Partial | null }
  | Extract<FieldAnswer<never>, { kind: 'refused' }>

/** A trial's package, complete only when its hash fits. */
export async function takePackage(
  asked: Asked & { id: string; device: string; known: string | null; partial: Partial | null },
  progress: (part: number) => void,
): Promise<Taken> {
  let { partial } = asked
  try {
    const query = {
      aparelho: asked.device,
      ...(partial ? { de: partial.bytes.length, marca: partial.tag } : {}),
    }
    const response = await fetch(urlOf(ENDPOINTS.fieldPackage, { params: { id: asked.id }, query }), {
      headers: {
        ...headersOf(asked),
        ...(asked.known === null ? {} : { 'if-none-match': `"${asked.known}"` }),
      },
      redirect: 'error',
      signal: AbortSignal.timeout(10 * TIMEOUT_MS),
    })
    if (response.status === 304) return { kind: 'same' }
    const total = Number(response.headers.get('x-tamanho'))
    const tag = /"([\w-]+)"/.exec(response.headers.get('etag') ?? '')?.[1]
    if (!response.ok) {
      const refused = isOurs(response) ? refusal(response, await response.json()) : null
      return refused?.kind === 'refused' ? refused : { kind: 'cut', partial }
    }
    if (!tag || !total || !response.body) return { kind: 'cut', partial }
    const from = Number(response.headers.get('x-de'))
    const before =
      partial && from > 0 && partial.tag === tag ? partial.bytes.subarray(0, from) : new Uint8Array()
    partial = { tag, bytes: before }
    const reader = response.body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const bytes: Uint8Array = new Uint8Array(partial.bytes.length + value.length)
      bytes.set(partial.bytes)
      bytes.set(value, partial.bytes.length)
      partial = { tag, bytes }
      progress(Math.min(1, bytes.length / total))
    }
    if (partial.bytes.length < total) return { kind: 'cut', partial }
    if ((await hashOf(partial.bytes)) !== tag) return { kind: 'cut', partial: null }
    return { kind: 'whole', text: new TextDecoder().decode(partial.bytes), tag }
  } catch {
    return { kind: 'cut', partial }
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()))
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
