/** Runs once the person first touches the page: what they may need without a connection is fetched then. */
export function onFirstTouch(run: () => void): () => void {
  const gone = new AbortController()
  const once = () => {
    gone.abort()
    run()
  }
  for (const event of ['pointerdown', 'keydown'])
    window.addEventListener(event, once, { signal: gone.signal, capture: true, passive: true })
  return () => gone.abort()
}
