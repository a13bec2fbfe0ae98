import { can, contract, FIELD_KEYS, GivenTables, problem } from '@ensaio/domain'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Wall } from '../../database/wall.ts'
import type { Route } from '../../http/contract-routes.ts'
import { eventStream } from '../../http/event-stream.ts'
import { parseField } from '../../http/json-body.ts'
import { problemBody } from '../../http/problem-reply.ts'
import { closed, pdfBytes, readUpload } from '../../http/upload.ts'
import type { Extraction } from './extraction.service.ts'
import { forgetLayout } from './layouts.repository.ts'

/** Reads a report while telling how far it is: events `progress` and `field`, then `result` or `problem`. */
export function extractionRoutes(
  route: Route,
  { wall, extraction }: { wall: Wall; extraction: Extraction },
): void {
  route(contract.extract, async ({ actor, request, reply }) => {
    const { pdf, fields } = await readReport(request)
    const tables = givenTables(fields)
    const stream = eventStream(reply)
    try {
      const result = await extraction.extract(actor, pdf, {
        ...tables,
        signal: closed(reply),
        onProgress: (progress) => stream.send('progress', progress),
        onFields: (fields) => {
          for (const field of fields) stream.send('field', field)
        },
      })
      stream.send('result', result)
    } catch (error) {
      stream.send('problem', problemBody(error, request))
    }
    stream.end()
    return reply
  })

  route(contract.rememberLayout, async ({ actor, request }) => {
    const { pdf, fields } = await readReport(request)
    const corrected = parseField(Corrected, fields.campos ?? '{}')
    const id = await extraction.remember(actor, pdf, { ...givenTables(fields), fields: corrected })
    return { layout: { id } }
  })

  route(contract.forgetLayout, async ({ actor, params }) => {
    const anybodys = can(actor, 'admin').allowed
    if (!(await forgetLayout(wall.for(actor), { id: params.id, userId: actor.id, anybodys })))
      throw problem('layout.not_found')
    return undefined
  })
}

const Corrected = z.partialRecord(z.enum(FIELD_KEYS), z.union([z.string().max(200), z.number()]))

async function readReport(request: FastifyRequest) {
  const { files, fields } = await readUpload(request, { maxFiles: 1 })
  const [file] = files
  if (!file) throw problem('document.missing')
  return { pdf: pdfBytes(file), fields }
}

const givenTables = ({ tabelas }: Readonly<Record<string, string>>): { tables?: GivenTables } =>
  tabelas === undefined ? {} : { tables: parseField(GivenTables, tabelas) }
