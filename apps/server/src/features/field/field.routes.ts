import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { contract, FieldPackage, problem } from '@ensaio/domain'
import type { Wall } from '../../database/wall.ts'
import type { Route } from '../../http/contract-routes.ts'
import { disposition } from '../documents/documents.routes.ts'
import { devicesOf, markRevoked } from './devices.repository.ts'
import type { Field } from './field.service.ts'

const packed = promisify(gzip)
const NOT_FOUND = { notFound: 'experiment.not_found' } as const

/** Phones in the field: what they take along, what they send, what all of them did. */
export function fieldRoutes(route: Route, { wall, field }: { wall: Wall; field: Field }): void {
  route(contract.sendFieldChanges, ({ actor, body }) => field.receive(actor, body))

  route(
    contract.fieldChanges,
    ({ actor, params, query }) => field.changesAfter(actor, params.id, Number(query.after ?? 0)),
    NOT_FOUND,
  )

  route(contract.parkedFieldChanges, ({ actor, params }) => field.parked(actor, params.id), NOT_FOUND)

  route(contract.settleFieldChange, ({ actor, params, body }) => field.settle(actor, params, body), NOT_FOUND)

  route(
    contract.fieldPackage,
    async ({ actor, params, query, request, reply }) => {
      const taken = FieldPackage.parse(await field.take(actor, params.id, query.aparelho ?? null))
      // The tag is the hash of the very bytes, so that the phone knows when it has all of them.
      const bytes = Buffer.from(JSON.stringify(taken))
      const hash = createHash('sha256').update(bytes).digest('base64url')
      const tag = `"${hash}"`
      reply.header('etag', tag).header('cache-control', 'private, no-cache')
      const known = String(request.headers['if-none-match'] ?? '').slice(0, 1000)
      // A proxy that packs the answer marks its tag as weak.
      if (known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag))
        return reply.code(304).send()
      const from = query.marca === hash ? Math.min(query.de ?? 0, bytes.length) : 0
      return reply
        .code(200)
        .header('x-tamanho', String(bytes.length))
        .header('x-de', String(from))
        .type(from === 0 ? 'application/json; charset=utf-8' : 'application/octet-stream')
        .send(bytes.subarray(from))
    },
    NOT_FOUND,
  )

  route(
    contract.fieldPackageSize,
    async ({ actor, params }) => {
      const taken = FieldPackage.parse(await field.pack(actor, params.id))
      const { length } = await packed(JSON.stringify(taken))
      return {
        ...{ bytes: length, parcelas: taken.parcelas.length, variaveis: taken.variaveis.length },
        avaliacoes: taken.avaliacoes.length,
        valores: taken.valores.reduce(
          (sum, { valores }) => sum + valores.filter((v) => v !== null).length,
          0,
        ),
      }
    },
    NOT_FOUND,
  )

  route(
    contract.fieldLabels,
    async ({ actor, params, query, reply }) => {
      const bytes = await field.labels(actor, params.id, query)
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-disposition', disposition('etiquetas.pdf'))
        .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
        .type('application/pdf')
        .send(bytes)
    },
    NOT_FOUND,
  )

  route(contract.fieldSettings, ({ actor, params }) => field.settings(actor, params.id), NOT_FOUND)

  route(
    contract.setFieldSettings,
    async ({ actor, params, body }) => {
      await field.setCollection(actor, params.id, { blind: body.as_cegas, blocks: body.blocos })
      return field.settings(actor, params.id)
    },
    NOT_FOUND,
  )

  route(contract.fieldLabel, ({ actor, params }) => field.label(actor, params.codigo), {
    notFound: 'label.not_found',
  })

  route(contract.listDevices, async ({ actor }) => ({
    aparelhos: (await devicesOf(wall.for(actor), actor.id)).map((device) => ({
      ...device,
      criado_em: device.criado_em.toISOString(),
      contato_em: device.contato_em.toISOString(),
      revogado_em: device.revogado_em?.toISOString() ?? null,
    })),
  }))

  route(
    contract.revokeDevice,
    async ({ actor, params }) => {
      const revoked = { person: actor.id, device: params.id, by: actor.sessionId }
      if (!(await markRevoked(wall.for(actor), revoked))) throw problem('device.not_found')
      return undefined
    },
    { notFound: 'device.not_found' },
  )
}
