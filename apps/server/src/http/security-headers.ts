import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet from 'helmet'
import type { Config } from '../config.ts'

/**
 * No inline script but those of the page itself, named by their hashes; pictures from the tile server; workers and
 * previews from our own blobs.
 */
export function secure(
  app: FastifyInstance,
  config: Pick<Config, 'tileUrl' | 'siteUrl'>,
  inlineScripts: readonly string[],
): void {
  const behindTls = config.siteUrl.startsWith('https:')
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // pdf.js decodes some images in WebAssembly, which is no eval.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScripts],
        scriptSrcAttr: ["'none'"],
        // Radix and sonner add style elements at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileOrigins(config.tileUrl)],
        mediaSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'self'", 'blob:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(behindTls && { upgradeInsecureRequests: [] }),
      },
    },
    hsts: behindTls && { maxAge: 31_536_000, includeSubDomains: false },
    // Tile servers ask for the referring site; nobody gets more than the origin.
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
    crossOriginEmbedderPolicy: false,
  })
  headers['permissions-policy'] = 'camera=(self), geolocation=(self), microphone=(self), payment=()'
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}

/** They are the same for every answer: made once, which is most of their cost. */
function headersOf(options: Parameters<typeof helmet>[0]): Record<string, string> {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, (error) => {
    if (error) throw error
  })
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  )
}

function tileOrigins(tileUrl: string | null): string[] {
  if (tileUrl === null) return []
  const [origin] = tileUrl.replace('{s}', '*').match(/^https?:\/\/[^/{}]+/) ?? []
  return origin ? [origin] : []
}
