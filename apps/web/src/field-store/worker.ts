/** The worker that keeps the application itself; a new version waits until somebody asks for it. */
export function startWorker({
  send,
  updated,
}: {
  send: () => void
  updated: (apply: () => void) => void
}): void {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', ({ data }) => {
    if (data === 'enviar') send()
  })
  const tell = (waiting: ServiceWorker | null) => {
    if (!waiting || !serviceWorker.controller) return
    updated(() => {
      serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
      waiting.postMessage('atualizar')
    })
  }
  serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .then((registration) => {
      tell(registration.waiting)
      registration.addEventListener('updatefound', () => {
        const { installing } = registration
        installing?.addEventListener('statechange', () => {
          if (installing.state === 'installed') tell(registration.waiting)
        })
      })
    })
    // Without one the page works while there is a network.
    .catch(() => undefined)
}

/** Where the browser has it, the worker sends when there is a network again. */
export async function askForSync(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined)
  const { sync } = (registration ?? {}) as { sync?: { register(tag: string): Promise<void> } }
  await sync?.register('enviar').catch(() => undefined)
}
