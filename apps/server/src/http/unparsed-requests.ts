import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { PROBLEMS, type ProblemBody, type ProblemCode } from '@ensaio/domain'

/** Time to read the answer while the rest of the request still comes. */
const LINGER_MS = 2_000
/** More than that is read of nobody who was refused. */
const MOST_UNREAD_BYTES = 64 * 1024 * 1024

const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'request.headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
}
const answered = new WeakSet<Socket>()

/**
 * Answers what is no request that could be read, as one whose address or headers are too long. It has no route and
 * no request object, so the answer is written by hand. The connection is not cut at once: a sender in the middle of
 * its body would meet a broken pipe in place of the answer. What still comes meets the same refused parser, which
 * drops it and calls here again.
 */
export function replyToUnparsed(error: Error & { code?: string }, socket: Socket): void {
  if (answered.has(socket) && socket.bytesRead < MOST_UNREAD_BYTES) return
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  answered.add(socket)
  const code = CODES[error.code ?? ''] ?? 'request.invalid'
  const { status, detail } = PROBLEMS[code]
  const body = JSON.stringify({
    type: 'about:blank',
    title: detail,
    status,
    code,
    detail,
  } satisfies ProblemBody)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  const cut = setTimeout(() => socket.destroy(), code === 'request.timeout' ? 0 : LINGER_MS)
  socket.once('close', () => clearTimeout(cut))
}

/** An earlier request of the connection is being answered: nothing may be written between. Node's own mark of it. */
const isAnswering = (socket: Socket & { _httpMessage?: ServerResponse | null }) =>
  Boolean(socket._httpMessage)
