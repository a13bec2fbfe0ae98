import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/**
 * No inline script but those of the page itself, named by their hashes; pictures from the tile server; workers and
 * previews from our own blobs.
 */
export async function secure(
  app: FastifyInstance,
  config: Pick<Config, 'tileUrl' | 'siteUrl'>,
  inlineScripts: readonly string[],
): Promise<void> {
  const behindTls = config.siteUrl.startsWith('https:')
  await app.register(helmet, {
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
  app.addHook('onSend', async (_request, reply) => {
    reply.header('permissions-policy', 'camera=(), microphone=(), payment=(), geolocation=(self)')
  })
}

function tileOrigins(tileUrl: string | null): string[] {
  if (tileUrl === null) return []
  const [origin] = tileUrl.replace('{s}', '*').match(/^https?:\/\/[^/{}]+/) ?? []
  return origin ? [origin] : []
}
