/**
 * Where a link may lead: the site itself (same scheme, host and port) or an exact entry of the list; anything
 * else becomes the site.
 */
export function redirects({ siteUrl, allowed }: { siteUrl: string; allowed: readonly string[] }) {
  const home = new URL(siteUrl)
  return {
    home: siteUrl,
    safe(wanted: string | undefined): string {
      if (!wanted || /[\\\p{Cc}\s]/u.test(wanted) || !URL.canParse(wanted)) return siteUrl
      const url = new URL(wanted)
      if (url.username || url.password || (url.protocol !== 'http:' && url.protocol !== 'https:'))
        return siteUrl
      return url.origin === home.origin || allowed.includes(wanted) ? wanted : siteUrl
    },
  }
}

export type Redirects = ReturnType<typeof redirects>

/** The address with its query and fragment extended. */
export function withParameters(
  address: string,
  parameters: { query?: Record<string, string>; fragment?: Record<string, string> },
): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters.query ?? {})) url.searchParams.set(name, value)
  if (parameters.fragment) url.hash = new URLSearchParams(parameters.fragment).toString()
  return url.href
}
