import {
  type Action,
  type Actor,
  can,
  type Decision,
  type Experiment,
  type ExperimentSummary,
  type Organization,
} from '@ensaio/domain'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useEndpoint } from '../api/queries.ts'
import { useUser } from './session.tsx'

/** In whose name this tab acts; where there is one organisation for everybody, nothing of it is ever shown. */
export interface ActingFor {
  /** The installation is of several organisations. */
  several: boolean
  /** The acting one, and all that the person is a member of; none while they are being asked for, or of one alone. */
  organization: Organization | null
  organizations: readonly Organization[]
  /** Invitations that wait for the person. */
  invitations: number
  papel: Actor['papel']
}

const OrganizationContext = createContext<ActingFor | null>(null)

export function OrganizationProvider({ children }: { children: ReactNode }) {
  const user = useUser()
  const settings = useEndpoint('settings', {}, { staleTime: Number.POSITIVE_INFINITY })
  const several = settings.data?.organizacoes === 'varias'
  const own = useEndpoint('listOrganizations', {}, { enabled: several })
  const value = useMemo<ActingFor>(() => {
    const organizations = own.data?.organizacoes ?? []
    const organization = organizations.find(({ id }) => id === own.data?.ativa) ?? null
    return {
      several,
      organization,
      organizations,
      invitations: own.data?.convites.length ?? 0,
      // Where there is one for everybody, what a person is in it follows from their account.
      papel: organization?.papel ?? (user.role === 'admin' ? 'dono' : 'pesquisador'),
    }
  }, [several, own.data, user.role])
  return <OrganizationContext value={value}>{children}</OrganizationContext>
}

export function useActingFor(): ActingFor {
  const acting = useContext(OrganizationContext)
  if (!acting) throw new Error('useActingFor outside of its provider')
  return acting
}

type Subject = Pick<Experiment | ExperimentSummary, 'created_by' | 'organizacao' | 'relacao'>

/** Whether the person may, and why not; of a record, or of whatever is new. */
export function useMay(): (action: Action, record?: Subject) => Decision {
  const { id, role } = useUser()
  const { several, papel, organization } = useActingFor()
  return useMemo(
    () => (action, record) => {
      const own = record?.relacao === 'propria' ? record.organizacao.id : organization?.id
      const actor = { id, role, papel, several, organization: own ?? '' }
      return can(actor, action, record && { owner: record.created_by, organization: record.organizacao.id })
    },
    [id, role, papel, several, organization],
  )
}
