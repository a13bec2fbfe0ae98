import { formatBytes, formatDate } from '@ensaio/domain'
import { FileText } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { useEndpoint } from '../../api/queries.ts'
import { sha256 } from '../../api/sha256.ts'
import { late } from '../../shell/late.tsx'
import { PdfDropZone } from '../../shell/PdfDropZone.tsx'
import { SeveralReports } from '../../shell/SeveralReports.tsx'
import { Button } from '../../ui/Button.tsx'
import { FieldError } from '../../ui/Field.tsx'
import { Banner, Skeleton } from '../../ui/Surface.tsx'

const PdfViewer = late(async () => (await import('../../pdf-viewer/PdfViewer.tsx')).PdfViewer)

type Props = {
  file: File | null
  onFile: (file: File | null) => void
  error: string | null
  /** Name of the file already attached, when editing. */
  existing: string | null
  /** Whether it is saved without a file too. */
  optional: boolean
  /** Name of the file that a resumed draft had. */
  missing: string | null
}

export function StepDocument({ file, onFile, error, existing, optional, missing }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        {existing
          ? 'Anexe um novo PDF ou mantenha o arquivo existente'
          : 'Anexe o relatório do experimento em PDF, com até 10 MB.'}
        {optional && !existing && ' Sem relatório também dá para salvar: ele pode ser anexado depois.'}
      </p>
      {existing && !file && (
        <div className="flex items-center gap-3 rounded-md border border-line px-4 py-3">
          <FileText aria-hidden className="size-5 shrink-0 text-muted" />
          <div className="min-w-0">
            <p className="truncate font-medium">{existing}</p>
            <p className="text-small text-muted">Arquivo atual, será mantido</p>
          </div>
        </div>
      )}
      {missing && !file && (
        <Banner tone="info">
          O rascunho tinha o arquivo <strong>{missing}</strong>. Anexe-o de novo: por segurança, o navegador
          não guarda arquivos.
        </Banner>
      )}
      {file ? (
        <ChosenFile file={file} onRemove={() => onFile(null)} />
      ) : (
        <PdfDropZone
          onFiles={([first]) => onFile(first ?? null)}
          severalAt={(files) => <SeveralReports files={files} />}
        />
      )}
      <FieldError message={error ?? undefined} />
    </div>
  )
}

function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-3 rounded-md border border-line px-4 py-3">
        <FileText aria-hidden className="size-5 shrink-0 text-accent" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{file.name}</p>
          <p className="figures text-small text-muted">{formatBytes(file.size)}</p>
        </div>
        {url && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="text-small font-medium text-accent underline-offset-4 hover:underline"
          >
            Ver
          </a>
        )}
        <Button size="small" onClick={onRemove}>
          Trocar arquivo
        </Button>
      </div>
      <Twin file={file} />
      <section
        aria-label="Prévia do documento"
        // It scrolls: the keyboard must get there.
        tabIndex={0}
        className="max-h-[32rem] overflow-auto rounded-md bg-sunken p-3"
      >
        <Suspense fallback={<Skeleton className="h-96" />}>
          <PdfViewer file={file} highlights={[]} active={null} onPick={() => undefined} />
        </Suspense>
      </section>
    </div>
  )
}

/** Points out a file that is stored already, byte for byte. */
function Twin({ file }: { file: File }) {
  const [hash, setHash] = useState<string | null>(null)
  useEffect(() => {
    let gone = false
    void sha256(file).then((found) => !gone && setHash(found))
    return () => {
      gone = true
    }
  }, [file])
  const known = useEndpoint('listDocuments', { query: { sha256: hash ?? '' } }, { enabled: hash !== null })
  const twin = known.data?.documents[0]
  if (!twin) return null
  return (
    <Banner tone="warn" title="Este PDF já está no Ensaio">
      O mesmo arquivo foi anexado como <strong>{twin.filename}</strong> em {formatDate(twin.created_at)}.
      Confira se o experimento já não está cadastrado.
    </Banner>
  )
}
