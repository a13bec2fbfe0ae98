import { contract, problem, SLIDES, sectionsIn, WORD } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Handle } from '../../database/handle.ts'
import type { Actor, Route } from '../../http/contract-routes.ts'
import type { Miappe } from '../brapi/miappe.ts'
import { disposition, matches } from '../documents/documents.routes.ts'
import type { ManyReports } from './many.service.ts'
import { leaveOut, partsLeftOut } from './reports.repository.ts'
import type { ReportFile, Reports } from './reports.service.ts'

/** Reports as files: made when they are asked for, and only where the asker has not the same already. */
export function reportRoutes(
  route: Route,
  {
    handleOf,
    reports,
    many,
    miappe,
  }: { handleOf: (actor: Actor) => Handle; reports: Reports; many: ManyReports; miappe: Miappe },
): void {
  const send = async (file: ReportFile, request: FastifyRequest, reply: FastifyReply) => {
    const etag = `"${file.tag}"`
    reply
      .header('etag', etag)
      .header('cache-control', 'private, no-cache')
      .header('content-disposition', disposition(file.filename))
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .type(file.type)
    if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.send(await file.bytes())
  }
  route(
    contract.trialReport,
    async ({ actor, params, query, request, reply }) =>
      send(
        await reports.trial(actor, params.id, {
          ...{ format: query.formato, sections: sectionsIn(query.secoes) },
          registration: query.registro ?? null,
          together: query.conjunto?.split(',') ?? [],
        }),
        request,
        reply,
      ),
    { notFound: 'experiment.not_found' },
  )
  route(
    contract.trialMiappe,
    async ({ actor, params, reply }) => {
      const { filename, content } = await miappe.file(actor, params.id)
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-disposition', disposition(filename))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type('application/zip')
        .send(content)
    },
    { notFound: 'experiment.not_found' },
  )
  route(
    contract.trialMiappeLacks,
    async ({ actor, params }) => ({ faltam: await miappe.lacks(actor, params.id) }),
    { notFound: 'experiment.not_found' },
  )
  route(contract.getReportParts, async ({ actor }) => ({ partes: await partsLeftOut(handleOf(actor)) }))
  route(contract.setReportParts, async ({ actor, body }) => ({
    partes: await leaveOut(handleOf(actor), actor.id, body),
  }))
  const ofMany = { notFound: 'report.not_found' } as const
  route(contract.createReport, async ({ actor, body }) => ({ relatorio: await many.begin(actor, body) }))
  route(
    contract.getReport,
    async ({ actor, params }) => ({ relatorio: await many.get(actor, params.id) }),
    ofMany,
  )
  route(
    contract.reportFile,
    async ({ actor, params, reply }) => {
      const { filename, formato, content } = await many.file(actor, params.id)
      return reply
        .header('cache-control', 'private, no-store')
        .header('content-disposition', disposition(filename))
        .header('content-security-policy', "default-src 'none'; sandbox")
        .type({ pdf: 'application/pdf', docx: WORD, pptx: SLIDES }[formato])
        .send(content)
    },
    ofMany,
  )
  route(
    contract.removeReport,
    async ({ actor, params, reply }) => {
      await many.remove(actor, params.id)
      return reply.code(204).send()
    },
    ofMany,
  )
  route(contract.dashboardFigure, async ({ actor, params: { nome }, query, request, reply }) => {
    const { formato, medida = nome === 'produto' ? 'ganho' : 'produtividade', ...filter } = query
    if (nome === 'produto' && medida !== 'ganho')
      throw problem('validation.failed', {
        fields: [{ path: 'medida', message: 'De produtos há só o ganho' }],
      })
    return send(
      await reports.dashboardFigure(actor, filter, { nome, medida, format: formato }),
      request,
      reply,
    )
  })
  route(
    contract.trialFigure,
    async ({ actor, params, query, request, reply }) =>
      send(await reports.figure(actor, params.id, query.formato), request, reply),
    { notFound: 'experiment.not_found' },
  )
}
