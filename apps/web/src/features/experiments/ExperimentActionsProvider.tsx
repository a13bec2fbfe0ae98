import { type ExperimentFilter, type ExperimentSummary, UNDO_OFFERED_MS } from '@ensaio/domain'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call, reasonOf } from '../../api/client.ts'
import { documentFile, NoDocument, viewDocument } from '../../api/documents.ts'
import { experimentsChanged } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { useSetAddress } from '../../shell/address.ts'
import { type ExperimentActions, ExperimentActionsContext } from '../../shell/experiment-actions.ts'
import { late } from '../../shell/late.tsx'
import { useMay } from '../../shell/organization.tsx'
import { editExperiment } from '../../shell/paths.ts'
import type { ShareTarget } from '../../shell/share-target.ts'
import { useStable } from '../../shell/stable.ts'
import { useUnsent } from '../../shell/Unsent.tsx'
import { downloadUrl } from '../../ui/download.ts'
import { Banner } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

const ConfirmDialog = late(async () => (await import('../../ui/Dialog.tsx')).ConfirmDialog, 'over')

type Props = {
  children: ReactNode
  details: (id: string, onClose: () => void) => ReactNode
  /** The dialogs of a feature of its own. */
  share: (target: ShareTarget, onClose: () => void) => ReactNode
  transfer: (target: readonly string[] | ExperimentFilter, onClose: () => void) => ReactNode
}
type Doomed = Pick<ExperimentSummary, 'id' | 'nome' | 'pdf_filename'>

/** Gives every list below it the same actions; holds the details modal, which the address opens. */
export function ExperimentActionsProvider({ children, details, share, transfer }: Props) {
  const navigate = useNavigate()
  const edit = useStable((id: string) => navigate(editExperiment(id)))
  const decide = useMay()
  const source = useSource()
  const [search] = useSearchParams()
  const write = useSetAddress({ replace: false })
  const [shared, setShared] = useState<ShareTarget | null>(null)
  const [transferred, setTransferred] = useState<readonly string[] | ExperimentFilter | null>(null)
  const [doomed, setDoomed] = useState<Doomed | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const unsent = useUnsent()
  const openId = search.get('experimento')

  const setOpen = useStable((id: string | null) => write({ experimento: id ?? '' }))

  const actions = useMemo<ExperimentActions>(() => {
    const documentFailed = (error: unknown, sentence: string) =>
      error instanceof NoDocument
        ? toast.error('Nenhum documento encontrado para este experimento.')
        : toast.error(sentence, reasonOf(error))
    return {
      details: setOpen,
      edit,
      remove: setDoomed,
      share: setShared,
      transfer: setTransferred,
      view: (experiment) => {
        const tab = window.open('', '_blank')
        viewDocument(experiment, tab).catch((error: unknown) =>
          documentFailed(error, 'Erro ao abrir o PDF para visualização'),
        )
      },
      download: (experiment) => {
        documentFile(experiment)
          .then(({ url, filename }) => downloadUrl(url, filename))
          .catch((error: unknown) => documentFailed(error, 'Erro ao baixar PDF'))
      },
      may: (action, experiment) =>
        source.name === 'demo'
          ? { allowed: false, reason: 'Dados de demonstração não podem ser alterados' }
          : decide(action, experiment),
    }
  }, [edit, setOpen, decide, source])

  const restore = async (id: string) => {
    try {
      await call('restoreExperiment', { params: { id }, query: { desfazer: 'true' } })
      toast.success('Experimento restaurado')
    } catch (error) {
      toast.error('O experimento não pôde ser restaurado', reasonOf(error))
    }
    await experimentsChanged()
  }
  const remove = async () => {
    if (!doomed || !unsent.meant()) return
    setBusy(true)
    setFailure(null)
    try {
      await call('deleteExperiment', { params: { id: doomed.id }, query: unsent.query() })
      if (openId === doomed.id) setOpen(null)
      const { id } = doomed
      toast.success('Experimento excluído com sucesso!', {
        label: 'Desfazer',
        forMs: UNDO_OFFERED_MS,
        run: () => void restore(id),
      })
      setDoomed(null)
      unsent.forget()
      await experimentsChanged()
    } catch (error) {
      if (unsent.told(error)) return
      toast.error('Erro ao excluir experimento')
      setFailure(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <ExperimentActionsContext value={actions}>
      {children}
      <Suspense>
        {openId && details(openId, () => setOpen(null))}
        {shared && share(shared, () => setShared(null))}
        {transferred && transfer(transferred, () => setTransferred(null))}
        {doomed && (
          <ConfirmDialog
            open
            title="Confirmar exclusão"
            message="Tem certeza que deseja excluir este experimento? Esta ação não pode ser desfeita."
            confirmLabel={unsent.confirmLabel}
            busy={busy}
            onCancel={() => {
              // What is asked for is answered first: the answer is of this trial.
              if (busy) return
              setDoomed(null)
              setFailure(null)
              unsent.forget()
            }}
            onConfirm={remove}
          >
            {failure && <Banner tone="danger">{failure}</Banner>}
            {unsent.banner}
            <p className="rounded-md bg-sunken px-3 py-2 text-small">
              <strong className="block">{doomed.nome}</strong>
              {doomed.pdf_filename && (
                <span className="block text-muted">com o documento {doomed.pdf_filename}</span>
              )}
              <span className="block text-muted">
                Logo depois da exclusão ainda há um “Desfazer”; por 30 dias, um administrador pode restaurar.
              </span>
            </p>
          </ConfirmDialog>
        )}
      </Suspense>
    </ExperimentActionsContext>
  )
}
