const KEY = 'ensaio.reloaded-for-build'

/**
 * A tab left open over an update asks for files that are gone: one reload brings the new ones. True when the
 * page is being reloaded.
 */
export function reloadOnceForNewBuild(error: unknown): boolean {
  const stale = error instanceof TypeError && /dynamically imported module|module script/i.test(error.message)
  if (!stale || sessionStorage.getItem(KEY)) return false
  sessionStorage.setItem(KEY, '1')
  location.reload()
  return true
}
