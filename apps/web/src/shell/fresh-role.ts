import { useEffect, useState } from 'react'
import { auth } from '../api/auth-client.ts'
import { useEndpoint } from '../api/queries.ts'
import { useUser } from './session.tsx'

/**
 * A role granted meanwhile stands in the profile at once, in the session only when its token is renewed: renewed
 * here. True while that is not settled.
 */
export function useFreshRole(enabled = true): boolean {
  const user = useUser()
  const profile = useEndpoint('getProfile', {}, { enabled })
  const [renewed, setRenewed] = useState(false)
  const role = profile.data?.user.role
  const stale = role !== undefined && role !== user.role
  useEffect(() => {
    if (stale && !renewed) void auth.refreshSession().finally(() => setRenewed(true))
  }, [stale, renewed])
  return enabled && (profile.isPending || (stale && !renewed))
}
