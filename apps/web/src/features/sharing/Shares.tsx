import { counted, formatDate, formatDay, type Share, type ShareState } from '@ensaio/domain'
import { Inbox, Send } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/client.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Badge, Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'
import { SeenFields, seenWords } from './Seen.tsx'

const STATES: Readonly<Record<ShareState, { name: string; tone: 'ok' | 'warn' | 'plain' }>> = {
  pendente: { name: 'Aguarda resposta', tone: 'warn' },
  aceito: { name: 'Aceito', tone: 'ok' },
  recusado: { name: 'Recusado', tone: 'plain' },
  revogado: { name: 'Encerrado', tone: 'plain' },
  vencido: { name: 'Vencido', tone: 'plain' },
}
const ended = ({ estado }: Share) => estado !== 'pendente' && estado !== 'aceito'

type ListProps = {
  direcao: 'enviados' | 'recebidos'
  title: string
  subtitle: string
  empty: ReactNode
  children: (share: Share, again: () => Promise<unknown>) => ReactNode
}

function Shares({ direcao, title, subtitle, empty, children }: ListProps) {
  const shares = useEndpoint('listShares', { query: { direcao } }, { staleTime: 0 })
  const again = () => Promise.all([shares.refetch(), experimentsChanged()])
  const all = shares.data?.compartilhamentos ?? []
  return (
    <Card>
      <CardHeader title={title} subtitle={subtitle} />
      {shares.isError ? (
        <ErrorState message={shares.error.message} onRetry={() => shares.refetch()} />
      ) : shares.isPending ? (
        <Skeleton className="mx-5 mb-5 h-40" />
      ) : all.length === 0 ? (
        empty
      ) : (
        <ul>
          {all.map((share) => (
            <li
              key={share.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3"
            >
              <span className="min-w-56 flex-1">
                <span className="flex flex-wrap items-center gap-2 font-medium">
                  <span className="min-w-0 break-words">{share.alvo.nome}</span>
                  <Badge tone={STATES[share.estado].tone}>{STATES[share.estado].name}</Badge>
                </span>
                <span className="figures block text-small break-words text-muted">
                  {direcao === 'enviados' ? 'para' : 'de'} {share.organizacao.nome}
                  {share.alvo.n !== null && ` · ${counted(share.alvo.n, 'experimento', 'experimentos')}`} ·{' '}
                  {seenWords(share)}
                  {share.ate && ` · até ${formatDay(share.ate)}`} · oferecido em{' '}
                  {formatDate(share.created_at)}
                </span>
              </span>
              <span className="flex flex-wrap gap-2">{children(share, again)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** What others show: nothing of it is seen before somebody here accepts it. */
export function ReceivedShares() {
  const [busy, setBusy] = useState<string | null>(null)
  const act = async (
    share: Share,
    work: () => Promise<unknown>,
    success: string,
    again: () => Promise<unknown>,
  ) => {
    setBusy(share.id)
    await attempt(work, success)
    await again()
    setBusy(null)
  }
  return (
    <Shares
      direcao="recebidos"
      title="Recebidos"
      subtitle="Depois de aceitos, os experimentos contam no dashboard e trazem o nome de quem os mostra."
      empty={
        <EmptyState icon={<Inbox aria-hidden />} title="Nada recebido">
          Envie o código da organização (em Membros e organização, Dados) a quem vai compartilhar com ela.
        </EmptyState>
      }
    >
      {(share, again) => {
        const params = { id: share.id }
        const name = <span className="sr-only">{share.alvo.nome}</span>
        if (share.estado === 'pendente')
          return (
            <>
              <Button
                size="small"
                disabled={busy !== null}
                onClick={() =>
                  act(share, () => call('declineShare', { params }), 'Compartilhamento recusado', again)
                }
              >
                Recusar{name}
              </Button>
              <Button
                size="small"
                variant="primary"
                busy={busy === share.id}
                onClick={() =>
                  act(share, () => call('acceptShare', { params }), 'Compartilhamento aceito', again)
                }
              >
                Aceitar{name}
              </Button>
            </>
          )
        if (share.estado !== 'aceito') return null
        return (
          <Button
            size="small"
            busy={busy === share.id}
            onClick={() =>
              act(
                share,
                () => call('removeShare', { params }),
                'Estes experimentos deixaram de ser vistos',
                again,
              )
            }
          >
            Deixar de receber{name}
          </Button>
        )
      }}
    </Shares>
  )
}

/** What others are shown. */
export function SentShares() {
  const [changing, setChanging] = useState<Share | null>(null)
  const [ending, setEnding] = useState<Share | null>(null)
  const [busy, setBusy] = useState(false)
  const [last, setLast] = useState<(() => Promise<unknown>) | null>(null)
  const revoke = async () => {
    if (!ending) return
    setBusy(true)
    await attempt(() => call('removeShare', { params: { id: ending.id } }), 'Compartilhamento encerrado')
    await last?.()
    setBusy(false)
    setEnding(null)
  }
  return (
    <>
      <Shares
        direcao="enviados"
        title="Enviados"
        subtitle="O que as outras organizações veem daqui. Encerrado, deixa de ser visto na hora."
        empty={
          <EmptyState icon={<Send aria-hidden />} title="Nada compartilhado">
            No dashboard, filtre e escolha “Compartilhar este filtro”, ou marque experimentos na lista.
          </EmptyState>
        }
      >
        {(share, again) =>
          ended(share) ? null : (
            <>
              <Button
                size="small"
                onClick={() => {
                  setLast(() => again)
                  setChanging(share)
                }}
              >
                Alterar
                <span className="sr-only">{share.alvo.nome}</span>
              </Button>
              <Button
                size="small"
                onClick={() => {
                  setLast(() => again)
                  setEnding(share)
                }}
              >
                Revogar
                <span className="sr-only">{share.alvo.nome}</span>
              </Button>
            </>
          )
        }
      </Shares>
      {changing && (
        <ChangeShare share={changing} onClose={() => setChanging(null)} onSaved={() => last?.()} />
      )}
      <ConfirmDialog
        open={ending !== null}
        title="Revogar o compartilhamento?"
        message="A outra organização deixa de ver estes experimentos agora, também nos números do dashboard dela."
        confirmLabel="Revogar"
        busy={busy}
        onCancel={() => setEnding(null)}
        onConfirm={revoke}
      >
        <p className="rounded-md bg-sunken px-3 py-2 text-small break-words">
          <strong className="block">{ending?.alvo.nome}</strong>
          para {ending?.organizacao.nome}
        </p>
      </ConfirmDialog>
    </>
  )
}

type ChangeProps = { share: Share; onClose: () => void; onSaved: () => Promise<unknown> | undefined }

function ChangeShare({ share, onClose, onSaved }: ChangeProps) {
  const { custos, documentos, comentarios, ate } = share
  const [seen, setSeen] = useState({ custos, documentos, comentarios, ate })
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setProblems({})
    try {
      await call('changeShare', { params: { id: share.id }, body: seen })
      await onSaved()
      toast.success('Alteração salva')
      onClose()
    } catch (error) {
      setProblems(problemsOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Alterar compartilhamento"
      description={`${share.alvo.nome}, para ${share.organizacao.nome}`}
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} onClick={save}>
            Salvar
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
        <SeenFields value={seen} onChange={setSeen} problem={problems['ate']} />
      </div>
    </Dialog>
  )
}
