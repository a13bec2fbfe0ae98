import { createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { sendClosed } from './field-store/closed.ts'

/** What is there of a worker's own world; the page's types cover the rest. */
interface WorkerWorld {
  __WB_MANIFEST: { url: string; revision: string | null }[]
  addEventListener(type: 'message' | 'activate' | 'sync', listener: (event: WorkerEvent) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(of: object): Promise<{ url: string; postMessage(data: unknown): void }[]>
  }
}
interface WorkerEvent {
  data?: unknown
  waitUntil(work: Promise<unknown>): void
}
declare const self: WorkerWorld

/** For so long a page that is open is let send. */
const PAGE_MS = 5_000
/** Pages of the field alone: no answer of the server and no other page is ever taken over. */
const FIELD = /^\/(campo|q)(\/|$|\?)/i

precacheAndRoute(self.__WB_MANIFEST, { cleanURLs: false })
registerRoute(new NavigationRoute(createHandlerBoundToURL('/campo'), { allowlist: [FIELD] }))

// A new version waits until the person says so.
self.addEventListener('message', ({ data }) => {
  if (data === 'atualizar') void self.skipWaiting()
})
// The very first one takes its page at once, so that it works without a network from then on.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
// There is a network again: whoever is open sends, or else the worker itself.
self.addEventListener('sync', (event) => event.waitUntil(send()))

/** @throws Error where nobody could be asked: the browser lets the worker try again */
async function send(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' })
  const open = pages.filter(({ url }) => FIELD.test(new URL(url).pathname))
  for (const page of open) page.postMessage('enviar')
  // One that is just being closed hears nothing.
  if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, PAGE_MS))
  if (await sendClosed()) throw new Error('The server could not be asked')
}
