import { contract, type Endpoint, problem } from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { replyProblem } from './problem-reply.ts'
import type { WebApp } from './web-app.ts'

const SERVICES = /^\/(api|auth\/v1|rest\/v1|__outbox|healthz|readyz|metrics)(\/|$)/
const FILE = /\.[A-Za-z0-9]{1,8}$/

const endpoints = Object.values<Endpoint>(contract).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** Unknown addresses: a problem below the services' paths, else the web application, which has a page for it. */
export function notFound(web: WebApp) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?')[0] ?? '/'
    if (SERVICES.test(path)) {
      const allowed = endpoints.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
      if (allowed.length === 0) return replyProblem(problem('request.not_found'), request, reply)
      reply.header('allow', [...new Set(allowed)].join(', '))
      return replyProblem(problem('request.method'), request, reply)
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return replyProblem(problem('request.not_found'), request, reply)
    if (FILE.test(path)) return reply.code(404).type('text/plain; charset=utf-8').send('Não encontrado')
    return web.page(request, reply)
  }
}
