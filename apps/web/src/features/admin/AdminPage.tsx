import { BookOpenText, Building2, History, Inbox, RotateCcw, Users as UsersIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useFreshRole } from '../../shell/fresh-role.ts'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Refusal } from '../../shell/Refusal.tsx'
import { useTitle } from '../../shell/title.ts'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Audit } from './Audit.tsx'
import { CropRanges } from './CropRanges.tsx'
import { CvBands } from './CvBands.tsx'
import { Lookups } from './Lookups.tsx'
import { Mode } from './Mode.tsx'
import { RoleRequests } from './RoleRequests.tsx'
import { Users } from './Users.tsx'

const TABS = [
  { value: 'pessoas', label: 'Pessoas', icon: <UsersIcon aria-hidden /> },
  { value: 'solicitacoes', label: 'Solicitações', icon: <Inbox aria-hidden /> },
  { value: 'listas', label: 'Listas', icon: <BookOpenText aria-hidden /> },
  { value: 'organizacoes', label: 'Organizações', icon: <Building2 aria-hidden /> },
  { value: 'excluidos', label: 'Excluídos', icon: <RotateCcw aria-hidden /> },
  { value: 'auditoria', label: 'Auditoria', icon: <History aria-hidden /> },
] as const
type TabValue = (typeof TABS)[number]['value']

interface Props {
  /** Parts that are features of their own: the one organisation that everybody is in, and what was deleted of it. */
  organization: ReactNode
  deleted: ReactNode
}

export function AdminPage({ organization, deleted }: Props) {
  useTitle('Administração')
  const [search, setSearch] = useSearchParams()
  const asked = search.get('aba')
  const { several } = useActingFor()
  // Among several, what was deleted is the business of who it belonged to.
  const tabs = TABS.filter(({ value }) => !several || value !== 'excluidos')
  const tab: TabValue = tabs.some(({ value }) => value === asked) ? (asked as TabValue) : 'pessoas'
  const may = useMay()
  const allowed = may('admin')
  const asking = useFreshRole(!allowed.allowed)
  if (asking) return <p className="sr-only">Carregando</p>
  if (!allowed.allowed) {
    return <Refusal title="Administração" reason={allowed.reason} />
  }
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header>
        <h1 className="text-display font-semibold">Administração</h1>
        <p className="text-muted">Pessoas, papéis, listas e o que aconteceu</p>
      </header>
      <Tabs
        label="Partes da administração"
        value={tab}
        tabs={tabs}
        onValue={(value) => setSearch({ aba: value }, { preventScrollReset: true })}
      >
        <TabPanel value="pessoas" className="pt-6">
          <Users />
        </TabPanel>
        <TabPanel value="solicitacoes" className="pt-6">
          <RoleRequests />
        </TabPanel>
        <TabPanel value="listas" className="pt-6">
          <div className="flex flex-col gap-6">
            <Lookups />
            <CvBands />
            <CropRanges />
          </div>
        </TabPanel>
        <TabPanel value="organizacoes" className="pt-6">
          <div className="flex flex-col gap-6">
            {!several && organization}
            <Mode />
          </div>
        </TabPanel>
        <TabPanel value="excluidos" className="pt-6">
          {deleted}
        </TabPanel>
        <TabPanel value="auditoria" className="pt-6">
          <Audit />
        </TabPanel>
      </Tabs>
    </div>
  )
}
