import { ORGANIZATION_ROLE_NAMES, ORGANIZATION_TYPE_NAMES } from '@ensaio/domain'
import { Building2, History, RotateCcw, UsersRound } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import { ClosedNotice, WhereOpen } from '../../shell/ClosedNotice.tsx'
import { useActingFor } from '../../shell/organization.tsx'
import { Refusal } from '../../shell/Refusal.tsx'
import { useTitle } from '../../shell/title.ts'
import { Skeleton } from '../../ui/Surface.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Activity } from './Activity.tsx'
import { Closing } from './Closing.tsx'
import { Deleted } from './Deleted.tsx'
import { Members } from './Members.tsx'
import { OrganizationData } from './OrganizationData.tsx'
import { Propose } from './Propose.tsx'

const TABS = [
  { value: 'membros', label: 'Membros', icon: <UsersRound aria-hidden />, for: 'all' },
  { value: 'dados', label: 'Dados', icon: <Building2 aria-hidden />, for: 'all' },
  { value: 'excluidos', label: 'Excluídos', icon: <RotateCcw aria-hidden />, for: 'leads' },
  { value: 'atividade', label: 'Atividade', icon: <History aria-hidden />, for: 'owns' },
] as const

/** The organisation that one acts for: who is in it, what it is called, and what happened in it. */
export function OrganizationPage() {
  useTitle('Organização')
  const { known, several, organization } = useActingFor()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  if (known && !several)
    return (
      <Refusal
        title="Organização"
        reason="Nesta instalação há uma só organização; um administrador cuida dela em Administração."
      />
    )
  if (!organization) {
    return (
      <div className="page flex flex-col gap-6 py-8" aria-busy="true">
        <Skeleton className="h-9 w-72" />
        <Skeleton className="h-96" />
      </div>
    )
  }
  const { papel } = organization
  const tabs = TABS.filter(
    (tab) => tab.for === 'all' || papel === 'dono' || (tab.for === 'leads' && papel === 'gestor'),
  )
  const asked = search.get('aba')
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'membros'
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header className="min-w-0">
        <h1 className="text-display font-semibold break-words">{organization.nome}</h1>
        <p className="text-muted">
          {ORGANIZATION_TYPE_NAMES[organization.tipo]} · você é {ORGANIZATION_ROLE_NAMES[papel].toLowerCase()}
        </p>
      </header>
      <ClosedNotice />
      <Tabs
        label="Partes da organização"
        value={tab}
        tabs={tabs}
        onValue={(value) => write({ aba: value === 'membros' ? '' : value })}
      >
        <TabPanel value="membros" className="pt-6">
          <Members organization={organization} />
        </TabPanel>
        <TabPanel value="dados" className="flex flex-col gap-6 pt-6">
          <OrganizationData />
          {(papel === 'dono' || papel === 'gestor') && (
            <WhereOpen>
              <Propose />
            </WhereOpen>
          )}
          {papel === 'dono' && <Closing organization={organization} />}
        </TabPanel>
        <TabPanel value="excluidos" className="pt-6">
          <WhereOpen>
            <Deleted />
          </WhereOpen>
        </TabPanel>
        <TabPanel value="atividade" className="pt-6">
          <Activity id={organization.id} />
        </TabPanel>
      </Tabs>
    </div>
  )
}
