import { contract, PHOTO_PART_BYTES, problem } from '@ensaio/domain'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Route } from '../../http/contract-routes.ts'
import { readUpload } from '../../http/upload.ts'
import { disposition } from '../documents/documents.routes.ts'
import type { Photos } from './photos.service.ts'

const PART = { field: 'parte', maxBytes: PHOTO_PART_BYTES, name: 'da foto' } as const
const NOT_FOUND = { notFound: 'photo.not_found' } as const
const From = z.coerce.number().int().min(0).max(1e9)
const Cursor = z.tuple([z.iso.datetime(), z.uuid()])

/** Where a page begins; a cursor that is not ours begins at the start. */
function after(cursor: string | undefined): { quando: string; id: string } | null {
  const read = Cursor.safeParse(cursor?.split(' '))
  return read.success ? { quando: read.data[0], id: read.data[1] } : null
}

/** Saved or shown, and nothing else: it is a picture of ours, and no page. */
const send = (reply: FastifyReply, { filename, bytes }: { filename: string; bytes: Buffer }) =>
  reply
    .header('content-disposition', disposition(filename))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-cache')
    .type('image/jpeg')
    .send(bytes)

/** Photos of plots: in parts from the field, and as they are looked at. */
export function photoRoutes(route: Route, { photos }: { photos: Photos }): void {
  route(
    contract.putPhotoPart,
    async ({ actor, params, request }) => {
      const { files, fields } = await readUpload(request, { maxFiles: 1, of: PART })
      const [part] = files
      if (part?.bytes === null) throw problem('request.too_large')
      const from = From.safeParse(fields['de'])
      if (!part || !from.success)
        throw problem('validation.failed', { fields: [{ path: 'de', message: 'Informe parte e começo' }] })
      return photos.part(actor, params, { from: from.data, bytes: part.bytes })
    },
    NOT_FOUND,
  )

  route(
    contract.listPhotos,
    async ({ actor, params, query }) => {
      const { next, ...page } = await photos.list(actor, params.id, {
        after: after(query.cursor),
        ...(query.limit !== undefined && { limit: query.limit }),
      })
      return { ...page, next_cursor: next && `${next.quando} ${next.id}` }
    },
    { notFound: 'experiment.not_found' },
  )

  route(
    contract.getPhoto,
    async ({ actor, params, query, reply }) =>
      send(reply, await photos[query.pequena ? 'small' : 'open'](actor, params.id, params.photo)),
    NOT_FOUND,
  )

  route(
    contract.getSignedPhoto,
    async ({ params, query, reply }) =>
      // Shown on pages of other applications, too.
      send(
        reply.header('cross-origin-resource-policy', 'cross-origin'),
        await photos.openSigned({ id: params.photo, ...query }),
      ),
    NOT_FOUND,
  )

  route(
    contract.removePhoto,
    async ({ actor, params }) => {
      await photos.remove(actor, params.id, params.photo)
      return undefined
    },
    NOT_FOUND,
  )
}
