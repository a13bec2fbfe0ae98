import { PDF_MAX_BYTES, Problem, problem } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { places, shareOf } from '../places.ts'
import { StoreUnavailable } from '../storage/document-store.ts'
import { subscriber } from './client-address.ts'
import { actorOf } from './contract-routes.ts'
import { onceClosed } from './once-closed.ts'

const FIELD_MAX_BYTES = 4 * 1024 * 1024
const MOST_FIELDS = 10
const LONGEST_NAME = 200
const LONGEST_GIVEN = 1000

export interface UploadedFile {
  /** As the sender called it, cleaned: data to show, never a path. */
  filename: string
  /** Null when the file is over the limit; it was not kept. */
  bytes: Buffer | null
}

/** Files of one kind stand in a field of their own. */
export interface FileKind {
  field: string
  maxBytes: number
  /** As a sentence names it: 'PDF'. */
  name: string
}
const REPORT: FileKind = { field: 'pdf', maxBytes: PDF_MAX_BYTES, name: 'PDF' }

type Fields = Readonly<Record<string, string>>

/** A request holds one file in memory at a time: not more of them at once than that may take. */
const uploads = places({ atOnce: 20, perPerson: 5, perGroup: 8, inLine: 100, patienceMs: 8_000 })
/** A sender that dribbles may not keep a place for ever, nor one that sends next to nothing. */
const SLOWEST_MS = 180_000
const LOOK_EVERY_MS = 15_000
const LEAST_BYTES = 30_000
/** While others wait: a slow line of a phone still does it. */
const LEAST_BYTES_IN_CROWD = 150_000

/** Reads a multipart body whose files stand in `pdf`, or the field of another kind; a file in another field is refused, never dropped. */
export async function readUpload(
  request: FastifyRequest,
  { maxFiles, of }: { maxFiles: number; of?: FileKind },
): Promise<{ files: UploadedFile[]; fields: Fields }> {
  const files: UploadedFile[] = []
  const { fields } = await eachUpload(request, {
    maxFiles,
    take: async (file) => void files.push(file),
    ...(of && { of }),
  })
  return { files, fields }
}

/** The same, one file at a time: the next is read when `take` is done with the one before. */
export async function eachUpload(
  request: FastifyRequest,
  {
    maxFiles,
    take,
    of = REPORT,
  }: { maxFiles: number; take(file: UploadedFile): Promise<void>; of?: FileKind },
): Promise<{ fields: Fields }> {
  if (!request.isMultipart()) throw problem('request.unsupported_media')
  const leave = await uploads.enter(shareOf(actorOf(request)), subscriber(request.ip))
  const tooSlow = setTimeout(() => request.raw.destroy(), SLOWEST_MS)
  const pace = keepPace(request)
  try {
    return await Promise.race([
      readParts(request, { maxFiles, take: pace.resting(take), of }),
      cutOff(request),
    ])
  } catch (error) {
    // The parser complains in words of its own, as about a missing boundary.
    const named =
      error instanceof Problem ||
      error instanceof StoreUnavailable ||
      (error instanceof Error && 'code' in error)
    throw named ? error : problem('request.invalid', { cause: error })
  } finally {
    clearTimeout(tooSlow)
    await pace.stop()
    leave()
  }
}

/** Cuts a sender off that sends too little; the time that we take ourselves does not count. */
function keepPace({ raw }: FastifyRequest) {
  let before = raw.socket.bytesRead
  let ours: Promise<void> | null = null
  let wasOurs = false
  let over = false
  const timer = setInterval(() => {
    const sent = raw.socket.bytesRead - before
    const least = uploads.counts().inLine > 0 ? LEAST_BYTES_IN_CROWD : LEAST_BYTES
    if (!ours && !wasOurs && sent < least && !raw.complete) raw.destroy()
    before = raw.socket.bytesRead
    wasOurs = ours !== null
  }, LOOK_EVERY_MS)
  return {
    /** Nothing is taken after this: whoever takes back what was taken has all of it. */
    async stop() {
      clearInterval(timer)
      over = true
      await ours?.catch(() => undefined)
    },
    resting: (take: (file: UploadedFile) => Promise<void>) => async (file: UploadedFile) => {
      if (over) return
      wasOurs = true
      ours = take(file)
      await ours
      ours = null
    },
  }
}

/** Fails when the sender goes away, of which the parser says nothing if it had not begun or was between parts. */
function cutOff({ raw }: FastifyRequest): Promise<never> {
  return new Promise((_done, fail) => {
    const look = () => {
      if (!raw.complete) fail(problem('request.invalid'))
    }
    if (raw.destroyed) look()
    else raw.once('close', look)
  })
}

async function readParts(
  request: FastifyRequest,
  { maxFiles, take, of }: { maxFiles: number; take(file: UploadedFile): Promise<void>; of: FileKind },
): Promise<{ fields: Fields }> {
  const fields: Record<string, string> = {}
  let count = 0
  let strange = false
  const parts = request.parts({
    limits: {
      fileSize: of.maxBytes,
      fieldSize: FIELD_MAX_BYTES,
      fields: MOST_FIELDS,
      // One more than allowed, so that the answer can say that there are too many.
      files: maxFiles + 1,
      parts: maxFiles + MOST_FIELDS + 1,
    },
  })
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated) throw problem('request.too_large')
      if (typeof part.value === 'string') fields[part.fieldname] = part.value
      continue
    }
    const chunks: Buffer[] = []
    for await (const chunk of part.file) chunks.push(chunk as Buffer)
    if (part.fieldname !== of.field && part.fieldname !== `${of.field}[]`) {
      strange = true
      continue
    }
    count += 1
    if (count > maxFiles) continue
    await take({
      filename: cleanFilename(part.filename),
      bytes: part.file.truncated ? null : Buffer.concat(chunks),
    })
  }
  if (count > maxFiles || (strange && count === maxFiles))
    throw problem(maxFiles === 1 ? 'document.one_at_a_time' : 'document.too_many')
  if (strange)
    throw problem('document.wrong_field', { detail: `Envie o arquivo ${of.name} no campo “${of.field}”` })
  return { fields }
}

/** What a browser writes for the three characters that would end a name in a form; it leaves every other % alone. */
const FORM_ESCAPES = /%(?:22|0D|0A)/gi

/** The last part of whatever path was sent, free of control characters. */
export function cleanFilename(given: string | undefined): string {
  // The end of it, where the name is; the whole may be as long as a header, which takes long to normalise.
  const name = (given ?? '')
    .slice(-LONGEST_GIVEN)
    .replace(FORM_ESCAPES, decodeURIComponent)
    .normalize('NFC')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/ ?[\p{Cc}\p{Cf}<>:"|?*]+ ?/gu, ' ')
    .trim()
    .replace(/^\.+/, '')
  if (!name) return 'documento.pdf'
  return [...name].length > LONGEST_NAME ? `${[...name].slice(0, LONGEST_NAME - 4).join('')}.pdf` : name
}

/** The first bytes decide, not the name or the declared type. @throws Problem */
export function pdfBytes({ bytes }: UploadedFile): Buffer {
  if (bytes === null) throw problem('document.too_large')
  if (bytes.length === 0) throw problem('document.empty')
  const start = bytes.subarray(0, 16).toString('latin1')
  if (!/^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(start)) throw problem('document.invalid')
  return bytes
}

/** Fires when the sender goes away, or when the answer has been sent. */
export function closed(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  // The answer's own event: a connection carries many requests, and would keep a listener of each.
  onceClosed(reply, () => controller.abort())
  return controller.signal
}
