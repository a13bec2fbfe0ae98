import {
  type Action,
  type Actor,
  type Contract,
  can,
  type Decision,
  type Experiment,
  type ExperimentSummary,
  formatDate,
  type Organization,
  type OutputOf,
  type ReceivedInvitation,
} from '@ensaio/domain'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { actFor, actingOrganization, ORGANIZATION_PARAM, useActingKey } from '../api/acting.ts'
import { call, reasonOf } from '../api/client.ts'
import { keyOf, useEndpoint } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { seesTrial } from '../api/seen.ts'
import { toast } from '../ui/toast.tsx'
import { currentSearch, searchWith, useSetAddress } from './address.ts'
import { paths } from './paths.ts'
import { useUser } from './session.tsx'
import { useStable } from './stable.ts'

/** In whose name this tab acts; where there is one organisation for everybody, nothing of it is ever shown. */
export interface ActingFor {
  /** False until it is known in whose name this tab acts. */
  known: boolean
  /** The installation is of several organisations. */
  several: boolean
  /** The acting one, and all that the person is a member of; none while they are being asked for, or of one alone. */
  organization: Organization | null
  organizations: readonly Organization[]
  /** Invitations that wait for the person. */
  invitations: readonly ReceivedInvitation[]
  papel: Actor['papel']
  /** Under which this browser keeps what the person has begun, apart for each of their organisations. */
  keeper: string
  /** The same of before there were several, where it can only be of this one. */
  formerKeeper: string | null
  /** Asks again, as after an invitation has been answered. */
  refresh: () => Promise<unknown>
}

const OrganizationContext = createContext<ActingFor | null>(null)

export function OrganizationProvider({ children }: { children: ReactNode }) {
  const user = useUser()
  useActingKey()
  const settings = useEndpoint('settings', {}, { staleTime: Number.POSITIVE_INFINITY, ofServer: true })
  const several = settings.data?.organizacoes === 'varias'
  const own = useEndpoint('listOrganizations', {}, { enabled: several, ofServer: true })
  const refresh = useStable(() => own.refetch())
  const value = useMemo<ActingFor>(() => {
    const organizations = own.data?.organizacoes ?? []
    const organization = organizations.find(({ id }) => id === own.data?.ativa) ?? null
    return {
      known: several ? organization !== null : settings.data !== undefined || settings.isError,
      several,
      organization,
      organizations,
      invitations: own.data?.convites ?? [],
      // Where there is one for everybody, what a person is in it follows from their account.
      papel: organization?.papel ?? (user.role === 'admin' ? 'dono' : 'pesquisador'),
      keeper: organization ? `${user.id}.${organization.id}` : user.id,
      formerKeeper: organization && organizations.length === 1 ? user.id : null,
      refresh,
    }
  }, [several, settings.data, settings.isError, own.data, user, refresh])
  useAddress(user.id, value)
  return <OrganizationContext value={value}>{children}</OrganizationContext>
}

/**
 * A tab acts for one organisation, by name with every call: who is no longer in it is told so, and is not moved to
 * another one unseen. The address of a person with several says of which one it is, and the tab follows it: so a
 * copied address, the browser's own buttons and the menu all do the same.
 */
function useAddress(person: string, { organizations, organization }: ActingFor): void {
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: true })
  const named = search.get(ORGANIZATION_PARAM)
  const acting = organization?.id
  useEffect(() => {
    if (!acting) return
    const member = organizations.some(({ id }) => id === named)
    if (named && !member) toast.error('Organização não encontrada')
    if (named && member) {
      actAlready(person, named)
      if (organizations.length === 1) write({ [ORGANIZATION_PARAM]: '' })
      return
    }
    // Where this browser knows of no choice: who works with others seldom means the space of their own.
    const chosen = actingOrganization(person) ?? organizations.find(({ tipo }) => tipo !== 'pessoal')?.id
    actAlready(person, chosen ?? acting)
    if (organizations.length > 1) write({ [ORGANIZATION_PARAM]: chosen ?? acting })
    else if (named) write({ [ORGANIZATION_PARAM]: '' })
  }, [person, named, acting, organizations, write])
}

/** What is the same in the name of any of the person's organisations is not asked for anew. */
function actAlready(person: string, organization: string): void {
  if (actingOrganization(person) === organization) return
  const settings = queryClient.getQueryData(keyOf('settings', {}))
  const own = queryClient.getQueryData<OutputOf<Contract['listOrganizations']>>(
    keyOf('listOrganizations', {}),
  )
  actFor(person, organization)
  queryClient.setQueryData(keyOf('settings', {}), settings)
  queryClient.setQueryData(keyOf('listOrganizations', {}), own && { ...own, ativa: organization })
}

/** Only below a page of a person signed in. */
export function useActingFor(): ActingFor {
  const acting = useContext(OrganizationContext)
  if (!acting) throw new Error('useActingFor outside of its provider')
  return acting
}

/** Null on the pages for anybody. */
export const useActingIfAny = (): ActingFor | null => useContext(OrganizationContext)

/** Acts for another of the person's organisations from now on, on the same page where it is there to be seen. */
export function useSwitchOrganization(): (id: string) => Promise<void> {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return useStable(async (id: string) => {
    // A page that is of one record alone, or one that is open over a list.
    const whole = pathname.startsWith(`${paths.record}/`)
      ? pathname.slice(paths.record.length + 1)
      : pathname === paths.wizard
        ? currentSearch().get('id')
        : null
    const opened = whole ?? currentSearch().get('experimento')
    try {
      await call('setOrganization', { body: { id } }, { headers: { 'x-organization': id } })
    } catch (error) {
      toast.error(reasonOf(error))
      return
    }
    const seen = opened === null || (await seesTrial(id, opened))
    const search = seen
      ? searchWith({ [ORGANIZATION_PARAM]: id })
      : whole === null
        ? searchWith({ [ORGANIZATION_PARAM]: id, experimento: '' })
        : new URLSearchParams({ [ORGANIZATION_PARAM]: id })
    // The tab follows its address.
    navigate({ pathname: seen || whole === null ? pathname : paths.dashboard, search: `?${search}` })
  })
}

type Subject = Pick<Experiment | ExperimentSummary, 'created_by' | 'organizacao' | 'relacao'>

/** Whether the person may, and why not; of a record, or of whatever is new. */
export function useMay(): (action: Action, record?: Subject) => Decision {
  const { id, role } = useUser()
  const { several, papel, organization } = useActingFor()
  return useMemo(
    () => (action, record) => {
      const own = record?.relacao === 'propria' ? record.organizacao.id : organization?.id
      const closed = organization !== null && organization.fecha_em !== null
      const actor = { id, role, papel, several, closed, organization: own ?? '' }
      return can(actor, action, record && { owner: record.created_by, organization: record.organizacao.id })
    },
    [id, role, papel, several, organization],
  )
}

/** Of a picture that leaves its page: what its data are of, whose, and of which day. */
export function useOriginOf(about: string): readonly string[] {
  const { organization } = useActingFor()
  return [about, `${organization?.nome ?? 'Ensaio'} · ${formatDate(new Date().toISOString())}`]
}
