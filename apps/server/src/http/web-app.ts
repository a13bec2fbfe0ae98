import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const YEAR_S = 31_536_000

export interface WebApp {
  /** Answers with the application, which has a page for addresses that are none: its status says so too. */
  page(reply: FastifyReply, status: 200 | 404): FastifyReply
}

/** Serves the built web application; `folder` may be missing in development and tests. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<WebApp> {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) {
    return { page: (reply) => reply.code(404).type('text/plain; charset=utf-8').send('Ensaio') }
  }
  const index = readFileSync(indexFile, 'utf8')
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', 'index.html'],
    setHeaders(reply, path) {
      const hashed = path.includes('/assets/')
      reply.header('cache-control', hashed ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
    },
  })
  return {
    page: (reply, status) =>
      reply.code(status).header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(index),
  }
}
