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
import { create } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Wall } from '../../database/wall.ts'
import { startWork } from '../../http/admission.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import { toProblem } from '../../http/problem-reply.ts'
import { eachUpload, pdfBytes, readUpload, type UploadedFile } from '../../http/upload.ts'
import { wholePdf } from '../../http/whole-pdf.ts'
import { type DocumentRow, noteReading } from './documents.repository.ts'
import type { Documents, StoredFile } from './documents.service.ts'
import { readRange } from './range.ts'

const NOT_FOUND = { notFound: 'document.not_found' } as const

/** A file of a bulk upload: kept and not yet named, or the sentence of why not. */
type Kept = { filename: string; file: StoredFile } | { filename: string; error: unknown }

/** What documents may hang on: it says who may add to it, and tells its history. */
export interface Holders {
  /** @throws experiment.not_found or permission.denied */
  authorise(actor: Actor, action: 'experiment.edit', id: string): Promise<void>
  addDocument(actor: Actor, id: string, file: StoredFile): Promise<Document>
  removeDocument(actor: Actor, id: string, document: { id: string; filename: string }): Promise<void>
}

export function documentRoutes(
  route: Route,
  { wall, documents, experiments }: { wall: Wall; documents: Documents; experiments: Holders },
): void {
  const keep = ({ filename, bytes }: UploadedFile) =>
    documents.keep({ filename, bytes: wholePdf(pdfBytes({ filename, bytes })) })

  /** Gives a kept file its row, and takes the file back if that was refused; after other failures the sweep decides. */
  const name = async (actor: Actor, file: StoredFile, experimentId: string | null): Promise<Document> => {
    try {
      if (experimentId !== null) return await experiments.addDocument(actor, experimentId, file)
      return (await documents.nameLoose(file, actor)).document
    } catch (error) {
      if (error instanceof Problem) await documents.discard(file).catch(() => undefined)
      throw error
    }
  }

  route(contract.uploadDocument, async ({ actor, request }) => {
    const { files, fields } = await readUpload(request, { maxFiles: 1 })
    await startWork(request)
    const experimentId = await target(actor, fields.experimentId)
    const [file] = files
    if (!file) throw problem('document.missing')
    return { document: await name(actor, await keep(file), experimentId) }
  })

  // One file at a time goes to the store; none has a row before all are there, so that a request that fails has
  // added nothing, and one that has added something says what.
  route(contract.uploadBulk, async ({ actor, request }) => {
    const kept: Kept[] = []
    try {
      const take = async (file: UploadedFile) => {
        kept.push(await keptOr(file.filename, () => keep(file)))
      }
      const { fields } = await eachUpload(request, { maxFiles: BULK_MAX_FILES, take })
      await startWork(request)
      const experimentId = await target(actor, fields.experimentId)
      if (kept.length === 0) throw problem('document.missing')
      return { results: await nameAll(actor, kept, experimentId) }
    } catch (error) {
      for (const each of kept) if ('file' in each) await documents.discard(each.file).catch(() => undefined)
      throw error
    }
  })

  const nameAll = async (actor: Actor, kept: readonly Kept[], experimentId: string | null) => {
    const results = []
    for (const each of kept) {
      const { filename } = each
      try {
        if ('error' in each) throw each.error
        const document = await name(actor, each.file, experimentId)
        results.push({ filename, document, error: null })
      } catch (error) {
        const { detail, status } = PROBLEMS[toProblem(error).code]
        // Nothing has been added yet: then the whole may as well be tried again.
        if (status >= 500 && !results.some(({ document }) => document)) throw error
        results.push({ filename, document: null, error: detail })
      }
    }
    return results
  }

  route(contract.matchDocuments, async ({ actor, body }) => ({
    experimentos: await documents.match(actor, body.nomes),
  }))

  route(contract.listDocuments, async ({ actor, query }) => ({
    documents: await documents.list(actor, {
      experimentId: query.experimentId,
      sha256: query.sha256,
      limit: query.limit ?? DOCUMENTS_PER_EXPERIMENT,
    }),
  }))

  route(
    contract.getDocument,
    async ({ actor, params, request, reply }) => {
      const document = await documents.find(params.id, actor)
      if (document.organizacao_id !== actor.organization && request.method === 'GET')
        await noteReading(wall.for(actor), document.id)
      return sendFile(documents, document, request, reply)
    },
    NOT_FOUND,
  )

  route(
    contract.deleteDocument,
    async ({ actor, params }) => {
      const document = await documents.find(params.id, actor)
      if (document.experimento_id) {
        await experiments.removeDocument(actor, document.experimento_id, document)
        return undefined
      }
      const loose = { owner: document.created_by, organization: document.organizacao_id }
      if (!can(actor, 'document.delete', loose).allowed) throw problem('permission.denied')
      const removeFile = await documents.remove(wall.for(actor), document.id)
      await removeFile()
      return undefined
    },
    NOT_FOUND,
  )

  async function target(actor: Actor, experimentId: string | undefined): Promise<string | null> {
    if (!experimentId) {
      if (!can(actor, 'experiment.create').allowed) throw problem('permission.denied')
      return null
    }
    if (!z.uuid().safeParse(experimentId).success) throw problem('experiment.not_found')
    await experiments.authorise(actor, 'experiment.edit', experimentId)
    return experimentId
  }
}

/** What is wrong with one file is told of that file; a store that does not answer ends the whole. */
async function keptOr(filename: string, keep: () => Promise<StoredFile>): Promise<Kept> {
  try {
    return { filename, file: await keep() }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { filename, error }
  }
}

/** The bytes never change, so their hash is a strong validator for ranges and caches. */
export async function sendFile(
  documents: Documents,
  document: DocumentRow,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheControl = 'private, no-cache',
): Promise<FastifyReply> {
  const etag = `"${document.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', cacheControl)
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
export function disposition(filename: string): string {
  const plain = filename.replace(/[\\/:*?"<>|]+/g, '-')
  const ascii = plain.normalize('NFD').replace(/[^\x20-\x7e]/g, '')
  return create(plain, { fallback: ascii || 'documento.pdf' })
}
