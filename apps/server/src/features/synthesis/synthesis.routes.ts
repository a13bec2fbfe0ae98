import { contract } from '@ensaio/domain'
import type { FastifyReply } from 'fastify'
import type { Route } from '../../http/contract-routes.ts'
import { readKey } from '../../http/idempotency-key.ts'
import type { SynthesisRecords } from './records.service.ts'
import type { Syntheses } from './synthesis.service.ts'

const NOT_FOUND = { notFound: 'synthesis.not_found' } as const

/** Many trials in one answer, and what people recorded of it. */
export function synthesisRoutes(
  route: Route,
  { syntheses, records }: { syntheses: Syntheses; records: SynthesisRecords },
): void {
  route(contract.synthesis, async ({ actor, query, reply }) =>
    whole(reply, 'sintese', await syntheses.answer(actor, query)),
  )
  route(contract.synthesisProducts, ({ actor, query: { busca, ...filter } }) =>
    syntheses.products(actor, filter, busca),
  )
  route(contract.jointAnalysis, async ({ actor, query, reply }) =>
    whole(reply, 'conjunta', await syntheses.joint(actor, query)),
  )
  route(contract.recordSynthesis, async ({ actor, body, request }) => ({
    registro: await records.keep(actor, body, readKey(request)),
  }))
  route(contract.listSyntheses, async ({ actor }) => ({ registros: await records.list(actor) }))
  route(
    contract.getSynthesis,
    async ({ actor, params }) => ({ registro: await records.get(actor, params.id) }),
    NOT_FOUND,
  )
  route(contract.rerunSynthesis, ({ actor, params }) => records.rerun(actor, params.id), NOT_FOUND)
  route(
    contract.removeSynthesis,
    async ({ actor, params }) => {
      await records.remove(actor, params.id)
      return undefined
    },
    NOT_FOUND,
  )
}

/** The thread's JSON goes out as it came: reading it only to write it again would hold everybody up. */
const whole = (reply: FastifyReply, name: string, json: string) =>
  reply
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(`{"${name}":${json}}`)
