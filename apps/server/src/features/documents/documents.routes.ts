import {
  BULK_MAX_FILES,
  can,
  contract,
  DOCUMENTS_PER_EXPERIMENT,
  type Document,
  PROBLEMS,
  Problem,
  problem,
} from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Handle } from '../../database/handle.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { pdfBytes, readUpload, type UploadedFile } from '../../http/upload.ts'
import { wholePdf } from '../../http/whole-pdf.ts'
import type { Experiments } from '../experiments/experiments.service.ts'
import type { DocumentRow } from './documents.repository.ts'
import type { Documents } from './documents.service.ts'
import { readRange } from './range.ts'

const NOT_FOUND = { notFound: 'document.not_found' } as const

export function documentRoutes(
  route: Route,
  { handle, documents, experiments }: { handle: Handle; documents: Documents; experiments: Experiments },
): void {
  const store = async (actor: Actor, file: UploadedFile, experimentId: string | null): Promise<Document> => {
    const pdf = { filename: file.filename, bytes: wholePdf(pdfBytes(file)) }
    if (experimentId !== null) return experiments.addDocument(actor, experimentId, pdf)
    return documents.name(handle, await documents.keep(pdf), { experimentId: null, userId: actor.id })
  }

  route(contract.uploadDocument, async ({ actor, request }) => {
    const { files, fields } = await readUpload(request, { maxFiles: 1 })
    const experimentId = await target(actor, fields.experimentId)
    const [file] = files
    if (!file) throw problem('document.missing')
    return { document: await store(actor, file, experimentId) }
  })

  route(contract.uploadBulk, async ({ actor, request }) => {
    const { files, fields } = await readUpload(request, { maxFiles: BULK_MAX_FILES })
    const experimentId = await target(actor, fields.experimentId)
    if (files.length === 0) throw problem('document.missing')
    const results = []
    for (const file of files) {
      try {
        const document = await store(actor, file, experimentId)
        results.push({ filename: file.filename, document, error: null })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        results.push({ filename: file.filename, document: null, error: PROBLEMS[error.code].detail })
      }
    }
    return { results }
  })

  route(contract.listDocuments, async ({ actor, query }) => ({
    documents: await documents.list({
      experimentId: query.experimentId,
      sha256: query.sha256,
      userId: actor.id,
      limit: query.limit ?? DOCUMENTS_PER_EXPERIMENT,
    }),
  }))

  route(
    contract.getDocument,
    async ({ actor, params, request, reply }) => {
      const document = await documents.find(params.id, actor)
      return sendFile(documents, document, request, reply)
    },
    NOT_FOUND,
  )

  route(
    contract.deleteDocument,
    async ({ actor, params }) => {
      const document = await documents.find(params.id, actor)
      if (document.experimento_id)
        await experiments.authorise(actor, 'document.delete', document.experimento_id)
      else if (!can(actor, 'document.delete', { owner: document.created_by }).allowed)
        throw problem('permission.denied')
      const removeFile = await documents.remove(handle, document.id)
      await removeFile()
      return undefined
    },
    NOT_FOUND,
  )

  async function target(actor: Actor, experimentId: string | undefined): Promise<string | null> {
    if (!experimentId) return null
    if (!z.uuid().safeParse(experimentId).success) throw problem('experiment.not_found')
    await experiments.authorise(actor, 'experiment.edit', experimentId)
    return experimentId
  }
}

/** The bytes never change, so their hash is a strong validator for ranges and caches. */
async function sendFile(
  documents: Documents,
  document: DocumentRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const etag = `"${document.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, no-cache')
    .header('content-disposition', disposition(document.filename))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('last-modified', document.created_at.toUTCString())
    .type('application/pdf')
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const condition = request.headers['if-range']
  const wanted =
    condition === undefined || condition === etag
      ? readRange(request.headers.range, document.tamanho)
      : undefined
  if (wanted === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${document.tamanho}`).send()
  const { start, end } = wanted ?? { start: 0, end: document.tamanho - 1 }
  reply.code(wanted ? 206 : 200).header('content-length', end - start + 1)
  if (wanted) reply.header('content-range', `bytes ${start}-${end}/${document.tamanho}`)
  if (request.method === 'HEAD') return reply.send()
  return reply.send(await documents.open(document, { start, end }))
}

export const matches = (header: string | undefined, etag: string) =>
  header !== undefined &&
  (header === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** Saved under the name that the sender gave, in any script. */
function disposition(filename: string): string {
  const ascii = filename
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\]/g, '')
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii || 'documento.pdf'}"; filename*=UTF-8''${encoded}`
}
