import { counted, formatBytes, PDF_MAX_BYTES } from '@ensaio/domain'
import { FileUp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type FileRejection, useDropzone } from 'react-dropzone'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Banner } from '../ui/Surface.tsx'

type Props = {
  onFiles: (files: File[]) => void
  maxFiles?: number
  disabled?: boolean
  /** Where several files are taken, said when a place for one gets more. */
  severalAt?: (files: readonly File[]) => ReactNode
}

/** A finger does not drag files. */
const TOUCH = '(pointer: coarse) and (hover: none)'

/** Takes PDF files of at most 10 MB; says why it refused the others. */
export function PdfDropZone({ onFiles, maxFiles = 1, disabled = false, severalAt }: Props) {
  const [tooMany, setTooMany] = useState<readonly File[] | null>(null)
  const [touch] = useState(() => matchMedia(TOUCH).matches)
  const [rejected, setRejected] = useState<{ name: string; reason: string }[]>([])
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    noKeyboard: true,
    accept: { 'application/pdf': ['.pdf'] },
    maxSize: PDF_MAX_BYTES,
    maxFiles,
    multiple: maxFiles > 1,
    disabled,
    validator: (file) => (file.size === 0 ? { code: 'empty', message: 'O arquivo está vazio' } : null),
    onDrop: (accepted, refused) => {
      // Which one was meant is not guessed: none is taken.
      const several = maxFiles === 1 && accepted.length + refused.length > 1
      // What only is too many goes on to the list of many; what is no report does not.
      const sound = refused.filter(({ errors }) => errors.every(({ code }) => code === 'too-many-files'))
      setTooMany(several ? [...accepted, ...sound.map(({ file }) => file)] : null)
      if (several) return setRejected([])
      setRejected(
        refused.map((rejection) => ({ name: rejection.file.name, reason: reasonFor(rejection, maxFiles) })),
      )
      if (accepted.length > 0) onFiles(accepted)
    },
  })
  return (
    <div className="flex flex-col gap-3">
      <div
        {...getRootProps({
          className: classes(
            'flex flex-col items-center gap-2 rounded-md border-2 border-dashed px-6 py-10 text-center transition-colors',
            isDragActive
              ? 'border-accent bg-accent-soft'
              : 'border-line-strong/60 hover:border-accent hover:bg-sunken',
            disabled ? 'opacity-60' : 'cursor-pointer',
          ),
        })}
      >
        <input {...getInputProps({ name: 'pdf', 'aria-label': 'Arquivo PDF' })} />
        <FileUp aria-hidden className="size-8 text-accent" />
        <p className="font-medium">
          {isDragActive
            ? 'Solte aqui'
            : touch
              ? 'Relatório em PDF'
              : maxFiles > 1
                ? 'Arraste os PDFs para cá'
                : 'Arraste o PDF para cá'}
        </p>
        <Button
          size="small"
          disabled={disabled}
          onClick={(event) => {
            event.stopPropagation()
            open()
          }}
        >
          {maxFiles > 1 ? 'Escolher arquivos' : 'Escolher arquivo'}
        </Button>
        <p className="text-small text-muted">
          {maxFiles > 1 ? `Até ${maxFiles} arquivos PDF de 10 MB cada` : 'Um arquivo PDF, até 10 MB'}
        </p>
      </div>
      {tooMany && (
        <Banner tone="danger" title="Envie um arquivo por vez.">
          Nenhum dos arquivos foi recebido.{severalAt && <> Para ler mais de um: {severalAt(tooMany)}</>}
        </Banner>
      )}
      {rejected.length > 0 && (
        <Banner tone="danger" title={counted(rejected.length, 'arquivo recusado', 'arquivos recusados')}>
          <ul className="flex flex-col gap-0.5">
            {rejected.map(({ name, reason }) => (
              <li key={name} className="break-words">
                <strong>{name}</strong>: {reason}
              </li>
            ))}
          </ul>
        </Banner>
      )}
    </div>
  )
}

function reasonFor({ file, errors }: FileRejection, maxFiles: number): string {
  const reasons: Record<string, string> = {
    'file-invalid-type': 'só arquivos PDF são aceitos',
    'file-too-large': `passa de 10 MB (tem ${formatBytes(file.size)})`,
    'too-many-files':
      maxFiles === 1 ? 'envie um arquivo por vez' : `envie no máximo ${maxFiles} arquivos por vez`,
    empty: 'o arquivo está vazio',
  }
  return errors.map(({ code }) => reasons[code] ?? 'não pôde ser lido').join('; ')
}
