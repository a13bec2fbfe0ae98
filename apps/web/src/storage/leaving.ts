/**
 * Calls `keep` whenever the page is left or hidden: a phone may end a hidden page without another word, and its
 * timers stand still.
 * @returns what ends it
 */
export function onLeaving(keep: () => void): () => void {
  const hidden = () => document.hidden && keep()
  document.addEventListener('visibilitychange', hidden)
  addEventListener('pagehide', keep)
  return () => {
    document.removeEventListener('visibilitychange', hidden)
    removeEventListener('pagehide', keep)
  }
}
