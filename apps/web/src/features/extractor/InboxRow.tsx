import { completenessOf, counted, formatBytes, formatNumber, REQUIRED_PARTS } from '@ensaio/domain'
import { CircleAlert, CircleCheck, Clock, FileText, LoaderCircle, RotateCcw, Undo2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { editExperiment } from '../../shell/paths.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { allFields, labelOf } from './review-fields.ts'
import { type BatchItem, doubtsOf, groupOf, isReady } from './use-batch.ts'

const STAGES = {
  queued: 'na fila',
  read: 'lendo',
  ocr: 'reconhecendo texto',
  layout: 'entendendo a página',
  tables: 'montando tabelas',
  fields: 'reconhecendo campos',
} as const

type Props = {
  item: BatchItem
  busy: boolean
  onOpen: (path?: string) => void
  onRead: () => void
  onResume: () => void
  onRemove: () => void
}

export function InboxRow({ item, busy, onOpen, onRead, onResume, onRemove }: Props) {
  const { file, state } = item
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 border-t border-line px-5 py-2.5 first:border-0 sm:grid-cols-[auto_minmax(0,1fr)_auto] xl:grid-cols-[auto_minmax(0,1fr)_auto_auto]">
      <FileText aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-0">
        <p className="truncate font-medium">{file.name}</p>
        <p className="figures text-small text-muted">
          {state.phase === 'saved' ? 'com o seu PDF' : formatBytes(file.size)}
          {isReady(item) && <Missing item={item} busy={busy} onOpen={onOpen} />}
        </p>
      </div>
      <div className="max-xl:col-start-2">
        <Status item={item} />
      </div>
      <div className="flex items-center gap-1 max-sm:col-start-2 sm:max-xl:col-start-3 sm:max-xl:row-span-2 sm:max-xl:row-start-1 xl:justify-end">
        {state.phase === 'ready' && (
          <Button size="small" data-open disabled={busy} onClick={() => onOpen()}>
            Revisar este
          </Button>
        )}
        {state.phase === 'saved' && (
          <Link
            data-open
            to={editExperiment(state.experimentId)}
            className="rounded-md px-2 py-1 text-small font-medium text-accent underline underline-offset-4"
          >
            Abrir o experimento
          </Link>
        )}
        {state.phase === 'skipped' && (
          <Button size="small" data-open icon={<Undo2 aria-hidden className="size-4" />} onClick={onResume}>
            Retomar
          </Button>
        )}
        {state.phase === 'failed' && (
          <IconButton data-open label={`Ler de novo ${file.name}`} onClick={onRead}>
            <RotateCcw aria-hidden />
          </IconButton>
        )}
        <IconButton label={`Tirar da lista ${file.name}`} disabled={busy} onClick={onRemove}>
          <X aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

type MissingProps = { item: BatchItem; busy: boolean; onOpen: (path: string) => void }

/** 'Falta: Marca, T2 · Modalidade', each a way to its field. */
function Missing({ item, busy, onOpen }: MissingProps) {
  if (!isReady(item)) return null
  const { data } = item.state.review
  const { problems } = completenessOf(data)
  const fields = allFields(data)
  const shown = problems.slice(0, 4)
  if (shown.length === 0) return null
  return (
    <>
      {' · Falta: '}
      {shown.map(({ path }, i) => (
        <span key={path}>
          {i > 0 && ', '}
          <button
            type="button"
            disabled={busy}
            className="underline underline-offset-4 hover:text-text"
            onClick={() => onOpen(path)}
          >
            {path === 'tratamentos' ? 'Tratamentos' : labelOf(path, fields)}
          </button>
        </span>
      ))}
      {problems.length > shown.length && ` e mais ${problems.length - shown.length}`}
    </>
  )
}

function Status({ item }: { item: BatchItem }) {
  const { state } = item
  const line = (icon: ReactNode, text: string, colour: string) => (
    <span
      className={classes(
        'figures flex items-center gap-1.5 text-small [&>svg]:size-4 [&>svg]:shrink-0',
        colour,
      )}
    >
      {icon}
      {text}
    </span>
  )
  switch (state.phase) {
    case 'waiting':
      return line(<Clock aria-hidden />, 'na fila', 'text-muted')
    case 'reading': {
      const { progress, found } = state
      const page = progress?.page && progress.pages ? ` ${progress.page}/${progress.pages}` : ''
      const ahead = progress?.ahead ? `, ${progress.ahead} na frente` : ''
      return line(
        <LoaderCircle aria-hidden className="animate-spin" />,
        `${progress ? STAGES[progress.stage] : 'enviando'}${page}${ahead}${found > 0 ? ` · ${counted(found, 'campo', 'campos')}` : ''}`,
        'text-info',
      )
    }
    case 'ready': {
      const { result, review, twins, refusal } = state
      const group = groupOf(item)
      const doubts = doubtsOf(review)
      const parts = [
        `lido, ${formatNumber(result.metadata.confidence * 100, 0)}% de confiança`,
        review.corrected.length > 0
          ? counted(review.corrected.length, 'campo corrigido', 'campos corrigidos')
          : '',
        group === 'incomplete'
          ? `${completenessOf(review.data).done} de ${REQUIRED_PARTS.length} obrigatórios`
          : '',
        refusal ? `não foi salvo: ${refusal.sentence}` : '',
        twins.file.length > 0 ? 'já cadastrado' : twins.trial.length > 0 ? 'talvez já cadastrado' : '',
        result.metadata.held && review.data.tratamentos.length === 0 ? 'não parece ser um único ensaio' : '',
        doubts > 0 ? `${doubts} para conferir` : '',
        result.metadata.template ? 'layout corrigido antes' : '',
      ]
      const clean = group === 'ready'
      return line(
        clean ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />,
        parts.filter(Boolean).join(' · '),
        clean ? 'text-ok' : 'text-warn',
      )
    }
    case 'failed':
      return line(<CircleAlert aria-hidden />, state.message, 'text-danger')
    case 'saved':
      return line(<CircleCheck aria-hidden />, 'salvo', 'text-ok')
    case 'skipped':
      return line(<Clock aria-hidden />, 'pulado', 'text-muted')
  }
}
