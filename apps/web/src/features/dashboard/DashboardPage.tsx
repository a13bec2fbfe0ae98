import type { ExperimentFilter } from '@ensaio/domain'
import {
  ChartNoAxesCombined,
  Combine,
  FileSpreadsheet,
  FileText,
  LayoutDashboard,
  Plus,
  ScanText,
} from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import { ClosedNotice } from '../../shell/ClosedNotice.tsx'
import { useFilters } from '../../shell/filters.ts'
import { late } from '../../shell/late.tsx'
import { useMay } from '../../shell/organization.tsx'
import { Printed } from '../../shell/Printed.tsx'
import { paths } from '../../shell/paths.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Skeleton } from '../../ui/Surface.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Filters } from './Filters.tsx'
import { Overview } from './Overview.tsx'

const Interactive = late(async () => (await import('./Interactive.tsx')).Interactive)

const TABS = [
  { value: 'overview', label: 'Visão Geral', icon: <LayoutDashboard aria-hidden /> },
  { value: 'interactive', label: 'Análise Interativa', icon: <ChartNoAxesCombined aria-hidden /> },
  { value: 'documents', label: 'Documentos', icon: <FileText aria-hidden /> },
  { value: 'synthesis', label: 'Síntese', icon: <Combine aria-hidden /> },
] as const
type TabValue = (typeof TABS)[number]['value']

type Props = {
  onExtract: () => void
  /** Said above everything. */
  notice: ReactNode
  /** Parts that are features of their own. */
  table: (filter: ExperimentFilter) => ReactNode
  documents: ReactNode
  synthesis: ReactNode
  /** What may be done with all that a filter lets through. */
  filterActions: (filter: ExperimentFilter) => ReactNode
}

export function DashboardPage({ onExtract, notice, table, documents, synthesis, filterActions }: Props) {
  useTitle('Dashboard')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const { filter } = useFilters()
  const asked = search.get('aba')
  const create = useMay()('experiment.create')
  const refused = create.allowed ? {} : { disabled: true, title: create.reason }
  const tab: TabValue = TABS.some(({ value }) => value === asked) ? (asked as TabValue) : 'overview'

  return (
    <div className="page flex flex-col gap-6 py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="text-display font-semibold">Dashboard Agrícola</h1>
          <p className="text-muted">Análise completa dos experimentos cadastrados</p>
          <Printed />
        </div>
        <div className="no-print flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1 max-sm:*:px-2">
          <Button
            icon={<Plus aria-hidden className="size-4 max-sm:hidden" />}
            {...refused}
            onClick={() => navigate(paths.wizard)}
          >
            Novo Experimento
          </Button>
          <Button
            icon={<FileSpreadsheet aria-hidden className="size-4 max-sm:hidden" />}
            {...refused}
            onClick={() => navigate(paths.imports)}
          >
            Importar planilha
          </Button>
          <Button
            variant="primary"
            icon={<ScanText aria-hidden className="size-4 max-sm:hidden" />}
            onClick={onExtract}
          >
            Extração Automática
          </Button>
        </div>
      </header>
      <ClosedNotice />
      {notice}
      <Tabs
        label="Partes do dashboard"
        value={tab}
        tabs={TABS}
        onValue={(next) => write({ aba: next === 'overview' ? '' : next })}
      >
        <TabPanel value="overview" className="flex flex-col gap-6 pt-6">
          <Filters actions={filterActions} />
          <Overview />
          {table(filter)}
        </TabPanel>
        <TabPanel value="interactive" className="flex flex-col gap-6 pt-6">
          <Filters actions={filterActions} />
          <Suspense fallback={<Skeleton className="h-[640px]" />}>
            <Interactive />
          </Suspense>
        </TabPanel>
        <TabPanel value="documents" className="flex flex-col gap-6 pt-6">
          <Filters actions={filterActions} />
          {documents}
        </TabPanel>
        <TabPanel value="synthesis" className="flex flex-col gap-6 pt-6">
          <Filters actions={filterActions} />
          {synthesis}
        </TabPanel>
      </Tabs>
    </div>
  )
}
