import {
  BULK_MAX_FILES,
  counted,
  type Document,
  type Experiment,
  formatBytes,
  formatDate,
} from '@ensaio/domain'
import { Download, ExternalLink, FileText, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { call, reasonOf } from '../../api/client.ts'
import { openDocument, saveDocument } from '../../api/documents.ts'
import { experimentsChanged, useEndpoint } from '../../api/queries.ts'
import { useSource } from '../../api/source.ts'
import { readingIsTold } from '../../shell/ExperimentButtons.tsx'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { downloadUrl } from '../../ui/download.ts'
import { Banner, Skeleton } from '../../ui/Surface.tsx'
import { toast } from '../../ui/toast.tsx'

/** The PDFs of one experiment: open, save, add up to twenty at once, remove. */
export function DocumentList({
  experiment,
  heading: Heading = 'h3',
}: {
  experiment: Experiment
  /** Under the page's own title, or under a dialog's. */
  heading?: 'h2' | 'h3'
}) {
  const source = useSource()
  const list = useEndpoint('listDocuments', { query: { experimentId: experiment.id, limit: 50 } })
  const [doomed, setDoomed] = useState<Document | null>(null)
  const [refused, setRefused] = useState<{ filename: string; error: string }[]>([])
  const [failure, setFailure] = useState<string | null>(null)
  const [unopened, setUnopened] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const mayChange = source.name === 'server' && experiment.permissoes.editar

  const add = async (files: File[]) => {
    setBusy(true)
    setRefused([])
    const form = new FormData()
    form.append('experimentId', experiment.id)
    for (const file of files) form.append('pdf', file, file.name)
    try {
      const { results } = await call('uploadBulk', {}, { form, timeoutMs: 300_000 })
      setRefused(results.flatMap(({ filename, error }) => (error ? [{ filename, error }] : [])))
      const stored = results.filter(({ document }) => document).length
      if (stored > 0) toast.success(counted(stored, 'documento anexado', 'documentos anexados'))
      await experimentsChanged()
    } catch (error) {
      setRefused([{ filename: 'Envio', error: reasonOf(error, 'não foi concluído') }])
    } finally {
      setBusy(false)
    }
  }
  const remove = async () => {
    if (!doomed) return
    setBusy(true)
    setFailure(null)
    try {
      await call('deleteDocument', { params: { id: doomed.id } })
      toast.success('Documento excluído')
      setDoomed(null)
      await experimentsChanged()
    } catch (error) {
      setFailure(reasonOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="no-print">
      <Heading className="mb-3 font-semibold">Documentos</Heading>
      {list.isPending && <Skeleton className="h-12" />}
      {list.isError && <p className="text-small text-danger">Falha ao listar documentos</p>}
      {list.data?.documents.length === 0 && (
        <p className="text-small text-muted">
          {experiment.permissoes.ver_documentos
            ? 'Nenhum PDF anexado.'
            : `${experiment.organizacao.nome} não mostra o relatório.`}
        </p>
      )}
      {experiment.relacao === 'compartilhada' && experiment.permissoes.ver_documentos && (
        <p className="mb-2 text-small text-muted">{readingIsTold(experiment)}</p>
      )}
      <ul className="flex flex-col gap-2">
        {list.data?.documents.map((document) => (
          <li key={document.id} className="flex items-center gap-3 rounded-md border border-line px-3 py-1.5">
            <FileText aria-hidden className="size-5 shrink-0 text-accent" />
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium" title={document.filename}>
                {document.filename}
              </span>
              <span className="figures text-small text-muted">
                {document.tamanho > 0 && `${formatBytes(document.tamanho)} · `}
                {formatDate(document.created_at)}
              </span>
            </span>
            <IconButton
              label={`Ver ${document.filename}`}
              onClick={() => {
                setUnopened(null)
                openDocument(document, window.open('', '_blank')).catch((error: unknown) =>
                  setUnopened(`Erro ao abrir o PDF para visualização. ${reasonOf(error)}`),
                )
              }}
            >
              <ExternalLink aria-hidden />
            </IconButton>
            <IconButton
              label={`Baixar ${document.filename}`}
              onClick={() => {
                setUnopened(null)
                saveDocument(document)
                  .then(({ url, filename }) => downloadUrl(url, filename))
                  .catch((error: unknown) => setUnopened(`Erro ao baixar PDF. ${reasonOf(error)}`))
              }}
            >
              <Download aria-hidden />
            </IconButton>
            {mayChange && (
              <IconButton
                label={`Excluir ${document.filename}`}
                tone="danger"
                onClick={() => setDoomed(document)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {unopened && (
        <Banner tone="danger" className="mt-3">
          {unopened}
        </Banner>
      )}
      {refused.length > 0 && (
        <Banner tone="danger" className="mt-3" title="Nem tudo foi anexado">
          <ul>
            {refused.map(({ filename, error }) => (
              <li key={filename}>
                <strong>{filename}</strong>: {error}
              </li>
            ))}
          </ul>
        </Banner>
      )}
      {mayChange && (
        <details className="mt-3">
          <summary className="cursor-pointer text-small font-medium">Anexar PDFs</summary>
          <div className="mt-2">
            <PdfDropZone maxFiles={BULK_MAX_FILES} disabled={busy} onFiles={(files) => void add(files)} />
          </div>
        </details>
      )}
      <ConfirmDialog
        open={doomed !== null}
        title="Excluir documento?"
        message="O arquivo é removido deste experimento. Esta ação não pode ser desfeita."
        confirmLabel="Excluir"
        busy={busy}
        onCancel={() => {
          setDoomed(null)
          setFailure(null)
        }}
        onConfirm={remove}
      >
        {failure && <Banner tone="danger">Erro ao excluir documento. {failure}</Banner>}
        <p className="rounded-md bg-sunken px-3 py-2 text-small">{doomed?.filename}</p>
      </ConfirmDialog>
    </section>
  )
}
