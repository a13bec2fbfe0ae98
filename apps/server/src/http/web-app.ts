import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { isFieldPage } from '@ensaio/domain'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'

const YEAR_S = 31_536_000
/** Of every page; what else is built has no use for the policies of a page. */
const OF_PAGES = ['content-security-policy', 'permissions-policy', 'x-frame-options', 'referrer-policy']

export interface WebApp {
  /** Answers with the application, which has a page for addresses that are none: its status says so too. */
  page(reply: FastifyReply, status: 200 | 404): FastifyReply
}

/** Serves the built web application; `folder` may be missing in development and tests. */
export async function serveWebApp(app: FastifyInstance, folder: string): Promise<WebApp> {
  if (!existsSync(join(folder, 'index.html'))) {
    return { page: (reply) => reply.code(404).type('text/plain; charset=utf-8').send('Ensaio') }
  }
  // By where it lies below the folder: the folder itself may have any name.
  const assets = join(folder, 'assets', sep)
  // A page that asks for its parts ahead was built with a file of its own.
  const own = new Set(readdirSync(folder).filter((name) => name.endsWith('.html')))
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ['**/*.br', '**/*.gz', '**/*.html'],
    setHeaders(reply, path) {
      const hashed = path.startsWith(assets)
      if (hashed) for (const name of OF_PAGES) reply.removeHeader(name)
      if (hashed) reply.header('cache-control', `public, max-age=${YEAR_S}, immutable`)
      else if (!reply.getHeader('cache-control')) reply.header('cache-control', 'no-cache')
    },
  })
  return {
    page: (reply, status) => {
      const [path = ''] = reply.request.url.split('?')
      const name = isFieldPage(path) ? 'campo' : /^\/([a-z-]+)\/?$/.exec(path)?.[1]
      const file = `${name}.html`
      return reply.code(status).sendFile(own.has(file) ? file : 'index.html')
    },
  }
}

/** The scripts that stand in the page itself, as a policy names them. */
export function inlineScripts(folder: string): string[] {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) return []
  const scripts = readFileSync(file, 'utf8').matchAll(/<script>([\s\S]*?)<\/script>/g)
  return [...scripts].map(([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}
