import { type Application, formatDateTime } from '@ensaio/domain'
import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, CardHeader, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { ScriptKeys } from './ScriptKeys.tsx'

/** Field Book and other applications of the person: how they get in, which of them are in, and keys for scripts. */
export function Applications() {
  const found = useEndpoint('listApplications', {}, { staleTime: 0 })
  const [ending, setEnding] = useState<Application | null>(null)
  const [busy, setBusy] = useState(false)
  const end = async (id: string) => {
    setBusy(true)
    try {
      await call('revokeApplication', { params: { id } })
      toast.success('Acesso revogado')
      await found.refetch()
    } catch (error) {
      toast.error(reasonOf(error))
    } finally {
      setBusy(false)
      setEnding(null)
    }
  }
  return (
    <Card>
      <CardHeader
        title="Aplicativos de campo"
        subtitle="O Field Book e outros aplicativos BrAPI leem ensaios e gravam valores em seu nome."
      />
      <div className="flex flex-col gap-7 px-5 pb-6">
        {found.isPending ? (
          <Skeleton className="h-52" />
        ) : found.isError ? (
          <ErrorState message={found.error.message} onRetry={() => found.refetch()} />
        ) : (
          <>
            <Configuration {...found.data.configuracao} />
            <section className="flex flex-col gap-2" aria-labelledby="com-acesso">
              <h3 id="com-acesso" className="font-semibold">
                Com acesso agora
              </h3>
              {found.data.concessoes.length === 0 ? (
                <p className="text-small text-muted">Nenhum aplicativo entrou com esta conta.</p>
              ) : (
                <ul className="flex flex-col gap-2">
                  {found.data.concessoes.map((grant) => (
                    <Grant key={grant.id} {...grant} onEnd={() => setEnding(grant)} />
                  ))}
                </ul>
              )}
            </section>
          </>
        )}
        <ScriptKeys />
      </div>
      <ConfirmDialog
        open={ending !== null}
        title="Revogar acesso"
        message={`O ${ending?.aplicativo ?? 'aplicativo'} (${ending?.aparelho ?? ''}) deixa de abrir os seus ensaios agora. O que ele já enviou fica.`}
        confirmLabel="Revogar"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={() => ending && end(ending.id)}
      />
    </Card>
  )
}

function Configuration({ endereco, qr }: { endereco: string; qr: string }) {
  return (
    <section
      aria-labelledby="configurar"
      className="grid gap-5 rounded-md bg-sunken p-4 sm:grid-cols-[auto_minmax(0,1fr)]"
    >
      <img
        src={`data:image/svg+xml;utf-8,${encodeURIComponent(qr)}`}
        alt="Código QR de configuração do Field Book"
        width="192"
        height="192"
        className="size-48 rounded-md bg-white p-2"
      />
      <div className="flex min-w-0 flex-col gap-3">
        <h3 id="configurar" className="font-semibold">
          Configurar o Field Book
        </h3>
        <p className="text-small">
          No Field Book, abra Configurações → BrAPI → Scan Configuration Code, leia este código e depois toque
          em Authorize. Sem a câmera, preencha:
        </p>
        <dl className="grid gap-x-4 gap-y-1 text-small sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-muted">BrAPI Base URL</dt>
          <dd className="font-medium break-all">{endereco}</dd>
          <dt className="text-muted">OIDC Flow</dt>
          <dd className="font-medium">OAuth2 Authorization Code</dd>
        </dl>
      </div>
    </section>
  )
}

function Grant({ aplicativo, aparelho, vale_ate, usada_em, onEnd }: Application & { onEnd: () => void }) {
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-2.5">
      <AppWindow aria-hidden className="size-5 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{aplicativo}</span>
        <span className="figures block text-small text-muted">
          {aparelho} · {usada_em === null ? 'ainda não usado' : `último uso em ${formatDateTime(usada_em)}`} ·
          vale até {formatDateTime(vale_ate)}
        </span>
      </span>
      <Button size="small" aria-label={`Revogar ${aplicativo}, ${aparelho}`} onClick={onEnd}>
        Revogar
      </Button>
    </li>
  )
}
