import { ArrowLeftRight, Inbox, Layers, Send } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useSetAddress } from '../../shell/address.ts'
import { ClosedNotice, WhereOpen } from '../../shell/ClosedNotice.tsx'
import { useActingFor, useMay } from '../../shell/organization.tsx'
import { Refusal } from '../../shell/Refusal.tsx'
import type { ShareTarget } from '../../shell/share-target.ts'
import { useTitle } from '../../shell/title.ts'
import { Button } from '../../ui/Button.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Collections } from './Collections.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { ReceivedShares, SentShares } from './Shares.tsx'
import { Transfers } from './Transfers.tsx'

const TABS = [
  { value: 'recebidos', label: 'Recebidos', icon: <Inbox aria-hidden /> },
  { value: 'enviados', label: 'Enviados', icon: <Send aria-hidden /> },
  { value: 'colecoes', label: 'Coleções', icon: <Layers aria-hidden /> },
  { value: 'transferencias', label: 'Transferências', icon: <ArrowLeftRight aria-hidden /> },
] as const

/** What the organisation shows to others, and what others show to it. */
export function SharingPage() {
  useTitle('Compartilhamento')
  const { known, several, organization } = useActingFor()
  const may = useMay()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const [target, setTarget] = useState<ShareTarget | null>(null)
  if (known && !several)
    return (
      <Refusal
        title="Compartilhamento"
        reason="Nesta instalação há uma só organização: não há com quem compartilhar. Um link público abre um experimento a quem não tem conta."
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
  const share = may('experiment.share')
  // Of a closed organisation it is still read what it showed.
  const leads = organization.papel === 'dono' || organization.papel === 'gestor'
  const tabs = TABS.filter(({ value }) => value !== 'transferencias' || organization.papel === 'dono')
  const asked = search.get('aba')
  const tab = tabs.find(({ value }) => value === asked)?.value ?? 'recebidos'
  return (
    <div className="page flex flex-col gap-6 py-8">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h1 className="text-display font-semibold">Compartilhamento</h1>
          <p className="text-muted break-words">
            O que {organization.nome} mostra a outras, e o que recebe delas
          </p>
        </div>
        <Button
          disabled={!share.allowed}
          title={share.allowed ? undefined : share.reason}
          onClick={() => setTarget({ kind: 'all' })}
        >
          Compartilhar tudo
        </Button>
      </header>
      <ClosedNotice />
      {leads || share.allowed ? (
        <Tabs
          label="Partes do compartilhamento"
          value={tab}
          tabs={tabs}
          onValue={(value) => write({ aba: value === 'recebidos' ? '' : value })}
        >
          <TabPanel value="recebidos" className="pt-6">
            <WhereOpen>
              <ReceivedShares />
            </WhereOpen>
          </TabPanel>
          <TabPanel value="enviados" className="pt-6">
            <WhereOpen>
              <SentShares />
            </WhereOpen>
          </TabPanel>
          <TabPanel value="colecoes" className="pt-6">
            <WhereOpen>
              <Collections onShare={setTarget} />
            </WhereOpen>
          </TabPanel>
          <TabPanel value="transferencias" className="pt-6">
            <WhereOpen>
              <Transfers />
            </WhereOpen>
          </TabPanel>
        </Tabs>
      ) : (
        <Banner tone="info">{share.reason}. Os experimentos recebidos aparecem no dashboard.</Banner>
      )}
      <Suspense>{target && <ShareDialog target={target} onClose={() => setTarget(null)} />}</Suspense>
    </div>
  )
}
