import { type Collection, counted } from '@ensaio/domain'
import { Layers } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useEndpoint } from '../../api/queries.ts'
import { attempt } from '../../shell/attempt.ts'
import { type Problems, problemsOf } from '../../shell/problems.ts'
import type { ShareTarget } from '../../shell/share-target.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Banner, Card, CardHeader, EmptyState, ErrorState, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** Named sets of the organisation's own trials. */
export function Collections({ onShare }: { onShare: (target: ShareTarget) => void }) {
  const collections = useEndpoint('listCollections', {}, { staleTime: 0 })
  const [doomed, setDoomed] = useState<Collection | null>(null)
  const [renamed, setRenamed] = useState<Collection | null>(null)
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    if (!doomed) return
    setBusy(true)
    await attempt(() => call('removeCollection', { params: { id: doomed.id } }), 'Coleção excluída')
    await collections.refetch()
    setBusy(false)
    setDoomed(null)
  }
  return (
    <Card>
      <CardHeader
        title="Coleções"
        subtitle="Uma coleção por filtro inclui também os ensaios que passarem por ele depois."
      />
      {collections.isError ? (
        <ErrorState message={collections.error.message} onRetry={() => collections.refetch()} />
      ) : collections.isPending ? (
        <Skeleton className="mx-5 mb-5 h-40" />
      ) : collections.data.colecoes.length === 0 ? (
        <EmptyState icon={<Layers aria-hidden />} title="Nenhuma coleção">
          Ela se forma quando você compartilha um filtro ou uma seleção do dashboard.
        </EmptyState>
      ) : (
        <ul>
          {collections.data.colecoes.map((each) => (
            <li
              key={each.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-5 py-3"
            >
              <span className="min-w-56 flex-1">
                <span className="block font-medium break-words">{each.nome}</span>
                <span className="figures block text-small break-words text-muted">
                  {each.tipo === 'filtro' ? 'por filtro' : 'escolhida a dedo'} ·{' '}
                  {counted(each.n, 'experimento', 'experimentos')}
                  {each.compartilhada_com.length > 0 && ` · vista por ${each.compartilhada_com.join(', ')}`}
                </span>
              </span>
              <span className="flex flex-wrap gap-2">
                <Button size="small" onClick={() => onShare({ kind: 'collection', ...each })}>
                  Compartilhar
                  <span className="sr-only">{each.nome}</span>
                </Button>
                <Button size="small" onClick={() => setRenamed(each)}>
                  Renomear
                  <span className="sr-only">{each.nome}</span>
                </Button>
                <Button size="small" onClick={() => setDoomed(each)}>
                  Excluir
                  <span className="sr-only">{each.nome}</span>
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {renamed && (
        <Rename of={renamed} onClose={() => setRenamed(null)} onSaved={() => collections.refetch()} />
      )}
      <ConfirmDialog
        open={doomed !== null}
        title="Excluir a coleção?"
        message="Os compartilhamentos dela se encerram agora. Os experimentos ficam."
        confirmLabel="Excluir"
        busy={busy}
        onCancel={() => setDoomed(null)}
        onConfirm={remove}
      >
        <p className="rounded-md bg-sunken px-3 py-2 text-small break-words">{doomed?.nome}</p>
      </ConfirmDialog>
    </Card>
  )
}

type RenameProps = { of: Collection; onClose: () => void; onSaved: () => Promise<unknown> }

function Rename({ of, onClose, onSaved }: RenameProps) {
  const [nome, setNome] = useState(of.nome)
  const [problems, setProblems] = useState<Problems>({})
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    setProblems({})
    try {
      await call('changeCollection', { params: { id: of.id }, body: { nome } })
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
      title="Renomear coleção"
      footer={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button variant="primary" busy={busy} onClick={save}>
            Salvar
          </Button>
        </>
      }
    >
      {problems['form'] && <Banner tone="danger">{problems['form']}</Banner>}
      <Field label="Nome da coleção" required error={problems['nome']}>
        {(control) => (
          <Input
            {...control}
            name="nome"
            maxLength={120}
            value={nome}
            onChange={({ target }) => setNome(target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
