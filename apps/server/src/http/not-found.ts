import {
  contract,
  type Endpoint,
  isFieldPage,
  PAGES,
  problem,
  RECORD_PAGES,
  TOKEN_PAGES,
} from '@ensaio/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { replyProblem } from './problem-reply.ts'
import type { WebApp } from './web-app.ts'

const SERVICES = /^\/(api|auth\/v1|rest\/v1|brapi\/v2|__outbox|healthz|readyz|metrics)(\/|$)/
const FILE = /\.[A-Za-z0-9]{1,8}$/

const endpoints = Object.values<Endpoint>(contract).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
}))

/** What no route answers: a problem below the services' paths, a file that is none, or a page of the application. */
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
    // Unless the application brings one of its own.
    if (path === '/robots.txt') return reply.code(200).type('text/plain; charset=utf-8').send(ROBOTS)
    if (FILE.test(path)) return reply.code(404).type('text/plain; charset=utf-8').send('Não encontrado')
    const secret = isTokenPage(path)
    if (secret) reply.headers(SECRET)
    return web.page(reply, secret || isPage(path) || isRecordPage(path) || isFieldPage(path) ? 200 : 404)
  }
}

/** As the application's router reads an address: whatever the case, with or without a slash behind. */
const isPage = (path: string): boolean => PAGES.has(path.toLowerCase().replace(/(?<=.)\/$/, ''))

const isTokenPage = (path: string): boolean => {
  const [page = '', token = ''] = /^(\/[a-z]+)\/([\w-]+)\/?$/i.exec(path)?.slice(1) ?? []
  return token !== '' && TOKEN_PAGES.has(page.toLowerCase())
}
const isRecordPage = (path: string): boolean => {
  const [page = ''] =
    /^(\/[a-z]+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i.exec(path)?.slice(1) ?? []
  return RECORD_PAGES.has(page.toLowerCase())
}
const SECRET = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
} as const

/** Search engines read what anybody may read. */
const ROBOTS = 'User-agent: *\nDisallow: /api/\nDisallow: /auth/\nDisallow: /rest/\n'
