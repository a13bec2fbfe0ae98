import { auth } from './auth-client.ts'

/** Who changes the organisation waits no longer for where to land. */
const PATIENCE_MS = 10_000

/**
 * Whether an organisation of the person sees a trial. A list of one answers that without a refusal, which the browser
 * would tell as a fault of the page.
 */
export async function seesTrial(organization: string, id: string): Promise<boolean> {
  const { data } = await auth.getSession()
  try {
    const response = await fetch(`/rest/v1/experimentos?select=id&id=eq.${encodeURIComponent(id)}`, {
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${data.session?.access_token ?? ''}`,
        'x-organization': organization,
      },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return response.ok && ((await response.json()) as unknown[]).length > 0
  } catch {
    return false
  }
}
